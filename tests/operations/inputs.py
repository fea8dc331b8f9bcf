"""The values the rows are tried at: each name of a row's expression that is an input."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

__all__ = ["complexified", "constants", "directions", "inputs"]


def spread(seed: int, shape: tuple[int, ...], low: float, high: float) -> Any:
    """Values in ``(low, high)``, well apart from one another and from the ends."""
    rng = np.random.default_rng(seed)
    n = int(np.prod(shape))
    steps = (rng.permutation(n) + rng.uniform(0.3, 0.7, n)) / n
    return low + (high - low) * steps.reshape(shape)


def matrix(seed: int, *shape: int) -> Any:
    """Square matrices with real eigenvalues apart from one another, neither symmetric nor singular."""
    n = shape[-1]
    noise = spread(seed, shape, -0.3, 0.3)
    return noise + np.diag(np.linspace(1.0, 2.5, n))


def positive(seed: int, n: int) -> Any:
    """A symmetric matrix with eigenvalues above 1 and apart from one another."""
    a = spread(seed, (n, n), -0.6, 0.6)
    return a @ a.T + np.diag(np.linspace(1.0, 2.0, n))


def holed(seed: int, shape: tuple[int, ...]) -> Any:
    a = spread(seed, shape, 0.1, 0.9)
    a[0, 1] = a[2, 3] = np.nan
    return a


def inputs() -> dict[str, Any]:
    """Every input by name: v, w in (0, 1), p above 1, r of either sign, and so on."""
    return {
        "s": 0.4, "s2": 1.7,
        "v": spread(1, (4,), 0.15, 0.85), "w": spread(2, (4,), 0.2, 0.9),
        "p": spread(3, (4,), 1.1, 2.9), "r": spread(4, (4,), -1.3, 1.1),
        "z": spread(5, (4,), 0.6, 1.6), "b": spread(6, (3,), 0.2, 1.4),
        "u": spread(7, (3,), 0.3, 1.2), "y5": spread(8, (5,), 0.1, 1.9),
        "x5": np.array([0.05, 0.22, 0.5, 0.81, 1.3]), "row": spread(9, (1, 4), 0.1, 0.9),
        "A": spread(10, (3, 4), 0.1, 0.9), "A2": spread(11, (3, 4), -0.8, 0.9),
        "B": spread(12, (4, 3), -0.7, 0.8), "T3": spread(13, (2, 3, 4), -0.9, 1.1),
        "T5": spread(14, (5, 5), -1.1, 1.3), "nA": holed(15, (3, 4)),
        "M": spread(16, (5, 3), -1.0, 1.0), "Q": spread(17, (3, 3), -0.9, 1.0),
        "Q2": spread(18, (3, 3), -1.0, 0.9), "Q3": spread(19, (3, 3), -1.0, 0.9),
        "S": matrix(20, 3, 3), "S2": matrix(21, 3, 3), "S3": matrix(22, 2, 3, 3),
        "S4": spread(23, (2, 2, 2, 2), -0.4, 0.4) + np.eye(4).reshape(2, 2, 2, 2),
        "S5": spread(24, (2, 2), -1.0, 1.0), "P": positive(25, 3),
        "L": np.tril(matrix(26, 3, 3)), "Bd": banded(27), "Bh": half_banded(28),
        "sim": np.array([0.2, 0.45, 0.35]), "alpha": np.array([1.4, 2.3, 0.9]),
    }  # fmt: skip


def banded(seed: int) -> Any:
    """A tridiagonal matrix in SciPy's band form, its diagonal ahead."""
    bands = spread(seed, (3, 4), 0.1, 0.6)
    bands[1] += 2.0
    return bands


def half_banded(seed: int) -> Any:
    """The lower half of a positive definite tridiagonal matrix in band form."""
    bands = spread(seed, (2, 4), 0.1, 0.6)
    bands[0] += 2.0
    return bands


def directions(seed: int, given: dict[str, Any]) -> dict[str, Any]:
    """A direction for each input."""
    rng = np.random.default_rng(seed)
    found = {}
    for name, value in given.items():
        d = rng.uniform(-1.0, 1.0, np.shape(value))
        if np.iscomplexobj(value):
            d = d + 1j * rng.uniform(-1.0, 1.0, np.shape(value))
        found[name] = tangent(name, d) if np.ndim(value) else d[()]
    return found


def tangent(name: str, d: Any) -> Any:
    """Directions a row's operation allows: along the simplex, or Hermitian."""
    if name == "sim":
        return d - d.mean()
    return (d + d.conj().T) / 2 if name == "P" else d


def complexified(given: dict[str, Any]) -> dict[str, Any]:
    """The inputs moved off the real line; a positive definite matrix stays Hermitian."""
    found = {}
    for k, (name, value) in enumerate(given.items()):
        turn = spread(100 + k, np.shape(value), -0.4, 0.5) if np.ndim(value) else 0.3
        if name == "P":
            turn = (turn - turn.T) / 4
        moved = value + 1j * turn
        found[name] = (
            np.tril(moved) if name == "L" else (moved if np.ndim(value) else complex(moved))
        )
    return found


def constants() -> dict[str, Any]:
    """The modules by the names the rows use, SciPy's only where it is installed."""
    import cmath
    import math

    found: dict[str, Any] = {
        "np": np, "onp": np, "la": np.linalg, "fft": np.fft, "math": math, "cmath": cmath,
    }  # fmt: skip
    try:
        import scipy.sparse as ssp
    except ImportError:
        return found
    dense = np.array([[4.0, 1, 0, 0], [1, 3, 0.5, 0], [0, 0.5, 5, 1], [0, 0, 1, 2.5]])
    return (
        found
        | scipy_modules()
        | {"csr4": ssp.csr_matrix(dense[::-1]), "csr4i": ssp.csr_matrix(dense)}
    )


def scipy_modules() -> dict[str, ModuleType]:
    import scipy.fft as sf
    import scipy.integrate as si
    import scipy.interpolate as sip
    import scipy.linalg as sl
    import scipy.ndimage as nd
    import scipy.optimize as so
    import scipy.signal as sg
    import scipy.sparse as ssp
    import scipy.sparse.linalg as sspl
    import scipy.spatial.distance as ssd
    import scipy.spatial.transform as sst
    import scipy.special as sp
    import scipy.stats as st

    return {
        "sf": sf, "si": si, "sip": sip, "sl": sl, "nd": nd, "so": so, "sg": sg, "ssp": ssp,
        "sspl": sspl, "ssd": ssd, "str_": sst.Rotation, "sp": sp, "st": st,
    }  # fmt: skip
