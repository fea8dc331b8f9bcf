"""Helpers for ``scipy.stats``: the von Mises distribution in its shape, kernel densities, factors."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
from scipy import special, stats

from ...errors import UnsupportedOperation
from ..special import evaluated

__all__ = [
    "entropy_unit",
    "kernel_density",
    "kernel_weights",
    "kernel_width",
    "kurtosis_factor",
    "reference",
    "skew_factor",
    "vonmises_partial",
    "vonmises_tail",
]

NODES, WEIGHTS = np.polynomial.legendre.leggauss(64)
SPREAD = 12.0  # standard deviations beyond which the density is negligible


def vonmises_partial(n: int, u: Any, kappa: Any) -> Any:
    """The density ``exp(kappa cos u) / (2 pi I0(kappa))``, differentiated ``n`` times by ``kappa``.

    It is the density times a polynomial in ``cos u``, a Bell polynomial of the cumulants.

    >>> round(float(vonmises_partial(0, 0.0, 1.0)), 6), round(float(vonmises_partial(1, 0.0, 1.0)), 6)
    (0.34171, 0.189174)
    """
    c = np.cos(u)
    density = np.exp(kappa * (c - 1)) / (2 * np.pi * special.i0e(kappa))
    if n < 0:
        return 0.0 * density
    known = cumulants(n, kappa)
    polynomials: list[Any] = [1.0]
    for m in range(n):
        later = sum(comb(m, j) * known[j] * polynomials[m - j] for j in range(1, m + 1))
        polynomials.append((c - known[0]) * polynomials[m] - later)
    return density * np.asarray(polynomials[n], np.result_type(density))


def cumulants(n: int, kappa: Any) -> list[Any]:
    """The derivatives 1 to ``n`` of ``log I0(kappa)``, from ``A' = 1 - A**2 - A / kappa``.

    Near 0 from the power series of ``log I0``, whose quotient by ``kappa`` loses no digits.
    """
    kappa = np.asarray(kappa, np.float64)
    near = np.abs(kappa) < 0.5
    far = np.where(near, 1.0, kappa)
    found: list[Any] = [special.i1e(far) / special.i0e(far)]
    ratios: list[Any] = []  # derivatives of A / kappa
    for m in range(n - 1):
        ratio = found[m] - m * ratios[m - 1] if m else found[0]
        ratios.append(ratio / far)
        square = sum(comb(m, j) * found[j] * found[m - j] for j in range(m + 1))
        found.append((1.0 if m == 0 else 0.0) - square - ratios[m])
    small = np.where(near, kappa, 0.0)
    return [np.where(near, evaluated(SERIES.deriv(m + 1), small), f) for m, f in enumerate(found)]


def log_i0_series(order: int) -> Any:
    """The power series of ``log I0`` to the power ``order``: of ``A I0 = I0'`` term by term."""
    i0 = np.zeros(order + 1)
    for k in range(order // 2 + 1):
        i0[2 * k] = 0.25**k / special.factorial(k) ** 2
    slope = np.arange(1, order + 1) * i0[1:]
    a = np.zeros(order)
    for k in range(order):
        a[k] = slope[k] - sum(a[j] * i0[k - j] for j in range(k))
    return np.polynomial.Polynomial([0.0, *(a / np.arange(1, order + 1))])


SERIES = log_i0_series(60)


def vonmises_tail(n: int, u: Any, kappa: Any) -> Any:
    """The distribution function, differentiated ``n > 0`` times by ``kappa``: odd, and periodic.

    The integral of `vonmises_partial` from 0, by Gauss's rule where the density is not negligible.

    >>> round(float(vonmises_tail(1, np.pi, 2.0)), 12), vonmises_tail(1, 1.0, 2.0) > 0
    (0.0, np.True_)
    """
    turned = np.remainder(np.add(u, np.pi), 2 * np.pi) - np.pi
    end = SPREAD / np.sqrt(np.maximum(kappa, 1.0))
    reach = np.clip(turned, -end, end)[..., None]
    nodes = reach * (NODES + 1) / 2
    values = vonmises_partial(n, nodes, np.asarray(kappa)[..., None])
    return (reach[..., 0] / 2) * (values @ WEIGHTS)


# -- kernel densities -----------------------------------------------------------------------


def kernel_density(points: Any, dataset: Any, bw_method: Any = None, weights: Any = None) -> Any:
    """``gaussian_kde(dataset, bw_method, weights).evaluate(points)``."""
    return stats.gaussian_kde(dataset, bw_method, weights).evaluate(points)


def kernel_weights(weights: Any, n: int) -> Any:
    """The weights of the data as a column whose sum is 1.

    >>> kernel_weights(None, 2).tolist()
    [[0.5], [0.5]]
    """
    w = np.ones(n) if weights is None else np.asarray(weights, np.float64)
    return (w / w.sum())[:, None]


def kernel_width(bw_method: Any, w: Any, d: int) -> float:
    """The square of the bandwidth, over what makes the covariance of the data unbiased."""
    squares = float(np.sum(w * w))
    if bw_method in (None, "scott", "silverman"):
        count = (1 / squares) * ((d + 2) / 4 if bw_method == "silverman" else 1)
        factor = float(count ** (-1 / (d + 4)))
    elif isinstance(bw_method, (int, float)):
        factor = float(bw_method)
    else:
        raise UnsupportedOperation(
            "gaussian_kde: no derivative for a bandwidth that a function gives"
        )
    return factor * factor / (1 - squares)


# -- descriptive statistics -----------------------------------------------------------------


def skew_factor(n: float, bias: bool) -> float:
    """The factor of the skewness of a sample of ``n`` against its bias.

    >>> skew_factor(10, True), round(skew_factor(10, False), 6)
    (1.0, 1.185854)
    """
    return 1.0 if bias or n <= 2 else float(np.sqrt(n * (n - 1)) / (n - 2))


def kurtosis_factor(n: float, bias: bool) -> float:
    """The same of the kurtosis.

    >>> kurtosis_factor(10, True), kurtosis_factor(11, False)
    (1.0, 1.6666666666666667)
    """
    return 1.0 if bias or n <= 3 else (n * n - 1) / ((n - 2) * (n - 3))


def reference(qk: Any, like: Any) -> Any:
    """The distribution an entropy is relative to: the uniform one, if none is given.

    >>> reference(None, np.array([0.2, 0.8]))
    array([1., 1.])
    """
    return np.ones_like(like) if qk is None else qk


def entropy_unit(qk: Any, base: float | None) -> float:
    """An entropy in its unit, for a relative entropy in nats: without a reference its sign is changed.

    >>> entropy_unit(None, None), entropy_unit(np.ones(2), np.e)
    (-1.0, 1.0)
    """
    unit = 1.0 if base is None else 1.0 / float(np.log(base))
    return -unit if qk is None else unit
