"""Special functions that rules for ``scipy.special`` need and SciPy lacks, closed under differentiation.

``f_partial(n, x)`` is the ``n``-th derivative of ``f``.  Where the formula for it would lose digits there
is a series.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from ..special import evaluated, polygamma

__all__ = [
    "dawsn_partial",
    "diric_partial",
    "erfcx_partial",
    "expn_below",
    "exprel_partial",
    "log_quotient",
    "multidigamma",
    "rgamma_partial",
    "zeta_partial",
]

NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)
BERNOULLI = special.bernoulli(24)[2::2]


def in_double(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compute ``function(n, x)`` in double precision; the result has the precision of ``x``."""

    @functools.wraps(function)
    def wrapped(n: int, x: Any) -> Any:
        x = np.asarray(x)
        wide = x.astype(np.result_type(x, np.float64))
        narrow = x.dtype if x.dtype.kind in "fc" else wide.dtype
        with np.errstate(all="ignore"):
            return function(n, wide).astype(narrow)[()]

    return wrapped


def exp_partial(orders: tuple[int, ...], partial: Callable[..., Any]) -> Any:
    """``f_orders / f`` for ``f = exp(g)``, from ``partial(orders)``, the derivatives of ``g``.

    It is Leibniz's rule for ``f_k = (f g')_(k-1)``.

    >>> exp_partial((2,), lambda orders: {1: 3.0, 2: 1.0}[orders[0]])
    10.0
    """
    axis = next((k for k, n in enumerate(orders) if n), None)
    if axis is None:
        return 1.0
    less = lowered(orders, axis, 1)
    total: Any = 0.0
    for part in np.ndindex(*(n + 1 for n in less)):
        rest = tuple(n - p for n, p in zip(less, part, strict=True))
        ways = math.prod(math.comb(n, p) for n, p in zip(less, part, strict=True))
        slope = partial(lowered(part, axis, -1))
        if not (isinstance(slope, float) and slope == 0.0):
            total = total + ways * exp_partial(rest, partial) * slope
    return total


def lowered(orders: tuple[int, ...], axis: int, by: int) -> tuple[int, ...]:
    return tuple(n - by * (k == axis) for k, n in enumerate(orders))


def leibniz(n: int, *factors: Callable[[int], Any]) -> Any:
    """The ``n``-th derivative of a product; each factor gives its ``k``-th derivative.

    >>> leibniz(2, lambda k: [9.0, 6.0, 2.0][k], lambda k: 1.0)  # x * x * exp(x) at 3, over exp(3)
    23.0
    """
    first, *rest = factors
    if not rest:
        return first(n)
    return sum(math.comb(n, k) * first(k) * leibniz(n - k, *rest) for k in range(n + 1))


def sine_partial(n: int, x: Any) -> Any:
    """The ``n``-th derivative of ``sin(pi x)``, with all digits near whole numbers."""
    whole = np.round(x.real)
    near = np.pi * (x - whole)
    wave = (np.sin(near), np.cos(near), -np.sin(near), -np.cos(near))[n % 4]
    return np.pi**n * np.where(whole % 2 == 0, wave, -wave)


# -- gamma and zeta ------------------------------------------------------------------------


@in_double
def rgamma_partial(n: int, x: Any) -> Any:
    """The ``n``-th derivative of ``1 / Gamma(x)``, which has no poles.

    >>> float(rgamma_partial(1, 0.0)), float(rgamma_partial(1, -1.0))
    (1.0, -1.0)
    """
    mirrored = x.real < 0.5
    high = np.where(mirrored, 1 - x, x)
    right = special.rgamma(high) * exp_partial((n,), lambda k: -polygamma(k[0] - 1, high))

    def turned(k: int) -> Any:
        return (
            (-1) ** k * special.gamma(high) * exp_partial((k,), lambda m: polygamma(m[0] - 1, high))
        )

    left = leibniz(n, lambda k: sine_partial(k, x), turned) / np.pi
    return np.where(mirrored, left, right)


