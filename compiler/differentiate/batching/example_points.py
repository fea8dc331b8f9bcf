"""Rules of what reads tables at points, and of what picks places, on a batch."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import numpy as np

from retrograd.runtime.helpers import linear

from ...analyses.shapes.infer import type_of
from ...ir.operations import Apply, Const, Operand
from ...ir.types import Array, Number
from .example_axes import is_none, shifted
from .example_products import plain_value
from .example_rules import ITEM, NONE, Given, beside, extent, form, levelled

if TYPE_CHECKING:
    from .examples import ExampleWalker

__all__: list[str] = []


@form(np.interp, linear.interp_places, linear.interp_inside, linear.interp_uses, np.digitize)
def at_points(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """One table, read at the points of all examples."""
    x, *table = op.args
    if m.has([*table, *op.kwargs.values()]) or not isinstance(type_of(x), (Array, Number)):
        return None
    return m.b.emit(op.fn, m.read(x), *table, **op.kwargs)


@form(np.searchsorted)
def searchsorted(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    table, x, *rest = op.args if len(op.args) > 1 else (None, None)
    if m.has([table, *rest, *op.kwargs.values()]) or not isinstance(type_of(x), (Array, Number)):
        return None
    return m.b.emit(op.fn, table, m.read(x), *rest, **op.kwargs)


@form(np.polyval)
def polyval(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """One polynomial, at the points of all examples."""
    p, x = given["p"], given["x"]
    if op.kwargs or m.has(p) or not isinstance(type_of(x), (Array, Number)):
        return None
    return m.b.emit(op.fn, p, m.read(x))


@form(np.vander)
def vander(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """The powers of each number along a last axis, the highest first, or last."""
    x, n, up = given["x"], given["N"], plain_value(given["increasing"])
    if m.rank(x) != 1 or type(up) is not bool or m.has(n):
        return None
    powers = m.b.emit(np.arange, extent(m, x, 0) if is_none(n) else n)
    column = m.b.emit(ITEM, m.read(x), (Const(Ellipsis), NONE))
    return m.b.emit(operator.pow, column, powers if up else m.b.emit(np.flip, powers))


@form(np.trapezoid if hasattr(np, "trapezoid") else None, linear.trapezoid)
def trapezoid(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """Integrals of the ordinates of all examples, over one row of abscissae or one for each."""
    y, *between = list(given.values())[:3]
    at, _ = between
    axis, rank = given["axis"], m.rank(y)
    moved = shifted(axis)
    if rank is None or moved is None or m.has(between[1]):
        return None
    changed = m.read(y)
    if not is_none(at):
        own = m.rank(at)
        if own is None or (own != rank and not (own == 1 and plain_value(axis) == -1)):
            return None
        at = beside(m, at, rank) if m.has(at) else at if own == 1 else m.wide(at)
    names = list(given)
    values = dict(zip(names, (changed, at, between[1], moved), strict=True))
    kept = {
        n: v for n, v in values.items()
        if n in (names[0],) or n in op.kwargs or names.index(n) < len(op.args) or v is not given[n]
    }  # fmt: skip
    return m.b.emit(op.fn, kept.pop(names[0]), **kept)


# -- places ------------------------------------------------------------------------------------


@form(np.take, np.ndarray.take)
def take(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """Another place in each example, of one row or of its own."""
    x, places = list(given.values())[:2]
    if not m.has(places) or plain_value(given["mode"]) != "raise" or m.rank(x) != 1:
        return None
    if not isinstance(type_of(places), (Array, Number)):
        return None
    if not m.has(x):
        return m.b.emit(np.take, x, m.read(places))
    rank = m.rank(places)
    if rank not in (0, 1):
        return None
    found = m.b.emit(np.take_along_axis, m.read(x), row(m, places), axis=Const(1))
    first = (slice(Const(None), Const(None), Const(None)), Const(0))
    return found if rank else m.b.emit(operator.getitem, found, first)


def row(m: ExampleWalker, x: Operand) -> Operand:
    own = m.rank(x)
    assert own is not None
    return levelled(m, m.read(x), own, 1)


@form(linear.untake)
def untake(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    c, like, places = given["c"], given["like"], given["indices"]
    if not m.has(places) or plain_value(given["mode"]) != "raise":
        return None
    if not m.rank(like) == m.rank(places) == m.rank(c) == 1:
        return None
    return m.b.emit(linear.scatter_along_axis, m.wide(c), m.wide(like), m.read(places), Const(1))


@form(np.take_along_axis, linear.scatter_along_axis)
def along_places(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    axis, places = given["axis"], given["indices"]
    arrays = [x for n, x in given.items() if n not in ("axis", "indices")]
    ranks = {m.rank(x) for x in [*arrays, places]}
    if len(ranks) != 1 or None in ranks:
        return None
    moved = Const(1) if is_none(axis) and ranks == {1} else shifted(axis)
    if moved is None:
        return None
    wide = [m.wide(x) for x in arrays]
    at = m.read(places) if m.has(places) else m.b.emit(
        np.repeat, m.b.emit(operator.getitem, places, Const(None)), m.k(), axis=Const(0)
    )  # fmt: skip
    return m.b.emit(op.fn, *wide, at, moved)
