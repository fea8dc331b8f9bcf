"""Rearrangements that are made of others."""

from __future__ import annotations

from itertools import combinations as chosen
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from ...arrays.transfers import constant_beside, library_of
from ..graph.push_tangents import refuse_dual
from ..graph.record_call import plain
from ..tensor.registry import function, method
from ..tensor.shape_errors import expanded_text
from ..tensor.tensor import Tensor
from .creation import finished, numpy_type, zeros
from .indexing import index_put
from .joining import cat, meshgrid, promoted, stack

__all__: list[str] = []


def several(tensors: tuple[Any, ...]) -> list[Any]:
    """``f(a, b)`` or ``f([a, b])``."""
    return (
        list(tensors[0])
        if len(tensors) == 1 and isinstance(tensors[0], (list, tuple))
        else list(tensors)
    )


@function
def broadcast_tensors(*tensors: Any) -> Any:
    given = several(tensors)
    try:
        shape = np.broadcast_shapes(*[x._array.shape for x in given])
    except ValueError:
        raise RuntimeError("The tensors' shapes cannot be broadcast to one") from None
    return tuple(x if x._array.shape == shape else x.expand(shape) for x in given)


@method(free=False)
def sum_to_size(self: Tensor, *size: Any) -> Tensor:
    """The sum over the axes along which a tensor of this size would be stretched to the shape."""
    wanted = tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    shape = self._array.shape
    lead = len(shape) - len(wanted)
    if expanded_text(wanted, shape) is not None:
        raise RuntimeError(f"size {{{list(wanted)}}} is not expandable to size {{{list(shape)}}}.")
    axes = [k for k, n in enumerate(shape) if k < lead or (wanted[k - lead] == 1 and n != 1)]
    return self.sum(axes, keepdim=True).reshape(wanted) if axes else self


@function
def atleast_1d(*tensors: Any) -> Any:
    return at_least(tensors, lambda x: x.reshape(1) if not x._array.ndim else x)


@function
def atleast_2d(*tensors: Any) -> Any:
    return at_least(tensors, lambda x: x.reshape(1, -1) if x._array.ndim < 2 else x)


@function
def atleast_3d(*tensors: Any) -> Any:
    return at_least(tensors, cube)


def at_least(tensors: tuple[Any, ...], fn: Any) -> Any:
    if len(tensors) == 1 and isinstance(tensors[0], Tensor):
        return fn(tensors[0])
    return tuple(fn(x) for x in several(tensors))


def cube(x: Tensor) -> Tensor:
    ndim = x._array.ndim
    return x if ndim >= 3 else x.unsqueeze(-1) if ndim == 2 else x.reshape(1, -1, 1)


@function
def dstack(tensors: Any) -> Tensor:
    return cat([cube(x) for x in tensors], 2)


@function
def column_stack(tensors: Any) -> Tensor:
    return cat([x.reshape(-1, 1) if x._array.ndim <= 1 else x for x in tensors], 1)


@method
def diag_embed(self: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Matrices with the entries along the last axis on a diagonal."""
    ndim = self._array.ndim + 1
    dim1, dim2 = dim1 % ndim, dim2 % ndim
    if dim1 == dim2:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    n = self._array.shape[-1]
    numbers = library_of([self._array]).arange(n)
    rows, columns = numbers + max(-offset, 0), numbers + max(offset, 0)
    size = n + abs(offset)
    whole = zeros(*self._array.shape[:-1], size, size, dtype=self.dtype, device=self.device)
    made = index_put(whole, (..., rows, columns), self)
    return made.movedim((-2, -1), (dim1, dim2))


@method
def diagflat(self: Tensor, offset: int = 0) -> Tensor:
    return self.reshape(-1).diag(offset)


@function
def block_diag(*tensors: Any) -> Tensor:
    """The matrices along the diagonal of a larger one."""
    blocks = promoted([atleast_2d(x) for x in several(tensors)])
    if any(x._array.ndim > 2 for x in blocks):
        raise RuntimeError("block_diag(): input tensors must have at most 2 dimensions")
    width = sum(x._array.shape[1] for x in blocks)
    rows, left = [], 0
    for x in blocks:
        height, own = x._array.shape
        like = {"dtype": x.dtype, "device": x.device}
        after = width - left - own
        rows.append(cat([zeros(height, left, **like), x, zeros(height, after, **like)], 1))
        left += own
    return cat(rows, 0)


@method
def narrow_copy(self: Tensor, dim: int, start: int, length: int) -> Tensor:
    return self.narrow(dim, start, length).clone()


@method
def adjoint(self: Tensor) -> Tensor:
    if self._array.ndim == 1:
        raise RuntimeError(
            "tensor.adjoint() is only supported on matrices or batches of matrices. Got 1-D tensor."
        )
    return self.mH


@method
def rot90(self: Tensor, k: int = 1, dims: Any = (0, 1)) -> Tensor:
    if self._array.ndim < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {self._array.ndim}")
    return plain(np.rot90, self, k, tuple(dims), name="Rot90Backward0")


@method
def fliplr(self: Tensor) -> Tensor:
    return self.flip(1)


@method
def flipud(self: Tensor) -> Tensor:
    return self.flip(0)


@function
def cartesian_prod(*tensors: Any) -> Tensor:
    """Every choice of one entry of each."""
    if len(tensors) == 1:
        return tensors[0]
    return stack([x.reshape(-1) for x in meshgrid(*tensors)], -1)


@method
def combinations(self: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """Every choice of ``r`` entries of a vector."""
    if self._array.ndim != 1:
        raise RuntimeError("Expect a 1D vector, but got shape " + str(list(self._array.shape)))
    choose = combinations_with_replacement if with_replacement else chosen
    return self[constant_beside(self._array, choices, choose, self.numel(), r)]


def choices(choose: Any, n: int, r: int) -> Any:
    return np.asarray(list(choose(range(n), r)), np.int64).reshape(-1, r)


@function
def tril_indices(
    row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None
) -> Tensor:
    made = np.stack(np.tril_indices(row, offset, col)).astype(numpy_type(dtype) or np.int64)
    return finished(made, False, device)


@function
def triu_indices(
    row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None
) -> Tensor:
    made = np.stack(np.triu_indices(row, offset, col)).astype(numpy_type(dtype) or np.int64)
    return finished(made, False, device)


def set_(self: Tensor, source: Tensor | None = None) -> Tensor:
    """The tensor shows the memory of another one from now on."""
    if self.requires_grad and not self.is_leaf:
        raise RuntimeError("set_() cannot be recorded: use detach() first")
    refuse_dual("set_", self, source)
    empty = library_of([self._array]).empty
    array = empty(0, self._array.dtype) if source is None else source._array
    if array.dtype != self._array.dtype:
        raise RuntimeError(
            f"Could not set tensor of type {self.dtype.letter} to a tensor of type {source.dtype.letter}"
        )
    self._array = array
    self._counter = [0] if source is None else source._counter
    self._accumulator = None  # what was recorded was recorded of another tensor
    return self


Tensor.set_ = set_
