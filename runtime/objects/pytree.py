"""Nested containers of values: the one place that says what is a container, and makes one like it.

Containers are tuples, lists and dicts (those of classes of one's own too, as long as these leave it to them what
their items are), named tuples, classes that declare their fields and those registered (`declared_containers`),
`deque`, `UserDict`, `UserList`, `ChainMap`, `SimpleNamespace`, proxies of dicts, and arrays of objects.  What is none
is a leaf; `hides` looks into leaves, too, for what may be held there unseen.

Other walks see other things on purpose: copies of arguments and `check_separate` go by identity, through attributes
of objects; helpers that join and split take nested lists for rows, as NumPy does; `class_protocols.leaves_of` stops
at whatever is not exactly a tuple, list or dict, to ask it what it is; sets of indices stand in arrays of objects.
"""

from __future__ import annotations

import copy
import types
from collections import ChainMap, deque
from collections.abc import Callable, Collection, Iterator
from typing import Any

import numpy as np

from ..arrays.transfers import dtype_of, is_ndarray
from ..errors import SignatureMismatch
from .container_classes import ATTRIBUTES, WRAPPED, goes_over_itself, identity_of, shows_all
from .declared_containers import (
    REGISTERED,
    declared,
    empty,
    extra_of,
    parts_of,
    put_together,
    slots_of,
    with_fields,
)
from .own_attributes import own_dict

__all__ = [
    "at", "basis", "children", "fields_of", "flatten", "floats", "hides", "in_order_of", "instance", "is_float", "leaves", "map_floats", "map_leaves",
    "map_operands", "map_pairs", "map_paths", "pack", "part", "remade", "taken",
    "with_items",
]  # fmt: skip

LEAVES = frozenset({
    float, int, bool, complex, str, bytes, type(None), np.float64, np.float32, np.bool_, np.int64, type,
    types.FunctionType, types.BuiltinFunctionType, types.ModuleType, types.MethodType, range, slice,
    type(Ellipsis), np.dtype, np.ufunc,
})  # fmt: skip
OWN: set[type] = set()  # classes of this package that were seen to be no containers: tensors, say
DEEP = 12
FLOATS = ("f", "c")


def children(tree: Any) -> list[tuple[Any, Any]] | None:
    """The keys and items of a container; None of a leaf.

    >>> children({"w": 1.0}), children((2.0, 3.0)), children(4.0)
    ([('w', 1.0)], [(0, 2.0), (1, 3.0)], None)
    """
    kind = type(tree)  # not `__class__`, which a box takes from its value
    if kind in LEAVES:
        return None
    if kind in REGISTERED:
        return parts_of(tree)
    if kind in OWN:
        return None
    if kind is np.ndarray:
        return places(tree) if tree.dtype.kind == "O" else None
    if kind is dict:
        return list(tree.items())
    if kind is tuple or kind is list:
        return list(enumerate(tree))
    if issubclass(kind, (dict, types.MappingProxyType)):
        return list(tree.items()) if shows_all(kind) else None
    if issubclass(kind, (tuple, list)):
        return list(enumerate(tree)) if goes_over_itself(kind) else None
    if issubclass(kind, deque):
        return list(enumerate(tree))
    if issubclass(kind, WRAPPED):
        return children(tree.data)
    if issubclass(kind, ChainMap):
        return list(tree.items())
    if issubclass(kind, ATTRIBUTES):
        return list(vars(tree).items())
    fields = declared(kind)
    if fields is None:
        if kind.__module__.startswith("retrograd."):
            OWN.add(kind)
        return None
    names = [*fields, *extra_of(tree)]
    return [(name, getattr(tree, name)) for name in names if hasattr(tree, name)]


def fields_of(tree: Any) -> list[str] | None:
    """The attributes that an object is a container of; None of what is none, or not of its attributes alone."""
    kind: Any = type(tree)
    if kind in REGISTERED:
        names: list[Any] = [name for name, _ in parts_of(tree)]
    elif hasattr(kind, "_fields") and issubclass(kind, tuple):
        names = list(kind._fields)
    elif issubclass(kind, ATTRIBUTES) or declared(kind) is not None:
        names = [name for name, _ in children(tree) or ((0, tree),)]
    else:
        return None
    return names if all(isinstance(n, str) and n.isidentifier() for n in names) else None


