"""Every partial derivative of the incomplete gamma and beta functions and of Student's t, the shape included.

A derivative by the shape has no formula.  Of a density ``f`` it is the integral of ``f S``, where
``S = f_k / f`` is a polynomial in logarithms, and so it is the value of the function times the mean of
``S`` over the tail.  The mean is a quotient of two integrals, each by Gauss's rule in the logarithm of the
variable, where densities are log-concave and smooth.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from .special import exp_partial

__all__ = ["betainc_partial", "gammainc_partial", "stdtr_partial"]

NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)
NEGLIGIBLE = -46.0  # exp of it is far below the rounding of 1
LONGEST = 12.0  # of a part that may hold a bend
BLOCK = 2048  # elements that are integrated at once
Score = Callable[..., Any]


def in_double(orders: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Compute in double precision on flat arrays of one shape; the result has the arguments' precision.

    The first ``orders`` arguments are whole numbers, which are passed as they are.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapped(*args: Any) -> Any:
            dtype = np.result_type(*args[orders:])
            dtype = np.result_type(dtype, np.float32) if dtype.kind == "f" else np.dtype(np.float64)
            spread = np.broadcast_arrays(*(np.asarray(x, np.float64) for x in args[orders:]))
            flat = [x.reshape(-1) for x in spread]
            out = np.empty(flat[0].shape)
            with np.errstate(all="ignore"):
                for k in range(0, out.size, BLOCK):
                    part = (x[k : k + BLOCK] for x in flat)
                    out[k : k + BLOCK] = function(*args[:orders], *part)
            return out.reshape(spread[0].shape).astype(dtype)[()]

        return wrapped

    return decorate


def log_partial(n: int, x: Any) -> Any:
    """The ``n``-th derivative of the logarithm, for ``n > 0``."""
    return (-1) ** (n - 1) * math.factorial(n - 1) / x**n


# -- means over a tail ---------------------------------------------------------------------


def tail_mean(fall: Score, slope: Score, start: Any, knee: Any, score: Score) -> Any:
    """The mean of ``score(s)`` for ``s > 0`` under the weight ``exp(fall(s))``, which is log-concave.

    ``start``: beyond where the weight is negligible; ``knee``: near where it begins to bend.
    """
    end = start
    for _ in range(40):  # Newton's method, from above: the weight is concave
        end = np.maximum(end - (fall(end) - NEGLIGIBLE) / slope(end), 0.0)
    middle = np.clip(knee, LONGEST, end - 2 * LONGEST)
    long = end > 5 * LONGEST
    cuts = [0.0 * end]
    cuts += [np.where(long, middle + k * LONGEST, (k + 2) * end / 5) for k in (-1, 0, 1, 2)]
    cuts += [end]
    mass = moment = 0.0
    for low, high in itertools.pairwise(cuts):
        s = low[:, None] + (high - low)[:, None] * (NODES + 1) / 2
        weight = np.exp(fall(s)) * WEIGHTS
        mass = mass + (high - low) * weight.sum(-1)
        moment = moment + (high - low) * (weight * score(s)).sum(-1)
    return np.where(mass > 0, moment / np.where(mass > 0, mass, 1.0), 0.0)


def bent(s: Any, x: Any, y: Any) -> Any:
    """``log(y + x exp(-s))`` for ``x + y == 1``, with all digits at either end."""
    return np.where(s < 1, np.log1p(x * np.expm1(-s)), np.log(y + x * np.exp(-s)))


def column(like: Any, *values: Any) -> list[Any]:
    """The values as columns where ``like`` holds the nodes of each element in a row."""
    return [v[:, None] if np.ndim(like) == 2 else v for v in values]


# -- the incomplete gamma function -----------------------------------------------------------


@in_double(2)
def gammainc_partial(i: int, j: int, a: Any, x: Any) -> Any:
    """``special.gammainc(a, x)`` differentiated ``i`` times by ``a`` and ``j`` times by ``x``.

    >>> round(float(gammainc_partial(0, 1, 1.0, 2.0)), 12) == round(math.exp(-2.0), 12)
    True
    >>> h = 1e-4
    >>> difference = (special.gammainc(2.0 + h, 1.5) - special.gammainc(2.0 - h, 1.5)) / (2 * h)
    >>> bool(abs(gammainc_partial(1, 0, 2.0, 1.5) - difference) < 1e-8)
    True
    """
    log_x = np.log(x)
    if j:
        logs = functools.partial(gamma_log, a=a, x=x, log_x=log_x)
        return gamma_density(a, x) * exp_partial((i, j - 1), logs)
    if not i:
        return special.gammainc(a, x)
    digammas = [special.polygamma(n, a) for n in range(i)]
    below = log_x < digammas[0]
    sign = np.where(below, -1.0, 1.0)

    def fall(s: Any) -> Any:
        a_, x_, t = column(s, a, x, sign)
        return t * a_ * s - x_ * np.expm1(t * s)

    def slope(s: Any) -> Any:
        return sign * (a - x * np.exp(sign * s))

    def score(s: Any) -> Any:
        t, first, *more = column(s, sign, log_x - digammas[0], *digammas[1:])
        return exp_partial((i,), lambda n: first + t * s if n == (1,) else -more[n[0] - 2])

    start = np.where(
        below, (x - NEGLIGIBLE) / a,
        np.minimum(np.sqrt(-2 * NEGLIGIBLE / x), np.log(np.maximum(-3 * NEGLIGIBLE / x, 4.5))) + rise(a, x),
    )  # fmt: skip
    mean = tail_mean(fall, slope, start, np.where(below, 0.0, -log_x), score)
    result = np.where(below, special.gammainc(a, x), -special.gammaincc(a, x)) * mean
    return np.where((x > 0) & np.isfinite(x), result, np.where(x >= 0, 0.0, np.nan))


def rise(a: Any, x: Any) -> Any:
    """How far above ``x`` the weight begins to fall, where ``x`` is below its mode ``a``."""
    return 2 * np.maximum(np.log(a / x), 0.0)


def gamma_log(n: tuple[int, int], a: Any, x: Any, log_x: Any) -> Any:
    """Derivatives of ``(a - 1) log x - x - log Gamma(a)``."""
    i, j = n
    if i == 0:
        return (a - 1) * log_partial(j, x) - (j == 1)
    if j:
        return log_partial(j, x) if i == 1 else 0.0
    return (log_x if i == 1 else 0.0) - special.polygamma(i - 1, a)


def gamma_density(a: Any, x: Any) -> Any:
    """``x**(a - 1) exp(-x) / Gamma(a)``, without the loss of digits where ``a`` is large."""
    plain = np.exp(special.xlogy(a - 1, x) - x - special.gammaln(a))
    large = np.where(a > 10, a, 11.0)
    near = np.exp(-stirling(large) - large * excess(x / large)) * np.sqrt(large / (2 * np.pi)) / x
    return np.where((a > 10) & (x > 0), near, plain)


def stirling(a: Any) -> Any:
    """``log Gamma(a)`` less Stirling's formula, for ``a > 10``."""
    r = 1 / (a * a)
    series = (
        1 / 12,
        -1 / 360,
        1 / 1260,
        -1 / 1680,
        1 / 1188,
        -691 / 360360,
        1 / 156,
        -3617 / 122400,
    )
    return functools.reduce(lambda total, c: total * r + c, reversed(series), 0.0 * a) / a


