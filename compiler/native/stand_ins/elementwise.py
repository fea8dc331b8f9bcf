"""Functions of numbers that are others of NumPy, put together; their results are NumPy's numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from retrograd import runtime as rt

__all__ = ["STAND_INS"]

IN_DEGREES, IN_RADIANS = 180.0 / math.pi, math.pi / 180.0
IN_DEGREES_32 = float(np.float32(180.0) / np.float32(math.pi))  # a quotient of that precision


def check_floats(x: Any) -> Any:
    if np.result_type(x) not in (np.float64, np.float32):
        raise ValueError("no floats")


def degrees(x: Any) -> Any:
    check_floats(x)
    return np.multiply(x, IN_DEGREES if np.result_type(x) == np.float64 else IN_DEGREES_32)


def rad2deg(x: Any) -> Any:
    return degrees(x)


def radians(x: Any) -> Any:
    check_floats(x)
    return np.multiply(x, IN_RADIANS)


def deg2rad(x: Any) -> Any:
    return radians(x)


def fix(x: Any) -> Any:
    check_floats(x)
    return np.trunc(x)


def heaviside(x1: Any, x2: Any) -> Any:
    check_floats(x1)
    check_floats(x2)
    steps = np.where(x1 < 0, 0.0, np.where(x1 > 0, 1.0, x1))
    return np.where(np.equal(x1, 0), x2, steps)


def float_power(x1: Any, x2: Any) -> Any:
    return np.power(np.float64(x1), np.float64(x2))


def logaddexp2(x1: Any, x2: Any) -> Any:
    check_floats(x1)
    check_floats(x2)
    top, low = np.maximum(x1, x2), np.minimum(x1, x2)
    gap = np.where(np.equal(x1, x2), 0.0, low - top)
    return np.add(top, np.log1p(np.exp2(gap)) * math.log2(math.e))


def nan_to_num(
    x: Any, copy: Any = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    check_floats(x)
    if not copy:
        raise ValueError("it is written to")
    largest = 1.7976931348623157e308 if np.result_type(x) == np.float64 else 3.4028234663852886e38
    high = largest if posinf is None else posinf
    low = -largest if neginf is None else neginf
    return np.where(np.isnan(x), nan, np.where(x == np.inf, high, np.where(x == -np.inf, low, x)))


def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    found = default
    for k in range(len(condlist) - 1, -1, -1):
        found = np.where(condlist[k], choicelist[k], found)
    if len(choicelist) != len(condlist) or found.dtype != np.result_type(*choicelist, default):
        raise ValueError("another dtype")
    return found


def unselect(c: Any, condlist: Any, like: Any) -> Any:
    rest = c
    found = []
    for k in range(len(condlist)):
        found.append(rt.unbroadcast(np.where(condlist[k], rest, 0.0), like[k]))
        rest = np.where(condlist[k], 0.0, rest)
    return found


def if_above(c: Any, x: Any, low: Any = None, high: Any = None) -> Any:
    if high is None:
        return np.zeros_like(c)
    above = np.greater(x, high) if low is None else np.greater(x, high) | np.greater(low, high)
    return np.where(above, c, 0)


def if_below(c: Any, x: Any, low: Any = None, high: Any = None) -> Any:
    if low is None:
        return np.zeros_like(c)
    below = np.less(x, low) if high is None else np.less(x, low) & np.less_equal(low, high)
    return np.where(below, c, 0)


def angle(z: Any, deg: Any = False) -> Any:
    check_floats(z)
    found = np.arctan2(np.float64(0.0) if np.result_type(z) == np.float64 else np.float32(0.0), z)
    return np.multiply(found, IN_DEGREES) if deg else found


STAND_INS: dict[tuple[str, str], Any] = {
    ("numpy", f.__name__): f
    for f in (
        degrees, rad2deg, radians, deg2rad, fix, heaviside, float_power, logaddexp2, nan_to_num, select,
        angle,
    )
} | {("retrograd.runtime", f.__name__): f for f in (unselect, if_above, if_below)
}  # fmt: skip
