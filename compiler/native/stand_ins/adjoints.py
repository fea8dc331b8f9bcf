"""Helpers of the runtime whose own text is for arrays of any rank: here they are for vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["STAND_INS"]


def interp_uses(x: Any, xp: Any, left: Any = None, right: Any = None) -> Any:
    above = np.where(np.greater(x, xp[-1]), 1.0 if right is None else 0.0, 1.0)
    return np.where(np.less(x, xp[0]), 1.0 if left is None else 0.0, above)


def untrapezoid_at(c: Any, like: Any, y: Any, axis: Any = -1) -> Any:
    middle = (y[1:] + y[:-1]) / 2.0 * c
    bar = np.zeros_like(like)
    bar[:-1] -= middle
    bar[1:] += middle
    return bar


def convolve_pull(c: Any, y: Any, like: Any, mode: Any = "full") -> Any:
    m, n = len(like), len(y)
    start = 0
    if mode == "same":
        start = (min(m, n) - 1) // 2
    elif mode == "valid":
        start = min(m, n) - 1
    whole = np.zeros(m + n - 1, np.result_type(c))
    whole[start : start + len(c)] = c
    bar = np.zeros_like(like)
    for k in range(n):
        bar += y[k] * whole[k : k + m]
    return bar


def correlate_pull_left(c: Any, v: Any, like: Any, mode: Any = "valid") -> Any:
    m, n = len(like), len(v)
    if n > m:
        raise ValueError("the other way round")
    start = 0
    if mode == "same":
        start = (n - 1) // 2
    elif mode == "valid":
        start = n - 1
    whole = np.zeros(m + n - 1, np.result_type(c))
    whole[start : start + len(c)] = c
    bar = np.zeros_like(like)
    for k in range(n):
        bar += v[k] * whole[n - 1 - k : n - 1 - k + m]
    return bar


def untrapezoid(c: Any, like: Any, at: Any = None, step: Any = 1.0, axis: Any = -1) -> Any:
    bar = np.zeros_like(like)
    if at is None:
        bar[:-1] += step / 2.0 * c
        bar[1:] += step / 2.0 * c
        return bar
    parts = (at[1:] - at[:-1]) / 2.0 * c
    bar[:-1] += parts
    bar[1:] += parts
    return bar


STAND_INS = {("retrograd.runtime", f.__name__): f for f in (
    interp_uses, untrapezoid_at, convolve_pull, correlate_pull_left, untrapezoid,
)}  # fmt: skip
