"""Linear algebra as cuSOLVER does it: what fails gives NaN, and raises only if ``cupyx.errstate`` says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import counters
from ..arrays.array import ndarray
from ..arrays.wrapping import fresh, wrap
from .error_state import raises

__all__ = ["REPLACED", "SCIPY"]

LinAlgError = np.linalg.LinAlgError


def device_only(*arrays: Any) -> None:
    for one in arrays:
        if not isinstance(one, ndarray):
            raise LinAlgError("cupy.linalg only supports cupy.ndarray")


def matrices(*arrays: Any) -> None:
    device_only(*arrays)
    for one in arrays:
        if one.ndim < 2:
            raise LinAlgError(
                f"{one.ndim}-dimensional array given. Array must be at least two-dimensional"
            )


def square(*arrays: Any) -> None:
    matrices(*arrays)
    for one in arrays:
        if one.shape[-1] != one.shape[-2]:
            raise LinAlgError("Last 2 dimensions of the array must be square")


def kind_of(*arrays: Any, half: bool = False) -> np.dtype[Any]:
    if not half and any(one.dtype == np.float16 for one in arrays):
        raise TypeError("float16 is unsupported in linalg")
    return np.result_type(
        *(one.dtype if one.dtype.kind in "fc" else np.dtype(float) for one in arrays)
    )


def ready(one: Any, kind: np.dtype[Any]) -> np.ndarray:
    """In the precision of the routine: there is none for half."""
    return one._host.astype(np.float32 if kind == np.float16 else kind)


def attempted(routine: str, compute: Callable[[], Any], shapes: Callable[[], Any]) -> Any:
    """The result, or NaN in its shapes."""
    try:
        with np.errstate(all="ignore"):
            return compute()
    except LinAlgError:
        if raises():
            raise LinAlgError(
                f"Error reported by {routine} in cuSOLVER. devInfo = [1]. Please refer to the cuSOLVER documentation."
            ) from None
        return shapes()


def nan(shape: tuple[int, ...], kind: np.dtype[Any]) -> np.ndarray:
    return np.full(shape, np.nan, kind)


def each(
    routine: str, compute: Callable[..., Any], shape: tuple[int, ...], *stacks: np.ndarray
) -> Any:
    """For each matrix by itself, in one launch: one that fails does not spoil the others."""
    counters.launch(routine)
    batch = shape[:-2]
    found = [compute(*(one[index] for one in stacks)) for index in np.ndindex(batch)]
    if not found:
        return None
    if isinstance(found[0], tuple):
        return tuple(
            np.stack(one).reshape(batch + one[0].shape) for one in zip(*found, strict=True)
        )
    return np.stack(found).reshape(batch + found[0].shape)


def by_columns(host: np.ndarray) -> np.ndarray:
    """As cuSOLVER leaves a matrix; a stack of them is in C order."""
    return np.asfortranarray(host) if host.ndim == 2 else host


def solve(a: Any, b: Any) -> Any:
    device_only(a, b)
    square(a)
    if b.ndim == 0:
        raise ValueError("b must have at least one dimension")
    if b.ndim == 1:
        if a.shape[-1] != b.size:
            raise ValueError(
                "a must have (..., M, M) shape and b must have (M,) for one-dimensional b"
            )
    elif a.shape[:-1] != b.shape[:-1]:
        raise ValueError(
            "a must have (..., M, M) shape and b must have (..., M, K) for multidimensional b"
        )
    kind = kind_of(a, b)
    left, right = ready(a, kind), ready(b, kind)
    right = np.broadcast_to(right, a.shape[:-1]) if b.ndim == 1 else right

    def one(matrix: np.ndarray, side: np.ndarray) -> np.ndarray:
        return attempted(
            "getrf", lambda: np.linalg.solve(matrix, side), lambda: nan(side.shape, kind)
        )

    found = each("getrf", one, a.shape, left, right)
    return fresh(
        by_columns(np.empty(right.shape, kind) if found is None else np.asarray(found, kind))
    )


def inv(a: Any) -> Any:
    square(a)
    kind = kind_of(a)

    def one(matrix: np.ndarray) -> np.ndarray:
        return attempted("getrf", lambda: np.linalg.inv(matrix), lambda: nan(matrix.shape, kind))

    found = each("getrf", one, a.shape, ready(a, kind))
    found = np.empty(a.shape, kind) if found is None else found
    return fresh(by_columns(found) if a.flags.f_contiguous else found)


def cholesky(a: Any) -> Any:
    square(a)
    kind = kind_of(a)

    def one(matrix: np.ndarray) -> np.ndarray:
        return attempted(
            "potrf", lambda: np.linalg.cholesky(matrix), lambda: np.tril(nan(matrix.shape, kind))
        )

    found = each("potrf", one, a.shape, ready(a, kind))
    return fresh(np.empty(a.shape, kind) if found is None else found)


def qr(a: Any, mode: str = "reduced") -> Any:
    matrices(a)
    if mode not in ("reduced", "complete", "r", "raw"):
        if mode in ("f", "full", "e", "economic"):
            raise ValueError(f"The deprecated mode '{mode}' is not supported")
        raise ValueError(f"Unrecognized mode '{mode}'")
    counters.launch("geqrf")
    found = np.linalg.qr(ready(a, kind_of(a)), mode)
    if mode == "raw":
        return wrap(tuple(found))
    every = (
        tuple(by_columns(one) for one in found) if isinstance(found, tuple) else by_columns(found)
    )
    return wrap(every, keep=True)


def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    matrices(a)
    kind = kind_of(a)
    m, n = a.shape[-2:]
    real = np.dtype(kind.char.lower())

    def one(matrix: np.ndarray) -> Any:
        return attempted("gesvd", lambda: tuple(np.linalg.svd(matrix, full_matrices, True)), failed)

    def failed() -> Any:
        left, right = (m, n) if full_matrices else (min(m, n), min(m, n))
        return nan((m, left), kind), nan((min(m, n),), real), nan((right, n), kind)

    found = each("gesvd", one, a.shape, ready(a, kind))
    if found is None:
        found = tuple(np.linalg.svd(ready(a, kind), full_matrices))
    if not compute_uv:
        return wrap(found[1])
    return wrap(tuple(by_columns(one) for one in found) if m > n else tuple(found), keep=m > n)


def eigh(a: Any, UPLO: str = "L") -> Any:
    if not isinstance(a, ndarray):
        raise AttributeError(f"'{type(a).__name__}' object is not of the device")
    square(a)
    if UPLO not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    kind = kind_of(a, half=True)
    real = np.dtype(kind.char.lower())

    def one(matrix: np.ndarray) -> Any:
        return attempted(
            "syevd",
            lambda: tuple(np.linalg.eigh(matrix, UPLO)),
            lambda: (nan(matrix.shape[:1], real), nan(matrix.shape, kind)),
        )

    found = each("syevd", one, a.shape, ready(a, kind))
    if found is None:
        found = (np.empty(a.shape[:-1], real), np.empty(a.shape, kind))
    return wrap((found[0].astype(real), by_columns(found[1].astype(kind))), keep=True)


def eigvalsh(a: Any, UPLO: str = "L") -> Any:
    return eigh(a, UPLO)[0]


def eig(a: Any) -> Any:
    """Always complex, also where all values are real: NumPy's are real then."""
    square(a)
    kind = np.dtype(kind_of(a).char.upper())

    def one(matrix: np.ndarray) -> Any:
        return attempted(
            "xgeev",
            lambda: tuple(np.linalg.eig(matrix)),
            lambda: (nan(matrix.shape[:1], kind), nan(matrix.shape, kind)),
        )

    found = each("xgeev", one, a.shape, ready(a, kind_of(a)))
    if found is None:
        found = (np.empty(a.shape[:-1], kind), np.empty(a.shape, kind))
    return wrap((found[0].astype(kind), found[1].astype(kind)))


