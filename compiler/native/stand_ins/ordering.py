"""Orders: sorted arrays, the places of their elements, and what stands in the middle."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["STAND_INS"]


def comes_first(a: Any, b: Any) -> Any:
    """True if ``b`` comes before ``a``, which is told first; what is no number comes last."""
    return b < a or (a != a and b == b)


def merged(x: Any, order: Any, other: Any, low: Any, middle: Any, high: Any) -> Any:
    """Two runs of places, of ascending elements each, as one."""
    i, j = low, middle
    for k in range(low, high):
        if i >= middle:
            other[k] = order[j]
            j += 1
        elif j >= high:
            other[k] = order[i]
            i += 1
        elif comes_first(x[order[i]], x[order[j]]):
            other[k] = order[j]
            j += 1
        else:
            other[k] = order[i]
            i += 1


def argsort(a: Any, axis: Any = -1, *, kind: Any) -> Any:
    """By runs of 1, 2, 4, ... elements: of equal ones the first comes first, which has to be asked for."""
    if kind not in ("stable", "mergesort"):
        raise ValueError("equal elements in any order")
    n = len(a)
    order, other = np.arange(n), np.arange(n)
    width = 1
    while width < n:
        for low in range(0, n, 2 * width):
            middle, high = min(low + width, n), min(low + 2 * width, n)
            merged(a, order, other, low, middle, high)
        order[:] = other
        width *= 2
    return order


def sort(a: Any, axis: Any = -1, kind: Any = None) -> Any:
    return a[argsort(a, kind="stable")]


STAND_INS: dict[tuple[str, str], Any] = {("numpy", "argsort"): argsort, ("numpy", "sort"): sort}