def places(tree: np.ndarray) -> list[tuple[Any, Any]]:
    """The items of an array of objects, each with its index."""
    return list(zip(np.ndindex(tree.shape), tree.flat, strict=True))


def with_items(tree: Any, items: list[Any]) -> Any:
    """A container like ``tree`` around other items, in the order of `children`.

    >>> with_items({"w": 1.0}, [5.0])
    {'w': 5.0}
    """
    kind = type(tree)
    if kind in REGISTERED:
        return put_together(tree, items)
    if kind is dict:
        return dict(zip(tree, items, strict=True))
    if issubclass(kind, ChainMap):
        return chained(tree, dict(zip(tree, items, strict=True)))
    if issubclass(kind, types.MappingProxyType):
        return kind(dict(zip(tree, items, strict=True)))
    if issubclass(kind, dict):
        made = copy.copy(tree)  # a `defaultdict` keeps what it makes
        dict.update(made, zip(list(tree), items, strict=True))  # a `Counter` would add
        return made
    if issubclass(kind, (tuple, list)):
        return remade(tree, items)
    if issubclass(kind, deque):
        return kind(items, tree.maxlen)
    if kind is np.ndarray:
        made = np.empty(tree.shape, object)
        for k, item in zip(np.ndindex(tree.shape), items, strict=True):
            made[k] = item
        return made
    if issubclass(kind, WRAPPED):
        made = copy.copy(tree)
        made.data = with_items(tree.data, items)
        return made
    names = [name for name, _ in children(tree) or ()]
    return with_fields(tree, dict(zip(names, items, strict=True)))


def chained(tree: ChainMap[Any, Any], items: dict[Any, Any]) -> Any:
    """Maps in the same order; what an earlier one hides is None in those after it."""
    maps = []
    for one in tree.maps:
        maps.append({key: items.pop(key, None) for key in one})
    return type(tree)(*maps)


def remade(like: Any, items: list[Any]) -> Any:
    """A list or tuple of the kind of ``like``; a result of SciPy keeps what else it carries."""
    kind = type(like)
    if not hasattr(like, "_fields"):
        return kind(items)
    made = tuple.__new__(kind, items)
    if hasattr(like, "__dict__"):
        vars(made).update(vars(like))
    return made


def instance(kind: Any, fields: dict[str, Any]) -> Any:
    """An object that holds these: its constructor might change what it is given, or refuse it.

    >>> vars(instance(types.SimpleNamespace, {"w": -1.0}))
    {'w': -1.0}
    """
    if issubclass(kind, tuple):
        return tuple.__new__(kind, [fields[name] for name in kind._fields])
    made = empty(kind)
    for name, item in fields.items():
        object.__setattr__(made, name, item)
    return made


def part(tree: Any, key: Any) -> Any:
    """The item of a container under one of the keys of `children`; of None, None."""
    if tree is None:
        return None
    kind = type(tree)
    if kind in REGISTERED:
        return dict(parts_of(tree))[key]
    if kind in (dict, list, tuple):
        return tree[key]
    if issubclass(kind, ATTRIBUTES) or declared(kind) is not None:
        return getattr(tree, key)
    return tree[key]


def at(tree: Any, path: tuple[Any, ...]) -> Any:
    """The part at the end of a path of keys."""
    for key in path:
        tree = part(tree, key)
    return tree


def map_pairs(change: Callable[[Any, Any], Any], tree: Any, other: Any) -> Any:
    """A tree with its leaves changed, beside a second one of the same form (None: no leaves)."""
    inner = children(tree)
    if inner is None:
        return change(tree, other)
    return with_items(tree, [map_pairs(change, item, part(other, key)) for key, item in inner])


def map_leaves(change: Callable[[Any], Any], tree: Any) -> Any:
    """A tree with its leaves changed.

    >>> map_leaves(abs, {"w": [-1.0, (-2.0,)]})
    {'w': [1.0, (2.0,)]}
    """
    inner = children(tree)
    if inner is None:
        return change(tree)
    return with_items(tree, [map_leaves(change, item) for _, item in inner])


