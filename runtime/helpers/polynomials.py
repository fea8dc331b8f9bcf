"""Exponents, and factors of derivatives and integrals, for the rules of polynomials."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import UnsupportedOperation

__all__ = ["band_places", "degrees", "derivative_factors", "exponents", "integral_factors"]


def exponents(x: Any, n: int | None = None, increasing: bool = False) -> Any:
    """The exponents of ``np.vander(x, n, increasing)``.

    >>> exponents(np.zeros(3))
    array([2., 1., 0.])
    """
    powers = np.arange(
        len(x) if n is None else n, dtype=np.result_type(np.asarray(np.real(x)), np.float16)
    )
    return powers if increasing else powers[::-1]


def degrees(p: Any, m: int = 1) -> int:
    """How many coefficients the derivative of order ``m`` has.

    >>> degrees(np.zeros(3))
    2
    """
    return max(length(p) - m, 0)


def length(p: Any) -> int:
    """The number of coefficients of one polynomial."""
    if np.ndim(p) > 1:
        raise UnsupportedOperation(
            "the coefficients of several polynomials in one array", fix="evaluate them one by one"
        )
    return np.size(p)


def derivative_factors(p: Any, m: int = 1) -> Any:
    """The factor of each coefficient in the derivative of order ``m``.

    >>> derivative_factors(np.zeros(3))
    array([2., 1.])
    """
    powers, factors = exponents_of(p), 1.0
    for k in range(m):
        factors = factors * (powers - k)
    return (powers * 0 + factors)[: degrees(p, m)].astype(float_type(p))


def integral_factors(p: Any, m: int = 1) -> Any:
    """The factor of each coefficient in the integral of order ``m``.

    >>> integral_factors(np.zeros(2))
    array([0.5, 1. ])
    """
    powers = exponents_of(p)
    factors = powers * 0 + 1.0
    for k in range(1, m + 1):
        factors = factors / (powers + k)
    return factors.astype(float_type(p))


def exponents_of(p: Any) -> Any:
    """The power that each coefficient stands by, the highest first."""
    return np.arange(length(p) - 1.0, -1.0, -1.0)


def float_type(p: Any) -> Any:
    """The precision of factors of these coefficients."""
    return np.result_type(np.asarray(np.real(p)), np.float16)


def band_places(quotient: Any, divisor: Any, dividend: Any) -> Any:
    """The places in ``divisor``, a zero behind it, of the matrix that divides by it.

    >>> band_places(np.zeros(2), np.zeros(3), np.zeros(4))
    array([[0, 3],
           [1, 0]])
    """
    n, length = np.size(quotient), np.size(divisor)
    if np.size(dividend) != n + length - 1:
        raise UnsupportedOperation(
            "np.polydiv of polynomials that begin with zeros, or by one of a higher degree",
            fix="leave out the zeros",
        )
    places = np.subtract.outer(np.arange(n), np.arange(n))
    return np.where((places < 0) | (places >= length), length, places)
