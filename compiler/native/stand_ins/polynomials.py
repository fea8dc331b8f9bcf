"""Polynomials of a number, and the powers they are made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from .elementwise import check_floats

__all__ = ["STAND_INS"]


def polyval(p: Any, x: Any) -> Any:
    check_floats(x)
    if np.ndim(p) != 1 or np.result_type(p, x) != np.result_type(x):
        raise ValueError("no coefficients in the precision of the number")
    y = np.multiply(x, 0.0)
    for k in range(len(p)):
        y = y * x + p[k]
    return y


def vander(x: Any, N: Any = None, increasing: Any = False) -> Any:
    check_floats(x)
    if np.ndim(x) != 1:
        raise ValueError("no vector")
    n = len(x) if N is None else N
    powers = np.ones((len(x), n), np.float64)
    for k in range(1, n):
        powers[:, k] = powers[:, k - 1] * np.float64(x)
    return powers if increasing else powers[:, ::-1]


def exponents(x: Any, n: Any = None, increasing: Any = False) -> Any:
    check_floats(x)
    powers = np.arange(len(x) if n is None else n).astype(np.result_type(x))
    return powers if increasing else powers[::-1]


def derivative_factors(p: Any, m: Any = 1) -> Any:
    check_floats(p)
    if np.ndim(p) != 1 or m != 1:
        raise ValueError("a later derivative")
    n = len(p) - 1
    if n < 0:
        raise ValueError("no coefficients")
    return (n - np.arange(n)).astype(np.result_type(p))


STAND_INS: dict[tuple[str, str], Any] = {("numpy", f.__name__): f for f in (polyval, vander)} | {
    ("retrograd.runtime", f.__name__): f for f in (exponents, derivative_factors)
}
