"""Sums, multiples and products of sparse tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...helpers import linear
from ..tensor.registry import FUNCTIONS
from ..tensor.tensor import Tensor, wrapped
from ..user_functions.function import Function
from .coo import NoSparseForm
from .entries import coalesced, indices_of, is_sparse, made_of, node, values_of, with_values
from .sparse_tensor import form, of_array

__all__ = ["product", "turned"]


@node("AddBackward0")
class Sum(Function):
    """Of two sparse tensors, or of one and a dense one."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        return of_array(x._array + y._array)

    @staticmethod
    def backward(ctx: Any, bar: Any) -> Any:
        return bar, bar


@node("SumBackward0")
class Total(Function):
    """The sum of all entries, to which those that are not kept belong."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.shape = x.shape
        return wrapped(np.asarray(x._array.values.sum()))

    @staticmethod
    def backward(ctx: Any, bar: Any) -> Any:
        return bar.expand(ctx.shape)


@form(np.add)
def add(x: Any, y: Any) -> Any:
    if not isinstance(x, Tensor) or not isinstance(y, Tensor):
        raise NoSparseForm("a number is not added to a sparse tensor: call to_dense() before")
    if is_sparse(x) and not is_sparse(y):
        raise RuntimeError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
    if x.shape != y.shape:
        raise RuntimeError(
            f"add: expected sizes of 'self' and 'other' to match, but {tuple(x.shape)} != {tuple(y.shape)}"
        )
    return Sum.apply(x, y)


@form(np.subtract)
def subtract(x: Any, y: Any) -> Any:
    return add(x, -y)


@form(np.negative)
def negative(x: Any) -> Any:
    return multiple(x, lambda values: -values)


@form(np.positive)
def clone(x: Any) -> Any:
    return multiple(x, lambda values: values.clone())


def multiple(x: Any, function: Any) -> Any:
    """A linear function of each entry: where no gradient is asked for, entries of one place may stay apart."""
    if x.requires_grad or x._array.coalesced:
        return with_values(x, function)
    return of_array(x._array.like(function(wrapped(x._array.values))._array))


@form(np.ndarray.astype)
def astype(x: Any, kind: Any) -> Any:
    return multiple(x, lambda values: values._fitted(kind))


@form(np.multiply)
def multiply(x: Any, y: Any) -> Any:
    if not is_sparse(x):
        return multiply(y, x)
    if is_sparse(y):
        raise NoSparseForm("a product of two sparse tensors is not there: call to_dense() on one")
    if not isinstance(y, Tensor) or not y.ndim:
        return multiple(x, lambda values: values * y)
    if y.shape != x.shape:
        raise NoSparseForm("a sparse tensor is multiplied by one of the same shape, or a number")
    own = coalesced(x)
    at = tuple(wrapped(row) for row in indices_of(own))
    dense: Any = y
    return with_values(own, lambda values: values * dense[at])


@form(np.true_divide)
def divide(x: Any, y: Any) -> Any:
    if not is_sparse(x) or (isinstance(y, Tensor) and (is_sparse(y) or y._array.ndim)):
        raise NoSparseForm("a sparse tensor is divided by a number only")
    return multiple(x, lambda values: values / y)


@form(np.sum)
def total(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    if axis is not None or keepdims:
        raise NoSparseForm(
            "sum() of a sparse tensor is that of all entries: sparse.sum(x, dim) has axes"
        )
    return Total.apply(x)


@form(linear.power)
def power(x: Any, exponent: Any) -> Any:
    if isinstance(exponent, Tensor) or not exponent > 0:
        raise NoSparseForm("a sparse tensor has powers of positive numbers only")
    return with_values(x, lambda values: values**exponent)


# Functions that are zero at zero.
ZERO_AT_ZERO = {
    "sin": np.sin, "tan": np.tan, "asin": np.arcsin, "atan": np.arctan, "sinh": np.sinh, "tanh": np.tanh, "asinh": np.arcsinh,
    "sqrt": np.sqrt, "abs": np.absolute, "square": np.square, "log1p": np.log1p, "expm1": np.expm1,
}  # fmt: skip


def entry_by_entry(name: str) -> Any:
    return lambda x: with_values(x, FUNCTIONS[name])


for _name, _fn in ZERO_AT_ZERO.items():
    form(_fn)(entry_by_entry(_name))


@form(np.matmul)
def product(x: Any, y: Any) -> Any:
    """A sparse matrix by a dense one, or by a vector."""
    if is_sparse(x) and is_sparse(y):
        raise NoSparseForm("a product of two sparse tensors is not there: call to_dense() on one")
    if not is_sparse(x):
        return product(turned(y), x.t()).t()
    if len(x._array.indices) != 2 or x._array.ndim != 2:
        raise NoSparseForm("a product of a sparse tensor is that of a matrix, sparse in both axes")
    own = coalesced(x)
    rows, columns = (wrapped(row) for row in indices_of(own))
    values = values_of(own)
    parts = (values if y._array.ndim == 1 else values.unsqueeze(1)) * y.index_select(0, columns)
    zeros: Any = wrapped(np.zeros((x.shape[0], *y.shape[1:]), parts._array.dtype))
    return zeros.index_add(0, rows, parts)


def turned(x: Any) -> Any:
    """The transpose of a sparse matrix."""
    own = coalesced(x)
    if len(indices_of(own)) != 2:
        raise NoSparseForm(
            "the transpose of a sparse tensor is that of a matrix, sparse in both axes"
        )
    return made_of(indices_of(own)[::-1].copy(), values_of(own), own.shape[::-1])
