"""Derivatives by finite differences, for a function of the user's that nobody can differentiate.

Central differences with steps relative to the size of each argument: about ten digits where the
function is smooth and computed to double precision, no more than its own noise allows.  A tangent
costs two calls, a cotangent two for every number of the arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..errors import NotDifferentiable

__all__ = ["difference_pull", "difference_push"]

Function = Callable[..., Any]


def difference_push(
    fn: Function, args: Sequence[Any], dots: Sequence[Any], wrt: tuple[int, ...], step: float
) -> Any:
    """The derivative of ``fn`` at ``args`` along ``dots``, the tangents of the arguments in ``wrt``.

    >>> round(difference_push(lambda x, n: x**n, (2.0, 3), (1.0,), (0,), 0.0), 6)
    12.0
    """
    check_real(args, wrt)
    pairs = list(zip(wrt, dots, strict=True))
    far = max((float(np.max(np.abs(d), initial=0.0)) for _, d in pairs), default=0.0)
    if far == 0.0:
        value = fn(*copies(args))
        return like(np.zeros(np.shape(value)), value)
    h = max(size_of(args[k], step) for k in wrt) / far
    ends = []
    for t in (h, -h):
        given = copies(args)
        for k, dot in pairs:
            given[k] = given[k] + t * dot
        ends.append(fn(*given))
    slope: Any = (np.asarray(ends[0]) - np.asarray(ends[1])) / (2 * h)
    return like(slope, ends[0])


def difference_pull(
    fn: Function, args: Sequence[Any], c: Any, wrt: tuple[int, ...], step: float
) -> Any:
    """The cotangents of the arguments in ``wrt``, for the cotangent ``c`` of the result.

    >>> bar = difference_pull(lambda x: x * x, (np.array([1.0, 2.0]),), np.ones(2), (0,), 0.0)
    >>> bar.round(8).tolist()
    [2.0, 4.0]
    """
    check_real(args, wrt)
    bars = tuple(bar_of(fn, args, k, np.asarray(c), step) for k in wrt)
    return bars if len(wrt) > 1 else bars[0]


def bar_of(fn: Function, args: Sequence[Any], k: int, c: Any, step: float) -> Any:
    """One cotangent, an entry at a time."""
    x = np.asarray(args[k])
    bar = np.zeros(x.shape, x.dtype)
    for place in np.ndindex(x.shape):
        h, ends = size_of(x[place], step, x.dtype), []
        for t in (h, -h):
            given, moved = copies(args), x.copy()
            moved[place] += t
            given[k] = like(moved, args[k])
            ends.append((np.asarray(fn(*given)), moved[place]))
        (up, above), (down, below) = ends
        bar[place] = np.real(np.sum(np.conj(c) * (up - down))) / (above - below)
    return like(bar, args[k])


def size_of(x: Any, step: float, dtype: Any = None) -> float:
    """The step: the cube root of the precision, relative to the argument."""
    dtype = np.asarray(x).dtype if dtype is None else dtype
    relative = step or float(np.finfo(dtype).eps) ** (1 / 3)
    return relative * max(1.0, float(np.max(np.abs(x), initial=0.0)))


def check_real(args: Sequence[Any], wrt: tuple[int, ...]) -> None:
    for k in wrt:
        if np.asarray(args[k]).dtype.kind != "f":
            raise NotDifferentiable(
                f"finite differences of an argument of type {np.asarray(args[k]).dtype}",
                fix="pass a float or an array of floats, or name the argument in `constant`",
            )


def copies(args: Sequence[Any]) -> list[Any]:
    """Arguments that the function may write to."""
    return [a.copy() if isinstance(a, np.ndarray) else a for a in args]


def like(x: Any, kind: Any) -> Any:
    """An array, or a number where there was a number."""
    if isinstance(kind, np.ndarray) and kind.ndim:
        return x
    return float(x) if isinstance(kind, float) and not isinstance(kind, np.generic) else x[()]
