"""Kinds of arguments: what a call is compiled for, and the test that guards it.

Arguments are told apart by dtype, rank and which dimensions are 1, never by size.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from retrograd.compiler.ir.gradient_parts import is_opaque
from retrograd.compiler.ir.plain_values import is_key, is_literal
from retrograd.compiler.ir.types import Array, Dim, Exactly, Given, Number, Tree, Type
from retrograd.runtime.arrays.libraries import CUPY, cupy, is_cupy, is_dask
from retrograd.runtime.errors import SignatureMismatch
from retrograd.runtime.objects.class_protocols import FUNCTIONS
from retrograd.runtime.objects.container_classes import is_mapping
from retrograd.runtime.objects.declared_containers import REGISTERED, attributes_of, rest_of
from retrograd.runtime.objects.eager_tensors import TO_ARRAY, has_tensor
from retrograd.runtime.objects.pytree import fields_of, hides, is_float
from retrograd.runtime.objects.spoken_classes import a
from retrograd.runtime.user.known_objects import Known, can_be_known

__all__ = [
    "SCALARS",
    "UNNAMED",
    "condition",
    "few_known",
    "kind_of_argument",
    "kinds_key",
    "refuse_tensor",
    "sizes",
]

SCALARS: dict[Any, str] = {bool: "b", int: "i", float: "f", complex: "c"}
BUILTINS: dict[str, Any] = {
    f"{known.__name__}__": known for known in (type, len, *SCALARS, tuple, list, dict, np.ndarray)
}

UNNAMED = Tree("object", (), (), dict)  # a dict with keys that no text can name: taken as it is


def kind_of_argument(value: Any, name: str) -> Type:
    """The type of an argument, its dimensions named after it.

    >>> kind_of_argument(np.zeros((3, 1)), "x").dims
    (Dim(name='x_0', above_one=True), 1)
    """
    if type(value) in SCALARS:
        return Number(SCALARS[type(value)])
    if isinstance(value, np.generic) and value.dtype.kind in "bifc":
        return Array(value.dtype.name, (), value.dtype.kind)
    if isinstance(value, np.ndarray):
        return kind_of_array(value, name)
    if is_cupy(value):
        return replace(kind_of_array(value, name), library=CUPY)
    if type(value) in (tuple, list):
        items = tuple(kind_of_argument(v, f"{name}_{k}") for k, v in enumerate(value))
        return Tree(type(value).__name__, tuple(range(len(value))), items)
    if type(value) is dict or is_mapping(type(value)):
        if not all(map(is_key, value)):
            return UNNAMED
        items = tuple(kind_of_argument(v, f"{name}_{k}") for k, v in value.items())
        return Tree("dict", tuple(value), items, None if type(value) is dict else type(value))
    return kind_of_object(value, name)


def kind_of_array(value: Any, name: str) -> Array:
    if type(value) not in (np.ndarray, np.memmap) and not is_cupy(value):
        raise SignatureMismatch(
            f"argument `{name}` is {a(type(value))}, a subclass of ndarray whose operators "
            f"may mean something else; pass np.asarray({name})"
        )
    kind = value.dtype.kind
    dtype = value.dtype.name if kind in "biufcO" else value.dtype.str
    dtype = dtype if value.dtype.isnative else None
    dims = tuple(1 if n == 1 else Dim(f"{name}_{k}", True) for k, n in enumerate(value.shape))
    return Array(dtype, dims, "i" if kind == "u" else kind)


def kind_of_object(value: Any, name: str) -> Type:
    if can_be_known(value):
        return Tree("object", (), (), type(value), Known(value))
    if value is None or isinstance(value, (str, bytes)):
        return Tree("object", (), (), type(value))
    refuse_tensor(value, name)
    if is_dask(value):
        raise SignatureMismatch(
            f"argument `{name}` is a dask array, which goes into rg.grad and rg.value_and_grad of a sum or a mean over "
            f"its rows, and into what rg.distributed has; pass {name}.compute()"
        )
    keys = fields_of(value)
    if keys is None:
        return kind_of_plain(value, name)
    keys += [k for k, v in rest_of(value) if can_be_known(v) and k not in keys and k.isidentifier()]
    items = tuple(kind_of_argument(getattr(value, k), f"{name}_{k}") for k in keys)
    return Tree("object", tuple(keys), items, type(value))


def refuse_tensor(value: Any, name: str) -> None:
    if has_tensor(value):
        raise SignatureMismatch(
            f"argument `{name}` is a tensor of the eager API, and this takes arrays and numbers: {TO_ARRAY}"
        )


def kind_of_plain(value: Any, name: str, around: tuple[int, ...] = ()) -> Tree:
    """An object of a class of the user's: of its attributes those that hold data."""
    own = getattr(value, "__dict__", None) or {}
    root = type(value).__module__.partition(".")[0]
    if root in ("numpy", "builtins", "functools") or len(own) > MANY or len(around) > DEEP:
        own = {}
    if type(value) in REGISTERED:  # of other things than its attributes
        own = {}
    inner = (*around, id(value))
    found = {k: kind_of_attribute(v, f"{name}_{k}", inner) for k, v in own.items()}
    for k, v in own.items():
        if found[k] is None and hasattr(type(value), k):  # in place of a method of its class
            found[k] = Tree("object", (), (), type(v))
    known = {k: kind for k, kind in found.items() if kind is not None and k.isidentifier()}
    rest = [v for k, v in attributes_of(value) if k not in known]
    hidden = any(hides(v, is_float) for v in rest if not isinstance(v, FUNCTIONS))
    hidden = hidden or holds_floats(value)
    return Tree("object", tuple(known), tuple(known.values()), type(value), hides=hidden)


