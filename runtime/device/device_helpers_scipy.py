"""The same for helpers of SciPy's functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays.libraries import cupy
from ..errors import UnsupportedOperation
from ..helpers.linalg.factorisations import herm
from ..helpers.scipy import elliptic
from .adapted import INSTEAD as ADAPTED
from .copies import copied, instead

__all__: list[str] = []


@instead("scipy.fft.cosine")
def cosine(x: Any, make: Any, type: int, n: Any, axis: Any, norm: Any, orth: Any) -> Any:
    if orth is not None:
        raise UnsupportedOperation(
            f"CuPy {cupy().__version__} has `scipy.fft.{make.__name__}` without `orthogonalize=`",
            fix="leave the option out, or compute it on the host",
        )
    return make(x, type, n, axis, norm)


@instead("scipy.linalg.swapped")
def swapped(x: Any, piv: Any, back: bool = False) -> Any:
    """The interchanges one after the other, of places on the device: nobody waits for them."""
    if piv.ndim > 1:
        raise UnsupportedOperation("linalg.lu_factor: no derivative for stacks of matrices")
    cp = cupy()
    order = cp.arange(x.shape[-2])
    for i in range(len(piv)):
        k = piv[i]
        mine, other = order[i].copy(), order[k].copy()
        order[i], order[k] = other, mine
    return x[..., cp.argsort(order) if back else order, :]


@instead("scipy.linalg.factor_matrix")
def factor_matrix(x: Any, lower: Any) -> Any:
    return cupy().tril(x) if np.all(lower) else copied(herm)(cupy().triu(x))


@instead("scipy.linalg.frechet")
def frechet(f: Any, a: Any, e: Any) -> Any:
    """How ``f(a)`` changes along ``e``; a zero ``e`` is not looked for."""
    cp = cupy()
    if e.dtype.kind == "c" != a.dtype.kind:
        return frechet(f, a, e.real) + 1j * frechet(f, a, e.imag)
    if not e.size:
        return cp.zeros_like(e)
    size, whole = abs(e).max(), abs(a).max()
    scale = size / cp.where(whole == 0, 1, whole)
    scale = cp.where(size == 0, 1, scale)
    moved = of_blocks(f, a, e / scale)
    return moved * scale.astype(moved.real.dtype)


def of_blocks(f: Any, a: Any, e: Any) -> Any:
    """The upper right of ``f([[a, e], [0, a]])``, computed in double precision."""
    cp = cupy()
    a, e = cp.broadcast_arrays(a, e)
    kind = np.result_type(a.dtype, e.dtype)
    rows = [cp.concatenate([a, e], -1), cp.concatenate([cp.zeros_like(a), a], -1)]
    z = f(cp.concatenate(rows, -2).astype(np.result_type(kind, np.float64)))
    n = a.shape[-1]
    narrow = np.dtype(kind).itemsize // (2 if np.dtype(kind).kind == "c" else 1) < 8
    found = z[..., :n, n:]
    return found.astype(np.complex64 if z.dtype.kind == "c" else np.float32) if narrow else found


def elliprd(x: Any, y: Any, z: Any) -> Any:
    return copied(elliptic.elliprd_partial)(0, 0, 0, x, y, z)


ADAPTED["scipy.special.elliprd"] = elliprd


@instead("scipy.elliptic.by_periods")
def by_periods(method: Any, powers: tuple[float, ...], k: int, phi: Any, m: Any) -> Any:
    """Whole periods count, whether there are any or not."""
    cp = cupy()
    turns = cp.round(phi / np.pi)
    rest = method(powers, k, phi - np.pi * turns, m)
    period = 2 * turns * method(powers, k, cp.full(m.shape, np.pi / 2), m)
    return rest + cp.where(turns == 0, 0, period)
