"""Tables that are looked up in, with sparse gradients: only the rows that were asked for are in them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...device.places import is_far
from ...errors import UnsupportedOperation
from ..functions.indexing import gather as dense_gather
from ..tensor.registry import method
from ..tensor.tensor import Tensor, wrapped
from ..user_functions.function import Function
from .entries import made_of, node

__all__ = ["rows_of"]


@node("EmbeddingBackward0")
class Rows(Function):
    """Rows of a table; none of the gradients is that of row ``padding``."""

    @staticmethod
    def forward(ctx: Any, weight: Any, index: Any, padding: int | None) -> Any:
        ctx.save_for_backward(index)
        ctx.index, ctx.padding, ctx.shape = index, padding, weight.shape
        if is_far(weight._array):
            raise UnsupportedOperation(
                "sparse gradients are in the main memory here", fix="sparse=False"
            )
        return wrapped(weight._array[index._array])

    @staticmethod
    def backward(ctx: Any, bar: Any) -> Any:
        (index,) = ctx.saved_tensors
        flat = index._array.reshape(-1)
        rows = bar.reshape(len(flat), ctx.shape[1])
        if ctx.padding is not None:
            kept = np.flatnonzero(flat != ctx.padding)
            flat, rows = flat[kept], rows.index_select(0, wrapped(kept))
        return made_of(np.array(flat[None], np.int64), rows, ctx.shape), None, None

    @staticmethod
    def jvp(ctx: Any, tangent: Any, *others: Any) -> Any:
        rows = tangent[ctx.index]
        if ctx.padding is None:
            return rows
        padded: Any = wrapped(ctx.index._array == ctx.padding)
        return rows.masked_fill(padded[..., None], 0)


@node("GatherBackward0")
class Gathered(Function):
    """Entries along an axis."""

    @staticmethod
    def forward(ctx: Any, tensor: Any, dim: int, index: Any) -> Any:
        ctx.save_for_backward(index)
        ctx.dim, ctx.index, ctx.shape = dim, index, tensor.shape
        found: Any = dense_gather(tensor, dim, index)
        return found.detach()

    @staticmethod
    def backward(ctx: Any, bar: Any) -> Any:
        (index,) = ctx.saved_tensors
        return (
            made_of(places(index._array, ctx.dim, len(ctx.shape)), bar.reshape(-1), ctx.shape),
            None,
            None,
        )

    @staticmethod
    def jvp(ctx: Any, tangent: Any, *others: Any) -> Any:
        return dense_gather(tangent, ctx.dim, ctx.index)


def places(index: Any, dim: int, rank: int) -> Any:
    """Where each entry was taken from."""
    if not rank:
        return np.zeros((0, index.size), np.int64)
    index = index.reshape(1) if not index.ndim else index
    at = np.indices(index.shape)
    at[dim % rank] = index
    return at.reshape(rank, -1)


def rows_of(weight: Any, index: Any, padding: int | None) -> Any:
    return Rows.apply(weight, index, padding)


@method
def gather(self: Tensor, dim: int, index: Tensor, *, sparse_grad: bool = False) -> Tensor:
    """Entries along an axis by index; the index may be smaller than the tensor elsewhere."""
    made: Tensor = (
        Gathered.apply(self, dim, index) if sparse_grad else dense_gather(self, dim, index)
    )
    return made
