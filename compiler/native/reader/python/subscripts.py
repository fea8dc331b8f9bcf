"""Subscripts as they are written: reads, and where writes go."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from ...loop_ir.ir import Get, If, Op, Store, plus
from ...loop_ir.scalar_operations import cast, less, less_equal, literal
from ...loop_ir.values import Constant, Items, Scalar, View
from ...refusal import Unsupported
from ..containers import stacked_numbers
from ..growing_lists import count_of, item_of
from ..handlers import reads_expression
from ..numpy.grids import grid
from ..numpy.scatter import scatter
from ..reader import Reader
from ..recursion.routines import opened
from ..values import Either, Handle, Object, Rows, Tape
from ..views import (
    Step,
    gathered,
    is_index_tuple,
    is_mask,
    position,
    row,
    sliced,
    steps_of_index,
)
from .expressions import chosen, evaluate

IndexExpression, Dense, Open = type(np.s_), type(np.mgrid), type(np.ogrid)
__all__ = ["fancy_target", "item_place", "target_view"]


@reads_expression(ast.Subscript)
def subscript(r: Reader, node: ast.Subscript) -> Any:
    """``owner[index]``."""
    owner = evaluate(r, node.value)
    if isinstance(owner, (Constant, Object)) and isinstance(owner.value, IndexExpression):
        return index_value(r, owner.value, node.slice)
    if isinstance(owner, Object) and isinstance(owner.value, (Dense, Open)):
        several = isinstance(node.slice, ast.Tuple)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return grid(r, [part_of(r, p) for p in parts], several, isinstance(owner.value, Open))
    return item_at(r, owner, node.slice)


def index_value(r: Reader, maker: Any, node: ast.expr) -> Any:
    """``np.s_[...]``: a subscript as a value."""
    if not isinstance(node, ast.Tuple):
        part = part_of(r, node)
        return Items((part,)) if maker.maketuple or isinstance(part, tuple) else part
    return Items(tuple(part_of(r, p) for p in node.elts))


def item_at(r: Reader, owner: Any, node: ast.expr) -> Any:
    """``owner[node]``."""
    owner = opened(r, owner) if isinstance(owner, Handle) else owner
    if isinstance(owner, Items):
        found = item(r, owner, node)
        known = isinstance(found, Either) and found.cond in r.assumed
        return chosen(r, found) if known else found
    if isinstance(owner, (Tape, Rows)):
        k = r.integer(evaluate(r, node))
        count = count_of(r, owner)
        if literal(k) is not None and literal(k) < 0:
            k = plus(count, k)
        r.bail(Op("logical_or", (less(k, 0), less_equal(count, k)), "b1"))
        return item_of(r, owner, k)
    owner = r.array(owner)
    if not isinstance(owner, View):
        if isinstance(node, ast.Tuple) and not node.elts:
            return owner
        raise Unsupported("a subscript of a number")
    steps = parse(r, owner, node)
    if any(s.kind == "array" for s in steps):
        return gathered(r, owner, steps)
    return sliced(r, owner, steps)


def item(r: Reader, owner: Items, node: ast.expr) -> Any:
    if isinstance(node, ast.Slice):
        parts = [
            None if p is None else r.literal(evaluate(r, p))
            for p in (node.lower, node.upper, node.step)
        ]
        return Items(owner.values[slice(*parts)], kind=owner.kind)
    at = evaluate(r, node)
    if isinstance(at, Scalar) and at.literal is None and owner.keys is None:
        numbers = stacked_numbers(r, owner.values)
        if numbers is not None:
            found = row(r, numbers, position(r, r.integer(at), numbers.dims[0]))
            return Scalar(found.expr, owner.values[0].weak)
    key = r.literal(at)
    keys = owner.keys if owner.keys is not None else None
    try:
        return owner.values[key if keys is None else keys.index(key)]
    except (IndexError, ValueError):
        raise Unsupported("an item that is not there") from None


def item_place(r: Reader, x: Items, index: Any) -> int:
    """Where in a container an index is."""
    key = r.literal(index)
    if x.keys is not None:
        if key not in x.keys:
            raise Unsupported("an item that is not there")
        return x.keys.index(key)
    if not isinstance(key, int) or not -len(x.values) <= key < len(x.values):
        raise Unsupported("an item that is not there")
    return key % len(x.values)


def parse(r: Reader, owner: View, node: ast.expr) -> list[Step]:
    """The axes of a subscript, the ellipsis and the missing ones written out."""
    parts = list(node.elts) if isinstance(node, ast.Tuple) else [node]
    values = [part_of(r, p) for p in parts]
    values = [v for part in values for v in (part.values if is_index_tuple(part) else [part])]
    return steps_of_index(r, owner, values)


def part_of(r: Reader, node: ast.expr) -> Any:
    if isinstance(node, ast.Slice):
        bounds = [
            None if p is None else evaluate(r, p) for p in (node.lower, node.upper, node.step)
        ]
        return tuple(None if isinstance(b, Constant) and b.value is None else b for b in bounds)
    return evaluate(r, node)


def target_view(r: Reader, owner: Any, node: ast.expr) -> View:
    """Where ``owner[node] = ...`` writes, for a basic subscript."""
    if not isinstance(owner, View) or owner.place is None:
        raise Unsupported("a write to what is no array in memory")
    steps = parse(r, owner, node)
    if all(s.kind == "int" for s in steps):
        index = tuple(s.value for s in steps)
        place, buffer = owner.place, owner.buffer
        assert buffer is not None
        return View(
            (), owner.dtype, lambda _: Get(buffer, place(index)), buffer, lambda _: place(index)
        )
    found = sliced(r, owner, steps)
    assert isinstance(found, View)
    return found


Scatter = Callable[[Any, str | None], None]


def fancy_target(r: Reader, owner: Any, node: ast.expr) -> Scatter | None:
    """How ``owner[node] = value`` writes with arrays of integers or a mask; None for a basic subscript."""
    if not isinstance(owner, View):
        return None
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    if all(isinstance(p, (ast.Slice, ast.Constant, ast.UnaryOp)) for p in parts):
        return None
    with r.into([]):
        values = [evaluate(r, p) for p in parts if not isinstance(p, ast.Slice)]
    values = [w for v in values for w in (v.values if is_index_tuple(v) else [v])]
    arrays = [v for v in values if isinstance(v, View)]
    if not arrays and not any(isinstance(v, Items) for v in values):
        return None
    if (
        len(arrays) == len(parts) == 1
        and is_mask(r, arrays[0])
        and len(arrays[0].dims) == len(owner.dims)
    ):
        return masked(r, owner, node)
    return lambda value, op: scatter(r, owner, parse(r, owner, node), value, op)


def masked(r: Reader, owner: View, node: ast.expr) -> Scatter:
    """``owner[mask] = value``."""

    def write(value: Any, op: str | None) -> None:
        mask = evaluate(r, node)
        if not isinstance(value, Scalar):
            scatter(r, owner, steps_of_index(r, owner, [mask]), value, op)
            return
        for m, n in zip(mask.dims, owner.dims, strict=True):
            r.same(m, n)
        mask = r.materialised(mask)
        place, buffer = owner.place, owner.buffer
        assert place is not None and buffer is not None
        r.nest(
            owner.dims,
            lambda index: [
                If(
                    mask.at(index),
                    [Store(buffer, place(index), cast(value.expr, buffer.dtype), op)],
                )
            ],
        )

    return write
