"""Sparse tensors are made of coordinates and values, of dense tensors, and become dense."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..functions.creation import tensor
from ..tensor.registry import function, method
from ..tensor.tensor import Tensor, wrapped
from .coo_array import CooArray
from .sparse_nodes import recorded_as
from .sparse_tensor import SparseTensor

__all__ = [
    "at_places",
    "coo",
    "layout",
    "masked_like",
    "sparse_coo",
    "sparse_coo_tensor",
    "strided",
    "to_dense",
]

SAME = "indices and values must have same nnz, but got nnz from indices: {}, nnz from values: {}"
DIMENSIONS = "'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {}, sparse_dim = {}, dense_dim = {}"


@function
def sparse_coo_tensor(
    indices: Any = None,
    values: Any = None,
    size: Any = None,
    *,
    dtype: Any = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    check_invariants: bool | None = None,
    is_coalesced: bool | None = None,
) -> Any:
    """The tensor of these values at these coordinates; coordinates outside of the size are refused."""
    if values is None:  # the size alone, as the first argument or by name
        shape = tuple(size if indices is None else indices)
        kind = tensor(0.0, dtype=dtype, device=device)._array.dtype
        indices, values = np.zeros((len(shape), 0), np.int64), wrapped(np.zeros(0, kind))
        return coo(indices, values, shape, True).requires_grad_(requires_grad)
    if not isinstance(values, Tensor):
        values = tensor(values, dtype=dtype, device=device)
    elif dtype is not None:
        values = values.to(dtype)
    index = np.array(indices._array if isinstance(indices, Tensor) else indices).astype(np.int64)
    n = values._array.shape[0] if values._array.ndim else 0
    if index.ndim != 2:
        raise RuntimeError(f"indices must be sparse_dim x nnz, but got: {list(index.shape)}")
    if index.shape[1] != n:
        raise RuntimeError(SAME.format(index.shape[1], n))
    dense = values._array.shape[1:]
    if size is None:
        if not n:
            raise RuntimeError("size inference from no entries: pass the size")
        size = (*(index.max(1) + 1).tolist(), *dense)
    check_places(index, tuple(size), dense)
    made = coo(index, values, tuple(size), bool(is_coalesced))
    return made.requires_grad_() if requires_grad else made


def check_places(index: Any, size: tuple[int, ...], dense: tuple[int, ...]) -> None:
    if len(size) != len(index) + len(dense):
        raise RuntimeError(DIMENSIONS.format(len(size), len(index), len(dense)))
    if size[len(index) :] != dense:
        raise RuntimeError(
            f"values has incorrect size, expected {[index.shape[1], *size[len(index) :]]}, got {[index.shape[1], *dense]}"
        )
    if index.size and index.min() < 0:
        at = tuple(np.argwhere(index < 0)[0])
        raise RuntimeError(f"found negative index {index[at]} for dim {at[0]}")
    for k, row in enumerate(index):
        if row.size and row.max() >= size[k]:
            raise RuntimeError(
                f"size is inconsistent with indices: for dim {k}, size is {size[k]} but found index {row.max()}"
            )


def coo(index: Any, values: Any, shape: tuple[int, ...], is_coalesced: bool = False) -> Any:
    """Values (a tensor) at coordinates (an array nobody else writes to)."""
    array = CooArray(index, values._array, shape, is_coalesced)
    name = "SparseCooTensorWithDimsAndTensors"
    return recorded_as(name, array, (values,), lambda bar: (at_places(bar, index),))


def at_places(bar: Any, index: Any) -> Any:
    """The entries of a gradient, dense or sparse, at coordinates."""
    return (to_dense(bar) if isinstance(bar, SparseTensor) else bar)[tuple(index)]


def masked_like(bar: Any, array: CooArray) -> Any:
    """A gradient at the coordinates of a sparse tensor."""
    one = array.coalesced()
    return coo(one.indices, at_places(bar, one.indices), array.shape, True)


@method(free=False)
def to_dense(self: Any, dtype: Any = None, *, masked_grad: bool | None = None) -> Any:
    """With all the zeros; the gradient has the coordinates of the tensor, or all of them if it is not ``masked_grad``."""
    if not isinstance(self, SparseTensor):
        return self if dtype is None else self.to(dtype)
    array = self._array

    def pull(bar: Any) -> tuple[Any]:
        return (bar if masked_grad is False else masked_like(bar, array),)

    made = recorded_as("ToDense", array.dense(), (self,), pull)
    return made if dtype is None else made.to(dtype)


@method(free=False)
def to_sparse(self: Any, sparse_dim: int | None = None, *, layout: Any = None) -> Any:
    """The entries that are not zero, and where they are."""
    if layout not in (None, sparse_coo):
        raise NotImplementedError(f"to_sparse: there is no other layout than {sparse_coo} here")
    if isinstance(self, SparseTensor):
        return self
    array = self._array
    axes = array.ndim if sparse_dim is None else sparse_dim
    if not 0 < axes <= array.ndim:
        raise RuntimeError(f"sparse_dim must be in [1, {array.ndim}], but got {axes}")
    found = array.reshape(*array.shape[:axes], -1).any(-1)
    index = np.array(np.nonzero(found))

    def pull(bar: Any) -> tuple[Any]:
        return (to_dense(bar),)

    made = CooArray(index, array[tuple(index)], array.shape, True)
    return recorded_as("ToSparse", made, (self,), pull)


@method(free=False)
def sparse_mask(self: Any, mask: Any) -> Any:
    """Its entries where a sparse tensor has some."""
    if not isinstance(mask, SparseTensor):
        raise RuntimeError("sparse_mask expects a sparse mask")
    return masked_like(self, mask._array)


class layout:
    """How the entries of a tensor are kept."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"retrograd.{self.name}"

    def __reduce__(self) -> str:
        return self.name


strided, sparse_coo = layout("strided"), layout("sparse_coo")
