"""Shape functions of lists whose length is known at run time."""

from __future__ import annotations

import builtins
from dataclasses import replace
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from ...ir.containers import Record
from ...ir.lattice import as_stack, as_type, join
from ...ir.types import BOTTOM, Array, Number, Opaque, Stack, Tree, Type, is_record, kind_of
from .table import SHAPES, UNKNOWN, shape


def listed(x: Any) -> Type:
    return x if isinstance(x, Stack) else None


@shape(linear.flipped)
def _(stack: Any) -> Type:
    return listed(stack)


@shape(linear.removed)
def _(items: Any, index: Any = -1) -> Type:
    return listed(items)


@shape(linear.repeated_list)
def _(items: Any, count: Any) -> Type:
    return listed(items)


@shape(linear.folded)
def _(c: Any, items: Any) -> Type:
    return listed(items)


@shape(linear.put_at, linear.renewed_at)
def _(items: Any, path: Any, item: Any) -> Type:
    return with_item(items, path, item)


@shape(linear.increased_at)
def _(items: Any, path: Any, c: Any) -> Type:
    return listed(as_stack(items))


@shape(linear.cleared_at)
def _(c: Any, path: Any, like: Any) -> Type:
    return listed(as_stack(c))


@shape(linear.entered)
def _(items: Any, key: Any, item: Any) -> Type:
    return with_item(items, (key,), item)


@shape(linear.dropped, linear.like_keys, linear.shallow)
def _(items: Any, *others: Any) -> Type:
    return listed(as_stack(items))


@shape(linear.values_of)
def _(items: Any) -> Type:
    kind = as_stack(items)
    return Stack(kind.item, user=True) if isinstance(kind, Stack) else None


@shape(linear.keys_of)
def _(items: Any) -> Type:
    kind = as_stack(items)
    return Stack(kind.key if isinstance(kind, Stack) else None, user=True)


@shape(linear.cleared)
def _(items: Any, index: Any, like: Any = None) -> Type:
    return listed(items)


@shape(linear.put_back)
def _(c: Any, like: Any, index: Any = -1) -> Type:
    return Stack(None)


@shape(linear.appended)
def _(items: Any, item: Any) -> Type:
    return Stack(known(items, item), is_users(items))


@shape(linear.replaced, linear.inserted)
def _(items: Any, index: Any, item: Any) -> Type:
    return Stack(known(items, item), is_users(items))


@shape(linear.spliced)
def _(items: Any, index: Any, new: Any) -> Type:
    both = isinstance(items, Stack) and isinstance(new, Stack)
    return join(items, new) if both else Stack(None, is_users(items))


@shape(linear.joined)
def _(first: Any, second: Any) -> Type:
    both = isinstance(first, Stack) and isinstance(second, Stack)
    return join(first, second) if both else Stack(None, is_users(first))


@shape(linear.order_of)
def _(keys: Any, reverse: Any = False) -> Type:
    return Stack(Number("i"))


@shape(linear.combinations, linear.permutations, linear.multisets)
def _(n: Any, r: Any) -> Type:
    return Array("int64", (None, None), "i")


@shape(linear.visits)
def _(x: Any) -> Type:
    return Array("int64", (None,), "i")


@shape(linear.norm_of)
def _(xs: Any) -> Type:
    return Number("f")


@shape(builtins.tuple, linear.frozen)
def _(x: Any = ()) -> Type:
    if isinstance(x, Array) and x.dims:
        return Stack(x.with_dims(x.dims[1:]), user=True, fixed=True)
    whole = (
        isinstance(x, Stack) and kind_of(x.item) == "i"
    )  # axes, an index: to NumPy, it is no list
    kept = isinstance(x, Stack) and not x.keyed and not whole
    return replace(x, fixed=True) if kept else None


@shape(linear.thawed)
def _(x: Any) -> Type:
    return replace(x, fixed=False) if isinstance(x, Stack) else None


@shape(linear.items)
def _(x: Any) -> Type:
    if not isinstance(x, Array) or not x.dims:
        return x if isinstance(x, Stack) else None
    return Stack(x.with_dims(x.dims[1:]), user=True)


@shape(np.ndarray.tolist)
def _(x: Any) -> Type:
    if not isinstance(x, Array) or not x.dims or x.kind is None:
        return None
    kind: Type = Number(x.kind)
    for _ in x.dims:
        kind = Stack(kind, user=True)
    return kind


@shape(linear.best_of, linear.index_of, linear.times_in)
def _(items: Any, *others: Any) -> Type:
    return Number("i")


@shape(linear.starred)
def _(fn: Any, items: Any, *first: Any) -> Type:
    """As of two such items: what takes any number of them gives as much of more."""
    item = items.item if isinstance(items, Stack) and not items.keyed else None
    if item is None or isinstance(item, Opaque):
        item = np.dtype(item.dtype) if item is not None and item.dtype else UNKNOWN
    found = SHAPES.get(fn)
    return None if found is None else found(*first, item, item)


def with_item(kind: Any, path: Any, item: Any) -> Type:
    """The type of a container with one more item, where a path leads to."""
    if not path:
        return type_seen(item)
    if is_record(kind):
        inner = with_item(kind.item(path[0]), path[1:], item)
        items = [
            join(v, inner) if k == path[0] else v
            for k, v in zip(kind.keys, kind.items, strict=True)
        ]
        return Tree(kind.container, kind.keys, tuple(items), kind.cls)
    whole = as_stack(kind)
    if not isinstance(whole, Stack):
        return None
    key = join(whole.key, type_seen(path[0])) if whole.keyed else None
    inner = with_item(whole.item, path[1:], item)
    return Stack(join(whole.item, inner), True, whole.keyed, key)


def type_seen(item: Any) -> Type:
    """The type of an argument as shape functions see it: a type, a constant, or a container of them."""
    if item is BOTTOM or isinstance(item, (Array, Number, Tree, Stack)):
        return item
    if isinstance(item, (list, tuple)):
        kind = "list" if isinstance(item, list) else "tuple"
        return Tree(kind, tuple(range(len(item))), tuple(map(type_seen, item)))
    if isinstance(item, dict):
        cls = item.of if isinstance(item, Record) else None
        return Tree("dict", tuple(item), tuple(map(type_seen, item.values())), cls)
    return None if item is None or item is UNKNOWN else as_type(item)


def known(items: Any, item: Any) -> Type:
    """The type of the items of a list and one more."""
    return join(items.item, type_seen(item)) if isinstance(items, Stack) else None


def is_users(items: Any) -> bool:
    """True if a list is the user's own, not a tape."""
    return isinstance(items, Stack) and items.user
