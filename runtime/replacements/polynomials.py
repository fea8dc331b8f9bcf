"""Polynomials whose coefficients are differentiated, in place of ``np.polynomial.Polynomial``, and the matrices of bases."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import UnsupportedOperation
from .additive import Additive

__all__ = [
    "Polynomial", "as_program", "chebvander", "hermevander", "hermvander", "lagvander", "legvander", "polyvander",
]  # fmt: skip


class Polynomial(Additive):
    """Coefficients, the constant one first; of the domain that is mapped to itself."""

    def __init__(self, coef: Any) -> None:
        self.coef = np.atleast_1d(coef) + 0.0

    def __call__(self, x: Any) -> Any:
        return np.polynomial.polynomial.polyval(x, self.coef)

    def degree(self) -> Any:
        return len(self.coef) - 1

    def deriv(self, m: Any = 1) -> Any:
        coef = self.coef
        for _ in range(m):
            coef = coef[1:] * np.arange(1.0, len(coef)) if len(coef) > 1 else 0.0 * coef
        return Polynomial(coef)

    def integ(self, m: Any = 1) -> Any:
        coef = self.coef
        for _ in range(m):
            coef = led(np.concatenate((np.zeros(1), coef / np.arange(1.0, len(coef) + 1))))
        return Polynomial(coef)

    def __neg__(self) -> Any:
        return Polynomial(-self.coef)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Polynomial):
            return Polynomial(added(self.coef, np.atleast_1d(other)))
        return Polynomial(added(self.coef, other.coef))

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, Polynomial):
            return Polynomial(led(np.convolve(self.coef, np.atleast_1d(other))))
        return Polynomial(led(np.convolve(self.coef, other.coef)))

    def __rmul__(self, other: Any) -> Any:
        return self * other

    def __truediv__(self, other: Any) -> Any:
        return Polynomial(self.coef / other)

    def __pow__(self, n: Any) -> Any:
        made = Polynomial(np.ones(1))
        for _ in range(n):
            made = made * self
        return made


def added(a: Any, b: Any) -> Any:
    """A sum of coefficients, the shorter ones filled up with zeros."""
    n = max(len(a), len(b))
    return led(
        np.concatenate((a, np.zeros(n - len(a)))) + np.concatenate((b, np.zeros(n - len(b))))
    )


def led(coef: Any) -> Any:
    """Coefficients whose last one is not zero: NumPy cuts zeros off, so that the degree depends on the numbers."""
    if len(coef) > 1 and coef[-1] == 0.0:
        raise UnsupportedOperation("a polynomial whose leading coefficients cancel")
    return coef


def as_program(p: Any) -> Any:
    """A polynomial of NumPy's as one of these; None of one that maps its domain to another window."""
    return (Polynomial, {"coef": p.coef}) if np.array_equal(p.domain, p.window) else None


# -- matrices of the powers, or the polynomials of a family, at given points -----------------


def recurrence(x: Any, first: Any, deg: Any, following: Any) -> Any:
    """The polynomials of degree 0 to ``deg``: each follows from the two before it."""
    rows = [x * 0 + 1, first]
    for i in range(2, deg + 1):
        rows.append(following(i, rows[-1], rows[-2]))
    return np.moveaxis(np.stack(rows[: deg + 1]), 0, -1)


def polyvander(x: Any, deg: Any) -> Any:
    x = np.atleast_1d(x) + 0.0
    return recurrence(x, x, deg, lambda i, v, u: v * x)


def chebvander(x: Any, deg: Any) -> Any:
    x = np.atleast_1d(x) + 0.0
    return recurrence(x, x, deg, lambda i, v, u: v * (2 * x) - u)


def legvander(x: Any, deg: Any) -> Any:
    x = np.atleast_1d(x) + 0.0
    return recurrence(x, x, deg, lambda i, v, u: (v * x * (2 * i - 1) - u * (i - 1)) / i)


def hermvander(x: Any, deg: Any) -> Any:
    x = np.atleast_1d(x) + 0.0
    return recurrence(x, x * 2, deg, lambda i, v, u: v * (x * 2) - u * (2 * (i - 1)))


def hermevander(x: Any, deg: Any) -> Any:
    x = np.atleast_1d(x) + 0.0
    return recurrence(x, x, deg, lambda i, v, u: v * x - u * (i - 1))


def lagvander(x: Any, deg: Any) -> Any:
    x = np.atleast_1d(x) + 0.0
    return recurrence(x, 1 - x, deg, lambda i, v, u: (v * (2 * i - 1 - x) - u * (i - 1)) / i)
