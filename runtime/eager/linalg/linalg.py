"""Linear algebra: NumPy's functions, recorded, for batches of matrices."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...arrays.transfers import library_of
from ...batching.batched_array import as_array
from ...device.places import is_far
from ..graph.push_tangents import refuse_dual
from ..graph.record_call import plain
from ..tensor.registry import FUNCTIONS, member, method
from ..tensor.tensor import Tensor, wrapped
from . import products
from .products import matmul

__all__: list[str] = []


class LinAlgError(RuntimeError):
    """A matrix that has no inverse, or no factor of the kind asked for."""


member("linalg")(LinAlgError)


class Singular(NamedTuple):
    """The singular value decomposition."""

    U: Any
    S: Any
    Vh: Any


class Eigen(NamedTuple):
    """Eigenvalues and eigenvectors."""

    eigenvalues: Any
    eigenvectors: Any


class SignedLog(NamedTuple):
    """The sign of a determinant, and the logarithm of its size."""

    sign: Any
    logabsdet: Any


class Orthogonal(NamedTuple):
    """The QR factors."""

    Q: Any
    R: Any


class LeastSquares(NamedTuple):
    """The solution of a least-squares problem, and what is known of its matrix."""

    solution: Any
    residuals: Any
    rank: Any
    singular_values: Any


def matrices(name: str, A: Tensor, square: bool = True) -> Tensor:
    """The argument, if it is a batch of (square) matrices of floats."""
    shape = A._array.shape
    if len(shape) < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    if square and shape[-1] != shape[-2]:
        raise RuntimeError(
            f"{name}: A must be batches of square matrices, but they are {shape[-2]} by {shape[-1]} matrices"
        )
    if A._array.dtype.kind not in "fc":
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got {A.dtype.letter}"
        )
    return A


def computed(name: str, fn: Any, *args: Any, **kwargs: Any) -> Any:
    title = "".join(part.title() for part in name.replace(".", "_").split("_"))
    try:
        return plain(fn, *args, name=f"{title}Backward0", **kwargs)
    except np.linalg.LinAlgError as error:
        raise LinAlgError(f"{name}: {error}") from None


# -- inverses and solutions -----------------------------------------------------------------------


@member("linalg")
def inv(A: Tensor) -> Tensor:
    return computed("linalg.inv", np.linalg.inv, matrices("linalg.inv", A))


FUNCTIONS["inverse"] = Tensor.inverse = inv


@member("linalg")
def solve(A: Tensor, B: Tensor, *, left: bool = True) -> Tensor:
    """The solution of ``A X = B``, or of ``X A = B``."""
    matrices("linalg.solve", A)
    vector = B._array.ndim == 1 or (
        A._array.ndim - 1 == B._array.ndim and B._array.shape == A._array.shape[:-1]
    )
    if not left:
        if vector:
            raise RuntimeError(
                "linalg.solve: Vector broadcasting of the left hand side is not supported for left=False. In this "
                "case linalg.solve is equivalent to B / A.squeeze(-1)"
            )
        return solve(A.mT, B.mT).mT
    rows = B._array.shape[-1] if vector else B._array.shape[-2]
    if rows != A._array.shape[-1]:
        shapes = [
            f"{x._array.shape[-2]}x{x._array.shape[-1]}"
            for x in (A, B.unsqueeze(-1) if vector else B)
        ]
        raise RuntimeError(
            f"linalg.solve: Incompatible shapes of A and B for the equation AX = B ({shapes[0]} and {shapes[1]})"
        )
    if vector:
        return solved("linalg.solve", A, B.unsqueeze(-1)).squeeze(-1)
    return solved("linalg.solve", A, B)


def solved(name: str, A: Tensor, B: Tensor) -> Tensor:
    """``np.linalg.solve``; CuPy's stretches no batch."""
    batches = [x._array.shape[:-2] for x in (A, B)]
    if is_far(A._array) and batches[0] != batches[1]:
        batch = np.broadcast_shapes(*batches)
        A, B = (x.expand(*batch, *x._array.shape[-2:]) for x in (A, B))
    return computed(name, np.linalg.solve, A, B)


