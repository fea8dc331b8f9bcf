"""Arrays of numbers that a formula gives: windows, triangles of ones, numbers of even ratios."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .elementwise import check_floats

__all__ = ["STAND_INS"]


def turns(M: Any) -> Any:
    """Half turns from the middle of a window to its ends."""
    if M < 2:
        raise ValueError("one element, or none")
    return (2 * np.arange(M) + (1 - M)) / (M - 1)


def hanning(M: Any) -> Any:
    return 0.5 + 0.5 * np.cos(math.pi * turns(M))


def hamming(M: Any) -> Any:
    return 0.54 + 0.46 * np.cos(math.pi * turns(M))


def blackman(M: Any) -> Any:
    at = turns(M)
    return 0.42 + 0.5 * np.cos(math.pi * at) + 0.08 * np.cos(2.0 * math.pi * at)


def bartlett(M: Any) -> Any:
    at = turns(M)
    return np.where(np.less_equal(at, 0), 1.0 + at, 1.0 - at)


def tri(N: Any, M: Any = None, k: Any = 0) -> Any:
    columns = N if M is None else M
    below = np.arange(N)[:, None] + k >= np.arange(columns)[None, :]
    return np.where(below, 1.0, 0.0)


def logspace(start: Any, stop: Any, num: Any = 50, endpoint: Any = True, base: Any = 10.0) -> Any:
    return np.power(base, np.linspace(start, stop, num, endpoint=endpoint))


def bincount(x: Any, weights: Any = None, minlength: Any = 0) -> Any:
    if weights is None:
        raise ValueError("counts")
    check_floats(weights)
    if np.ndim(x) != 1 or np.ndim(weights) != 1 or len(x) != len(weights):
        raise ValueError("sizes that differ")
    n = minlength
    for k in range(len(x)):
        if x[k] < 0:
            raise ValueError("a place that is negative")
        n = max(n, x[k] + 1)
    sums = np.zeros(n)
    for k in range(len(x)):
        sums[x[k]] += weights[k]
    return sums


STAND_INS: dict[tuple[str, str], Any] = {
    ("numpy", f.__name__): f
    for f in (hanning, hamming, blackman, bartlett, tri, logspace, bincount)
}
