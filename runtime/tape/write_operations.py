"""Writes on the tape as operations of its own, which have derivatives: ``x`` with ``v`` at an index.

A box that is written to, and all that show its memory, hold what such an operation gives (`store`).
"""

from __future__ import annotations

import operator
import weakref
from typing import Any

import numpy as np

from ..errors import TapeError
from ..helpers import linear
from ..objects.pytree import at
from ..rules.book import Rule
from .box import has_boxes, raw
from .dispatch import ADJOINTS_OF_EXTRA, EXTRA, apply
from .views import View, address, places_in
from .zero_tangent import is_zero

__all__ = ["increased", "replaced", "scattered", "store"]


def store(box: Any, made: Any) -> None:
    """A box, and all that show its memory, hold ``made`` from now on."""
    while box._view is not None:
        box, made = box._view.parent, placed(box, box._view, made)
    take(box, made)
    refresh(box)


def take(box: Any, made: Any) -> None:
    """Give the box the content of another."""
    if type(made) is type(box) and made._level is box._level:
        box._value, box._mark = made._value, made._mark
    else:
        box._value, box._mark = made, None


def refresh(box: Any) -> None:
    """Everything that shows the memory of a box is made from it again."""
    if not box._views:
        return
    alive = [view for ref in box._views if (view := ref()) is not None]
    for view in alive:
        take(view, again(view._view))
        view._own = False
        refresh(view)
    box._views = [weakref.ref(view) for view in alive]


def again(view: View) -> Any:
    """The view of what its parent holds now."""
    op, args, kwargs = view.call
    return at(apply(op, args, kwargs), view.path)


def placed(box: Any, view: View, made: Any) -> Any:
    """The content of a view's parent when the view holds ``made``."""
    op, args, _ = view.call
    parent = view.parent
    if op is operator.getitem and args[0] is parent and not view.path:
        return apply(replaced, (parent, args[1], made), {})
    memory, shown = raw(parent), raw(box)
    if memory.dtype.kind == "c" and shown.dtype.kind == "f" and memory.shape == shown.shape:
        part = "real" if address(memory) == address(shown) else "imag"
        return apply(with_part, (parent, made, part), {})
    places = places_in(memory, shown)
    if places is None:
        raise TapeError(
            "an array is written to through a view that the tape cannot follow; copy the view before"
        )
    return apply(scattered, (parent, places, made), {})


# -- writes as operations -------------------------------------------------------------------


def array_of(x: Any) -> Any:
    """A copy that can be written to; what adds up to a cotangent of an array without axes is a number."""
    return np.array(x, order="K", subok=True)


def replaced(x: Any, index: Any, v: Any) -> Any:
    """``x`` with ``v`` at ``index``: a new array.

    >>> replaced(np.zeros(3), 1, 5.0)
    array([0., 5., 0.])
    """
    if has_boxes((x, index, v)):
        return apply(replaced, (x, index, v), {})
    made = array_of(x)
    made[index] = v
    return made


def scattered(x: Any, places: Any, v: Any) -> Any:
    """``x`` with ``v`` at places that are counted in C order.

    >>> scattered(np.zeros((2, 2)), np.array([0, 2]), np.array([5.0, 6.0]))
    array([[5., 0.],
           [6., 0.]])
    """
    if has_boxes((x, places, v)):
        return apply(scattered, (x, places, v), {})
    made = array_of(x)
    made.flat[places] = v
    return made


def with_part(x: Any, v: Any, part: str) -> Any:
    """A complex array with another real or imaginary part.

    >>> with_part(np.array([1 + 2j]), 5.0, "imag")
    array([1.+5.j])
    """
    if has_boxes((x, v)):
        return apply(with_part, (x, v, part), {})
    made = array_of(x)
    setattr(made, part, v)
    return made


def increased(x: Any, index: Any, v: Any) -> Any:
    """``x`` with ``v`` added at ``index``; a place that is met twice gets both.

    >>> increased(np.zeros(2), [0, 0], 5.0)
    array([10.,  0.])
    """
    if has_boxes((x, v)):
        return apply(increased, (x, index, v), {})
    made = array_of(x)
    np.add.at(made, index, v)
    return made


