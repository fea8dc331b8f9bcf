"""The type of a result from the types of the arguments: looks the operation up in the shape tables."""

from __future__ import annotations

import functools
import inspect
import operator
import types
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.rules.book import book
from retrograd.runtime.traits.lookup import traits_of

from ...frontend.source import source_of
from ...ir.operations import UNDEFINED, Const, Operand, Value
from ...ir.primitives import BUNDLE
from ...ir.size_names import fresh_name
from ...ir.types import (
    BOTTOM,
    STRANGER,
    TEXT,
    Array,
    Dim,
    Number,
    Numeric,
    Opaque,
    Size,
    Stack,
    Tree,
    Type,
    broadcast,
    is_numeric,
    kind_of,
)
from ..class_protocols import FUNCTIONS, is_foreign, is_foreign_operand
from ..random_numbers import of_draw
from .elementwise import common_dims, elementwise
from .table import SHAPES, UNKNOWN

__all__ = ["as_stack", "as_type", "infer", "join", "meet", "type_of"]


def type_of(operand: Operand) -> Type:
    """The type of an operand: a value, a literal, or a container of them."""
    if isinstance(operand, Value):
        return operand.type
    if operand is UNDEFINED:
        return BOTTOM
    if isinstance(operand, Const):
        return STRANGER if is_object(operand.value) else as_type(operand.value)
    if isinstance(operand, (tuple, list)):
        kind = "tuple" if isinstance(operand, tuple) else "list"
        return Tree(kind, tuple(range(len(operand))), tuple(type_of(item) for item in operand))
    if isinstance(operand, dict):
        return Tree("dict", tuple(operand), tuple(type_of(item) for item in operand.values()))
    return None


def as_type(value: Any) -> Type:
    """The type of a Python number or an array, sizes included."""
    for python, kind in ((bool, "b"), (int, "i"), (float, "f"), (complex, "c")):
        if type(value) is python:
            return Number(kind)
    if type(value) is str:
        return TEXT
    if not is_array(value):
        return None
    dtype, dims = value.dtype, value.shape
    if dtype.kind == "V":
        return None  # of fields
    return Array(dtype.name, tuple(int(n) for n in dims), dtype.kind)


def is_object(value: Any) -> bool:
    """True of an object with methods of its own: no number, array, text or function, and no container."""
    return not isinstance(value, FUNCTIONS) and is_foreign(type(value)) and not is_array(value)


def is_array(value: Any) -> bool:
    """True if this has the shape of an array: one of NumPy's, or a sparse one of SciPy's."""
    if type(value) in (np.ndarray, np.memmap) or isinstance(value, np.generic):
        return True
    sparse = (type(value).__module__ or "").startswith("scipy.sparse")
    return sparse and isinstance(getattr(value, "dtype", None), np.dtype)


def described(operand: Operand) -> Any:
    """An argument as shape functions see it: a plain constant, a type, or containers of these."""
    if isinstance(operand, Value):
        if isinstance(operand.type, Opaque) and operand.type.dtype:
            return np.dtype(operand.type.dtype)
        unknown = operand.type in (None, BOTTOM) or isinstance(operand.type, (Opaque, Numeric))
        return UNKNOWN if unknown else operand.type
    if isinstance(operand, Const):
        value = operand.value
        array = isinstance(value, np.ndarray) or is_array(value)
        return (as_type(value) or UNKNOWN) if array else value
    if isinstance(operand, (tuple, list)):
        return type(operand)([described(item) for item in operand])
    if isinstance(operand, dict):
        return {k: described(item) for k, item in operand.items()}
    if isinstance(operand, slice):
        return slice(*[described(p) for p in (operand.start, operand.stop, operand.step)])
    return operand


