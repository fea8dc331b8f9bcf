"""Linear helpers of the elementwise operations: signs, guarded quotients, choices, ties."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..errors import UnsupportedOperation
from .core import unbroadcast, zeros_like

__all__ = [
    "divide_or_zero",
    "if_above",
    "if_below",
    "if_finite",
    "if_inside",
    "if_larger",
    "if_none",
    "if_number",
    "if_replaced",
    "in_kind",
    "one_less",
    "pick",
    "power",
    "share",
    "sigmoid",
    "sign",
    "times_i",
    "times_log",
    "turn_rate",
    "unpick",
    "unselect",
]


def sign(x: Any) -> Any:
    """``x / abs(x)``, and 0 at 0: `np.sign` that keeps Python's numbers.

    >>> sign(-2.5), sign(0.0), sign(-3)
    (-1.0, 0.0, -1)
    """
    if x.__class__ is float:
        return 1.0 if x > 0.0 else -1.0 if x < 0.0 else x * 0.0
    if x.__class__ is int:
        return (x > 0) - (x < 0)
    return np.sign(x)


CUBED = (np.float64, np.float32)
FLOATS = (float, np.float64)
NUMBERS = (*FLOATS, int)


def sigmoid(x: Any) -> Any:
    """``1 / (1 + exp(-x))``, without overflow.

    >>> sigmoid(np.array([-1000.0, 0.0]))
    array([0. , 0.5])
    """
    if isinstance(x, np.ndarray) and x.ndim and x.dtype.kind == "f":
        z = np.negative(x)
        with np.errstate(over="ignore"):
            np.exp(z, z)
        z += 1
        return np.reciprocal(z, z)
    e = np.exp(-np.abs(x))
    return np.where(x >= 0, 1, e) / (1 + e)


def turn_rate(x: Any) -> Any:
    """How fast the sign of ``x`` turns: ``1 / abs(x)`` if complex, 0 if real (or at 0).

    >>> turn_rate(3 + 4j), turn_rate(5.0)
    (0.2, 0.0)
    """
    return divide_or_zero(1.0, abs(x)) if np.iscomplexobj(x) else zeros_like(x)


def weak(c: Any, like: Any) -> Any:
    """``c``, in the precision of the float array ``like`` if it is a Python number.

    >>> weak(0.5, np.zeros(2, np.float32))
    np.float32(0.5)
    """
    dtype = getattr(like, "dtype", None)
    if dtype is None or dtype.kind not in "fc" or hasattr(c, "dtype"):
        return c
    return np.result_type(dtype, c).type(c)


def divide_or_zero(c: Any, y: Any) -> Any:
    """``c / y``, and 0 where ``y`` is 0.

    >>> divide_or_zero(np.array([1.0, 2.0]), np.array([4.0, 0.0]))
    array([0.25, 0.  ])
    """
    if isinstance(y, (float, complex)):
        return c / y if y != 0 else c * 0.0
    zero = y == 0
    if not np.any(zero):
        return c / y
    return np.where(zero, 0, c / np.where(zero, 1, y))


def times_log(c: Any, x: Any) -> Any:
    """``c * log(x)``, but 0 where ``c`` or ``x`` is 0: how ``x**y`` changes with ``y``.

    >>> times_log(2.0, 1.0), times_log(2.0, 0.0), times_log(0.0, -1.0)
    (0.0, 0.0, 0.0)
    """
    if c.__class__ in FLOATS and x.__class__ in NUMBERS:
        skips = c == 0.0 or x == 0
        found = 0.0 if skips else c * math.log(x) if x > 0 else math.nan
        return found if x.__class__ is not np.float64 else np.float64(found)
    skip = np.equal(c, 0) | np.equal(x, 0)
    with np.errstate(invalid="ignore"):
        return np.where(skip, 0, c * np.log(np.where(skip, 1, weak(x, c))))


def in_kind(x: Any, like: Any) -> Any:
    """``x``, as a complex value if ``like`` is one: the base of a power whose logarithm is complex.

    >>> in_kind(-2.0, 1j), in_kind(-2.0, 1.0)
    ((-2+0j), -2.0)
    """
    if isinstance(like, float) or not np.iscomplexobj(like) or np.iscomplexobj(x):
        return x
    if isinstance(x, (int, float)) and not isinstance(x, np.generic):
        return complex(x)
    return x.astype(np.result_type(x, np.complex64))


def power(x: Any, y: Any) -> Any:
    """``x ** y``, the third power of an array as a product.

    >>> power(np.array([2.0, -3.0]), 3)
    array([  8., -27.])
    """
    if y.__class__ in (int, float) and y == 3 and x.__class__ is np.ndarray and x.dtype in CUBED:
        return x * x * x
    return np.power(x, y)


def one_less(y: Any, x: Any) -> Any:
    """The exponent of the slope of ``x**y``: ``y - 1``, but 0 where both are 0.

    >>> one_less(3, 0.0), one_less(0, 2.0), one_less(0, 0.0)
    (2, -1, 0)
    """
    if isinstance(y, (int, float)):
        if y != 0:
            return y - 1
        if isinstance(x, float):
            return y - (x != 0.0)
    return np.where(np.equal(y, 0) & np.equal(x, 0), 0, np.subtract(weak(y, x), 1))


def if_larger(c: Any, x: Any, y: Any) -> Any:
    """``c`` where ``x`` is the larger, half in a tie, else 0: what a maximum sends to ``x``.

    >>> if_larger(8.0, 2.0, 1.0), if_larger(8.0, 1.0, 1.0), if_larger(8.0, 0.0, 1.0)
    (8.0, 4.0, 0.0)
    """
    if c.__class__ is float and x.__class__ is float and y.__class__ is float:
        return 0.0 if x < y else c / 2 if x == y else c
    c = weak(weak(c, x), y)
    return np.where(np.less(x, y), 0, np.where(np.equal(x, y), c / 2, c))


def limits(low: Any, high: Any, min: Any, max: Any) -> tuple[Any, Any]:
    """The bounds of a clip, which may be spelled in two ways but not twice."""
    if (low is not None and min is not None) or (high is not None and max is not None):
        raise ValueError("clip: a bound was given twice (or a fourth positional argument)")
    return low if min is None else min, high if max is None else max


def if_inside(
    c: Any, x: Any, low: Any = None, high: Any = None, min: Any = None, max: Any = None
) -> Any:
    """``c`` where ``low <= x <= high``, else 0: the share of ``x`` in its clip.

    >>> if_inside(np.ones(4), np.array([-1.0, 0.0, 1.0, 2.0]), 0, 1)
    array([0., 1., 1., 0.])
    """
    low, high = limits(low, high, min, max)
    inside: Any = True
    if low is not None:
        inside = np.greater_equal(x, low)
    if high is not None:
        inside = inside & np.less_equal(x, high)
    return np.where(inside, weak(c, x), 0)


def if_below(
    c: Any, x: Any, low: Any = None, high: Any = None, min: Any = None, max: Any = None
) -> Any:
    """``c`` where ``x < low <= high``, else 0: the share of the lower bound in a clip.

    >>> if_below(np.ones(3), np.array([-1.0, 0.5, 2.0]), 0, 1)
    array([1., 0., 0.])
    """
    low, high = limits(low, high, min, max)
    below: Any = False if low is None else np.less(x, low)
    if low is not None and high is not None:
        below = below & np.less_equal(low, high)
    return np.where(below, weak(c, x), 0)


def if_above(
    c: Any, x: Any, low: Any = None, high: Any = None, min: Any = None, max: Any = None
) -> Any:
    """``c`` where ``x > high`` or ``low > high``, else 0: the share of the upper bound.

    >>> if_above(np.ones(3), np.array([-1.0, 0.5, 2.0]), 0, 1)
    array([0., 0., 1.])
    """
    low, high = limits(low, high, min, max)
    above: Any = False if high is None else np.greater(x, high)
    if low is not None and high is not None:
        above = above | np.greater(low, high)
    return np.where(above, weak(c, x), 0)


def share(x: Any, y: Any) -> Any:
    """The share of ``exp(x)`` in ``exp(x) + exp(y)``, without overflow; a half where equal.

    >>> share(-np.inf, -np.inf), share(1000.0, -1000.0)
    (0.5, 1.0)
    """
    if x.__class__ is float and y.__class__ is float:
        e = math.exp(-abs(y - x)) if x != y else 1.0
        return (e if y > x else 1.0) / (1.0 + e)
    with np.errstate(invalid="ignore"):
        gap = np.where(np.equal(x, y), 0, np.subtract(y, x))
    small = np.exp(-np.abs(gap))
    return np.where(gap > 0, small, 1) / (1 + small)


def if_finite(c: Any, x: Any, copy: bool = True) -> Any:
    """``c`` where ``x`` is finite, else 0; real and imaginary parts apart.

    >>> if_finite(np.ones(2), np.array([1.0, np.nan]))
    array([1., 0.])
    """
    if not copy:
        raise UnsupportedOperation("nan_to_num(copy=False) writes to its argument: no derivative")
    if not np.iscomplexobj(x):
        return np.where(np.isfinite(x), weak(c, x), 0)
    real = np.where(np.isfinite(np.real(x)), np.real(c), 0)
    return real + 1j * np.where(np.isfinite(np.imag(x)), np.imag(c), 0)


def if_replaced(c: Any, x: Any, what: float) -> Any:
    """``c`` where `np.nan_to_num` replaces ``what`` (nan, inf or -inf) in ``x``, else 0.

    >>> if_replaced(1.0, np.array([1.0, np.nan]), np.nan)
    array([0., 1.])
    """
    if np.iscomplexobj(x) and np.any(c):
        raise UnsupportedOperation(
            "nan_to_num of complex numbers: the replacement has no derivative"
        )
    return np.where(np.isnan(x) if what != what else np.equal(x, what), weak(c, x), 0)


def if_number(c: Any, x: Any) -> Any:
    """``c`` where ``x`` is not nan, else 0.

    >>> if_number(2.0, np.array([1.0, np.nan]))
    array([2., 0.])
    """
    if not hasattr(x, "dtype"):
        return c if x == x else 0.0 * c
    return np.where(np.isnan(x), 0, weak(c, x))


def times_i(c: Any, like: Any) -> Any:
    """``1j * c``, or 0 if ``like`` is real: the transpose of taking the imaginary part.

    >>> times_i(2.0, 1 + 1j), times_i(2.0, 1.0)
    (2j, 0.0)
    """
    return 1j * c if np.iscomplexobj(like) else np.real(c) * 0.0


def pick(cs: Any, xs: Any, extreme: Any) -> Any:
    """The entry of ``cs`` beside the entry of ``xs`` that equals ``extreme``; the mean in a tie.

    ``xs`` are the arguments of ``max`` or ``min``: several numbers, or one sequence.

    >>> pick([10.0, 20.0, 30.0], (1.0, 5.0, 5.0), 5.0)
    25.0
    """
    if len(xs) == 1:
        cs, xs = cs[0], xs[0]
    hits = [c for c, x in zip(cs, xs, strict=True) if x == extreme]
    return sum(c for c in hits if c is not None) / max(len(hits), 1)


def unpick(c: Any, xs: Any, extreme: Any) -> Any:
    """Send ``c`` to the entries of ``xs`` that equal ``extreme``: the transpose of `pick`.

    >>> unpick(8.0, (1.0, 5.0, 5.0), 5.0)
    [0.0, 4.0, 4.0]
    """
    if len(xs) == 2:
        x, y = xs
        first, second = bool(x == extreme), bool(y == extreme)
        part = c / 2 if first and second else c / 1
        return [part if first else zeros_like(part), part if second else zeros_like(part)]
    items = xs[0] if len(xs) == 1 else xs
    hits = [bool(x == extreme) for x in items]
    part = c / max(sum(hits), 1)
    cs = [part if hit else zeros_like(part) for hit in hits]
    if len(xs) > 1:
        return cs
    return [np.array(cs) if hasattr(items, "dtype") else type(items)(cs)]


def unselect(c: Any, condlist: Any, like: Any) -> Any:
    """Send ``c`` to the choice that `np.select` took: its transpose.

    >>> unselect(np.ones(2), [np.array([True, False])], [np.zeros(2)])
    [array([1., 0.])]
    """
    out: list[Any] = []
    left: Any = np.True_
    for condition, choice in zip(condlist, like, strict=True):
        out.append(unbroadcast(np.where(left & condition, c, 0), choice))
        left = left & ~np.asarray(condition)
    return np.stack(out) if isinstance(like, np.ndarray) else out


def if_none(c: Any, condlist: Any) -> Any:
    """``c`` where no condition holds, else 0: the share of the default in `np.select`.

    >>> if_none(1.0, [np.array([True, False])])
    array([0., 1.])
    """
    if c.__class__ is float and c == 0.0:
        return c
    taken: Any = np.False_
    for condition in condlist:
        taken = taken | condition
    return np.where(taken, 0, c)