def excess(q: Any) -> Any:
    """``q - 1 - log q``, with all digits near 1.

    >>> bool(abs(excess(np.array([1 + 1e-6]))[0] / 5e-13 - 1) < 1e-5)
    True
    """
    d = q - 1
    v = d / (2 + d)
    near = np.abs(v) < 0.2
    w = np.where(near, v * v, 0.0)
    series = functools.reduce(
        lambda total, k: total * w + 1 / (2 * k + 3), range(12, -1, -1), 0.0 * w
    )
    return np.where(near, d * v - 2 * v * w * series, d - np.log(q))


# -- the incomplete beta function ------------------------------------------------------------


@in_double(3)
def betainc_partial(i: int, j: int, k: int, a: Any, b: Any, x: Any) -> Any:
    """``special.betainc(a, b, x)`` differentiated by ``a``, ``b`` and ``x`` so many times.

    >>> bool(abs(betainc_partial(1, 0, 0, 1.0, 1.0, 0.5) - 0.5 * np.log(0.5)) < 1e-14)
    True
    """
    if k:
        logs = np.log(x), np.log1p(-x)
        score = exp_partial((i, j, k - 1), lambda n: beta_log(n, a, b, x, logs))
        return beta_density(a, b, x) * score
    if not i + j:
        return special.betainc(a, b, x)
    by_a = special.digamma(a) - special.digamma(a + b)
    by_b = special.digamma(b) - special.digamma(a + b)
    below = np.log(x) < by_a if i >= j else np.log1p(-x) > by_b
    result = np.where(
        below,
        beta_tail(i, j, a, b, x, 1 - x, special.betainc(a, b, x)),
        -beta_tail(j, i, b, a, 1 - x, x, special.betaincc(a, b, x)),
    )
    return np.where((x > 0) & (x < 1), result, np.where((x == 0) | (x == 1), 0.0, np.nan))