def holds_floats(value: Any) -> bool:
    """True if there may be floats in a collection that is no container: a set, a buffer, an iterator."""
    if isinstance(value, Iterator):
        return True
    if isinstance(value, Collection):
        return any(hides(item, is_float) for item in islice(value, ASKED))
    try:
        return memoryview(value).format in ("e", "f", "d", "g")
    except TypeError:
        return False


def kind_of_attribute(value: Any, name: str, around: tuple[int, ...]) -> Type:
    """The kind of an attribute, or None for what is no data: functions, and objects around it."""
    plain = (*SCALARS, str, np.ndarray, type(None))
    if (
        type(value) in plain
        or is_cupy(value)
        or (isinstance(value, np.generic) and value.dtype.kind in "bifc")
    ):
        return kind_of_argument(value, name)
    if can_be_known(value):
        return kind_of_object(value, name)
    if id(value) in around or callable(value):
        return None
    mapping = type(value) is dict or is_mapping(type(value))
    if mapping and not all(map(is_key, value)):
        return UNNAMED
    if mapping or type(value) in (tuple, list):
        pairs = value.items() if mapping else enumerate(value)
        inner = (*around, id(value))
        items = {k: kind_of_attribute(v, f"{name}_{k}", inner) for k, v in pairs}
        if None in items.values() or len(items) > MANY:
            return None
        cls = type(value) if mapping and type(value) is not dict else None
        container = "dict" if mapping else type(value).__name__
        return Tree(container, tuple(items), tuple(items.values()), cls)
    if fields_of(value) is not None:
        return kind_of_object(value, name)
    if hasattr(value, "__dict__"):
        return kind_of_plain(value, name, around)
    return None


ASKED = 64  # items of a collection
MOST_TEXTS, MOST_FUNCTIONS = 8, 64
DEEP = 6
MANY = 40  # attributes, beyond which an object is not looked into


def few_known(kind: Type, path: str, seen: dict[str, set[Any]]) -> Type:
    """The kind of an argument, of whose texts and functions the first few are known: a call is compiled for each.

    >>> seen = {}
    >>> kinds = [few_known(kind_of_argument(f"run {k}", "name"), "name", seen) for k in range(10)]
    >>> kinds[0].known, kinds[9].known
    ('run 0', None)
    """
    if not isinstance(kind, Tree):
        return kind
    if kind.known is not None:
        found = seen.setdefault(path, set())
        most = MOST_TEXTS if kind.known.by_value else MOST_FUNCTIONS
        if kind.known not in found and len(found) >= most:
            return replace(kind, known=None)
        found.add(kind.known)
        return kind
    items = [few_known(i, f"{path}.{k}", seen) for k, i in zip(kind.keys, kind.items, strict=True)]
    same = all(a is b for a, b in zip(items, kind.items, strict=True))
    return kind if same else replace(kind, items=tuple(items))


