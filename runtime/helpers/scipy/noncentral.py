"""Every partial derivative of the noncentral chi-square and F distributions, mixtures of central ones.

With ``N`` of Poisson's distribution with mean ``nc / 2``, the value is the mean of a central distribution function
whose shape is greater by ``N``; by ``nc`` it is half the difference between this and the next shape.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Any

import numpy as np
from scipy import special

from .cdf import betainc_partial, gammainc_partial, in_double

__all__ = ["mixed_betainc", "mixed_gammainc"]

REACH = 9.0  # standard deviations of what is counted, beyond which nothing is left
MOST = 1e5  # counts that are looked at
AT_ONCE = 128  # counts that are looked at together


@in_double(3)
def mixed_gammainc(i: int, j: int, k: int, a: Any, x: Any, m: Any) -> Any:
    """The mean of ``gammainc(a + N, x)``, ``N`` with mean ``m``, differentiated by ``a``, ``x`` and ``m``.

    >>> round(float(mixed_gammainc(0, 0, 0, 1.0, 2.0, 0.0)), 12) == round(float(special.gammainc(1.0, 2.0)), 12)
    True
    """
    peak = 2 * m * x / (a + np.sqrt(a * a + 4 * m * x))  # of m**n x**(a + n) / n! Gamma(a + n)

    def part(n: Any) -> Any:
        return gammainc_partial(i, j, a[:, None] + n, x[:, None])

    return mixed(k, m, np.fmin(m, peak), np.sqrt(m * x), part)


@in_double(4)
def mixed_betainc(i: int, j: int, k: int, n: int, a: Any, b: Any, x: Any, m: Any) -> Any:
    """The mean of ``betainc(a + N, b, x)``, differentiated by ``a``, ``b``, ``x`` and ``m``.

    >>> round(float(mixed_betainc(0, 0, 0, 0, 1.0, 1.0, 0.4, 0.0)), 12)
    0.4
    """

    def part(c: Any) -> Any:
        return betainc_partial(i, j, k, a[:, None] + c, b[:, None], x[:, None])

    return mixed(n, m, m * np.clip(x, 0.0, 1.0), m + np.sqrt(m * b), part)


def mixed(order: int, m: Any, low: Any, high: Any, part: Callable[[Any], Any]) -> Any:
    """The mean of the ``order``-th differences of ``part(N)``: a column for each count.

    All that counts is between ``low`` and ``high``, but for a bell at either end.  NaN where that is too much.
    """
    first = np.floor(np.maximum(low - REACH * np.sqrt(low + 1), 0.0))
    length = high + REACH * np.sqrt(high + 1) + 20 - first
    total = np.where(length < MOST, 0.0, np.nan)
    first, mean = np.where(length < MOST, first, 0.0)[:, None], m[:, None]
    for start in range(0, int(np.max(length, initial=0.0, where=length < MOST)), AT_ONCE):
        counts = first + np.arange(start, start + AT_ONCE)
        weights = np.exp(special.xlogy(counts, mean) - mean - special.gammaln(counts + 1))
        if not np.any(weights > 0):
            continue
        for k in range(order + 1):
            sign = (-1) ** (order - k) * comb(order, k)
            total = total + sign * (weights * part(counts + k)).sum(-1)
    return total