def unit(A: Tensor) -> Tensor:
    """The unit matrix of that size and type, where it is."""
    return wrapped(library_of([A._array]).eye(A._array.shape[-1], dtype=A._array.dtype))


@member("linalg")
def solve_triangular(
    A: Tensor, B: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False
) -> Tensor:
    """The solution for a triangular matrix: what is on the other side of the diagonal is not read."""
    matrices("linalg.solve_triangular", A)
    if not left:
        return solve_triangular(A.mT, B.mT, upper=not upper, unitriangular=unitriangular).mT
    below = int(unitriangular)
    part = A.triu(below) if upper else A.tril(-below)
    if unitriangular:
        part = part + unit(A)
    return solved("linalg.solve_triangular", part, B)


@member("linalg")
def pinv(
    A: Tensor, rcond: Any = None, *, atol: Any = None, rtol: Any = None, hermitian: bool = False
) -> Tensor:
    """The Moore-Penrose inverse."""
    matrices("linalg.pinv", A, square=hermitian)
    small = tolerance(A, atol, rcond if rtol is None else rtol)
    how = () if is_far(A._array) else (hermitian,)  # CuPy makes no use of symmetry
    return computed("linalg.pinv", np.linalg.pinv, A, small, *how)


def tolerance(A: Tensor, atol: Any, rtol: Any) -> Any:
    """Which part of the largest singular value counts as zero."""
    array = A._array
    if rtol is None:
        rtol = 0.0 if atol else max(array.shape[-2:]) * np.finfo(array.dtype).eps
    if not atol:
        return rtol
    largest = np.linalg.norm(array, 2, axis=(-2, -1))
    return np.maximum(rtol, atol / np.where(largest > 0, largest, 1))


FUNCTIONS["pinverse"] = Tensor.pinverse = pinv


@member("linalg")
def lstsq(A: Tensor, B: Tensor, rcond: Any = None, *, driver: Any = None) -> LeastSquares:
    """The least-squares solution, as the Moore-Penrose inverse gives it."""
    matrices("linalg.lstsq", A, square=False)
    vector = A._array.ndim - 1 == B._array.ndim and B._array.shape == A._array.shape[:-1]
    right = B.unsqueeze(-1) if vector else B
    solution = matmul(pinv(A, rcond), right)
    empty = wrapped(library_of([A._array]).empty(0, A._array.dtype))
    rank = matrix_rank(A)
    m, n = A._array.shape[-2:]
    residuals = empty
    if m > n and bool((rank._array == n).all()):
        difference = matmul(A, solution) - right
        residuals = (difference * difference.conj()).real.sum(-2)
    return LeastSquares(solution.squeeze(-1) if vector else solution, residuals, rank, empty)


# -- determinants ----------------------------------------------------------------------------------


@method
def det(self: Tensor) -> Tensor:
    return products.det(matrices("linalg.det", self))


member("linalg")(det)


@method
def slogdet(self: Tensor) -> SignedLog:
    found = computed("linalg.slogdet", np.linalg.slogdet, matrices("linalg.slogdet", self))
    return SignedLog(*found)


member("linalg")(slogdet)


@method
def logdet(self: Tensor) -> Tensor:
    """The logarithm of the determinant: nan where that is negative."""
    sign, size = slogdet(matrices("logdet", self))
    if self._array.dtype.kind == "c":
        return size + sign.log()
    return FUNCTIONS["where"](wrapped(sign._array < 0), float("nan"), size)


# -- factors -----------------------------------------------------------------------------------------


@member("linalg", "cholesky")
def cholesky_factor(A: Tensor, *, upper: bool = False) -> Tensor:
    made = computed("linalg.cholesky", np.linalg.cholesky, matrices("linalg.cholesky", A))
    return made.mH if upper else made


@method
def cholesky(self: Tensor, upper: bool = False) -> Tensor:
    return cholesky_factor(self, upper=upper)