# -- kinds as keys ------------------------------------------------------------------


class Self:
    """Stands for an object in a key, whatever it says that it is equal to."""

    def __init__(self, of: Any) -> None:
        self.of = of

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Self) and self.of is other.of

    def __hash__(self) -> int:
        return id(self.of)


def kinds_key(types: dict[str, Type]) -> Any:
    """A dict key for the kinds of arguments: two classes of one name are two.

    >>> one, two = (Tree("object", (), (), type("Line", (), {})) for _ in range(2))
    >>> repr(one) == repr(two), kinds_key({"line": one}) == kinds_key({"line": two})
    (True, False)
    """
    return repr(types), tuple(one for kind in types.values() for one in objects_in(kind))


def objects_in(kind: Type) -> Iterator[Any]:
    """The classes in a kind, and what is known of its parts: their texts do not tell two of them apart."""
    if isinstance(kind, Given):
        yield from objects_in(kind.type)
    elif isinstance(kind, Tree):
        yield Self(kind.cls)
        if kind.known is not None:
            yield kind.known
        for item in kind.items:
            yield from objects_in(item)


# -- guards -------------------------------------------------------------------------


def condition(kind: Type, text: str, names: dict[str, Any]) -> str:
    """Python source that is true for arguments of this kind; ``names`` gets what it refers to.

    Its own names end in two underscores: a parameter may be called ``type`` or ``len``.

    >>> condition(Number("f"), "x", {})
    'type__(x) is float__'
    """
    names.update(BUILTINS)
    if isinstance(kind, Given):
        return value_condition(kind, text, names)
    if isinstance(kind, Number):
        python = {v: k for k, v in SCALARS.items()}[kind.kind]
        return f"type__({text}) is {python.__name__}__"
    if isinstance(kind, Array):
        return array_condition(kind, text, names)
    assert isinstance(kind, Tree)
    if kind.container == "object":
        return object_condition(kind, text, names)
    container = f"{kind.container}__"
    if kind.cls is not None:
        names[container := f"cls_{id(kind.cls)}__"] = kind.cls
    parts = [f"type__({text}) is {container}", f"len__({text}) == {len(kind.keys)}"]
    if kind.container == "dict":  # a loop over it was written out in this order
        parts[1:] = [f"tuple__({text}) == {kind.keys!r}"]
    parts += [
        condition(item, f"{text}[{k!r}]", names)
        for k, item in zip(kind.keys, kind.items, strict=True)
    ]
    return " and ".join(parts)


def value_condition(kind: Given, text: str, names: dict[str, Any]) -> str:
    """The kind, and the value (or the class, where the kind leaves several)."""
    whole, value = condition(kind.type, text, names), kind.value
    if isinstance(value, Exactly):
        names[f"cls_{id(value.cls)}__"] = value.cls
        return f"{whole} and type__({text}) is cls_{id(value.cls)}__"
    if is_literal(value):
        return f"{whole} and {text} == {value!r}"
    cls = f"cls_{id(type(value))}__"
    names[cls] = type(value)
    if isinstance(value, np.generic):
        return f"type__({text}) is {cls} and {text} == {value.item()!r}"
    names[f"value_{id(value)}__"] = value
    return f"type__({text}) is {cls} and {text} is value_{id(value)}__"