def eigvals(a: Any) -> Any:
    return eig(a)[0]


def lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    """The rank is an array of the device; residuals are empty for a rank that is not full."""
    device_only(a, b)
    if a.ndim != 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be two-dimensional")
    if b.ndim > 2:
        raise LinAlgError(
            f"{b.ndim}-dimensional array given. Array must be at most two-dimensional"
        )
    if a.shape[0] != b.shape[0]:
        raise LinAlgError("Incompatible dimensions")
    kind = kind_of(a, b)
    if rcond is not None and not 0 < rcond < 1:
        rcond = np.finfo(kind).eps
    counters.launch("gesvd")
    if a.shape[0] > a.shape[1]:
        counters.transfer("bool")  # `rank != n` is asked for
    with np.errstate(all="ignore"):
        x, residuals, rank, values = np.linalg.lstsq(ready(a, kind), ready(b, kind), rcond)
    return wrap((x, np.atleast_1d(residuals), np.asarray(rank, np.int32), values))


def pinv(a: Any, rcond: Any = 1e-15) -> Any:
    matrices(a)
    kind = kind_of(a)
    counters.launch("gesvd")
    shape = (*a.shape[:-2], a.shape[-1], a.shape[-2])
    cut = getattr(rcond, "_host", rcond)
    found = attempted(
        "gesvd", lambda: np.linalg.pinv(ready(a, kind), cut), lambda: nan(shape, kind)
    )
    return fresh(found)


