"""The LU factors, made by recorded elimination: the order of the rows is found first."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...device.places import TO_HOST, is_far
from ...errors import UnsupportedOperation
from ..functions.joining import cat
from ..graph.record_call import plain
from ..tensor.registry import FUNCTIONS, member
from ..tensor.tensor import Tensor, wrapped
from .linalg import matrices, solve_triangular
from .products import matmul

__all__: list[str] = []


class Factors(NamedTuple):
    """``A = P @ L @ U``."""

    P: Any
    L: Any
    U: Any


class Packed(NamedTuple):
    """Both factors in one matrix, and with which row each was exchanged (counted from 1)."""

    LU: Any
    pivots: Any


def exchanges(array: Any) -> tuple[Any, Any]:
    """The row each was exchanged with when the largest entry was taken, and the order that gives."""
    *batch, m, n = array.shape
    steps = min(m, n)
    partner = np.tile(np.arange(steps), (*batch, 1))
    order = np.tile(np.arange(m), (*batch, 1))
    if is_far(array):
        raise UnsupportedOperation(
            "LU factors are found row by row on the host: where the largest entry is would be waited for each time",
            fix=TO_HOST,
        )
    for k in np.ndindex(*batch):
        work = array[k].copy()
        for j in range(steps):
            p = j + int(np.argmax(np.abs(work[j:, j])))
            partner[k][j] = p
            work[[j, p]] = work[[p, j]]
            order[k][[j, p]] = order[k][[p, j]]
            if work[j, j] != 0:
                work[j + 1 :, j] /= work[j, j]
                work[j + 1 :, j + 1 :] -= np.outer(work[j + 1 :, j], work[j, j + 1 :])
    return partner, order


def eliminated(A: Tensor) -> tuple[Tensor, Tensor]:
    """L and U of matrices whose rows are in order."""
    *batch, m, n = A._array.shape
    steps = min(m, n)
    columns, rows = [], []
    rest = A
    for j in range(steps):
        kind = A._array.dtype
        pivot = rest[..., :1, :1]
        one = wrapped(np.ones((*batch, 1, 1), kind))
        lower = rest[..., 1:, :1] / pivot
        columns.append(cat([wrapped(np.zeros((*batch, j, 1), kind)), one, lower], -2))
        rows.append(cat([wrapped(np.zeros((*batch, 1, j), kind)), rest[..., :1, :]], -1))
        rest = rest[..., 1:, 1:] - lower * rest[..., :1, 1:]
    return cat(columns, -1), cat(rows, -2)


def ordered(A: Tensor, pivot: bool) -> tuple[Tensor, Any, Any]:
    array = A._array
    steps = min(array.shape[-2:])
    if not pivot:
        batch = array.shape[:-2]
        return (
            A,
            np.tile(np.arange(steps), (*batch, 1)),
            np.tile(np.arange(array.shape[-2]), (*batch, 1)),
        )
    partner, order = exchanges(array)
    return plain(np.take_along_axis, A, order[..., None], -2), partner, order


@member("linalg")
def lu(A: Tensor, *, pivot: bool = True) -> Factors:
    rows, _, order = ordered(matrices("linalg.lu", A, square=False), pivot)
    L, U = eliminated(rows)
    m = A._array.shape[-2]
    P = (
        np.swapaxes(np.eye(m, dtype=A._array.dtype)[order], -1, -2)
        if pivot
        else np.empty(0, A._array.dtype)
    )
    return Factors(wrapped(np.ascontiguousarray(P)), L, U)


@member("linalg")
def lu_factor(A: Tensor, *, pivot: bool = True) -> Packed:
    rows, partner, _ = ordered(matrices("linalg.lu_factor", A, square=False), pivot)
    L, U = eliminated(rows)
    m, n = A._array.shape[-2:]
    steps = min(m, n)
    low = L.tril(-1)
    kind = A._array.dtype
    batch = A._array.shape[:-2]
    low = cat([low, wrapped(np.zeros((*batch, m, n - steps), kind))], -1)
    up = cat([U, wrapped(np.zeros((*batch, m - steps, n), kind))], -2)
    return Packed(low + up, wrapped((partner + 1).astype(np.int32)))


@member("linalg")
def lu_solve(
    LU: Tensor, pivots: Tensor, B: Tensor, *, left: bool = True, adjoint: bool = False
) -> Tensor:
    """The solution of ``A X = B`` (or ``X A = B``) by the packed factors of ``A``."""
    if not left:
        return lu_solve(LU, pivots, B.mH, adjoint=not adjoint).mH
    n = LU._array.shape[-1]
    order = np.tile(np.arange(n), (*LU._array.shape[:-2], 1))
    for k in np.ndindex(*LU._array.shape[:-2]):
        for j, p in enumerate(pivots._array[k] - 1):
            order[k][[j, p]] = order[k][[p, j]]
    P = wrapped(np.eye(n, dtype=LU._array.dtype)[order])
    if adjoint:
        half = solve_triangular(LU.mH, B, upper=False)
        return matmul(P.mT, solve_triangular(LU.mH, half, upper=True, unitriangular=True))
    half = solve_triangular(LU, matmul(P, B), upper=False, unitriangular=True)
    return solve_triangular(LU, half, upper=True)


FUNCTIONS["lu_solve"] = Tensor.lu_solve = lambda b, LU_data, LU_pivots: lu_solve(
    LU_data, LU_pivots, b
)
