"""Carlson's integrals with any half-integer powers: derivatives of elliptic integrals are of this kind.

In the logarithm of the variable the integrand is smooth and falls off at both ends, and there the
trapezoidal rule converges fastest.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["ellipeinc_moment", "ellipkinc_moment", "elliprd_partial", "elliprj_partial"]

COUNT = 401
MARGIN = 75.0  # exp(-MARGIN / 2), the least that integrands fall by, is below the rounding of 1
BLOCK = 512


def integral(powers: tuple[float, ...], arguments: tuple[Any, ...]) -> Any:
    """The integral of the product of ``(t + x)**-p`` over ``t > 0``, of arrays of one rank-1 shape."""
    out = np.empty(arguments[0].shape, np.result_type(*arguments))
    for k in range(0, out.size, BLOCK):
        out[k : k + BLOCK] = block(powers, tuple(x[k : k + BLOCK] for x in arguments))
    return out


def block(powers: tuple[float, ...], arguments: tuple[Any, ...]) -> Any:
    sizes = np.abs(np.array(arguments))
    low, high = np.min(np.where(sizes > 0, sizes, np.inf), 0), np.max(sizes, 0)
    start, end = np.log(low) - MARGIN, np.log(high) + MARGIN
    free = np.pi - np.max(np.abs(np.angle(np.array(arguments))), 0)  # from the cut, in imaginary u
    finer = 1  # real numbers lie on the cut, or far from it
    if any(map(np.iscomplexobj, arguments)):
        finer = math.ceil(2.2 / max(float(np.min(free, initial=np.pi)), 0.01))
    u = start[:, None] + (end - start)[:, None] * np.linspace(0.0, 1.0, COUNT * finer)
    t = np.exp(u)
    total = u
    for p, x in zip(powers, arguments, strict=True):
        total = total - p * np.log(t + x[:, None])
    found = np.exp(total).sum(-1) * (end - start) / (COUNT * finer - 1)
    return np.where(free > 0.01, found, np.nan)


def spread(function: Callable[..., Any], *given: Any) -> Any:
    """Call ``function`` on flat double arrays of one shape; the result has the arguments' precision."""
    dtype = np.result_type(*given)
    dtype = np.result_type(dtype, np.float32) if dtype.kind in "fc" else np.dtype(np.float64)
    arrays = np.broadcast_arrays(*(np.asarray(x) + 0.0 for x in given))
    wide = np.result_type(dtype, np.float64)
    with np.errstate(all="ignore"):
        out = function(*(x.reshape(-1).astype(wide) for x in arrays))
    return out.reshape(arrays[0].shape).astype(dtype)[()]


def falling(power: float, n: int) -> float:
    """The factor of derivative ``n`` of ``(t + x)**-power``: ``-power (-power - 1) ...``."""
    return math.prod(-power - k for k in range(n))


def elliprd_partial(i: int, j: int, k: int, x: Any, y: Any, z: Any) -> Any:
    """``special.elliprd(x, y, z)`` differentiated so many times by each.

    >>> bool(abs(elliprd_partial(0, 0, 0, 0.0, 1.0, 1.0) / (0.75 * np.pi) - 1) < 1e-14)
    True
    """
    front = 1.5 * falling(0.5, i) * falling(0.5, j) * falling(1.5, k)
    powers = (0.5 + i, 0.5 + j, 1.5 + k)
    return spread(lambda *xs: front * integral(powers, xs), x, y, z)


def elliprj_partial(i: int, j: int, k: int, m: int, x: Any, y: Any, z: Any, p: Any) -> Any:
    """``special.elliprj(x, y, z, p)`` differentiated so many times by each, for ``p > 0``.

    >>> bool(abs(elliprj_partial(0, 0, 0, 0, 1.0, 1.0, 1.0, 1.0) - 1) < 1e-14)
    True
    """
    front = 1.5 * falling(0.5, i) * falling(0.5, j) * falling(0.5, k) * falling(1.0, m)
    powers = (0.5 + i, 0.5 + j, 0.5 + k, 1.0 + m)

    def method(*xs: Any) -> Any:
        return np.where(xs[-1].real > 0, front * integral(powers, xs), np.nan)

    return spread(method, x, y, z, p)


def ellipkinc_moment(k: int, phi: Any, m: Any) -> Any:
    """The integral of ``sin**(2 k) (1 - m sin**2)**(-1/2 - k)`` from 0 to ``phi``, for ``k > 0``.

    >>> bool(abs(ellipkinc_moment(1, np.pi / 2, 0.0) - np.pi / 4) < 1e-14)
    True
    """
    return spread(lambda *xs: by_periods(moment, (0.5, 0.5, 0.5 + k), k, *xs), phi, m)


def ellipeinc_moment(k: int, phi: Any, m: Any) -> Any:
    """The integral of ``sin**(2 k) (1 - m sin**2)**(1/2 - k)`` from 0 to ``phi``, for ``k > 0``.

    >>> bool(abs(ellipeinc_moment(1, np.pi / 2, 0.0) - np.pi / 4) < 1e-14)
    True
    """
    return spread(lambda *xs: by_periods(moment, (1.5, 0.5, k - 0.5), k, *xs), phi, m)


def by_periods(method: Any, powers: tuple[float, ...], k: int, phi: Any, m: Any) -> Any:
    """From 0 to ``phi``: whole periods of the integrand, and the rest."""
    turns = np.round(phi / np.pi)
    rest = method(powers, k, phi - np.pi * turns, m)
    if not np.any(turns):
        return rest
    return rest + 2 * turns * method(powers, k, np.full(m.shape, np.pi / 2), m)


def moment(powers: tuple[float, ...], k: int, phi: Any, m: Any) -> Any:
    """With ``1/sin**2`` as the variable the moments are Carlson's integrals."""
    s, c = np.sin(phi), np.cos(phi)
    return s ** (2 * k + 1) / 2 * integral(powers, (1.0 + 0.0 * s, c * c, 1 - m * s * s))