def leaves(tree: Any) -> list[Any]:
    """The parts of a tree that are no containers, in order.

    >>> leaves({"w": [1.0, (2.0,)], "b": 3.0})
    [1.0, 2.0, 3.0]
    """
    found: list[Any] = []
    add_leaves(tree, found)
    return found


def add_leaves(tree: Any, found: list[Any]) -> None:
    kind = type(tree)
    if kind in LEAVES or (kind is np.ndarray and tree.dtype.kind != "O"):  # no call for these
        found.append(tree)
        return
    inner = children(tree)
    if inner is None:
        found.append(tree)
        return
    for _, item in inner:
        add_leaves(item, found)


def floats(tree: Any) -> list[Any]:
    """The leaves that can have a derivative, in order.

    >>> floats({"w": [1.0, 2], "act": "relu"})
    [1.0]
    """
    return [leaf for leaf in leaves(tree) if is_float(leaf)]


def map_floats(change: Callable[[Any], Any], tree: Any) -> Any:
    """A tree with those leaves changed that can have a derivative, and None in place of the others.

    >>> map_floats(abs, {"w": -1.0, "act": "relu"})
    {'w': 1.0, 'act': None}
    """
    return map_leaves(lambda leaf: change(leaf) if is_float(leaf) else None, tree)


def map_operands(change: Callable[[Any], Any], tree: Any) -> Any:
    """A tree with its leaves changed, those of slices too: the operands of a call, among which an index is.

    >>> map_operands(float, [slice(1, 2, 3), 4])
    [slice(1.0, 2.0, 3.0), 4.0]
    """
    kind = type(tree)
    if kind is slice:
        return slice(*[map_operands(change, p) for p in (tree.start, tree.stop, tree.step)])
    if kind in LEAVES:
        return change(tree)
    if kind is tuple or kind is list:
        return kind([map_operands(change, item) for item in tree])
    inner = children(tree)
    if inner is None:
        return change(tree)
    return with_items(tree, [map_operands(change, item) for _, item in inner])


def map_paths(change: Callable[[Any, tuple[Any, ...]], Any], tree: Any, path: Any = ()) -> Any:
    """A tree with its leaves changed; ``change`` gets each with the path that leads to it."""
    inner = children(tree)
    if inner is None:
        return change(tree, path)
    return with_items(tree, [map_paths(change, item, (*path, key)) for key, item in inner])


def is_float(leaf: Any) -> bool:
    """True if a leaf can have a derivative: texts, functions, None and whole numbers have none.

    >>> is_float(1.0), is_float(np.ones(2, np.float32)), is_float(1), is_float("w")
    (True, True, False, False)
    """
    if isinstance(leaf, (np.ndarray, np.generic)):
        return leaf.dtype.kind in "fc"
    if isinstance(leaf, (float, complex)):
        return True
    kind = getattr(getattr(leaf, "dtype", None), "kind", "")  # of a sparse matrix
    return kind in FLOATS


def hides(
    tree: Any, test: Callable[[Any], bool], seen: set[int] | None = None, depth: int = 0
) -> bool:
    """True if anything that an object can be seen to hold passes a test: items and attributes, too."""
    if test(tree):
        return True
    kind = type(tree)
    if kind in LEAVES or (kind is np.ndarray and tree.dtype != object) or depth > DEEP:
        return False
    seen = set() if seen is None else seen
    if id(tree) in seen:
        return False
    seen.add(id(tree))
    return any(hides(held, test, seen, depth + 1) for held in holds(tree))


def holds(tree: Any) -> Iterator[Any]:
    """The items and attributes of anything, as far as they can be had without running its code."""
    inner = children(tree)
    if inner is not None:
        yield from (item for _, item in inner)
    kind = type(tree)
    if issubclass(kind, (set, frozenset)) or (inner is None and is_collection(kind)):
        yield from tuple(tree)
    yield from tuple(own_dict(tree).values()) if has_own(kind) else ()
    for name in slots_of(kind):
        if hasattr(tree, name):
            yield getattr(tree, name)


def is_collection(kind: type) -> bool:
    """True if a class of a library is one of containers that can be gone over more than once."""
    return kind.__module__ in ("builtins", "collections") and issubclass(kind, Collection)


