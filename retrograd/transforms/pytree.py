"""Nested containers at run time: flatten, rebuild, unit vectors."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from retrograd.runtime.errors import SignatureMismatch
from retrograd.runtime.objects.pytree import instance, with_attributes

__all__ = ["basis", "children", "flatten", "in_order_of", "map_leaves", "pack", "taken"]


LEAVES = {np.ndarray, np.float64, float, int, bool, complex, str, type(None)}  # told at a glance


def children(tree: Any) -> list[tuple[Any, Any]] | None:
    """The keys and items of a container, or None for a leaf."""
    if type(tree) in LEAVES:
        return None
    if isinstance(tree, dict):
        return list(tree.items())
    if isinstance(tree, (tuple, list)):
        return list(enumerate(tree))
    if dataclasses.is_dataclass(tree) and not isinstance(tree, type):
        return [
            (f.name, getattr(tree, f.name))
            for f in dataclasses.fields(tree)
            if hasattr(tree, f.name)
        ]
    return None


def flatten(tree: Any) -> tuple[list[Any], Any]:
    """The leaves, and a description of the structure that compares equal for equal structures.

    >>> flatten({"w": [1.0, 2.0]})
    ([1.0, 2.0], (<class 'dict'>, (('w', (<class 'list'>, ((0, None), (1, None)))),)))
    """
    inner = None if type(tree) in LEAVES else children(tree)
    if inner is None:
        return [tree], None
    found: list[Any] = []
    shape = []
    for key, item in inner:
        flat, below = flatten(item)
        found += flat
        shape.append((key, below))
    return found, (type(tree), tuple(shape))


def in_order_of(like: Any, tree: Any) -> Any:
    """``tree``, its dicts in the order of those of ``like`` that have the same keys.

    >>> in_order_of({"a": 1, "b": 2}, {"b": 20, "a": 10})
    {'a': 10, 'b': 20}
    """
    if isinstance(like, dict) and isinstance(tree, dict) and like.keys() == tree.keys():
        return {k: in_order_of(v, tree[k]) for k, v in like.items()}
    if type(like) in (list, tuple) and type(tree) is type(like) and len(like) == len(tree):
        return type(like)(in_order_of(a, b) for a, b in zip(like, tree, strict=True))
    return tree


def map_leaves(change: Callable[[Any], Any], tree: Any) -> Any:
    """The same container around changed leaves."""
    if type(tree) in LEAVES:
        return change(tree)
    if isinstance(tree, dict):
        return {k: map_leaves(change, v) for k, v in tree.items()}
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*[map_leaves(change, v) for v in tree])
    if isinstance(tree, (tuple, list)):
        return type(tree)(map_leaves(change, v) for v in tree)
    inner = children(tree)
    if inner is None:
        return change(tree)
    return with_attributes(tree, [map_leaves(change, item) for _, item in inner])


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
    """What a cotangent has in the places of the results, which may be containers of the arguments."""
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
        for index in np.ndindex(np.shape(value)):
            yield leaf, index, unit(tree, leaf, index)


def unit(tree: Any, leaf: int, index: tuple[int, ...]) -> Any:
    count = iter(range(10**9))

    def one(value: Any) -> Any:
        mine = next(count) == leaf
        if isinstance(value, (int, float, complex)):
            return 1.0 if mine else 0.0
        made = np.zeros(np.shape(value), np.asarray(value).dtype)
        if mine:
            made[index] = 1.0
        return made if isinstance(value, np.ndarray) else made[()]

    return map_leaves(one, tree)