def multidigamma(n: int, a: Any, d: int) -> Any:
    """The ``n``-th derivative of the slope of ``special.multigammaln(a, d)``.

    >>> bool(abs(multidigamma(0, 2.0, 2) - special.digamma(2.0) - special.digamma(1.5)) < 1e-14)
    True
    """
    return sum(
        polygamma(n, a - np.asarray(k / 2, getattr(a, "dtype", None))) for k in range(int(d))
    )


def zeta_partial(n: int, x: Any, q: Any = None) -> Any:
    """``special.zeta(x, q)`` differentiated ``n`` times by ``x``: Euler and Maclaurin's sum.

    >>> bool(abs(zeta_partial(0, 2.0) - np.pi**2 / 6) < 1e-15)
    True
    """
    if n < 0:
        return 0.0
    x, t = np.asarray(x), np.asarray(1.0 if q is None else q)
    dtype = np.result_type(x, t) if q is not None else x.dtype
    s, t = x + 0.0 * t, t + 0.0 * x.real
    wide = np.result_type(s, np.float64)
    with np.errstate(all="ignore"):
        found = zeta_sum(n, s.astype(wide), t.astype(np.float64))
        if q is None:
            below = s.real < 0
            turned = zeta_mirrored(n, np.where(below, s, -1.0).astype(wide))
            found = np.where(below, turned, found)
    return found.astype(dtype if dtype.kind in "fc" else wide)[()]


def zeta_sum(n: int, x: Any, q: Any, first: int = 20) -> Any:
    """The first terms, and the rest as an integral with its corrections."""
    total: Any = 0.0
    for k in range(first):
        total = total + (q + k) ** -x * (-np.log(q + k)) ** n
    t = q + first
    power, log = t**-x, -np.log(t)
    total = total + power * log**n / 2
    for k in range(n + 1):
        part = (-1) ** k * math.perm(n, k) / (x - 1) ** (k + 1)
        total = total + t * power * log ** (n - k) * part
    for j, b in enumerate(BERNOULLI):
        m = 2 * j + 1
        rising = [np.polynomial.Polynomial.fromroots(range(1 - m, 1))]
        rising += [rising[0].deriv(k) for k in range(1, n + 1)]
        slopes = sum(
            math.comb(n, k) * evaluated(rising[k], x) * log ** (n - k) for k in range(n + 1)
        )
        total = total + b / float(math.factorial(m + 1)) * power * slopes / t**m
    return total


def zeta_mirrored(n: int, x: Any) -> Any:
    """Where ``x < 0``: by Riemann's functional equation."""
    y = 1 - x

    def front(k: int) -> Any:
        def partial(m: tuple[int]) -> Any:
            return (math.log(2 * np.pi) if m[0] == 1 else 0.0) + (-1) ** m[0] * polygamma(
                m[0] - 1, y
            )

        return (2 * np.pi) ** x / np.pi * special.gamma(y) * exp_partial((k,), partial)

    return leibniz(
        n,
        front,
        lambda k: sine_partial(k, x / 2) / 2**k,
        lambda k: (-1) ** k * zeta_sum(k, y, np.ones(y.shape)),
    )


# -- error functions -------------------------------------------------------------------------


@in_double
def erfcx_partial(n: int, x: Any) -> Any:
    """The ``n``-th derivative of ``special.erfcx``; far to the right by its asymptotic series.

    >>> bool(abs(erfcx_partial(1, 1e9) * np.sqrt(np.pi) * 1e18 + 1) < 1e-15)
    True
    """
    scale = 2 / math.sqrt(math.pi)
    return far_or_near(
        (x.real > 0) & (np.abs(x) > 8 + n),
        lambda far: inverse_powers(n, np.where(far, x, 8.0), -1) * scale,
        lambda: climbed(n, x, special.erfcx(x), 2, -scale),
    )


@in_double
def dawsn_partial(n: int, x: Any) -> Any:
    """The ``n``-th derivative of ``special.dawsn``, far away in the same way.

    >>> bool(abs(dawsn_partial(1, 1e9) * 2e18 + 1) < 1e-15)
    True
    """
    return far_or_near(
        (x * x).real > (8 + n) ** 2,
        lambda far: inverse_powers(n, np.where(far, x, 8.0), 1),
        lambda: climbed(n, x, special.dawsn(x), -2, 1.0),
    )


