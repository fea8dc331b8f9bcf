"""Derivatives of Bessel functions that SciPy lacks: by the order, and of spherical ones of any order.

By the order there are sound methods for the modified functions: an integral whose integrand has one sign
for ``K``, a series of one sign for ``I``.  There is none here for ``J`` and ``Y``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from ...errors import UnsupportedOperation
from ..special import polygamma
from .special import exp_partial, leibniz

__all__ = ["ive_partial", "kve_partial", "spherical_partial"]

NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)
NEGLIGIBLE = 46.0  # exp of minus this is far below the rounding of 1
FAR = 40.0  # from where a bell leaves nothing at its ends
LEAST = 1e-290  # below it only powers that are 0 are asked for
STEP = 6.0  # the longest part of an interval where the integrand may bend


def of_real_order(method: Callable[..., Any]) -> Callable[..., Any]:
    """Compute in double precision on flat arrays of one shape; complex arguments are refused."""

    def function(n: int, v: Any, x: Any) -> Any:
        if np.iscomplexobj(v) or np.iscomplexobj(x):
            raise UnsupportedOperation(
                f"{method.__name__}: the derivative by the order is for real arguments"
            )
        dtype = np.result_type(v, x)
        dtype = np.result_type(dtype, np.float32) if dtype.kind == "f" else np.dtype(np.float64)
        orders, points = np.broadcast_arrays(np.asarray(v, np.float64), np.asarray(x, np.float64))
        with np.errstate(all="ignore"):
            out = method(n, orders.reshape(-1), points.reshape(-1))
        return out.reshape(orders.shape).astype(dtype)[()]

    function.__name__ = function.__qualname__ = method.__name__
    function.__module__, function.__doc__ = method.__module__, method.__doc__
    return function


@of_real_order
def kve_partial(n: int, v: Any, x: Any) -> Any:
    """``exp(x)`` times ``special.kv(v, x)`` differentiated ``n`` times by ``v``, for ``x > 0``.

    The integral of ``exp(x - x cosh t) t**n cosh(v t)`` (``sinh`` where ``n`` is odd) over ``t > 0``.

    >>> bool(abs(kve_partial(0, 1.5, 2.0) / special.kve(1.5, 2.0) - 1) < 1e-14)
    True
    """
    a = np.abs(v)
    peak = np.arcsinh(a / x)
    top = exponent(peak, a, x)
    high = peak + np.arccosh(1 + NEGLIGIBLE / np.hypot(x, a))
    low = 0.0 * peak
    for _ in range(30):  # Newton's method from below: the exponent is concave
        lacking = top - NEGLIGIBLE - exponent(low, a, x)
        low = np.where(lacking > 0, low + lacking / (a - x * np.sinh(low)), low)
    whole, near = high - low, high - 3 * STEP
    far = [low + k * whole / 5 for k in (1, 2, 3, 4)]
    bends = [(low + near) / 2, near, near + STEP, near + 2 * STEP]
    long = whole > 5 * STEP
    cuts = [low, *(np.where(long, b, f) for b, f in zip(bends, far, strict=True)), high]
    total: Any = 0.0
    for left, right in itertools.pairwise(cuts):
        t = left[:, None] + (right - left)[:, None] * (NODES + 1) / 2
        order, point = a[:, None], x[:, None]
        second = np.exp(-2 * order * t)
        wave = (1 + second) / 2 if n % 2 == 0 else -np.expm1(-2 * order * t) / 2
        part = np.exp(exponent(t, order, point) - top[:, None]) * t**n * wave
        total = total + (right - left) / 2 * (part * WEIGHTS).sum(-1)
    result = np.exp(top) * total * (np.sign(v) if n % 2 else 1.0)
    return np.where(x > 0, result, np.nan)


def exponent(t: Any, v: Any, x: Any) -> Any:
    """``v t - x (cosh t - 1)``."""
    return v * t - 2 * x * np.sinh(t / 2) ** 2


@of_real_order
def ive_partial(n: int, v: Any, x: Any) -> Any:
    """``exp(-x)`` times ``special.iv(v, x)`` differentiated ``n`` times by ``v``, for ``x > 0``.

    The power series, all of one sign, or where it is long an integral; a negative order by reflection.

    >>> bool(abs(ive_partial(0, 1.5, 2.0) / special.ive(1.5, 2.0) - 1) < 1e-14)
    True
    """
    a = np.abs(v)
    far = np.hypot(x, a) > FAR
    near = ive_by_series(n, np.where(far, 1.0, a), np.where(far, 1.0, x))
    total = np.where(far, ive_by_descent(n, np.where(far, a, FAR), np.where(far, x, FAR)), near)

    def sine(k: int) -> Any:
        wave = (np.sin, np.cos)[k % 2](np.pi * a)
        return 2 / np.pi * np.pi**k * (-1) ** (k // 2) * wave

    turned = np.exp(-2 * x) * leibniz(n, sine, lambda k: kve_partial(k, a, x))
    result = np.where(v < 0, (-1) ** n * (total + turned), total)
    return np.where(x > 0, result, np.nan)


def ive_by_series(n: int, a: Any, x: Any) -> Any:
    """`ive_partial` of an order that is not negative, where ``x`` is not large."""
    upper = float(np.max(x, initial=0.0, where=np.isfinite(x)))
    log, total = np.log(x / 2), 0.0 * x
    digammas = [polygamma(m, a + 1) for m in range(n)]
    for k in range(int(upper / 2 + 9 * math.sqrt(upper)) + 40):
        term = np.exp((2 * k + a) * log - math.lgamma(k + 1) - special.gammaln(a + k + 1) - x)
        slopes = [-d for d in digammas]
        if slopes:
            slopes[0] = slopes[0] + log
        total = total + term * exp_partial((n,), lambda m, s=slopes: s[m[0] - 1])
        step = a + k + 1
        digammas = [
            d + (-1) ** m * math.factorial(m) / step ** (m + 1) for m, d in enumerate(digammas)
        ]
    return total


def ive_by_descent(n: int, a: Any, x: Any) -> Any:
    """The same where ``hypot(x, a)`` is large: Schlaefli's integral on a line through the saddle.

    ``exp(x cosh t - a t)`` over ``t = peak + i s``, where ``sinh(peak) = a / x``, has the modulus of a bell.
    """
    height = np.hypot(x, a)
    peak = np.arcsinh(a / np.maximum(x, LEAST))
    top = a * a / (height + x) - a * peak
    width = np.arcsin(np.sqrt(NEGLIGIBLE / 2 / height))
    s = width[:, None] * (NODES + 1)
    fall = -2 * height[:, None] * np.sin(s / 2) ** 2
    bell = np.exp(fall + 1j * a[:, None] * (np.sin(s) - s)) * (-peak[:, None] - 1j * s) ** n
    whole = (np.real(bell) * WEIGHTS).sum(-1) * width
    return np.exp(top) * whole / np.pi


def spherical_partial(kind: str, m: int, n: Any, x: Any) -> Any:
    """The ``m``-th derivative of ``special.spherical_jn(n, x)``, or ``yn``, ``in``, ``kn``.

    Each derivative is a sum of the neighbouring orders, which is regular at 0.  SciPy cuts fractions off an order.

    >>> bool(spherical_partial("jn", 1, 0, 0.5) == -special.spherical_jn(1, 0.5))
    True
    """
    function = getattr(special, f"spherical_{kind}")
    n, x = np.trunc(n), np.asarray(x)
    narrow = x.dtype if x.dtype.kind in "fc" else np.dtype(np.float64)
    if m == 0:
        return np.asarray(function(n, x)).astype(narrow)[()]
    low, high = {"jn": (1, -1), "yn": (1, -1), "in": (1, 1), "kn": (-1, -1)}[kind]
    below = spherical_partial(kind, m - 1, np.abs(n - 1), x)
    above = spherical_partial(kind, m - 1, n + 1, x)
    found = (low * n * below + high * (n + 1) * above) / (2 * n + 1)
    return np.asarray(found).astype(narrow)[()]
