"""Products of vectors and batches, and distances."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..functions.joining import promoted
from ..graph.record_call import guarded, plain
from ..tensor.registry import alias, function, member, method
from ..tensor.tensor import Tensor
from .norms import vector_norm
from .products import added, matmul

__all__: list[str] = []

alias("ger", "outer")


@method
def inner(self: Tensor, other: Tensor) -> Tensor:
    if not self._array.ndim or not other._array.ndim:
        return self * other
    if self._array.shape[-1] != other._array.shape[-1]:
        raise RuntimeError(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{list(self._array.shape)} and {list(other._array.shape)}"
        )
    if self._array.dtype != other._array.dtype:
        raise RuntimeError("both inputs should have same dtype")
    if self._array.ndim == other._array.ndim == 1:
        return matmul(self, other)
    return plain(np.inner, self, other)


def batches(a: Tensor, b: Tensor) -> None:
    for k, x in enumerate((a, b), 1):
        if x._array.ndim != 3:
            raise RuntimeError(f"batch{k} must be a 3D tensor")


@method(write=True)
def baddbmm(self: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Any:
    batches(batch1, batch2)
    return added(self, matmul(batch1, batch2), beta, alpha)


@method(write=True)
def addbmm(self: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Any:
    batches(batch1, batch2)
    return added(self, matmul(batch1, batch2).sum(0), beta, alpha)


@method(write=True)
def addmv(self: Tensor, mat: Tensor, vec: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Any:
    ranks = self._array.ndim, mat._array.ndim, vec._array.ndim
    if ranks not in ((0, 2, 1), (1, 2, 1)):
        raise RuntimeError("vector + matrix @ vector expected, got " + ", ".join(map(str, ranks)))
    return added(self, matmul(mat, vec), beta, alpha)


@method(write=True)
def addr(self: Tensor, vec1: Tensor, vec2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Any:
    for k, x in enumerate((vec1, vec2), 1):
        if x._array.ndim != 1:
            raise RuntimeError(f"addr: Expected 1-D argument vec{k}, but got {x._array.ndim}-D")
    return added(self, vec1.unsqueeze(1) * vec2, beta, alpha)


@member("linalg", "cross")
def cross_along(input: Tensor, other: Tensor, *, dim: int = -1) -> Tensor:
    """The cross product of vectors along an axis."""
    if input._array.ndim != other._array.ndim:
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    sizes = input._array.shape[dim], other._array.shape[dim]
    if sizes != (3, 3):
        raise RuntimeError(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {sizes[0]} and {sizes[1]}"
        )
    a, b = promoted([input, other])
    return plain(np.cross, a, b, axis=dim, name="LinalgCrossBackward0")


@method
def cross(self: Tensor, other: Tensor, dim: Any = None) -> Tensor:
    if dim is None:
        shape = np.broadcast_shapes(self._array.shape, other._array.shape)
        if 3 not in shape:
            raise RuntimeError("no dimension of size 3 in input")
        dim = shape.index(3)
    return cross_along(self, other, dim=dim)


@member("linalg")
def vecdot(x: Tensor, y: Tensor, *, dim: int = -1) -> Tensor:
    return (x.conj() * y).sum(dim)


@function
def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: Any = None) -> Tensor:
    """The distances of each row of one to each row of the other; at equal rows the gradient is zero."""
    for k, x in enumerate((x1, x2), 1):
        if x._array.ndim < 2:
            raise RuntimeError(
                f"cdist only supports at least 2D tensors, X{k} got: {x._array.ndim}D"
            )
    columns = x1._array.shape[-1], x2._array.shape[-1]
    if columns[0] != columns[1]:
        raise RuntimeError(
            f"X1 and X2 must have the same number of columns. X1: {columns[0]} X2: {columns[1]}"
        )
    return guarded(vector_norm(x1.unsqueeze(-2) - x2.unsqueeze(-3), p, -1), x1, x2)