def array_condition(kind: Array, text: str, names: dict[str, Any]) -> str:
    dims = kind.dims or ()
    same = dtype_condition(kind, text, names)
    if kind.library == CUPY:
        names["device_array__"] = cupy().ndarray
        return device_condition(kind, text, same)
    if not dims:
        alias = f"scalar_{kind.dtype}__"  # `bool__` is Python's
        names[alias] = np.dtype(kind.dtype).type
        exact = f"type__({text}) is {alias} or " if kind.dtype is not None else ""
        return f"({exact}type__({text}) is ndarray__ and {text}.ndim == 0) and {same}"
    parts = [f"type__({text}) is ndarray__", same, f"{text}.ndim == {len(dims)}"]
    return " and ".join([*parts, *stretched_condition(dims, text)])


def device_condition(kind: Array, text: str, same: str) -> str:
    dims = kind.dims or ()
    parts = [f"type__({text}) is device_array__", same, f"{text}.ndim == {len(dims)}"]
    return " and ".join([*parts, *stretched_condition(dims, text)])


def stretched_condition(dims: tuple[Any, ...], text: str) -> list[str]:
    """Which dimensions are 1, and no others."""
    if not dims:
        return []
    ones = [k for k, n in enumerate(dims) if n == 1]
    if not ones:
        return [f"{text}.size != 1" if len(dims) == 1 else f"1 not in {text}.shape"]
    return [f"{text}.shape[{k}] {'==' if k in ones else '!='} 1" for k in range(len(dims))]


def dtype_condition(kind: Array, text: str, names: dict[str, Any]) -> str:
    """Equal dtypes are nearly always one object; those of unpickled arrays are not."""
    if kind.dtype is None:
        letters = "iu" if kind.kind == "i" else kind.kind
        return f"not {text}.dtype.isnative and {text}.dtype.kind in {letters!r}"
    letters = re.sub(r"\W", "_", kind.dtype)
    dtype = f"d_{letters}__"
    names[dtype] = np.dtype(kind.dtype)
    return f"({text}.dtype is {dtype} or {text}.dtype == {dtype})"


def object_condition(kind: Tree, text: str, names: dict[str, Any]) -> str:
    if kind.cls is type(None):
        return f"{text} is None"
    if kind.known is not None:
        return known_condition(kind.known, text, names)
    alias = f"cls_{id(kind.cls)}__"  # the lines of a dispatcher share their names
    names[alias] = kind.cls
    parts = [f"type__({text}) is {alias}"]
    names["attribute__"] = attribute
    parts += [
        condition(item, f"attribute__({text}, {k!r})" if is_opaque(kind) else f"{text}.{k}", names)
        for k, item in zip(kind.keys, kind.items, strict=True)
    ]
    return " and ".join(parts)


def known_condition(known: Known, text: str, names: dict[str, Any]) -> str:
    """That it is this object, or one that stands for it; the names hold it, so that its id stays its own."""
    value = known.value
    alias, kind = f"known_{id(value)}__", f"cls_{id(type(value))}__"
    names[alias] = value
    if known.is_asked:
        names[f"same_{id(value)}__"] = known.is_same
        return f"same_{id(value)}__({text})"
    if not known.by_value:
        return f"{text} is {alias}"
    names[kind] = type(value)
    return f"({text} is {alias} or type__({text}) is {kind} and {text} == {alias})"


def sizes(kind: Type, text: str) -> dict[str, str]:
    """Python source of the size that each name of a dimension stands for.

    >>> sizes(kind_of_argument({"w": np.zeros((3, 2))}, "p"), "p")
    {'p_w_0': "p['w'].shape[0]", 'p_w_1': "p['w'].shape[1]"}
    """
    if isinstance(kind, Given):
        return sizes(kind.type, text)
    if isinstance(kind, Array):
        named = [(n, k) for k, n in enumerate(kind.dims or ()) if isinstance(n, Dim)]
        return {n.name: f"{text}.shape[{k}]" for n, k in named}
    found: dict[str, str] = {}
    for key, item in zip(kind.keys, kind.items, strict=True) if isinstance(kind, Tree) else ():
        found |= sizes(item, f"{text}.{key}" if kind.container == "object" else f"{text}[{key!r}]")  # type: ignore[union-attr]
    return found


def attribute(owner: Any, name: str) -> Any:
    """An attribute that may be missing on another object of the class."""
    return owner.__dict__.get(name, MISSING)


MISSING = object()
