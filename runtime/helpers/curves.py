"""Linear helpers of curves given by points: integrals, slopes, interpolation.

``c`` is the array a helper is linear in; ``like`` is read only for its shape and dtype.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import UnsupportedOperation
from .core import cast, sum_to
from .reductions import typed

__all__ = [
    "along_axis", "interp_inside", "interp_places", "interp_uses", "slope", "slope_at",
    "stencil", "sum_along", "trapezoid", "unslope", "untrapezoid", "untrapezoid_at",
]  # fmt: skip


def trapezoid(y: Any, at: Any = None, step: Any = 1.0, axis: int = -1) -> Any:
    """``np.trapezoid(y, x=at, dx=step, axis=axis)``.

    >>> trapezoid(np.array([1.0, 3.0]), np.array([0.0, 2.0])).item()
    4.0
    """
    return np.trapezoid(y, x=at, dx=step, axis=axis)


def untrapezoid(c: Any, like: Any, at: Any = None, step: Any = 1.0, axis: int = -1) -> Any:
    """`np.trapezoid`, transposed: every ordinate's weight times ``c``.

    >>> untrapezoid(2.0, np.zeros(3))
    array([1., 2., 1.])
    """
    c, lines = typed(c, like), np.moveaxis(np.zeros(shape_beside(like, at, axis)), axis, -1)
    if at is None:
        widths = np.asarray(step)
    else:
        widths = np.diff(at) if np.ndim(at) == 1 else np.diff(at, axis=axis)
    if widths.ndim > 1:
        widths = np.moveaxis(widths, axis, -1)
    lines = lines + np.zeros((), np.result_type(widths, lines))
    lines[..., :-1] += widths / 2
    lines[..., 1:] += widths / 2
    if lines.dtype.kind == "f":
        lines = lines.astype(np.real(c).dtype)
    return sum_to(np.moveaxis(lines * c[..., None], -1, axis), np.shape(like))


def shape_beside(y: Any, at: Any, axis: int) -> tuple[int, ...]:
    """The shape of ordinates ``y`` beside abscissae of their own for several curves."""
    shape, other = np.shape(y), np.shape(at) if np.ndim(at) > 1 else ()
    if len(other) > 1 and len(other) != len(shape) and axis >= 0:
        raise UnsupportedOperation(
            f"np.trapezoid along axis {axis} of arrays of different ranks",
            fix="count the axis from the end: axis=-1",
        )
    return np.broadcast_shapes(shape, other)


def untrapezoid_at(c: Any, like: Any, y: Any, axis: int = -1) -> Any:
    """The adjoint of the abscissae ``like`` of the integral of ``y``, from its cotangent ``c``.

    >>> untrapezoid_at(1.0, np.zeros(3), np.array([1.0, 3.0, 5.0]))
    array([-2., -2.,  4.])
    """
    y = np.moveaxis(np.asarray(y), axis, -1)
    middle = (y[..., 1:] + y[..., :-1]) / 2 * np.asarray(c)[..., None]
    pad = [(0, 0)] * (middle.ndim - 1) + [(1, 1)]
    bar = -np.diff(np.pad(middle, pad), axis=-1)
    if np.ndim(like) == 1:
        bar = np.sum(bar, axis=tuple(range(bar.ndim - 1)))
    else:
        bar = sum_to(np.moveaxis(bar, -1, axis), np.shape(like))
    return cast(bar, like)


# --- slopes -------------------------------------------------------------------------------


def slope(f: Any, step: Any, axis: int, edge_order: int = 1) -> Any:
    """``np.gradient(f, step, axis=axis, edge_order=edge_order)``: points at equal distances.

    >>> slope(np.array([1.0, 4.0, 9.0]), 1.0, 0)
    array([3., 4., 5.])
    """
    made: Any = np.gradient(f, step, axis=axis, edge_order=edge_order)  # type: ignore[call-overload]
    return made


def slope_at(f: Any, at: Any, axis: int, edge_order: int = 1) -> Any:
    """``np.gradient(f, at, axis=axis, edge_order=edge_order)``: points anywhere.

    >>> slope_at(np.array([1.0, 4.0, 9.0]), np.array([1.0, 2.0, 3.0]), 0)
    array([3., 4., 5.])
    """
    made: Any = np.gradient(f, at, axis=axis, edge_order=edge_order)  # type: ignore[call-overload]
    return made


def unslope(c: Any, like: Any, step: Any, axis: int, edge_order: int = 1) -> Any:
    """`slope`, transposed.

    >>> unslope(np.array([1.0, 0.0, 0.0]), np.zeros(3), 1.0, 0)
    array([-1.,  1.,  0.])
    """
    lines = np.moveaxis(np.asarray(c), axis, -1)
    out = np.zeros(lines.shape, lines.dtype)
    n = lines.shape[-1]
    width = min(n, 3)
    first = np.clip(np.arange(n) - 1, 0, n - width)
    for colour in range(width):  # a point reads three neighbours, each of another colour
        comb = (np.arange(n) % width == colour).astype(float)
        weights = np.gradient(comb, edge_order=edge_order)  # type: ignore[call-overload]
        places = first + (colour - first) % width
        index: Any = (..., places)
        np.add.at(out, index, lines * weights.astype(np.real(lines).dtype))
    return cast(np.moveaxis(out / step, -1, axis), like)


def stencil(at: Any, edge_order: int = 1) -> tuple[Any, Any, Any, Any]:
    """The three points each slope is computed from, and whether the third counts.

    At an end of order 1 the third is the first again, and does not count.

    >>> stencil(np.zeros(3))[3]
    array([0., 1., 0.])
    """
    n = len(at)
    middle = np.clip(np.arange(n), 1, max(n - 2, 1))
    before, after = middle - 1, np.minimum(middle + 1, n - 1)
    counts = np.ones(n, np.result_type(np.asarray(at), np.float16))
    if edge_order == 1:
        before[-1], middle[0], middle[-1] = n - 2, 1, n - 1
        before[0], after[0], after[-1] = 0, 0, n - 2
        counts[0] = counts[-1] = 0.0
    return before, middle, after, counts


def along_axis(x: Any, like: Any, axis: int = 0) -> Any:
    """The vector ``x`` along one axis of an array of the shape of ``like``.

    >>> along_axis(np.array([1.0, 2.0]), np.zeros((2, 3)))
    array([[1., 1., 1.],
           [2., 2., 2.]])
    """
    shape = [1] * np.ndim(like)
    shape[axis] = -1
    return np.broadcast_to(np.reshape(x, shape), np.shape(like))


def sum_along(c: Any, like: Any, axis: int = 0) -> Any:
    """`along_axis`, transposed: the sums over all other axes.

    >>> sum_along(np.ones((2, 3)), np.zeros(2))
    array([3., 3.])
    """
    axis %= np.ndim(c)
    others = tuple(k for k in range(np.ndim(c)) if k != axis)
    return cast(np.sum(c, axis=others), like)


# --- interpolation ------------------------------------------------------------------------


def interp_places(x: Any, xp: Any) -> Any:
    """The point on the left of the piece of `np.interp` that each ``x`` lies in.

    >>> interp_places(np.array([-1.0, 0.0, 1.5, 9.0]), np.array([0.0, 1.0, 2.0]))
    array([0, 0, 1, 1])
    """
    if len(xp) == 1:
        raise UnsupportedOperation("np.interp of one point has no slope", fix="take fp[0]")
    return np.clip(np.searchsorted(xp, x, side="right") - 1, 0, len(xp) - 2)


def interp_inside(x: Any, xp: Any) -> Any:
    """1 where ``x`` is between the first and the last point, else 0.

    >>> interp_inside(np.array([-1.0, 0.5]), np.array([0.0, 1.0]))
    array([0., 1.])
    """
    inside = np.greater_equal(x, xp[0]) & np.less_equal(x, xp[-1])
    return inside.astype(np.result_type(x, 0.0))


def interp_uses(x: Any, xp: Any, left: Any = None, right: Any = None) -> Any:
    """1 where `np.interp` reads the points, 0 where it gives ``left`` or ``right`` instead.

    >>> interp_uses(np.array([-1.0, 0.5, 2.0]), np.array([0.0, 1.0]), left=0.0)
    array([0., 1., 1.])
    """
    below = np.less(x, xp[0]) & (left is not None)
    above = np.greater(x, xp[-1]) & (right is not None)
    return np.logical_not(below | above).astype(np.result_type(x, 0.0))
