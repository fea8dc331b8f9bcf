"""Copies of arrays that lie as the arrays do: from how an array lies NumPy decides what is a view and what a copy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.array_utils import byte_bounds

__all__ = ["copy_as_it_lies", "same_content"]


def copy_as_it_lies(x: np.ndarray) -> np.ndarray:
    """A copy with the same strides: it ravels, reshapes and flattens as ``x`` does.

    >>> x = np.zeros((4, 6))[::-1, ::2]
    >>> copy_as_it_lies(x).strides == x.strides, copy_as_it_lies(np.asfortranarray(x)).flags.f_contiguous
    (True, True)
    """
    if x.flags.forc or x.dtype.hasobject or not x.size:
        return x.copy(order="K")
    low, high = byte_bounds(x)
    memory: Any = np.empty(high - low, np.uint8)
    offset = x.__array_interface__["data"][0] - low
    found: np.ndarray = np.ndarray(x.shape, x.dtype, memory, offset, x.strides)
    found[...] = x
    return found


def same_content(a: Any, b: Any) -> bool:
    return a.dtype == b.dtype and bool(np.array_equal(a, b, equal_nan=a.dtype.kind in "fc"))
