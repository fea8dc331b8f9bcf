"""Special functions that rules need and NumPy lacks, each closed under differentiation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

__all__ = [
    "bessel_i",
    "circle",
    "hyperbola",
    "hyperbola_above",
    "norm_of",
    "polygamma",
    "sinc_derivative",
]

# B_2k / (2k)!: the coefficients of the asymptotic series of psi.
BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)
FAR = 16.0


def polygamma(n: int, x: Any) -> Any:
    """The ``n``-th derivative of digamma, itself the derivative of ``math.lgamma``; of complex numbers too.

    Climbs to ``x >= FAR + n`` by ``psi(x) = psi(x + 1) - 1/x``, then the asymptotic series.

    >>> round(polygamma(0, 1.0), 12), round(polygamma(1, 1.0), 12)
    (-0.577215664902, 1.644934066848)
    >>> polygamma(1, np.array([1.0, -0.5])).round(12)
    array([1.64493407, 8.9348022 ])
    """
    if not hasattr(x, "dtype") and not isinstance(x, complex):
        return polygamma_of_float(n, float(x))
    x = np.asarray(x)
    z = x.astype(np.result_type(x, np.float64))
    mirrored = z.real < 0.5
    climbing, total = np.where(mirrored, 1 - z, z), 0.0 * z
    with np.errstate(all="ignore"):
        for _ in range(int(FAR) + n):
            low = climbing.real < FAR + n
            total = total - np.where(low, (-1) ** n * math.factorial(n) / climbing ** (n + 1), 0)
            climbing = climbing + low
        total = total + sum(far_terms(n, climbing, np.log))
        turned = (-1) ** n * total - np.pi * cotangent(n, np.where(mirrored, z, 0.5))
    out = np.where(mirrored, turned, total)
    return out.astype(x.dtype if x.dtype.kind in "fc" else z.dtype)[()]


def polygamma_of_float(n: int, x: float) -> float:
    """`polygamma` of one number, without NumPy unless it is a long way to climb."""
    if x < -FAR:
        return float(polygamma(n, np.float64(x)))
    near = []
    flip = (-1) ** n * math.factorial(n)
    while x < FAR + n:
        near.append(-flip / x ** (n + 1))
        x += 1.0
    return math.fsum([*near, *far_terms(n, x, math.log)])


def far_terms(n: int, x: Any, log: Any) -> list[Any]:
    """The terms of the asymptotic series of ``polygamma(n, x)`` for large ``x``."""
    if n == 0:
        head = [log(x), -0.5 / x]
        return head + [-b / (2 * k * x ** (2 * k)) for k, b in enumerate(BERNOULLI, 1)]
    front = (-1) ** (n - 1)
    head = [front * math.factorial(n - 1) / x**n, front * math.factorial(n) / (2 * x ** (n + 1))]
    return head + [
        front * b * math.factorial(2 * k + n - 1) / math.factorial(2 * k) / x ** (2 * k + n)
        for k, b in enumerate(BERNOULLI, 1)
    ]


def evaluated(polynomial: Any, x: Any) -> Any:
    """A polynomial of NumPy's at ``x``, by Horner's rule: its own call is of the host's arrays.

    >>> evaluated(np.polynomial.Polynomial([1.0, 2.0, 3.0]), 2.0)
    17.0
    """
    *others, top = polynomial.coef.tolist()
    total = top + x * 0
    for coefficient in reversed(others):
        total = coefficient + total * x
    return total


def cotangent(n: int, x: Any) -> Any:
    """The ``n``-th derivative of ``cot(pi x)``: a polynomial in the cotangent.

    >>> round(float(cotangent(1, np.array(0.25))), 12) == round(-2 * math.pi, 12)
    True
    """
    polynomial = np.polynomial.Polynomial([0.0, 1.0])
    for _ in range(n):
        polynomial = polynomial.deriv() * np.polynomial.Polynomial([-np.pi, 0.0, -np.pi])
    return evaluated(polynomial, 1 / np.tan(np.pi * (x - np.round(x.real))))


def bessel_i(n: int, x: Any) -> Any:
    """The modified Bessel function of whole order ``n``: its power series, all of one sign.

    >>> bool(abs(bessel_i(0, 2.0) - np.i0(2.0)) < 1e-14)
    True
    """
    n, half = abs(n), np.asarray(x) / 2
    term = half**n / float(math.factorial(n))
    total, k = term, 0
    while np.any(np.abs(term) > 1e-17 * np.abs(total)):
        k += 1
        term = term * (half * half) / (k * (k + n))
        total = total + term
        if not np.all(np.isfinite(term)):
            break
    return total


def sinc_derivative(n: int, x: Any) -> Any:
    """The ``n``-th derivative of `np.sinc`, exact at 0 too.

    >>> sinc_derivative(1, np.array([0.0, 1.0]))
    array([ 0., -1.])
    """
    x = np.asarray(x)
    u = np.pi * x.astype(np.result_type(x, np.float64))
    near = np.abs(u) < n + 2
    out = np.where(near, sinc_near(n, np.where(near, u, 0)), sinc_far(n, np.where(near, 9.0, u)))
    return (np.pi**n * out).astype(x.dtype if x.dtype.kind in "fc" else u.dtype)


def sinc_near(n: int, u: Any) -> Any:
    """The ``n``-th derivative of ``sin(u)/u`` by its power series."""
    total, first = 0.0 * u, (n + 1) // 2
    for k in range(first, first + 20 + 2 * n):
        power = 2 * k - n
        scale = float(math.factorial(power) * (2 * k + 1))
        total = total + (-1) ** k * u**power / scale
    return total


def sinc_far(n: int, u: Any) -> Any:
    """The same by the recurrence ``u f_n = sin(u + n pi/2) - n f_(n-1)``, stable for large u."""
    f = np.sin(u) / u
    waves = (np.sin(u), np.cos(u), -np.sin(u), -np.cos(u))
    for m in range(1, n + 1):
        f = (waves[m % 4] - m * f) / u
    return f


def norm_of(xs: Any) -> float:
    """``math.hypot`` of the items of an array.

    >>> norm_of(np.array([3.0, 4.0]))
    5.0
    """
    return math.hypot(*xs)


def circle(x: Any) -> Any:
    """``sqrt(1 - x**2)``, for complex numbers on the side of the cut that ``arcsin`` is on.

    There `1 - x` and `x + 1` would lose the sign of a zero, which says what side that is.

    >>> circle(0.6), circle(complex(2.0, 0.0)).imag < 0 < circle(complex(2.0, -0.0)).imag
    (np.float64(0.8), np.True_)
    """
    if not np.iscomplexobj(x):
        return np.sqrt((1 - x) * (1 + x))
    return np.sqrt(-(x - 1)) * np.sqrt(x - -1)


def hyperbola(x: Any) -> Any:
    """``sqrt(1 + x**2)``, for complex numbers on the side of the cut that ``arcsinh`` is on.

    >>> hyperbola(0.75), hyperbola(complex(-0.0, 2.0)).imag < 0 < hyperbola(2j).imag
    (np.float64(1.25), np.True_)
    """
    if not np.iscomplexobj(x):
        return np.sqrt(1 + x * x)
    turned = np.empty_like(x)  # 1j * x, with the signs of its zeros
    turned.real, turned.imag = -np.imag(x), np.real(x)
    return circle(turned[()])


def hyperbola_above(x: Any) -> Any:
    """``sqrt(x**2 - 1)``, for complex numbers the branch that ``arccosh`` is on.

    >>> hyperbola_above(1.25), hyperbola_above(complex(-2.0, -0.0)).real.round(2)
    (np.float64(0.75), np.float64(-1.73))
    """
    return np.sqrt(x - 1) * np.sqrt(x - -1)
