"""Sparse tensors out of values, and values out of sparse tensors, recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..tensor.tensor import Tensor, wrapped
from ..user_functions.function import Function
from .coo import Coo, values_at
from .sparse_tensor import SparseTensor, of_array

__all__ = ["coalesced", "counted", "dense_of", "indices_of", "is_sparse", "kept_of", "made_of", "masked_by", "node", "values_of", "with_values"]  # fmt: skip


def node(name: str) -> Callable[[Any], Any]:
    """The name of the nodes of a function."""

    def named(function: Any) -> Any:
        function._backward_cls.attributes = None  # nothing of the call is shown
        function._backward_cls.__name__ = function._backward_cls.__qualname__ = name
        return function

    return named


def counted(array: Any, counter: Any) -> Tensor:
    """A tensor whose writes are counted with those of another one."""
    made = wrapped(array)
    made._counter = counter
    return made


def is_sparse(value: Any) -> bool:
    return type(value) is SparseTensor


def indices_of(tensor: Any) -> Any:
    return tensor._array.indices


@node("SparseCooTensorWithDimsAndTensorsBackward0")
class Made(Function):
    """A sparse tensor of values; its gradient is that at their places."""

    @staticmethod
    def forward(ctx: Any, values: Any, indices: Any, shape: Any, coalesced: bool) -> Any:
        ctx.indices = indices
        return of_array(Coo(indices, values._array, shape, coalesced))

    @staticmethod
    def backward(ctx: Any, bar: Any) -> Any:
        bar = dense_of(bar) if is_sparse(bar) else bar
        at = tuple(wrapped(row) for row in ctx.indices)
        return bar[at] if at else bar.unsqueeze(0), None, None, None


@node("ValuesBackward0")
class Values(Function):
    """The values of a sparse tensor whose places are all different."""

    @staticmethod
    def forward(ctx: Any, tensor: Any) -> Any:
        ctx.kept = tensor._array
        values = tensor._array.values
        return (
            counted(values.copy(), [0])
            if tensor.requires_grad
            else counted(values, tensor._counter)
        )

    @staticmethod
    def backward(ctx: Any, bar: Any) -> Any:
        array = ctx.kept
        return made_of(array.indices, bar, array.shape, True)


@node("CoalesceBackward0")
class Coalesced(Function):
    """Each place once."""

    @staticmethod
    def forward(ctx: Any, tensor: Any) -> Any:
        return of_array(tensor._array.unique())

    @staticmethod
    def backward(ctx: Any, bar: Any) -> Any:
        return bar


@node("ToDenseBackward0")
class Dense(Function):
    """All entries; the gradient is that of the entries that are kept, or of all."""

    @staticmethod
    def forward(ctx: Any, tensor: Any, masked: bool) -> Any:
        ctx.mask = tensor._array.unique() if masked else None
        ctx.axes = len(tensor._array.indices)
        return wrapped(tensor._array.dense())

    @staticmethod
    def backward(ctx: Any, bar: Any) -> Any:
        if ctx.mask is None:
            return bar if is_sparse(bar) else kept_of(bar, ctx.axes), None
        return masked_by(dense_of(bar) if is_sparse(bar) else bar, ctx.mask), None


@node("SparseMaskBackward0")
class Masked(Function):
    """The entries of a dense tensor at the places of a sparse one."""

    @staticmethod
    def forward(ctx: Any, tensor: Any, mask: Any) -> Any:
        ctx.mask = mask
        values = np.array(values_at(tensor._array, mask.indices))
        return of_array(Coo(mask.indices, values, mask.shape, mask.coalesced))

    @staticmethod
    def backward(ctx: Any, bar: Any) -> Any:
        kept = bar if is_sparse(bar) else masked_by(bar, ctx.mask.unique())
        return dense_of(kept), None


def made_of(indices: Any, values: Any, shape: Any, coalesced: bool = False) -> Any:
    """A sparse tensor of these values."""
    return Made.apply(values, indices, tuple(shape), coalesced)


def coalesced(tensor: Any) -> Any:
    return tensor if tensor._array.coalesced else Coalesced.apply(tensor)


def values_of(tensor: Any) -> Any:
    """The values of a tensor that is coalesced."""
    return Values.apply(tensor)


def with_values(tensor: Any, function: Callable[[Any], Any]) -> Any:
    """A function of each entry, which is zero where the entry is."""
    own = coalesced(tensor)
    return made_of(indices_of(own), function(values_of(own)), own.shape, True)


def dense_of(tensor: Any, masked: bool = True) -> Tensor:
    made: Tensor = Dense.apply(tensor, masked)
    return made


def kept_of(tensor: Any, axes: int) -> Any:
    """The entries of a dense tensor that are not zero, sparse in its first axes."""
    is_kept = tensor._array != 0
    if not axes:
        return made_of(np.zeros((0, 1), np.int64), tensor.unsqueeze(0), tensor.shape, True)
    at = np.stack(np.nonzero(is_kept.any(tuple(range(axes, is_kept.ndim)))))
    return made_of(at, tensor[tuple(wrapped(row) for row in at)], tensor.shape, True)


def masked_by(tensor: Any, mask: Coo) -> Any:
    """The entries of a tensor at the places of a sparse array."""
    return Masked.apply(tensor, mask)
