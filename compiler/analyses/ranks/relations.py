"""Which ranks of operands and result go together in one operation: by its shape function, tried on every rank."""

from __future__ import annotations

import functools
import operator
from itertools import product
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.records import dataclass
from retrograd.runtime.traits.lookup import traits_of

from ...ir.operations import Apply, Const, Op, Value, map_operand, values_in, values_read
from ...ir.primitives import Primitive
from ...ir.types import Array
from ..shapes.infer import infer
from .demands import axis_of, demanded, names_all_axes, needs_number
from .rank_sets import ANY, MOST, only, ranks_in, set_of, set_of_type, unknown_rank

__all__ = ["Relation", "is_shape_of", "relation"]

SEVERAL = 3  # so many unknown operands are tried in all ranks


@dataclass
class Relation:
    """``rows``: ranks of ``values``, and those of the result that go with them."""

    values: list[Value]
    rows: list[tuple[tuple[int, ...], int]]


def relation(op: Apply, defs: dict[Value, Op], presume: bool) -> Relation | None:
    """What an operation says of the ranks of what is unknown in it; None if nothing.

    ``presume``: also what a reader takes for granted, though other arguments would pass.
    """
    if isinstance(op.fn, Primitive):
        return None
    if (shaped := is_shape_of(op, defs)) is not None:
        return of_shape(op, shaped)
    if op.fn is linear.write:
        return of_write(op, presume)
    if traits_of(op.fn).identity == "packed" and op.args and isinstance(op.args[0], list):
        return of_display(op)
    values = [v for v in dict.fromkeys(values_read(op)) if unknown_rank(v.type)]
    if not values or len(values) > SEVERAL or len(op.results) != 1:
        return None
    if traits_of(op.fn).elementwise is True and not op.kwargs:
        of = largest
    else:
        of = functools.partial(result, op)
    allowed = {v: allowed_ranks(op, v, presume) for v in values}
    tried = product(*(ranks_in(allowed[v]) for v in values))
    rows = [(ranks, of(op, dict(zip(values, ranks, strict=True)))) for ranks in tried]  # type: ignore[operator]
    return Relation(values, rows)


def largest(op: Apply, ranks: dict[Value, int]) -> int:
    """The rank of an elementwise result."""
    sets = [only(ranks[a]) if a in ranks else set_of(a, {}) for a in op.args if not is_plain(a)]
    if ANY in sets:
        return ANY
    return only(max((k for s in sets for k in ranks_in(s)), default=0))


def is_plain(operand: Any) -> bool:
    """True of a display: nothing is known of its rank."""
    return isinstance(operand, (dict, str, slice))


def result(op: Apply, _: Apply, ranks: dict[Value, int]) -> int:
    """The ranks that the shape function gives the result."""
    if MOST not in ranks.values():
        return once(op, ranks)
    several = [once(op, {v: k + more * (k == MOST) for v, k in ranks.items()}) for more in (0, 1)]
    if several[0] == several[1]:
        return several[0]
    least = min((k for s in several for k in ranks_in(s)), default=0)
    return ANY >> least << least


def once(op: Apply, ranks: dict[Value, int]) -> int:
    arrays = {v: Value(v.hint, Array(None, (None,) * k)) for v, k in ranks.items()}
    change = lambda x: arrays.get(x, x) if isinstance(x, Value) else x  # noqa: E731
    args = tuple(map_operand(a, change) for a in op.args)
    kwargs = {name: map_operand(a, change) for name, a in op.kwargs.items()}
    return set_of_type(infer(op.fn, args, kwargs))


def allowed_ranks(op: Apply, v: Value, presume: bool) -> int:
    found = ANY
    for operand, (least, most) in demanded(op):
        if operand is v:
            found &= ANY >> least << least
            found &= ANY if most == MOST else (1 << (most + 1)) - 1
    if presume and needs_number(op.fn) and v in values_in([*op.args]):
        found &= only(0)
    if presume and op.args and op.args[0] is v and axis_of(op) is not None:
        found &= ANY ^ only(0)
    if presume and op.fn is operator.getitem and op.args[0] is v and names_all_axes(op.args[1]):
        found &= only(sum(not is_new(part) for part in op.args[1]))
    return found


def is_new(part: Any) -> bool:
    return part is None or getattr(part, "value", 0) is None


def is_shape_of(op: Apply, defs: dict[Value, Op]) -> Value | None:
    """The array whose shape is read: ``x`` of ``x.shape[1]`` and of ``n, d = x.shape``."""
    if op.fn not in (operator.getitem, linear.check_count) or not isinstance(op.args[0], Value):
        return None
    made = defs.get(op.args[0])
    asked = isinstance(made, Apply) and made.fn in (np.ndarray.shape, np.shape)
    return made.args[0] if asked and isinstance(made.args[0], Value) else None  # type: ignore[union-attr]


def of_shape(op: Apply, whole: Value) -> Relation | None:
    """So many dimensions as are unpacked, or as a subscript needs."""
    count = getattr(op.args[1], "value", op.args[1])
    if type(count) is not int or not unknown_rank(whole.type):
        return None
    if op.fn is linear.check_count:
        return Relation([whole], [((min(count, MOST),), ANY)])
    least = count + 1 if count >= 0 else -count
    return Relation([whole], [((k,), only(0)) for k in range(least, MOST + 1)])


def of_write(op: Apply, presume: bool) -> Relation | None:
    """What is written to is what it was; what is written to a part has no more dimensions than that part."""
    whole, path, put = op.args
    values = [v for v in (whole, put) if isinstance(v, Value) and unknown_rank(v.type)]
    rows = []
    for ranks in product(range(MOST + 1), repeat=len(values)):
        known = dict(zip(values, ranks, strict=True))
        part = whole if whole not in known else Value(None, Array(None, (None,) * known[whole]))
        gives = set_of(part, {})
        for fn, *index in path:
            part = Value(None, infer(fn.value, (part, *index), {}))
        room = getattr(part.type, "rank", None)
        if not presume or room is None or known.get(put, 0) <= room:
            rows.append((ranks, gives))
    return Relation(values, rows) if values else None


def of_display(op: Apply) -> Relation | None:
    """An array of several has one dimension more than each."""
    items = op.args[0]
    if not all(isinstance(item, (Value, Const)) for item in items):
        return None
    values = [v for v in dict.fromkeys(values_in(items)) if unknown_rank(v.type)]
    sets = [set_of(item, {}) for item in items]
    rows = [
        ((k,) * len(values), only(k + 1)) for k in range(MOST + 1) if all(s >> k & 1 for s in sets)
    ]
    return Relation(values, rows) if values else None
