"""Rules of joins on a batch, of what takes them apart, and of margins."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from retrograd.runtime.helpers import linear

from ...analyses.shapes.infer import type_of
from ...ir.operations import Apply, Const, Operand
from ...ir.primitives import BUNDLE
from ...ir.types import Array, Number, dtype_of
from .either_end import new_axis, rank_of_piece
from .example_axes import is_none, shifted
from .example_products import plain_value
from .example_rules import NONE, WHOLE, Given, elementwise, extent, form, levelled

if TYPE_CHECKING:
    from .examples import ExampleWalker

__all__: list[str] = []


# -- joined ------------------------------------------------------------------------------------


@form(np.append)
def append(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """One row after the other; along an axis that is named, as joined."""
    pair = [given["arr"], given["values"]]
    ranks = [rank_of_piece(m, x) for x in pair]
    wide = [m.array(x) if isinstance(x, (tuple, list)) else m.wide(x) for x in pair]
    if None in ranks or None in wide:
        return None
    axis = given["axis"]
    if not is_none(axis):
        moved = shifted(axis)
        alike = ranks[0] == ranks[1]
        return m.b.emit(np.concatenate, wide, axis=moved) if moved is not None and alike else None
    if any(r not in (0, 1) for r in ranks):
        return None
    rows = [levelled(m, x, r or 0, 1) for x, r in zip(wide, ranks, strict=True)]  # type: ignore[arg-type]
    return m.b.emit(np.concatenate, rows, axis=Const(1))


@form(np.block)
def block(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """Lists of lists: the innermost are joined along the last axis."""
    arrays = op.args[0]
    depth = depth_of(arrays)
    ranks = [m.rank(x) for x in leaves(arrays)]
    if not depth or None in ranks or not ranks:
        return None
    return blocks(m, arrays, depth, max(depth, *(r for r in ranks if r is not None)))


def blocks(m: ExampleWalker, x: Operand, depth: int, rank: int) -> Operand:
    if not isinstance(x, (tuple, list)):
        own = m.rank(x)
        assert own is not None
        return levelled(m, m.wide(x), own, rank)
    return m.b.emit(
        np.concatenate, [blocks(m, item, depth - 1, rank) for item in x], axis=Const(-depth)
    )


def depth_of(x: Operand) -> int | None:
    """How deep lists are nested; None if they are not equally deep."""
    if not isinstance(x, (tuple, list)):
        return 0
    inner = {depth_of(item) for item in x}
    one = inner.pop() if len(inner) == 1 else None
    return None if one is None else one + 1


def leaves(x: Operand) -> list[Operand]:
    return [y for item in x for y in leaves(item)] if isinstance(x, (tuple, list)) else [x]


@form(np.insert)
def insert(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """One number, or one for each place, among those of a row."""
    x, places, values = given["arr"], given["obj"], given["values"]
    ranks = m.rank(x), rank_of_piece(m, values)
    plain = plain_value(places)
    single = type(plain) is int
    several = isinstance(plain, list) and all(type(n) is int for n in plain)
    if m.has(places) or ranks[0] != 1 or not (single or several) or ranks[1] not in (0, 1):
        return None
    if not is_none(given["axis"]) and plain_value(given["axis"]) not in (0, -1):
        return None
    if single != (ranks[1] == 0) or (isinstance(values, (tuple, list)) and m.has(values)):
        return None
    return m.b.emit(np.insert, m.wide(x), places, m.read(values), axis=Const(1))


@form(np.choose)
def choose(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    return elementwise(m, op) if isinstance(given["choices"], (tuple, list)) else None


@form(linear.row)
def row(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """``np.r_`` of rows, and of numbers among rows of 64 bits, to which they do not give way."""
    items = op.args[0]
    if not isinstance(items, (tuple, list)) or any(m.rank(x) not in (0, 1) for x in items):
        return None
    kinds = [type_of(x) for x in items]
    narrow = any(isinstance(k, Array) and k.dtype not in ("float64", "complex128") for k in kinds)
    if narrow and any(isinstance(k, Number) for k in kinds):
        return None
    parts = [levelled(m, m.wide(x), m.rank(x) or 0, 1) for x in items]
    return m.b.emit(np.concatenate, parts, axis=Const(1))


@form(linear.columns)
def columns(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """``np.c_`` of rows, or of matrices."""
    items = op.args[0]
    if not isinstance(items, (tuple, list)):
        return None
    ranks = {m.rank(x) for x in items}
    join = {1: np.stack, 2: np.concatenate}.get(ranks.pop() or 0) if len(ranks) == 1 else None
    return None if join is None else m.b.emit(join, m.wide(list(items)), axis=Const(2))


# -- taken apart -------------------------------------------------------------------------------


@form(
    linear.split_like, linear.hsplit_like, linear.vsplit_like, linear.dsplit_like, linear.columns_like,
    linear.unstack_like, linear.unrow, linear.uncolumns,
)  # fmt: skip
def taken_apart(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """The cotangents of what was joined."""
    c, like = given["c"], given["like"]
    if not isinstance(like, (tuple, list)):
        return None
    ranks = [m.rank(x) for x in like]
    if None in ranks or not all(isinstance(type_of(x), (Array, Number)) for x in like):
        return None
    if op.fn in (linear.hsplit_like, linear.unrow) and 0 in ranks and max(ranks) < 2:  # type: ignore[operator,type-var]
        return numbers_and_rows(m, c, like)
    found = way_back(op.fn, {r for r in ranks if r is not None}, given.get("axis", NONE))
    if found is None:
        return None
    apart, axis = found
    return m.b.emit(apart, m.wide(c), like=[m.wide(x) for x in like], axis=axis)


def numbers_and_rows(m: ExampleWalker, c: Operand, like: Any) -> Operand | None:
    """A row, cut into numbers and rows."""
    if any(dtype_of(type_of(x)) != "float64" for x in (c, *like)):
        return None
    whole, parts = m.wide(c), []
    start: Operand = Const(0)
    for k, x in enumerate(like):
        length = Const(1) if m.rank(x) == 0 else extent(m, x, 0)
        stop = m.b.apply(operator.add, start, length)
        ends = (start if k else NONE, stop if k < len(like) - 1 else NONE, NONE)
        place: Any = slice(*ends) if m.rank(x) else start
        parts.append(m.b.emit(operator.getitem, whole, (WHOLE, place)))
        start = stop
    return m.b.emit(BUNDLE, parts)


def way_back(fn: Any, ranks: set[int], axis: Operand) -> tuple[Any, Operand] | None:
    """How what has these ranks is taken apart again, and along which axis of the batch."""
    if fn is linear.unstack_like:
        moved = shifted(axis)
        return None if moved is None else (fn, moved)
    if 0 in ranks:
        return None
    if fn is linear.unrow:
        return linear.split_like, Const(1)
    if fn is linear.split_like:
        moved = Const(1) if is_none(axis) and ranks == {1} else shifted(axis)
        return None if moved is None else (fn, moved)
    one = new_axis(fn)
    if one is None:  # np.hstack
        return linear.split_like, Const(1 if ranks == {1} else 2)
    rank, at = one
    if ranks == {rank}:
        return linear.unstack_like, Const(at + 1)
    return (linear.split_like, Const(at + 1)) if min(ranks) > rank else None


@form(linear.unselect, linear.unchoose, linear.if_none)
def to_what_was_chosen(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """The cotangents of choices, entry by entry, if all have as many axes."""
    lists = [x for x in given.values() if isinstance(x, (tuple, list))]
    single = [x for x in given.values() if not isinstance(x, (tuple, list, Const))]
    ranks = {m.rank(x) for x in [*single, *(item for items in lists for item in items)]}
    if not lists or len(ranks) != 1 or None in ranks:
        return None

    def widened(x: Operand) -> Operand:
        return x if isinstance(x, Const) else m.wide(x)

    kwargs: dict[str, Any] = {k: widened(x) for k, x in op.kwargs.items()}
    return m.b.emit(op.fn, *map(widened, op.args), **kwargs)


@form(np.hsplit, np.vsplit, np.dsplit)
def split(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    x, at = op.args if len(op.args) == 2 else (None, None)
    rank = None if x is None else m.rank(x)
    if rank is None or m.has(at):
        return None
    axis = {np.hsplit: 0 if rank == 1 else 1, np.vsplit: 0, np.dsplit: 2}[op.fn]
    return m.b.emit(np.split, m.read(x), at, axis=Const(axis + 1))


# -- margins -----------------------------------------------------------------------------------


@form(np.pad, linear.pad, linear.pad_pull)
def padded(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """With margins that are written down."""
    like = given["like"] if op.fn is linear.pad_pull else next(iter(given.values()))
    rank = m.rank(like)
    if not rank or m.has([given["pad_width"], given["mode"], *op.kwargs.values()]):
        return None
    widths = margins(plain_value(given["pad_width"]), rank)
    put = op.kwargs.get("constant_values", Const(0))
    if widths is None or isinstance(put, (tuple, list)) or m.rank(put) != 0:
        return None
    width: Operand = tuple((Const(a), Const(b)) for a, b in ((0, 0), *widths))
    kwargs = {n: x for n, x in op.kwargs.items() if n not in ("pad_width", "mode", "like")}
    mode: tuple[Operand, ...] = () if plain_value(given["mode"]) == "constant" else (given["mode"],)
    if op.fn is linear.pad_pull:
        return m.b.emit(op.fn, m.wide(given["c"]), m.wide(like), width, *mode)
    return m.b.emit(op.fn, m.read(like), width, *mode, **kwargs)


def margins(given: object, rank: int) -> list[tuple[int, int]] | None:
    """What is put before and after each axis."""
    if type(given) is int:
        return [(given, given)] * rank
    if not isinstance(given, (tuple, list)) or not given:
        return None
    if all(type(n) is int for n in given):
        return [(given[0], given[-1])] * rank if len(given) <= 2 else None
    rows = [margins(row, 1) for row in given]
    if any(row is None for row in rows) or len(rows) not in (1, rank):
        return None
    return [row[0] for row in rows if row] * (rank if len(rows) == 1 else 1)


@form(np.tile, linear.tile_pull)
def tile(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """Copies along axes that an example has."""
    *arrays, times = given.values()
    rank = m.rank(arrays[-1])
    plain = plain_value(times)
    several = isinstance(plain, (tuple, list))
    many = len(plain) if several else 1 if m.rank(times) == 0 else None  # type: ignore[arg-type]
    if not rank or m.has(times) or many is None or many > rank:
        return None
    return m.b.emit(op.fn, *map(m.wide, arrays), times)


@form(np.broadcast_arrays)
def broadcast_arrays(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    ranks = [m.rank(x) for x in op.args]
    if None in ranks or op.kwargs:
        return None
    rank = max(r for r in ranks if r is not None)
    wide = [levelled(m, m.wide(x), r or 0, rank) for x, r in zip(op.args, ranks, strict=True)]
    return m.b.emit(np.broadcast_arrays, *wide)


@form(np.kron)
def kron(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """Each entry of one times the other: rows, or matrices, whose sizes are known by name."""
    a, b = op.args
    kinds = [type_of(x) for x in op.args]
    if op.kwargs or not all(isinstance(k, Array) and k.rank in (1, 2) for k in kinds):
        return None
    rank: int = kinds[0].rank  # type: ignore[union-attr,assignment]
    if rank != kinds[1].rank:  # type: ignore[union-attr]
        return None
    left: tuple[Operand, ...] = (WHOLE, *(WHOLE, NONE) * rank)
    right: tuple[Operand, ...] = (WHOLE, *(NONE, WHOLE) * rank)
    parts = [
        m.b.emit(operator.getitem, m.read(x), places if m.has(x) else places[1:])
        for x, places in ((a, left), (b, right))
    ]
    sizes = [
        m.b.apply(operator.mul, extent(m, a, axis), extent(m, b, axis)) for axis in range(rank)
    ]
    return m.b.emit(np.reshape, m.b.emit(operator.mul, *parts), (m.k(), *sizes))