def slogdet(a: Any) -> Any:
    square(a)
    counters.launch("getrf")
    with np.errstate(all="ignore"):
        return wrap(tuple(np.linalg.slogdet(ready(a, kind_of(a)))))


def det(a: Any) -> Any:
    sign, logarithm = (one._host for one in slogdet(a))
    with np.errstate(all="ignore"):
        return fresh(np.asarray(sign * np.exp(logarithm)))


def tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    if axes is not None:
        rest = [axis for axis in range(a.ndim) if axis not in axes]
        a = a.transpose(rest + list(axes))
    shape = a.shape[-(a.ndim - b.ndim) :]
    return solve(a.reshape(-1, int(np.prod(shape))), b.ravel()).reshape(shape)


def tensorinv(a: Any, ind: int = 2) -> Any:
    device_only(a)
    if ind <= 0:
        raise ValueError("Invalid ind argument")
    shape = a.shape[ind:] + a.shape[:ind]
    return inv(a.reshape(int(np.prod(a.shape[ind:])), -1)).reshape(shape)


def matrix_rank(M: Any, tol: Any = None) -> Any:
    if M.ndim < 2:
        return wrap(np.asarray((M._host != 0).any().astype(int)))
    values = svd(M, compute_uv=False)._host
    if tol is None:
        tol = values.max(axis=-1, keepdims=True) * max(M.shape[-2:]) * np.finfo(values.dtype).eps
    return fresh(np.asarray((values > getattr(tol, "_host", tol)).sum(axis=-1, dtype=np.intp)))


REPLACED = {
    one.__name__: one
    for one in (
        solve, inv, cholesky, qr, svd, eigh, eigvalsh, eig, eigvals, lstsq, pinv, slogdet, det, tensorsolve,
        tensorinv, matrix_rank,
    )
}  # fmt: skip


def solve_triangular(
    a: Any, b: Any, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False, overwrite_b: bool = False,
    check_finite: bool = False,
) -> Any:  # fmt: skip
    """A zero on the diagonal gives infinities, and no error."""
    import scipy.linalg

    square(a)
    device_only(b)
    kind = kind_of(a, b)
    counters.launch("trsm")
    try:
        found = scipy.linalg.solve_triangular(
            ready(a, kind), ready(b, kind), trans, lower, unit_diagonal, check_finite=False
        )
    except LinAlgError:
        found = np.full(b.shape, np.inf, kind)
    return fresh(found)


SCIPY = {"solve_triangular": solve_triangular}