def far_or_near(far: Any, series: Callable[[Any], Any], near: Callable[[], Any]) -> Any:
    """``series`` where it is to be, ``near`` elsewhere; what is nowhere is not computed, where asking is cheap."""
    if type(far) in (np.ndarray, np.bool_) and not far.any():
        return near()
    return np.where(far, series(far), near())


def inverse_powers(n: int, x: Any, sign: int) -> Any:
    """The ``n``-th derivative of ``sum_k sign**k (2k - 1)!! / (2**(k + 1) x**(2k + 1))``."""
    total, factor = 0.0 * x, 0.5
    for k in range(25):
        total = total + factor * (-1) ** n * math.perm(2 * k + n, n) / x ** (2 * k + 1 + n)
        factor *= sign * (2 * k + 1) / 2
    return total


def climbed(n: int, x: Any, start: Any, slope: float, constant: float) -> Any:
    """The ``n``-th derivative of the ``f`` of ``f' = slope x f + constant``, from ``f`` itself."""
    before, now = 0.0 * x, start
    for k in range(n):
        before, now = now, slope * (x * now + k * before) + (constant if k == 0 else 0.0)
    return now


# -- exponential integrals -------------------------------------------------------------------


def expn_below(n: Any, x: Any) -> Any:
    """``special.expn(n, x)`` for negative ``n`` too.

    >>> bool(abs(expn_below(-1, 1.0) - 2 / math.e) < 1e-15)
    True
    """
    m = np.maximum(-np.asarray(n), 0)
    dtype = getattr(x, "dtype", np.dtype(np.float64))
    below = special.gamma(m + 1) * special.gammaincc(m + 1, x) / np.asarray(x) ** (m + 1.0)
    made = np.where(np.less(n, 0), below, special.expn(np.maximum(n, 0), x))
    return made.astype(dtype if dtype.kind == "f" else np.float64)[()]


# -- removable singularities -----------------------------------------------------------------


@in_double
def exprel_partial(n: int, x: Any) -> Any:
    """The ``n``-th derivative of ``(exp(x) - 1) / x``: the integral of ``s**n exp(s x)`` from 0 to 1.

    >>> float(exprel_partial(0, 0.0)), float(exprel_partial(1, 0.0))
    (1.0, 0.5)
    """
    s = (NODES + 1) / 2
    near = np.abs(x) < 30 + n
    inside = np.where(near, x, 0.0)[..., None]
    integral = (np.exp(inside * s) * (s**n * WEIGHTS / 2)).sum(-1)
    far = np.expm1(x) / x
    for k in range(1, n + 1):
        far = (np.exp(x) - k * far) / x
    return np.where(near, integral, far)


@in_double
def log_quotient(n: int, x: Any) -> Any:
    """The ``n``-th derivative of ``log(x) / (x - 1)``.

    >>> float(log_quotient(0, 1.0)), float(log_quotient(1, 1.0))
    (1.0, -0.5)
    """
    d = x - 1
    near = np.abs(d) < 0.3 / (1 + n)
    inside, series = np.where(near, d, 0.0), 0.0 * x
    for k in range(60, -1, -1):
        series = series * inside + (-1) ** (k + n) * math.perm(k + n, n) / (k + n + 1)
    far = np.log(x) / d
    for k in range(1, n + 1):
        far = ((-1) ** (k - 1) * math.factorial(k - 1) / x**k - k * far) / d
    return np.where(near, series, far)


def diric_partial(m: int, x: Any, n: int) -> Any:
    """The ``m``-th derivative of ``special.diric(x, n)``, which is a mean of cosines.

    >>> bool(abs(diric_partial(0, 0.7, 5) - special.diric(0.7, 5)) < 1e-15)
    True
    """

    def mean(_: int, u: Any) -> Any:
        total: Any = 0.0 * u
        for k in range((int(n) + 1) // 2):
            w = k + (0.0 if int(n) % 2 else 0.5)
            wave = (np.cos, np.sin)[m % 2](w * u) * (1, -1, -1, 1)[m % 4]
            total = total + (1 if w == 0 else 2) * w**m * wave
        return total / int(n)

    return in_double(mean)(m, x)