@method
def cholesky_solve(self: Tensor, L: Tensor, upper: bool = False) -> Tensor:
    """The solution of ``A X = self`` by the Cholesky factor of ``A``."""
    low = L.mH if upper else L
    half = solve_triangular(low, self, upper=False)
    return solve_triangular(low.mH, half, upper=True)


@method
def cholesky_inverse(self: Tensor, upper: bool = False) -> Tensor:
    return cholesky_solve(unit(self), self, upper)


@member("linalg", "qr")
def orthogonal(A: Tensor, mode: str = "reduced") -> Orthogonal:
    """The QR factors: ``reduced``, ``complete``, or R alone (``r``)."""
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'"
        )
    matrices("linalg.qr", A, square=False)
    if mode == "r":
        refuse_dual("linalg_qr", A)
        if A.requires_grad:
            raise RuntimeError(
                "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use "
                "linalg.qr(A, mode='reduced') if you are going to differentiate through linalg.qr."
            )
        return Orthogonal(
            wrapped(library_of([A._array]).empty(0, A._array.dtype)),
            wrapped(np.linalg.qr(A._array, "r")),
        )
    return Orthogonal(*computed("linalg.qr", np.linalg.qr, A, mode))


@method
def qr(self: Tensor, some: bool = True) -> Orthogonal:
    return orthogonal(self, "reduced" if some else "complete")


@member("linalg", "svd")
def singular(A: Tensor, full_matrices: bool = True, *, driver: Any = None) -> Singular:
    matrices("linalg.svd", A, square=False)
    return Singular(*computed("linalg.svd", np.linalg.svd, A, full_matrices))


@method
def svd(self: Tensor, some: bool = True, compute_uv: bool = True) -> Singular:
    """With V itself, not its conjugate transpose."""
    U, S, Vh = singular(self, not some)
    return Singular(U, S, Vh.mH)


@member("linalg")
def svdvals(A: Tensor, *, driver: Any = None) -> Tensor:
    matrices("linalg.svdvals", A, square=False)
    if is_far(A._array):  # CuPy has no function for the values alone
        return singular(A, False).S  # type: ignore[no-any-return]
    return computed("linalg.svd", np.linalg.svdvals, A)


@member("linalg")
def eigh(A: Tensor, UPLO: str = "L") -> Eigen:
    return Eigen(*computed("linalg.eigh", np.linalg.eigh, matrices("linalg.eigh", A), UPLO))


@member("linalg")
def eigvalsh(A: Tensor, UPLO: str = "L") -> Tensor:
    return computed("linalg.eigh", np.linalg.eigvalsh, matrices("linalg.eigvalsh", A), UPLO)


def complexified(A: Tensor) -> Tensor:
    kind = np.result_type(A._array.dtype, np.complex64)
    return A if A._array.dtype == kind else A.to(FUNCTIONS["zeros"](0, dtype=kind).dtype)


@member("linalg")
def eig(A: Tensor) -> Eigen:
    """Eigenvalues and eigenvectors, complex even where they are real."""
    return Eigen(*computed("linalg.eig", np.linalg.eig, complexified(matrices("linalg.eig", A))))


@member("linalg")
def eigvals(A: Tensor) -> Tensor:
    return computed(
        "linalg.eigvals", np.linalg.eigvals, complexified(matrices("linalg.eigvals", A))
    )


@member("linalg")
def matrix_rank(
    A: Tensor, tol: Any = None, *, atol: Any = None, rtol: Any = None, hermitian: bool = False
) -> Tensor:
    matrices("linalg.matrix_rank", A, square=hermitian)
    values = np.linalg.svd(A._array, compute_uv=False)
    relative = tolerance(A, None, rtol) if not (atol or tol) else rtol or 0.0
    largest = values.max(-1) if values.shape[-1] else values.sum(-1)
    cut = np.maximum(tol or atol or 0.0, relative * largest)
    return wrapped(as_array((values > cut[..., None]).sum(-1)))


member("linalg")(matmul)


@member("linalg")
def diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    return A.diagonal(offset, dim1, dim2)
