"""Special functions that CuPy lacks and derivatives of its own ones need: Bessel functions of whole order, and two more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..arrays.libraries import cupy
from ..errors import UnsupportedOperation
from . import kernels

__all__ = ["SPECIAL"]

FAR = 30.0  # beyond, the recurrence of `ive` is the better way for orders below


def of_whole_order(function: Callable[..., Any]) -> Callable[..., Any]:
    """Only for a whole number as the order, and real arguments."""
    name = function.__name__

    def called(v: Any, x: Any) -> Any:
        if not isinstance(v, (int, float, np.number)) or v != int(v) or x.dtype.kind == "c":
            raise UnsupportedOperation(
                f"CuPy {cupy().__version__} has no `scipy.special.{name}`, but for orders that are whole numbers, and real x",
                fix="compute it on the host: x.get() brings an array there",
            )
        return function(int(v), x)

    called.__name__ = name
    return called


def special() -> Any:
    import cupyx.scipy.special

    return cupyx.scipy.special


@of_whole_order
def jv(n: int, x: Any) -> Any:
    return kernels.bessel_j(n, x)


@of_whole_order
def yv(n: int, x: Any) -> Any:
    return kernels.bessel_y(n, x)


@of_whole_order
def iv(n: int, x: Any) -> Any:
    return kernels.bessel_series(abs(n), x)


@of_whole_order
def ive(n: int, x: Any) -> Any:
    """Near 0 by the series, further away from the lower orders."""
    cp = cupy()
    near = abs(x) < FAR
    inside = cp.where(near, x, 0)
    series = kernels.bessel_series(abs(n), inside) * cp.exp(-abs(inside))
    if abs(n) > FAR:
        raise UnsupportedOperation(f"CuPy {cp.__version__} has no `scipy.special.ive` of order {n}")
    return cp.where(
        near, series, climbed(special().i0e, special().i1e, abs(n), cp.where(near, FAR, x), -1)
    )


@of_whole_order
def kv(n: int, x: Any) -> Any:
    return climbed(special().k0, special().k1, abs(n), x, 1)


@of_whole_order
def kve(n: int, x: Any) -> Any:
    return climbed(special().k0e, special().k1e, abs(n), x, 1)


def climbed(zeroth: Any, first: Any, n: int, x: Any, sign: int) -> Any:
    """Order ``n`` from the first two: ``f[k + 1] = f[k - 1] + sign * 2 k / x * f[k]``."""
    if n == 0:
        return zeroth(x)
    below, found = zeroth(x), first(x)
    for k in range(1, n):
        below, found = found, below + sign * 2 * k / x * found
    return found


@of_whole_order
def spherical_in(n: int, x: Any) -> Any:
    return kernels.spherical_series(n, x)


SPECIAL: dict[str, Callable[..., Any]] = {
    f"scipy.special.{function.__name__}": function
    for function in (ive, iv, jv, kv, kve, yv, spherical_in)
}
