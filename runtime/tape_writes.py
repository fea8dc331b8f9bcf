"""Writes in place on the tape: ``x[i] = v`` gives the box of ``x`` a new version.

Other names of the same box see the write, as in NumPy.  A view that is still alive would see it in
NumPy too, and cannot here: that is refused, and so is a write into an argument.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from . import linear
from .errors import TapeError
from .rules.book import Rule
from .tape_box import Box
from .tape_dispatch import EXTRA, apply, boxes_in, has_boxes, map_tree, raw
from .tape_levels import ADJOINTS_OF_EXTRA
from .tape_zero import is_zero

__all__ = ["replaced", "update", "write"]


def replaced(x: Any, index: Any, v: Any) -> Any:
    """``x`` with ``v`` at ``index``: a new array.

    >>> replaced(np.zeros(3), 1, 5.0)
    array([0., 5., 0.])
    """
    if has_boxes((x, index, v)):
        return apply(replaced, (x, index, v), {})
    made = x.copy()
    made[index] = v
    return made


def differential(z: Any, x: Any, index: Any, v: Any, *, dx: Any, dv: Any) -> Any:
    dx = linear.zeros_like(x) if is_zero(dx) else dx
    return replaced(dx, index, 0.0 if is_zero(dv) else dv)


def replaced_x(c: Any, index: Any) -> Any:
    return replaced(c, index, 0.0)


def replaced_v(c: Any, index: Any, v: Any) -> Any:
    part = c[index]
    if mentions_arrays(index):
        part = part * last_writes(index, np.shape(raw(c)))
    return linear.unbroadcast(part, v)


EXTRA[replaced] = Rule(
    replaced, differential, own=("x", "index", "v"), active=("x", "v"),
    constant_in=frozenset({"index"}),
)  # fmt: skip
ADJOINTS_OF_EXTRA["tape_writes.differential"] = {"x": replaced_x, "v": replaced_v}


def mentions_arrays(index: Any) -> bool:
    items = index if isinstance(index, tuple) else (index,)
    return any(isinstance(i, (list, np.ndarray)) and np.asarray(i).dtype != bool for i in items)


def last_writes(index: Any, shape: tuple[int, ...]) -> Any:
    """Where a value was written that stayed: a later one to the same place wins."""
    order = np.zeros(shape, np.intp)
    count = np.arange(order[index].size).reshape(order[index].shape)
    order[index] = count
    return np.asarray(order[index] == count)


# -- the statements -----------------------------------------------------------------------


def write(box: Box, index: Any, value: Any) -> None:
    """``box[index] = value``."""
    settle(box, index, value)
    refuse(box, "this")
    index = lowest(index)
    if (
        box._own
        and not has_boxes(value)
        and isinstance(box._value, np.ndarray)
        and box._mark is None
    ):
        box._value[index] = value
        return
    check_level(box, value)
    take(box, apply(replaced, (box, index, value), {}))
    box._own = box._mark is None


def update(box: Box, op: Any, other: Any) -> Any:
    """``box += other`` and its like: in place for arrays, a new value for numbers."""
    memory = raw(box)
    if not isinstance(memory, np.ndarray):
        return apply(op, (box, other), {})
    base = box._part[0]() if box._part is not None else None
    made = apply(op, (box, other), {})
    if raw(made).shape != memory.shape or raw(made).dtype != memory.dtype:
        raise TapeError(
            f"an in-place operation would change {memory.dtype}{list(memory.shape)} to "
            f"{raw(made).dtype}{list(raw(made).shape)}; write `x = x + ...`"
        )
    if base is not None and box._sharers():
        refuse_argument(base)
        made._part, base._pending = (weakref.ref(base), box._part[1]), made
        return made
    refuse(box, "this")
    check_level(box, made)
    take(box, made)
    return box


def settle(box: Box, index: Any, value: Any) -> None:
    """The second half of ``x[i] += v``, which stores what `update` computed."""
    pending = box._pending
    if pending is not None and pending is value and same_index(pending._part[1], index):
        box._pending = None


def same_index(a: Any, b: Any) -> bool:
    if a is b:
        return True
    return type(a) is type(b) and isinstance(a, (int, str, slice)) and bool(a == b)


def refuse_argument(box: Box) -> None:
    if box._given:
        raise TapeError(
            f"{box._given} is written to in place, and the function runs on the tape; copy it first"
        )


def refuse(box: Box, what: str) -> None:
    refuse_argument(box)
    box._read()
    if box._escaped or box._sharers():
        raise TapeError(
            f"{what} writes to an array that another name shows too (a view); copy one of them first"
        )


def check_level(box: Box, value: Any) -> None:
    if any(b._level.id > box._level.id for b in boxes_in(value)):
        raise TapeError("an array of an outer function is written to inside a differentiated one")


def take(box: Box, made: Any) -> None:
    """Give the box the content of another."""
    if type(made) is Box and made._level is box._level:
        box._value, box._mark = made._value, made._mark
    else:
        box._value, box._mark = made, None
    box._group, box._part = [], None


def lowest(index: Any) -> Any:
    return map_tree(raw, index)