def taken(x: Any, index: Any) -> Any:
    """``x[index]``, a number being an array without axes.

    >>> taken(2.0, np.array(True))
    array([2.])
    """
    if has_boxes((x,)):
        return apply(taken, (x, index), {})
    return np.asarray(x)[index]


def taken_rule(z: Any, x: Any, index: Any, *, dx: Any) -> Any:
    return taken(dx, index)


def taken_x(c: Any, x: Any, index: Any) -> Any:
    return increased(linear.zeros_like(x), index, c)


def increased_rule(z: Any, x: Any, index: Any, v: Any, *, dx: Any, dv: Any) -> Any:
    dx = tangent_of(dx, x)
    return increased(dx, index, 0.0 if is_zero(dv) else dv)


def increased_x(c: Any) -> Any:
    return c


def increased_v(c: Any, index: Any, v: Any) -> Any:
    return linear.unbroadcast(taken(c, index), v)


def tangent_of(dx: Any, x: Any) -> Any:
    """A tangent that what is complex may be written to."""
    if is_zero(dx):
        return linear.zeros_like(x)
    return dx + 0j if np.iscomplexobj(raw(x)) and not np.iscomplexobj(raw(dx)) else dx


def replaced_rule(z: Any, x: Any, index: Any, v: Any, *, dx: Any, dv: Any) -> Any:
    dx = tangent_of(dx, x)
    return replaced(dx, index, 0.0 if is_zero(dv) else dv)


def replaced_x(c: Any, index: Any) -> Any:
    return replaced(c, index, 0.0)


def replaced_v(c: Any, index: Any, v: Any) -> Any:
    part = taken(c, index)
    if mentions_arrays(index):
        part = part * last_writes(index, np.shape(raw(c)))
    return linear.unbroadcast(part, v)


def scattered_rule(z: Any, x: Any, places: Any, v: Any, *, dx: Any, dv: Any) -> Any:
    dx = tangent_of(dx, x)
    return scattered(dx, places, 0.0 if is_zero(dv) else dv)


def scattered_x(c: Any, places: Any) -> Any:
    return scattered(c, places, 0.0)


def scattered_v(c: Any, places: Any, v: Any) -> Any:
    return linear.unbroadcast(np.reshape(c, -1)[places], v)


def with_part_rule(z: Any, x: Any, v: Any, part: Any, *, dx: Any, dv: Any) -> Any:
    dx = tangent_of(dx, x)
    return with_part(dx, 0.0 if is_zero(dv) else dv, part)


def with_part_x(c: Any, part: Any) -> Any:
    return with_part(c, 0.0, part)


def with_part_v(c: Any, v: Any, part: Any) -> Any:
    return linear.unbroadcast(np.real(c) if part == "real" else np.imag(c), v)


def enter(op: Any, rule: Any, own: tuple[str, ...], **by: Any) -> None:
    """An operation of the tape's own, with its adjoints by the names of what they are of."""
    EXTRA[op] = Rule(op, rule, own=own, active=tuple(by), constant_in=frozenset(own) - set(by))
    ADJOINTS_OF_EXTRA[f"{__name__}.{rule.__name__}"] = by


enter(replaced, replaced_rule, ("x", "index", "v"), x=replaced_x, v=replaced_v)
enter(scattered, scattered_rule, ("x", "places", "v"), x=scattered_x, v=scattered_v)
enter(increased, increased_rule, ("x", "index", "v"), x=increased_x, v=increased_v)
enter(with_part, with_part_rule, ("x", "v", "part"), x=with_part_x, v=with_part_v)
enter(taken, taken_rule, ("x", "index"), x=taken_x)


def mentions_arrays(index: Any) -> bool:
    items = index if isinstance(index, tuple) else (index,)
    return any(isinstance(i, (list, np.ndarray)) and np.asarray(i).dtype != bool for i in items)


def last_writes(index: Any, shape: tuple[int, ...]) -> Any:
    """Where a value was written that stayed: a later one to the same place wins."""
    order = np.zeros(shape, np.intp)
    count = np.arange(order[index].size).reshape(order[index].shape)
    order[index] = count
    return np.asarray(order[index] == count)