def beta_tail(i: int, j: int, a: Any, b: Any, x: Any, y: Any, mass: Any) -> Any:
    """The derivative by the shapes of the part below ``x``, which is ``mass``; ``y`` is ``1 - x``.

    At ``log t - log(1 - t) = log x - log y - s``.
    """
    c = a + b
    log_x, log_y = (
        np.where(y < x, np.log1p(-y), np.log(x)),
        np.where(x < y, np.log1p(-x), np.log(y)),
    )
    sums = [special.polygamma(n, c) for n in range(i + j)]
    of_a = [special.polygamma(n, a) for n in range(i)]
    of_b = [special.polygamma(n, b) for n in range(j)]

    def fall(s: Any) -> Any:
        a_, c_, x_, y_ = column(s, a, c, x, y)
        return -a_ * s - c_ * bent(s, x_, y_)

    def slope(s: Any) -> Any:
        return -a + c * x * np.exp(-s) / (y + x * np.exp(-s))

    def score(s: Any) -> Any:
        x_, y_, u, v = column(s, x, y, log_x, log_y)
        bend = bent(s, x_, y_)
        whole, left, right = (column(s, *values) for values in (sums, of_a, of_b))

        def partial(n: tuple[int, int]) -> Any:
            p, q = n
            value = whole[p + q - 1]
            if q == 0:
                return value - left[p - 1] + (u - s - bend if p == 1 else 0.0)
            if p == 0:
                return value - right[q - 1] + (v - bend if q == 1 else 0.0)
            return value

        return exp_partial((i, j), partial)

    start = (-NEGLIGIBLE - c * log_y) / a
    return mass * tail_mean(fall, slope, start, log_x - log_y, score)


def beta_log(n: tuple[int, int, int], a: Any, b: Any, x: Any, logs: Any) -> Any:
    """Derivatives of ``(a - 1) log x + (b - 1) log(1 - x) - log B(a, b)``."""
    i, j, k = n
    if k:
        left, right = log_partial(k, x), (-1) ** k * log_partial(k, 1 - x)
        if i + j == 0:
            return (a - 1) * left + (b - 1) * right
        return (left if i else right) if i + j == 1 else 0.0
    total = special.polygamma(i + j - 1, a + b)
    if j == 0:
        return total - special.polygamma(i - 1, a) + (logs[0] if i == 1 else 0.0)
    if i == 0:
        return total - special.polygamma(j - 1, b) + (logs[1] if j == 1 else 0.0)
    return total


def beta_density(a: Any, b: Any, x: Any) -> Any:
    """``x**(a - 1) (1 - x)**(b - 1) / B(a, b)``, in the same way where both shapes are large."""
    plain = np.exp(special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x) - special.betaln(a, b))
    large = (a > 10) & (b > 10) & (x > 0) & (x < 1)
    p, q = np.where(large, a, 11.0), np.where(large, b, 11.0)
    n, y = p + q, 1 - x
    part = stirling(n) - stirling(p) - stirling(q)
    near = part - p * excess(n * x / p) - q * excess(n * y / q)
    return np.where(large, np.exp(near) * np.sqrt(p * q / (2 * np.pi * n)) / (x * y), plain)


# -- Student's t -----------------------------------------------------------------------------


