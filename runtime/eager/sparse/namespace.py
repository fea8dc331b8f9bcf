"""``sparse``: products and sums whose gradients keep the entries that are kept."""

from __future__ import annotations

from typing import Any

from ..tensor.registry import member
from .arithmetic import product
from .coo import NoSparseForm
from .entries import coalesced, indices_of, is_sparse, made_of, values_of

__all__: list[str] = []


@member("sparse")
def mm(sparse: Any, dense: Any, reduce: str = "sum") -> Any:
    """A product of matrices, of which one is sparse."""
    if reduce != "sum":
        raise NoSparseForm("sparse.mm() sums, and reduces in no other way here")
    if not is_sparse(sparse) and not is_sparse(dense):
        raise RuntimeError("sparse.mm() expects that one of the matrices is sparse")
    if sparse._array.ndim != 2 or dense._array.ndim != 2:
        raise RuntimeError("sparse.mm() is a product of matrices")
    if sparse.shape[1] != dense.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({sparse.shape[0]}x{sparse.shape[1]} and "
            f"{dense.shape[0]}x{dense.shape[1]})"
        )
    return product(sparse, dense)


@member("sparse")
def addmm(mat: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """``beta * mat + alpha * mat1 @ mat2`` with a sparse ``mat1``."""
    return beta * mat + alpha * mm(mat1, mat2)


@member("sparse")
def sum(input: Any, dim: Any = None, dtype: Any = None) -> Any:
    """The sum of the entries that are kept, of all or along axes; so the gradient is sparse."""
    own = coalesced(input if dtype is None else input.to(dtype))
    values, indices, n = values_of(own), indices_of(own), own._array.ndim
    if dim is None:
        return values.sum()
    dims = sorted({d % n for d in ((dim,) if isinstance(dim, int) else dim)})
    inner = tuple(d - len(indices) + 1 for d in dims if d >= len(indices))
    values = values.sum(inner) if inner else values
    kept = [d for d in range(len(indices)) if d not in dims]
    if not kept:
        return values.sum(0)
    shape = [size for d, size in enumerate(own.shape) if d not in dims]
    return made_of(indices[kept], values, shape)