def infer(fn: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> Type:
    """The type of ``fn(*args, **kwargs)``, or None where nothing certain is known."""
    found = by_table(fn, args, kwargs)
    if found is not None:
        return found
    given = [*args, *kwargs.values()]
    if any(type_of(a) is BOTTOM for a in given):
        return BOTTOM  # what never is gives nothing
    if not is_plain(fn, args, kwargs) or any(map(is_foreign_operand, given)):
        return None
    if gives_array(fn):
        return Array()
    return of_numeric(fn, args) if any(isinstance(type_of(a), Numeric) for a in args) else None


@functools.cache
def gives_array(fn: Any) -> bool:
    """True if an operation of NumPy's gives one array, or one of its scalars, whatever it is given."""
    owner = own_attribute(fn, "__objclass__") or own_attribute(fn, "__module__")
    numpys = isinstance(fn, np.ufunc) or owner is np.ndarray or str(owner).startswith("numpy")
    if not numpys or fn not in book.rules or traits_of(fn).gives not in (None, "truth"):
        return False
    return results(book.rules[fn].differential) == 1


def is_plain(fn: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> bool:
    """True if a call has the arguments that the rule knows, and no others: `np.where(mask)`, `retstep=True`."""
    if getattr(type(fn), "__hash__", None) is None or fn not in book.rules:
        return False
    names, required = arguments_of(book.rules[fn].differential)
    given = {*names[: len(args)], *kwargs}
    return len(args) <= len(names) and given <= {*names} and required <= given


@functools.cache
def arguments_of(differential: Any) -> tuple[tuple[str, ...], frozenset[str]]:
    """The arguments that a rule knows, and those that it needs; none, and one, of a rule for any number."""
    _, *known = inspect.signature(differential).parameters.values()
    if any(p.kind is p.VAR_POSITIONAL for p in known):
        return (), frozenset({"*"})
    known = [p for p in known if p.kind is not p.KEYWORD_ONLY]
    return tuple(p.name for p in known), frozenset(p.name for p in known if p.default is p.empty)


def of_numeric(fn: Any, args: tuple[Operand, ...]) -> Type:
    """The type of what is computed with numbers or arrays."""
    numbers = all(is_numeric(type_of(a)) for a in args)
    return Numeric() if numbers and traits_of(fn).elementwise is True else None


def by_table(fn: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> Type:
    if fn is BUNDLE:
        return type_of(args[0])
    asked = args[:1] if fn is operator.getitem else [*args, *kwargs.values()]
    if asks_class(fn) and any(map(is_foreign_operand, asked)):
        return None  # whatever its class answers
    try:
        shape = SHAPES.get(fn)
    except TypeError:
        return None
    if fn is operator.getitem and isinstance(type_of(args[0]), Tree) and isinstance(args[1], Value):
        return item_type(type_of(args[0]))
    if fn is linear.stop_gradient:
        return type_of(args[0])
    unknown = len(args) == 1 and (
        type_of(args[0]) in (None, BOTTOM) or isinstance(type_of(args[0]), Numeric)
    )
    if unknown and not kwargs and reduces_all(fn):
        return Array(None, (), None)
    if shape is None and isinstance(fn, np.ufunc):
        shape = elementwise(fn)
    if shape is None and str(own_attribute(fn, "__module__", "")).startswith("numpy.random"):
        return of_draw(
            fn, [described(a) for a in args], {k: described(a) for k, a in kwargs.items()}
        )
    if shape is None and isinstance(fn, types.MethodType):
        return of_distribution(fn, [*args, *kwargs.values()])
    if shape is None:
        return stretched(fn, args)
    found: Type
    puts = traits_of(fn).puts is not None
    positional = [BOTTOM if puts and type_of(a) is BOTTOM else described(a) for a in args]
    try:
        found = shape(*positional, **{k: described(a) for k, a in kwargs.items()})
        return found
    except Exception:
        # A call the table does not foresee: nothing is known, and running it will tell.
        return None


def asks_class(fn: Any) -> bool:
    """True if the class of an operand may say what an operation gives."""
    return not traits_of(fn).answered and not str(own_attribute(fn, "__module__", "")).startswith(
        "retrograd"
    )


def reduces_all(fn: Any) -> bool:
    """True if a call without options makes one number of all entries; ``np.add.reduce`` goes along one axis."""
    whole = not isinstance(own_attribute(fn, "__self__"), np.ufunc)
    return whole and traits_of(fn).reduces is not None


def stretched(fn: Any, args: tuple[Operand, ...]) -> Type:
    """The type of an operation without a shape function: the common shape, or so many results."""
    rule = book.rules.get(fn)
    count = 1 if rule is None else results(rule.differential)
    if count > 1:
        return Tree("tuple", tuple(range(count)), (None,) * count)
    common = broadcast(*map(type_of, args)) if rule is not None and rule.broadcasts else None
    if rule is not None and rule.complex:
        return Array(None, common.dims if isinstance(common, Array) else None, "c")
    return Array(None, common.dims, common.kind) if isinstance(common, Array) else None


@functools.cache
def results(differential: Any) -> int:
    """How many results an operation has: its rule returns a tuple of them."""
    last = source_of(differential).tree.body[-1].value
    return len(last.elts) if type(last).__name__ == "Tuple" else 1


def of_distribution(fn: Any, given: list[Operand]) -> Type:
    """The type of a method of a SciPy distribution: double precision, of the common shape."""
    rule, known = book.rules.get(fn), list(map(type_of, given))
    if (
        rule is None
        or not rule.broadcasts
        or not all(isinstance(t, (Array, Number)) for t in known)
    ):
        return None
    return Array("float64", common_dims(*known), "f")


def item_type(tree: Any) -> Type:
    """The type that all items of a container have."""
    return functools.reduce(join, tree.items) if tree.items else None


def join(a: Type, b: Type) -> Type:
    """Join: the type of a value that is either of two.

    >>> join(Number("f"), Number("i")).kind
    'f'
    >>> join(Array("float64", (Dim("n", True),), "f"), Number("f"))
    Numeric(bound=None)
    """
    if a == b or b is BOTTOM:
        return a
    if a is BOTTOM:
        return b
    if isinstance(a, Opaque) and isinstance(b, Opaque):
        return Opaque(own=a.own and b.own)
    if STRANGER in (a, b) or any(isinstance(t, Opaque) and not t.own for t in (a, b)):
        return STRANGER
    if isinstance(a, Number) and isinstance(b, Number):
        return Number(max(a.kind, b.kind, key="bifc".index))
    if isinstance(a, Array) and isinstance(b, Array):
        return join_arrays(a, b)
    if is_numeric(a) and is_numeric(b):
        return join_scalar(a, b)
    if (
        isinstance(a, Tree)
        and isinstance(b, Tree)
        and (a.container, a.keys, a.cls) == (b.container, b.keys, b.cls)
    ):
        return Tree(a.container, a.keys, tuple(map(join, a.items, b.items)), a.cls)
    a, b = as_stack(a), as_stack(b)
    if isinstance(a, Stack) and isinstance(b, Stack) and a.keyed == b.keyed:
        fixed = a.fixed or b.fixed
        return Stack(join(a.item, b.item), a.user or b.user, a.keyed, join(a.key, b.key), fixed)
    return None


def as_stack(kind: Type) -> Type:
    """The type of a list or a dict of known structure as that of one whose structure is known when it runs."""
    if not (isinstance(kind, Tree) and kind.container in ("list", "dict")):
        return kind
    item: Any = functools.reduce(join, [BOTTOM, *kind.items])
    keyed = kind.container == "dict"
    key: Any = functools.reduce(join, [BOTTOM, *map(as_type, kind.keys)]) if keyed else None
    return Stack(item, user=True, keyed=keyed, key=key)


def meet(a: Type, b: Type) -> Type:
    """Meet: the type of a value of which both hold.

    >>> meet(Array(None, (3,), None), Array("float32", None, "f"))
    Array(dtype='float32', dims=(3,), kind='f')
    """
    if a is None or a is BOTTOM:
        return b
    if not isinstance(a, Array) or not isinstance(b, Array):
        return a
    dims = b.dims if a.dims is None else a.dims
    if a.dims is not None and b.dims is not None and len(a.dims) == len(b.dims):
        dims = tuple(n if m is None else m for m, n in zip(a.dims, b.dims, strict=True))
    return Array(a.dtype or b.dtype, dims, a.kind or b.kind)


def join_arrays(a: Array, b: Array) -> Array:
    dtype = a.dtype if a.dtype == b.dtype else None
    return Array(dtype, join_dims(a.dims, b.dims), join_kinds(a, b))


def join_scalar(a: Any, b: Any) -> Array | Numeric:
    """A Python number or a NumPy scalar: still no dimensions."""
    known = not (isinstance(a, Numeric) or isinstance(b, Numeric)) and a.dims == b.dims == ()
    return Array(None, (), join_kinds(a, b)) if known else Numeric()


def join_kinds(a: Type, b: Type) -> str | None:
    """The kind that holds both; of texts, times and objects only one and the same."""
    first, second = kind_of(a), kind_of(b)
    if first is None or second is None or first == second:
        return first if first == second else None
    return max(first, second, key="bifc".index) if {first, second} <= set("bifc") else None


def join_dims(a: tuple[Size, ...] | None, b: tuple[Size, ...] | None) -> tuple[Size, ...] | None:
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(map(join_size, a, b))


def join_size(a: Size, b: Size) -> Size:
    if a == b:
        return a
    return Dim(fresh_name(), True) if above_one(a) and above_one(b) else None


def above_one(size: Size) -> bool:
    """True if a dimension is certainly not 1, so that broadcasting never stretches it."""
    return size != 1 if isinstance(size, int) else isinstance(size, Dim) and size.above_one
