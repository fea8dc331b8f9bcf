"""Functions of a matrix, and chains of products."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.transfers import library_of
from ..functions.joining import cat
from ..tensor.registry import function, member, method
from ..tensor.tensor import Tensor, wrapped
from .linalg import computed, inv, matrices, solve, svdvals
from .norms import matrix_norm
from .products import matmul

__all__: list[str] = []


@member("linalg", "matrix_power")
@method
def matrix_power(self: Tensor, n: int) -> Tensor:
    matrices("linalg.matrix_power", self)
    return computed("linalg.matrix_power", np.linalg.matrix_power, self, n)


PADE = [
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0,
    10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0,
]  # fmt: skip


@member("linalg", "matrix_exp")
@method
def matrix_exp(self: Tensor) -> Tensor:
    """The exponential, by scaling, a Padé approximation of order 13, and squaring."""
    A = matrices("linalg.matrix_exp", self)
    sums = np.abs(A._array).sum(-2)
    largest = float(sums.max()) if sums.size else 0
    squarings = max(0, int(np.ceil(np.log2(largest / 5.37)))) if largest > 0 else 0
    X = A / 2**squarings
    one = wrapped(library_of([A._array]).eye(A._array.shape[-1], dtype=A._array.dtype))
    b = [c / PADE[0] for c in PADE]
    X2 = X @ X
    X4 = X2 @ X2
    X6 = X4 @ X2
    odd = (
        X6 @ (X6 * b[13] + X4 * b[11] + X2 * b[9]) + X6 * b[7] + X4 * b[5] + X2 * b[3] + one * b[1]
    )
    even = X6 @ (X6 * b[12] + X4 * b[10] + X2 * b[8]) + X6 * b[6] + X4 * b[4] + X2 * b[2] + one
    odd = X @ odd
    made = solve(even - odd, even + odd)
    for _ in range(squarings):
        made = made @ made
    return made


@member("linalg")
def cond(A: Tensor, p: Any = None) -> Tensor:
    """The condition number."""
    matrices("linalg.cond", A, square=p not in (None, 2, -2))
    if p in (None, 2, -2):
        values = svdvals(A)
        high, low = values[..., 0], values[..., -1]
        return low / high if p == -2 else high / low
    return matrix_norm(A, p) * matrix_norm(inv(A), p)


@member("linalg")
def vander(x: Tensor, N: Any = None) -> Tensor:
    """Powers 0 to N-1 along a new last axis."""
    n = x._array.shape[-1] if N is None else N
    if n <= 1:
        raise RuntimeError("N must be greater than 1.")
    ones = wrapped(library_of([x._array]).ones((*x._array.shape, 1), x._array.dtype))
    return cat([ones, x.unsqueeze(-1).expand(*x._array.shape, n - 1)], -1).cumprod(-1)


# -- chains of products ----------------------------------------------------------------------------------


@member("linalg")
def multi_dot(tensors: Any) -> Tensor:
    """The product of matrices in the cheapest order."""
    given = list(tensors)
    if len(given) < 2:
        raise RuntimeError(f"multi_dot(): expected at least 2 tensors but got {len(given)}")
    sizes = [
        (1, *x._array.shape) if x._array.ndim == 1 and k == 0 else (*x._array.shape, 1)[:2]
        for k, x in enumerate(given)
    ]
    n = len(given)
    best: dict[tuple[int, int], tuple[float, int]] = {(k, k): (0.0, k) for k in range(n)}
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            best[i, j] = min(
                (
                    best[i, k][0]
                    + best[k + 1, j][0]
                    + float(sizes[i][0] * sizes[k][1] * sizes[j][1]),
                    k,
                )
                for k in range(i, j)
            )

    def product(i: int, j: int) -> Tensor:
        if i == j:
            return given[i]
        k = best[i, j][1]
        return matmul(product(i, k), product(k + 1, j))

    return product(0, n - 1)


@function
def chain_matmul(*tensors: Any) -> Tensor:
    return multi_dot(
        tensors[0] if len(tensors) == 1 and not isinstance(tensors[0], Tensor) else tensors
    )
