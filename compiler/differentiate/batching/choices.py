"""Branches on what varies that become a choice: both sides are computed for all examples, and nothing can go wrong.

A side qualifies if each of its operations is quiet: it raises nothing, warns of nothing and is finite for all finite
numbers (but for overflow), so that the other examples may as well compute it.  Of other branches each side runs for
those examples that take it::

    some = np.flatnonzero(x > 0)
    y[some] = np.log(x[some])

What cannot be written so runs for one example after the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from retrograd.runtime.traits.lookup import traits_of

from ...analyses.shapes.infer import type_of
from ...ir.operations import (
    UNDEFINED,
    Apply,
    Block,
    Const,
    If,
    Op,
    Operand,
    Value,
    operands_of,
    values_in,
)
from ...ir.types import Array, Number
from .example_rules import beside, is_elementwise, levelled
from .one_by_one import of_none
from .parting.live_choices import is_missing, made_in
from .parting.live_sets import among, are_any, places, put, room, take

if TYPE_CHECKING:
    from .examples import ExampleWalker

__all__ = ["both_sides", "chosen", "parted"]

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


# -- branches ----------------------------------------------------------------------------------


def parted(m: ExampleWalker, op: If) -> None:
    """Append each side of a branch for those examples that take it."""
    if m.size == 0:
        return of_none(m, op)
    inner = made_in(op)
    ends = {
        r: (a, b)
        for r, a, b in zip(op.results, op.then.yields, op.orelse.yields, strict=True)
        if m.is_read(r)
    }
    found: dict[Value, Value] = {}
    filled: tuple[dict[Value, Operand], dict[Value, Operand]] = ({}, {})
    for result, pair in ends.items():
        outside = [not is_missing(x) and x not in inner for x in pair]
        if all(outside):
            choose(m, op, result, *pair)
            continue
        start = pair[outside.index(True)] if any(outside) else UNDEFINED
        sides = [x for x in pair if not is_missing(x)]
        found[result] = room(m, start, result.type if len(sides) == 2 else type_of(sides[0]))
        for k, x in enumerate(pair):
            if not outside[k] and not is_missing(x):
                filled[k][result] = x
    for k, region in enumerate((op.then, op.orelse)):
        if filled[k]:
            one_side(m, op, k, region, filled[k], found)
    for result, made in found.items():
        m.set_value(result, made)


def one_side(
    m: ExampleWalker,
    op: If,
    k: int,
    region: Block,
    filled: dict[Value, Operand],
    found: dict[Value, Value],
) -> None:
    """Write the results of one side into the arrays ``found``."""
    cond = m.read(op.cond)
    live = places(m, np.flatnonzero, cond if k == 0 else m.b.emit(np.logical_not, cond))
    live.hint = "some" if k == 0 else "others"
    plain = all(isinstance(inner, Apply) and is_elementwise(inner.fn) for inner in region.ops)
    block = Block()
    outer, m.b = m.b, m.b if plain else m.b.within(block)
    with among(m, live):
        take(m, If([], None, op.cond, region, Block()), live)
        for inner in m.block(region):
            m.b.append(inner)
        made = {r: put(m, found[r], live, m.read(x)) for r, x in filled.items()}
    m.b = outer
    if plain:
        found.update(made)
        return
    block.yields = list(made.values())
    results = [found[r].twin() for r in made]
    none = Block([], [], [found[r] for r in made])
    m.b.append(If(results, op.loc, are_any(m, live), block, none))
    found.update(zip(made, results, strict=True))
