"""The items that loops run over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..loop_ir.ir import affine, integer, plus
from ..loop_ir.scalar_operations import literal
from ..loop_ir.values import Items, Scalar, View
from ..refusal import Unsupported
from .containers import stacked_numbers
from .growing_lists import count_of, item_of
from .module_objects import known
from .reader import Reader
from .values import Iteration, Rows, Tape
from .views import row

__all__ = ["iteration", "steps_of"]


def iteration(r: Reader, value: Any) -> Iteration:
    """The iteration over ``value``."""
    if isinstance(value, Iteration):
        return value
    if isinstance(value, (Tape, Rows)):
        count = r.named(count_of(r, value), "count")
        return Iteration(count, lambda k: item_of(r, value, k))
    if isinstance(value, View) and value.dims:
        value = r.materialised(value)
        return Iteration(value.dims[0], lambda k: row(r, value, k))
    if isinstance(value, Items):
        return over_items(r, value)
    raise Unsupported("a loop over this")


def over_items(r: Reader, value: Items) -> Iteration:
    """The items of a container: numbers of one kind stand in memory, others are known one by one."""
    values = value.values if value.keys is None else tuple(map(known, value.keys))
    count = integer(len(values))
    numbers = stacked_numbers(r, values)

    def item(k: Any) -> Any:
        at = literal(affine(k))
        if at is not None:
            return values[at]
        if numbers is None:
            raise Unsupported("an item of a container that is not known")
        return Scalar(row(r, numbers, k).expr, values[0].weak)

    return Iteration(count, item, static=numbers is None)


def steps_of(over: Iteration) -> Iterator[Any]:
    """The elements of an iteration of known length."""
    count = literal(over.count)
    if count is None:
        raise Unsupported("a loop of unknown length over this")
    lo = over.direct[0] if over.direct else integer(0)
    for k in reversed(range(count)) if over.backwards else range(count):
        yield over.element(plus(lo, k))
