"""Norms of vectors and matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..functions.pointwise import where
from ..functions.reductions import axes, widened
from ..graph.record_call import guarded, plain
from ..tensor.dtypes import of
from ..tensor.registry import FUNCTIONS, member, method
from ..tensor.tensor import Tensor, wrapped
from .linalg import svdvals

__all__ = ["matrix_norm", "vector_norm"]


def flattened(x: Tensor, dim: Any) -> tuple[Tensor, tuple[int, ...]]:
    """The axes ``dim`` as one at the end, and where they were."""
    n = x._array.ndim
    dims = (
        tuple(range(n))
        if dim is None
        else tuple(d % max(n, 1) for d in np.atleast_1d(dim).tolist())
    )
    if not n:
        return x.reshape(1), ()
    return x.movedim(dims, tuple(range(-len(dims), 0))).flatten(n - len(dims)), dims


def refuse_empty(x: Tensor, ord: Any, dims: tuple[int, ...]) -> None:
    """Such a norm of nothing is no number.  ``dims``: the axes that were named."""
    empty = next((d for d in dims if not x._array.shape[d]), None)
    what = (
        "an empty tensor because"
        if empty is None
        else f"the dimension {empty}because this dimension is empty and"
    )
    raise RuntimeError(
        f"linalg.vector_norm cannot compute the {ord:g} norm on {what} the operation does not have an identity"
    )


def check_floating(x: Tensor) -> None:
    if x._array.dtype.kind not in "fcV":
        raise RuntimeError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got "
            f"{x.dtype.letter}"
        )


@member("linalg")
def vector_norm(
    x: Tensor, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """The norm of the entries along axes."""
    check_floating(x)
    rows, dims = flattened(widened(x, dtype), dim)
    if not rows._array.shape[-1] and (ord < 0 or math.isinf(ord)):
        refuse_empty(x, ord, () if dim is None else dims)
    made = entries_norm(rows, ord)
    if keepdim:
        made = plain(np.expand_dims, made, tuple(sorted(dims)))
    return guarded(made, x, made)


@method(name="norm")
def any_norm(
    self: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None
) -> Tensor:
    """The p-norm of the entries along axes, or the nuclear norm of matrices."""
    if p == "nuc":
        if dim is None and self._array.ndim != 2:
            raise RuntimeError(
                f"norm: the nuclear norm is of matrices, but the tensor has {self._array.ndim} axes: say which two "
                "by dim="
            )
        return matrix_norm(self, p, (-2, -1) if dim is None else dim, keepdim, dtype=dtype)
    p = 2 if p is None or p == "fro" else p
    if p != 2 or np.size(0 if dim is None else dim) not in (1, 2):
        return vector_norm(self, p, dim, keepdim, dtype=dtype)
    check_floating(self)
    self = widened(self, dtype)
    if not self._array.ndim:
        self, dim = self.reshape(1), 0 if dim is None else dim
        if keepdim:
            return any_norm(self, p, dim).reshape(())
    rows = self if dim is not None else self.reshape(-1)
    name = "LinalgVectorNormBackward0"
    made = plain(np.linalg.norm, rows, axis=axes(dim), keepdims=keepdim, name=name)
    return guarded(made, self, made)


@method
def dist(self: Tensor, other: Tensor, p: Any = 2) -> Any:
    difference = self - other
    if difference._array.dtype.kind in "iub":
        raise RuntimeError(
            "norm(): input dtype should be either floating point or complex. Got "
            f"{of(difference._array.dtype).letter} instead."
        )
    return guarded(any_norm(difference, p), self, other)


@method(write=True)
def renorm(self: Tensor, p: float, dim: int, maxnorm: float) -> Tensor:
    """Parts along an axis whose norm is greater than ``maxnorm``, shortened to it."""
    dims = tuple(k for k in range(self._array.ndim) if k != dim % self._array.ndim)
    sizes = vector_norm(self, p, dims, True)
    long = wrapped(sizes._array > maxnorm)
    return self * where(long, maxnorm / (sizes + 1e-7), 1.0)


def entries_norm(rows: Tensor, ord: Any) -> Tensor:
    """Along the last axis."""
    if ord == 2:
        return plain(np.linalg.norm, rows, axis=-1, name="LinalgVectorNormBackward0")
    size = rows.abs()
    if ord == 0:  # a step function: nothing of the gradient goes on but zeros
        count = wrapped((size._array != 0).astype(size._array.dtype))
        return where(wrapped(np.zeros_like(size._array, np.bool_)), size, count).sum(-1)
    if ord == 1:
        return size.sum(-1)
    if math.isinf(ord):
        return size.amax(-1) if ord > 0 else size.amin(-1)
    # The slope at zero is set to zero, so no entry meets 0 ** (ord - 1), and no sum 0 ** (1 / ord - 1).
    positive = size._array != 0
    if ord < 0:  # of an entry that is zero, zero
        total = (where(wrapped(positive), size, 1) ** ord).sum(-1)
        return where(wrapped(positive.all(-1)), total ** (1 / ord), 0)
    powers = where(wrapped(positive), where(wrapped(positive), size, 1) ** ord, 0)
    some = positive.any(-1)
    total = where(wrapped(some), powers.sum(-1), 1)
    return where(wrapped(some), total ** (1 / ord), 0)


@member("linalg")
def matrix_norm(
    A: Tensor, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """The norm of matrices."""
    A = widened(A, dtype)
    if A._array.ndim < 2:
        raise RuntimeError(
            "linalg.matrix_norm: The input tensor A must have at least 2 dimensions."
        )
    if ord == "fro":
        return vector_norm(A, 2, dim, keepdim)
    matrices = A.movedim(tuple(dim), (-2, -1))
    made = one_norm(matrices, ord)
    if keepdim:
        for d in sorted(d % A._array.ndim for d in dim):
            made = made.unsqueeze(d)
    return made


def one_norm(matrices: Tensor, ord: Any) -> Tensor:
    if ord == "nuc":
        return spectrum(matrices).sum(-1)
    if ord in (2, -2):
        values = spectrum(matrices)
        return values.amax(-1) if ord > 0 else values.amin(-1)
    if ord in (1, -1, math.inf, -math.inf):
        sums = matrices.abs().sum(-2 if abs(ord) == 1 else -1)
        return sums.amax(-1) if ord > 0 else sums.amin(-1)
    raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")


def spectrum(matrices: Tensor) -> Tensor:
    return svdvals(matrices)


@member("linalg")
def norm(
    A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """A vector norm, or a matrix norm where two axes or a named order are meant."""
    if ord is None:
        return vector_norm(A, 2, dim, keepdim, dtype=dtype)
    dims = None if dim is None else tuple(np.atleast_1d(dim).tolist())
    if isinstance(ord, str) or (len(dims) == 2 if dims is not None else A._array.ndim == 2):
        if dims is None and A._array.ndim != 2:
            raise RuntimeError(
                "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got "
                f"{A._array.ndim}D."
            )
        return matrix_norm(A, ord, (-2, -1) if dims is None else dims, keepdim, dtype=dtype)
    if dims is None and A._array.ndim > 2:
        raise RuntimeError(
            "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got "
            f"{A._array.ndim}D."
        )
    return vector_norm(A, ord, dims, keepdim, dtype=dtype)


@member("nn.functional")
def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    return input / vector_norm(input, p, dim, keepdim=True).clamp(min=eps)


@member("nn.functional")
def pairwise_distance(
    x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Tensor:
    return vector_norm(x1 - x2 + eps, p, -1, keepdim)


@member("nn.functional")
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    x1, x2 = FUNCTIONS["broadcast_tensors"](x1, x2)
    sizes = [vector_norm(x, 2, dim, keepdim=True).clamp(min=eps) for x in (x1, x2)]
    return ((x1 / sizes[0]) * (x2 / sizes[1])).sum(dim)


FUNCTIONS["pairwise_distance"], FUNCTIONS["cosine_similarity"] = (
    pairwise_distance,
    cosine_similarity,
)
