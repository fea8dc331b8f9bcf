"""The values of an array of the double: kinds of numbers, conversions as the device makes them, garbage."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = [
    "LETTERS",
    "SCALARS",
    "cast",
    "checked",
    "converted",
    "garbage",
    "in_c_order",
    "writeable",
]

LETTERS = "?bBhHiIlLqQefdFD"
SCALARS = (bool, int, float, complex, np.generic)


def checked(dtype: Any) -> np.dtype[Any]:
    """The kind of number, if the device has it."""
    found = np.dtype(dtype)
    if found.char not in LETTERS:
        raise ValueError(f"Unsupported dtype {found}")
    return found


def cast(values: np.ndarray, dtype: Any, order: str = "K") -> np.ndarray:
    """Converted as the device does it: what an integer cannot hold becomes the nearest one, NaN becomes 0."""
    target = np.dtype(dtype)
    with np.errstate(all="ignore"):
        if values.dtype.kind == "c" and target.kind not in "c":
            values = values.real
        if values.dtype.kind == "f" and target.kind in "iu":
            return _saturated(values, target, order)
        return values.astype(target, order=order)


def converted(value: Any, dtype: Any) -> np.ndarray:
    """An operand in the kind of its routine; an integer of Python's that does not fit is an error."""
    target = np.dtype(dtype)
    if type(value) is int and target.kind in "iu":
        return np.array(value, target)
    return cast(np.asarray(value), target)


def _saturated(values: np.ndarray, target: np.dtype[Any], order: str) -> np.ndarray:
    bounds = np.iinfo(target)
    wide = values.astype(np.float64)
    wide = np.where(np.isnan(wide), 0.0, wide)
    low, high = wide <= bounds.min, wide >= bounds.max
    inside = np.where(low | high, 0.0, wide).astype(target, order=order)
    inside[low] = bounds.min
    inside[high] = bounds.max
    return inside


def garbage(shape: Any, dtype: Any, order: str = "C") -> np.ndarray:
    """What lies in memory that nobody has written to."""
    made = np.empty(shape, dtype, order)
    made.fill({"b": True, "f": np.nan, "c": complex(np.nan, np.nan)}.get(made.dtype.kind, 0x55))
    return made


def in_c_order(values: np.ndarray) -> np.ndarray:
    """A result lies in C order, in whatever order the operands lie."""
    return np.array(values, order="C", copy=None, ndmin=values.ndim)


def writeable(values: np.ndarray) -> np.ndarray:
    """The device has no arrays that cannot be written to."""
    return values if values.flags.writeable else values.copy(order="K")