@in_double(2)
def stdtr_partial(i: int, j: int, df: Any, t: Any) -> Any:
    """``special.stdtr(df, t)`` differentiated ``i`` times by ``df`` and ``j`` times by ``t``.

    >>> bool(abs(stdtr_partial(0, 1, 1.0, 1.0) - 1 / (2 * np.pi)) < 1e-15)
    True
    """
    if j:
        return student_density(df, t) * exp_partial((i, j - 1), lambda n: student_log(n, df, t))
    if not i:
        return special.stdtr(df, t)
    far = np.abs(t)
    inner = student_log((1, 0), df, far) > 0  # where the density grows with df
    part, rest = t * t / (df + t * t), df / (df + t * t)
    c, sign = (df + 1) / 2, np.where(inner, -0.5, 0.5)
    power, x, y = np.where(inner, [0.5 + 0 * df, part, rest], [df / 2, rest, part])

    def fall(s: Any) -> Any:
        p_, c_, x_, y_ = column(s, power, c, x, y)
        return -p_ * s - c_ * bent(s, x_, y_)

    def slope(s: Any) -> Any:
        return -power + c * x * np.exp(-s) / (y + x * np.exp(-s))

    def score(s: Any) -> Any:
        df_, far_, t_ = column(s, df, far, sign)
        moved = far_ * np.exp(t_ * s)
        return exp_partial((i,), lambda n: student_log((n[0], 0), df_, moved))

    start = (-NEGLIGIBLE - c * np.log(y)) / power
    knee = np.log(x / y)
    mass = np.where(inner, special.betainc(0.5, df / 2, part) / 2, -special.stdtr(df, -far))
    result = np.sign(t) * mass * tail_mean(fall, slope, start, knee, score)
    return np.where((t == 0) | np.isinf(t), 0.0, result)


def student_log(n: tuple[int, int], df: Any, t: Any) -> Any:
    """Derivatives of the logarithm of Student's density."""
    i, j = n
    w, c = df + t * t, (df + 1) / 2
    if j:
        return -c * log_square(i, j, t, w) - (i / 2 * log_square(i - 1, j, t, w) if i else 0.0)
    if i == 1:
        return half_step(0, df) - np.log1p(t * t / df) / 2 + (t * t - 1) / (2 * w)
    by_df = df * log_partial(i, df) + i * log_partial(i - 1, df)
    by_w = (df + 1) * log_partial(i, w) + i * log_partial(i - 1, w)
    return half_step(i - 1, df) + (by_df - by_w) / 2


def log_square(m: int, j: int, t: Any, w: Any) -> Any:
    """``log(v + t*t)`` differentiated ``m`` times by ``v`` and ``j`` times by ``t``; ``w`` is the sum."""
    total: Any = 0.0
    for k in range(j // 2 + 1):
        ways = math.factorial(j) / (math.factorial(k) * math.factorial(j - 2 * k))
        total = total + ways * (2 * t) ** (j - 2 * k) * log_partial(m + j - k, w)
    return total


def half_step(n: int, v: Any) -> Any:
    """The ``n``-th derivative of ``(digamma(v/2 + 1/2) - digamma(v/2)) / 2``."""
    near = np.minimum(v, 40.0)
    plain = (special.polygamma(n, (near + 1) / 2) - special.polygamma(n, near / 2)) / 2 ** (n + 1)
    far = np.maximum(v, 40.0)
    terms = [
        (1, 1 / 2),
        (2, 1 / 4),
        (4, -1 / 8),
        (6, 1 / 4),
        (8, -17 / 16),
        (10, 31 / 4),
        (12, -691 / 8),
    ]
    series = sum(c * (-1) ** n * math.perm(m + n - 1, n) / far ** (m + n) for m, c in terms)
    return np.where(v > 40, series, plain)


def student_density(df: Any, t: Any) -> Any:
    """Student's density, whose constant is computed without the loss of digits for large ``df``."""
    x = np.where(df > 20, df / 2, 11.0)
    large = x * np.log1p(0.5 / x) - 0.5 + np.log(x) / 2 + stirling(x + 0.5) - stirling(x)
    small = special.gammaln((df + 1) / 2) - special.gammaln(df / 2)
    constant = np.exp(np.where(df > 20, large, small)) / np.sqrt(np.pi * df)
    return constant * np.exp(-(df + 1) / 2 * np.log1p(t * t / df))
