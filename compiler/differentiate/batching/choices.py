"""Branches on what varies that become a choice: both sides are computed for all examples, and nothing can go wrong.

A side qualifies if each of its operations is quiet: it raises nothing, warns of nothing and is finite for all finite
numbers (but for overflow), so that the other examples may as well compute it.  All other branches run for one example
after the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from retrograd.runtime.traits.lookup import traits_of

from ...analyses.shapes.infer import type_of
from ...ir.operations import Apply, Block, Const, If, Op, Operand, Value, operands_of, values_in
from ...ir.types import Array, Number
from .example_rules import beside, levelled

if TYPE_CHECKING:
    from .examples import ExampleWalker

__all__ = ["both_sides", "choose", "chosen"]

Has = Callable[[Operand], bool]


def chosen(op: Op, has: Has, listed: set[Value], filled: set[Value]) -> bool:
    """True if a branch can be a choice; ``filled``: what one example may lack, and a batch has."""
    if type(op) is not If or not is_scalar(op.cond):
        return False
    if not (is_quiet(op.then, has, listed, filled) and is_quiet(op.orelse, has, listed, filled)):
        return False
    return all(
        alike(result, a, b)
        for result, a, b in zip(op.results, op.then.yields, op.orelse.yields, strict=True)
    )


def is_scalar(cond: Operand) -> bool:
    kind = type_of(cond)
    return isinstance(kind, Number) or (isinstance(kind, Array) and kind.rank == 0)


def is_quiet(block: Block, has: Has, listed: set[Value], filled: set[Value]) -> bool:
    for op in block.ops:
        if isinstance(op, If):
            if not has(op.cond) or not chosen(op, has, listed, filled):
                return False
            continue
        if not isinstance(op, Apply) or op.effect or not traits_of(op.fn).quiet or op.kwargs:
            return False
        read = values_in(operands_of(op))
        if not listed.isdisjoint(read) or any(v.absent and v not in filled for v in read):
            return False
    return True


def alike(result: Value, a: Operand, b: Operand) -> bool:
    """True if both sides give numbers, or arrays of one shape; or one of them nothing that is read."""
    if is_nothing(a) or is_nothing(b):
        return result.absent and numeric(b if is_nothing(a) else a)
    x, y = type_of(a), type_of(b)
    if not isinstance(x, (Array, Number)) or not isinstance(y, (Array, Number)):
        return False
    known: Any = x.dims is not None and x.dims == y.dims and None not in x.dims
    return bool(known)


def is_nothing(x: Operand) -> bool:
    return isinstance(x, Const) and x.value is None


def numeric(x: Operand) -> bool:
    return isinstance(type_of(x), (Array, Number))


def both_sides(m: ExampleWalker, op: If) -> None:
    """Both sides are computed, and for each example one is taken."""
    for region in (op.then, op.orelse):
        for inner in m.block(region):
            m.b.append(inner)
    for result, a, b in zip(op.results, op.then.yields, op.orelse.yields, strict=True):
        choose(m, op, result, a, b)


def choose(m: ExampleWalker, op: If, result: Value, a: Operand, b: Operand) -> None:
    """One result of both sides, which have been computed."""
    if result not in m.on:
        return m.set_value(result, m.read(a))
    if is_nothing(a) or is_nothing(b):  # kept of the side that runs
        return m.set_value(result, m.wide(b if is_nothing(a) else a))
    cond = m.read(op.cond)
    if is_flag(a) and is_flag(b):
        return m.set_value(result, cond if a.value else m.b.emit(np.logical_not, cond))
    rank = max(m.rank(a) or 0, m.rank(b) or 0)
    test = levelled(m, cond, 0, rank)
    return m.set_value(result, m.b.emit(np.where, test, beside(m, a, rank), beside(m, b, rank)))


def is_flag(x: Operand) -> bool:
    return isinstance(x, Const) and type(x.value) is bool
