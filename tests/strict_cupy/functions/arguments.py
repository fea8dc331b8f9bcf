"""Which arguments a function of CuPy takes: arrays of the device, settings, and few values of the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import counters
from ..arrays.array import ndarray
from ..arrays.values import SCALARS
from ..arrays.wrapping import is_host, unwrap

__all__ = ["check", "incorrect", "leaves"]

# Parameters that are no operands: lists, tuples and numbers are what is asked for.
SETTINGS = frozenset(
    "axis axes shape dtype pad_width indices_or_sections reps shift bins range newshape dims kth source destination "
    "sizes density order mode s norm workers ddof plan size origin cval window_shape subok repeats iterations structure "
    "output deg varargs rtol atol equal_nan old_behavior subscripts optimize output_shape zoom angle matrix offset dimensions "
    "new_shape footprint block_shape factor sigma truncate window".split()
)
# Settings that may be arrays of the device.
DEVICE = frozenset(
    "shift repeats ddof bins rtol atol cval sigma matrix offset footprint structure varargs output window".split()
)
# An operand under the name of a setting.
OPERANDS = (("digitize", "bins"),)
# What CuPy uploads, if it is the host's.
INDICES = frozenset("indices ind obj condition values q".split())
SEQUENCES = frozenset(
    "arrays arrs tup args operands xi condlist choicelist funclist arys array_list seq keys multi_index choices axis_arrays".split()
)
# Sequences of arrays of the device, and of nothing else.
JOINED = frozenset("arrays tup seq choicelist condlist".split())
# Functions that take no number as an operand, and the names of operands that are none.
ARRAYS = frozenset(
    "outer inner kron vdot tensordot cross convolve correlate array_equal array_equiv trapezoid".split()
)
OF_ARRAYS = ("a", "b", "y", "a1", "a2")
FIRST = ("a", "arr", "ary", "m", "x", "array", "v", "filt", "input")


def check(function: str, position: int, name: str, value: Any) -> None:
    """Refuse what CuPy refuses, and count what it uploads."""
    if value is None:
        return
    if name in ("out", "to_begin", "to_end"):
        if not isinstance(value, ndarray):
            raise incorrect(name, value)
    elif name in SETTINGS and (function, name) not in OPERANDS:
        check_setting(name, value)
    elif isinstance(value, (list, tuple)) and name in SEQUENCES:
        check_sequence(name, value)
    elif isinstance(value, (list, tuple, np.ndarray)):
        check_host(name, value)
    elif isinstance(value, ndarray):
        if (function, name) == ("average", "weights"):
            counters.transfer(name)  # whether their sum is zero
    elif isinstance(value, SCALARS) and not isinstance(value, str):
        if (position == 0 and name in FIRST) or (function in ARRAYS and name in OF_ARRAYS):
            raise incorrect(name, value)


def check_setting(name: str, value: Any) -> None:
    """No array of the device is an integer; a few settings may be arrays."""
    if leaves([value]) and name not in DEVICE:
        raise TypeError("'ndarray' object cannot be interpreted as an integer")
    if (name == "repeats" and np.ndim(unwrap(value))) or (name == "ddof" and leaves([value])):
        counters.transfer(name)


def check_sequence(name: str, values: Any) -> None:
    if name in JOINED or is_host(values):
        for one in values:
            if not isinstance(one, ndarray):
                raise TypeError(f"Unsupported type {type(one)}")
    elif any(isinstance(one, (list, tuple)) for one in values):
        counters.transfer("upload")


def check_host(name: str, value: Any) -> None:
    if name not in INDICES:
        raise TypeError(f"Unsupported type {type(value)}")
    counters.transfer("upload")


def incorrect(name: str, value: Any) -> TypeError:
    kind = type(value)
    shown = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
    return TypeError(
        f"Argument '{name}' has incorrect type (expected cupy._core.core._ndarray_base, got {shown})"
    )


def leaves(values: Any) -> list[Any]:
    """The arrays of the device, also in lists."""
    found: list[Any] = []
    for one in values:
        if isinstance(one, ndarray):
            found.append(one)
        elif isinstance(one, (list, tuple)):
            found += leaves(one)
    return found