def has_own(kind: type) -> bool:
    """True if the attributes of an object are data of the user's."""
    return kind.__module__.partition(".")[0] not in ("numpy", "scipy", "builtins", "threading")


# -- structures -----------------------------------------------------------------------------------


def flatten(tree: Any) -> tuple[list[Any], Any]:
    """The leaves, and a description of the structure that compares equal for equal structures.

    >>> flatten({"w": [1.0, 2.0]})
    ([1.0, 2.0], (<class 'dict'>, (('w', (<class 'list'>, ((0, None), (1, None)))),)))
    """
    found: list[Any] = []
    return found, add_structure(tree, found)


def add_structure(tree: Any, found: list[Any]) -> Any:
    kind = type(tree)
    plain = kind in LEAVES or (kind is np.ndarray and tree.dtype.kind != "O")
    inner = None if plain else children(tree)
    if inner is None:
        found.append(tree)
        return None
    return identity_of(kind), tuple([(key, add_structure(item, found)) for key, item in inner])


def in_order_of(like: Any, tree: Any) -> Any:
    """``tree``, its dicts in the order of those of ``like`` that have the same keys.

    >>> in_order_of({"a": 1, "b": 2}, {"b": 20, "a": 10})
    {'a': 10, 'b': 20}
    """
    if isinstance(like, dict) and isinstance(tree, dict) and like.keys() == tree.keys():
        items = [in_order_of(v, tree[k]) for k, v in like.items()]
        if type(tree) is dict:
            return dict(zip(like, items, strict=True))
        return with_items(like, items) if type(like) is type(tree) else tree
    if type(like) in (list, tuple) and type(tree) is type(like) and len(like) == len(tree):
        return type(like)(in_order_of(a, b) for a, b in zip(like, tree, strict=True))
    return tree


def pack(shape: Any, flat: list[Any]) -> Any:
    """Results of generated code in the user's containers: ``shape`` is [kind, keys, items]."""
    return packed(shape, iter(flat))


def packed(shape: Any, values: Iterator[Any]) -> Any:
    if shape is None:
        return next(values)
    kind, keys, items = shape
    inner = [packed(item, values) for item in items]
    if kind == "dict":
        return dict(zip(keys, inner, strict=True))
    if kind in ("tuple", "list"):
        return tuple(inner) if kind == "tuple" else inner
    return instance(kind, dict(zip(keys, inner, strict=True)))


def taken(shape: Any, tree: Any) -> Iterator[Any]:
    """The parts of a cotangent in the places of the results, which may be containers of the arguments."""
    if shape is None:
        yield tree
        return
    kind, keys, items = shape
    plain = kind in ("tuple", "list", "dict")
    if not (has_items(tree, kind, keys) if plain else all(hasattr(tree, key) for key in keys)):
        what = f"a {kind} of {len(keys)}" if plain else f"a {getattr(kind, '__name__', kind)}"
        raise SignatureMismatch(f"the cotangent must be {what}, like the result")
    for key, item in zip(keys, items, strict=True):
        yield from taken(item, tree[key] if plain else getattr(tree, key))


def has_items(tree: Any, kind: str, keys: Any) -> bool:
    if kind == "dict":
        return isinstance(tree, dict) and tree.keys() == set(keys)
    return isinstance(tree, (tuple, list)) and len(tree) == len(keys)


def basis(tree: Any) -> Iterator[tuple[int, tuple[int, ...], Any]]:
    """Every unit vector of the space of ``tree``: (leaf, index, tree of zeros and one 1)."""
    flat, _ = flatten(tree)
    for leaf, value in enumerate(flat):
        for index in np.ndindex(np.shape(value)) if is_float(value) else ():
            yield leaf, index, unit(tree, leaf, index)


def unit(tree: Any, leaf: int, index: tuple[int, ...]) -> Any:
    count = iter(range(10**9))

    def one(value: Any) -> Any:
        mine = next(count) == leaf
        if not is_float(value):
            return value
        if isinstance(value, (float, complex)):
            return 1.0 if mine else 0.0
        made = np.zeros(np.shape(value), dtype_of(value))
        if mine:
            made[index] = 1.0
        return made if is_ndarray(value) else made[()]

    return map_leaves(one, tree)
