"""Types of SciPy's results, registered once a program has imported the module.

A function that is called as NumPy's is has the type that NumPy's has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.rules.scipy import registry

from ...ir.types import Array, Number, Tree, kind_of
from .linalg import cut, results
from .products import product_type
from .shaping import dims_of, like_second
from .table import SHAPES

__all__ = ["enter"]

entered: set[str] = set()


def enter() -> None:
    """Enter the rules and the shape functions of the modules that are imported by now."""
    registry.load()
    for name in set(registry.loaded) - entered:
        entered.add(name)
        TABLES.get(name, lambda: None)()


def of_fft() -> None:
    from scipy import fft

    for name in np.fft.__all__:
        if hasattr(fft, name) and getattr(np.fft, name) in SHAPES:
            SHAPES[getattr(fft, name)] = SHAPES[getattr(np.fft, name)]
    SHAPES[fft.ihfft2], SHAPES[fft.ihfftn] = SHAPES[np.fft.rfft2], SHAPES[np.fft.rfftn]
    SHAPES[fft.hfft2], SHAPES[fft.hfftn] = SHAPES[np.fft.irfft2], SHAPES[np.fft.irfftn]


def of_fftpack() -> None:
    from scipy import fftpack

    for name in ("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn"):
        SHAPES[getattr(fftpack, name)] = renamed(SHAPES[getattr(np.fft, name)], x="a", shape="s")


def of_linalg() -> None:
    from scipy import linalg

    from retrograd.runtime.helpers.scipy import linalg as rt  # it imports SciPy

    for name in ("inv", "eig", "eigvals", "svdvals"):
        given = SHAPES[getattr(np.linalg, name)]
        SHAPES[getattr(linalg, name)] = without(given, "check_finite")
    SHAPES[linalg.det] = lambda a, **_: Array(None, cut(dims_of(a), 2), kind_of(a))  # double
    SHAPES[linalg.schur] = schur_type
    SHAPES[linalg.solve] = SHAPES[linalg.solve_triangular] = solution
    SHAPES[linalg.cho_solve] = SHAPES[linalg.lu_solve] = of_factors
    SHAPES[linalg.cho_factor], SHAPES[linalg.lu_factor] = cho_factor_type, lu_factor_type
    for name in ("swapped", "mirrored", "whole"):
        SHAPES[getattr(rt, name)] = lambda x, *_args, **_named: whole_matrix(x)
    for name in (
        "factor_matrix",
        "factor_pull",
        "other_triangle",
        "triangle_of",
        "triangle_pull",
        "lu_turn",
    ):
        SHAPES[getattr(rt, name)] = lambda x, *_args, **_named: square_matrix(x)
    for fn in (linalg.sqrtm, linalg.logm, linalg.fractional_matrix_power, rt.matrix_log):
        SHAPES[fn] = beside_cut
    SHAPES[rt.complexed] = lambda x: Array(None, dims_of(x), "c")


def of_special() -> None:
    from scipy import special

    SHAPES[special.logsumexp] = logsumexp_type
    for fn in (special.softmax, special.log_softmax):
        SHAPES[fn] = lambda x, axis=None: as_double(x if isinstance(x, Array) else None)


def logsumexp_type(
    a: Any, axis: Any = None, b: Any = None, keepdims: Any = False, return_sign: Any = False
) -> Any:
    """A reduction as the maximum is one."""
    plain = b is None and return_sign is False
    return as_double(SHAPES[np.max](a, axis=axis, keepdims=keepdims)) if plain else None


def as_double(kind: Any) -> Any:
    """The type of what is computed as float64 of float64, and of what dtype nobody says of others."""
    if not isinstance(kind, Array):
        return None
    return (
        kind
        if kind.dtype == "float64"
        else Array(None, kind.dims, kind.kind if kind.kind in ("f", "c") else "f")
    )


def beside_cut(a: Any, *_args: Any, **_named: Any) -> Any:
    """Roots and logarithms of real matrices are complex where an eigenvalue is negative."""
    return Array(None, dims_of(a), "c")


def schur_type(a: Any, output: Any = "real", **_: Any) -> Any:
    kind = "c" if output == "complex" else kind_of(a)
    both = Array(None, dims_of(a), kind)
    return results(both, both)


def solution(a: Any, b: Any, *_args: Any, **_named: Any) -> Any:
    """A solution has the shape of the right-hand side, where there is one matrix."""
    left, right = dims_of(a), dims_of(b)
    one = left is not None and len(left) == 2 and right is not None and 0 < len(right) <= 2
    return in_lapack(product_type(a, b, right if one else None))


def of_factors(pair: Any, b: Any, *_args: Any, **_named: Any) -> Any:
    """The same of a matrix that is given by its factors."""
    parts = pair.items if isinstance(pair, Tree) else pair
    return solution(parts[0], b)


def cho_factor_type(a: Any, lower: Any = False, *_args: Any, **_named: Any) -> Any:
    return results(in_lapack(square_matrix(a)), Number("b") if isinstance(lower, bool) else None)


def lu_factor_type(a: Any, *_args: Any, **_named: Any) -> Any:
    dims = dims_of(a)
    pivots = (dims[0],) if dims is not None and len(dims) == 2 and dims[0] == dims[1] else None
    return results(in_lapack(whole_matrix(a)), Array(None, pivots, "i"))


def in_lapack(x: Any) -> Any:
    """An array in one of the dtypes that LAPACK has; of others, only what it holds is known."""
    if x is None or x.dtype in ("float32", "float64", "complex64", "complex128"):
        return x
    return Array(None, x.dims, "f" if x.kind in ("b", "i", "u") else x.kind)


def whole_matrix(x: Any) -> Any:
    """An array of the same shape, and dtype if that has fractions."""
    if not isinstance(x, Array):
        return None
    return x if x.kind in ("f", "c") else Array(None, x.dims)


def square_matrix(x: Any) -> Any:
    """The same, which may lie turned."""
    dims = dims_of(x)
    same = dims is not None and len(dims) > 1 and dims[-1] == dims[-2] is not None
    return whole_matrix(x.with_dims(dims if same else None)) if isinstance(x, Array) else None


def of_signal() -> None:
    from scipy import signal

    from retrograd.runtime.helpers.scipy import signal as rt  # it imports SciPy

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
    if own_attribute(f, "__name__", "") == "stft":
        return Array(None, None, "c")
    return Array(None, None, kind_of(x))


def renamed(given: Callable[..., Any], **names: str) -> Callable[..., Any]:
    """A shape function of parameters that have other names here, and may use the memory of the first."""

    def shape(*args: Any, overwrite_x: Any = False, **kwargs: Any) -> Any:
        return given(*args, **{names.get(k, k): v for k, v in kwargs.items()})

    return shape


def without(given: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A shape function that may be given one more argument by its name, which changes nothing."""

    def shape(*args: Any, **kwargs: Any) -> Any:
        kwargs.pop(name, None)
        return given(*args, **kwargs)

    return shape


TABLES: dict[str, Callable[[], None]] = {
    "scipy.fft": of_fft,
    "scipy.fftpack": of_fftpack,
    "scipy.linalg": of_linalg,
    "scipy.signal": of_signal,
    "scipy.special": of_special,
}
