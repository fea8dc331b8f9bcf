"""Types of SciPy's results, entered once a program has imported the module that makes them.

A function that is called as NumPy's is has the type that NumPy's has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.runtime.rules import extras

from ..types import Array, kind_of
from .shapes_linalg import cut, results
from .shapes_shaping import dims_of, like_second
from .shapes_table import SHAPES

__all__ = ["enter"]

entered: set[str] = set()


def enter() -> None:
    """Enter the shape functions of the modules whose rules are registered."""
    for name in set(extras.loaded) - entered:
        entered.add(name)
        TABLES.get(name, lambda: None)()


def of_fft() -> None:
    from scipy import fft

    for name in np.fft.__all__:
        if hasattr(fft, name) and getattr(np.fft, name) in SHAPES:
            SHAPES[getattr(fft, name)] = SHAPES[getattr(np.fft, name)]
    SHAPES[fft.ihfft2], SHAPES[fft.ihfftn] = SHAPES[np.fft.rfft2], SHAPES[np.fft.rfftn]
    SHAPES[fft.hfft2], SHAPES[fft.hfftn] = SHAPES[np.fft.irfft2], SHAPES[np.fft.irfftn]


def of_linalg() -> None:
    from scipy import linalg

    from retrograd.runtime import linear_scipy_linalg as rt

    from ..passes.algebra_scipy import enter_linalg

    enter_linalg()
    for name in ("inv", "eig", "eigvals", "svdvals"):
        given = SHAPES[getattr(np.linalg, name)]
        SHAPES[getattr(linalg, name)] = without(given, "check_finite")
    SHAPES[linalg.det] = lambda a, **_: Array(None, cut(dims_of(a), 2), kind_of(a))  # double
    SHAPES[linalg.schur] = schur_type
    SHAPES[linalg.solve_triangular] = lambda a, b, **_: solved(a, b)
    SHAPES[linalg.solve] = lambda a, b, **_: solved(a, b)
    SHAPES[rt.triangle_of] = SHAPES[rt.triangle_pull] = lambda a, *_: a
    SHAPES[rt.complexed] = lambda x: Array(None, dims_of(x), "c")


def solved(a: Any, b: Any) -> Any:
    """A solution has the type that NumPy's has, in single and in double precision."""
    kind = SHAPES[np.linalg.solve](a, b)
    known = {getattr(a, "dtype", None), getattr(b, "dtype", None)} <= {"float32", "float64"}
    return kind if known else None


def schur_type(a: Any, output: Any = "real", **_: Any) -> Any:
    kind = "c" if output == "complex" else kind_of(a)
    both = Array(None, dims_of(a), kind)
    return results(both, both)


def of_signal() -> None:
    from scipy import signal

    from retrograd.runtime import linear_scipy_signal as rt

    SHAPES[signal.hilbert] = lambda x, N=None, axis=-1: complex_array(x, N is None)
    SHAPES[signal.stft] = lambda *_args, **_named: results(REAL, REAL, Array(None, None, "c"))
    SHAPES[signal.welch] = lambda *_args, **_named: results(REAL, REAL)
    SHAPES[rt.spectra] = lambda *_args: Array(None, None, "c")
    SHAPES[rt.line] = line_type
    SHAPES[rt.line_pull] = like_second


REAL = Array(None, None, "f")


def complex_array(x: Any, same: bool) -> Array:
    return Array(None, dims_of(x) if same else None, "c")


def line_type(x: Any, f: Any, *_: Any) -> Any:
    """A map along one axis: complex of complex values, and where it is a spectrum."""
    if getattr(f, "__name__", "") == "stft":
        return Array(None, None, "c")
    return Array(None, None, kind_of(x))


def without(given: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A shape function that may be given one more argument by its name, which changes nothing."""

    def shape(*args: Any, **kwargs: Any) -> Any:
        kwargs.pop(name, None)
        return given(*args, **kwargs)

    return shape


TABLES: dict[str, Callable[[], None]] = {
    "scipy.fft": of_fft,
    "scipy.linalg": of_linalg,
    "scipy.signal": of_signal,
}
