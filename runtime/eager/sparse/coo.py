"""A sparse array: the places of some entries, and their values; what is not kept is zero.

It goes where arrays go, and takes part in sums. Every other function of NumPy refuses it, so none can take it for something
else.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...arrays.libraries import is_cupy
from ...errors import UnsupportedOperation

__all__ = ["Coo", "NoSparseForm", "values_at"]

NO_FORM = "{} has no form for sparse tensors here: call to_dense() before"


class NoSparseForm(AttributeError, NotImplementedError):
    """What was asked for is not there for sparse tensors."""


class Coo:
    """``indices``: a column for each entry; ``values``: a row for each, which may be an array itself."""

    __slots__ = ("coalesced", "indices", "shape", "values")

    def __init__(
        self, indices: Any, values: Any, shape: tuple[int, ...], coalesced: bool = False
    ) -> None:
        if is_cupy(values) or is_cupy(indices):
            raise UnsupportedOperation(
                "sparse tensors are in the main memory here", fix="t.cpu() before, or dense ones"
            )
        self.indices, self.values, self.shape = indices, values, tuple(shape)
        self.coalesced = coalesced or len(values) < 2

    @property
    def dtype(self) -> Any:
        return self.values.dtype

    @property
    def itemsize(self) -> int:
        return int(self.values.itemsize)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def real(self) -> Coo:
        return self.like(self.values.real)

    def __len__(self) -> int:
        return self.shape[0]

    def like(self, values: Any) -> Coo:
        """Other values at the same places."""
        return Coo(self.indices, values, self.shape, self.coalesced)

    def view(self) -> Coo:
        """The same memory: who writes to one of its tensors writes to all."""
        return self

    def copy(self, order: str = "C") -> Coo:
        return Coo(self.indices.copy(), self.values.copy(), self.shape, self.coalesced)

    def astype(self, kind: Any) -> Coo:
        return self.like(self.values.astype(kind))

    # -- its entries -------------------------------------------------------------------

    def places(self) -> Any:
        """The place of each entry as one number."""
        return np.ravel_multi_index(tuple(self.indices), self.shape[: len(self.indices)])

    def unique(self) -> Coo:
        """Each place once, in order; values of one place are summed."""
        if self.coalesced:
            return self
        if not len(self.indices):
            values = self.values.sum(0, keepdims=True) if len(self.values) else self.values
            return Coo(self.indices[:, : len(values)], values, self.shape, True)
        if not self.indices.shape[1]:
            return Coo(self.indices, self.values, self.shape, True)
        _, first, which = np.unique(self.places(), return_index=True, return_inverse=True)
        values = np.zeros((len(first), *self.values.shape[1:]), self.dtype)
        np.add.at(values, which.reshape(-1), self.values)
        return Coo(self.indices[:, first], values, self.shape, True)

    def dense(self) -> Any:
        """The whole array."""
        made = np.zeros(self.shape, self.dtype)
        self.add_to(made)
        return made

    def add_to(self, array: Any) -> None:
        """Add the entries to an array."""
        if not len(self.indices):
            array[...] += self.values.sum(0).astype(array.dtype, copy=False)
            return
        np.add.at(array, tuple(self.indices), self.values)

    def replace(self, other: Coo) -> None:
        """Become another one."""
        self.indices, self.values = other.indices.copy(), other.values.astype(self.dtype)
        self.coalesced = other.coalesced

    # -- sums, and what is refused ---------------------------------------------------------

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Coo):
            return np.add(other, self)
        both = [self, other]
        if len({(len(one.indices), one.values.ndim) for one in both}) > 1:
            raise NoSparseForm(
                "a sum of sparse tensors with different numbers of sparse axes is not there"
            )
        parts = [np.concatenate([getattr(one, what) for one in both], axis) for what, axis in (("indices", 1), ("values", 0))]  # fmt: skip
        return Coo(parts[0], parts[1], self.shape)

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any, out: Any = None) -> Any:
        if ufunc is not np.add or method != "__call__" or len(args) != 2:
            raise NoSparseForm(NO_FORM.format(f"{ufunc.__name__}()"))
        if all(isinstance(one, Coo) for one in args):
            return args[0] + args[1]
        coo, array = args if isinstance(args[0], Coo) else args[::-1]
        if array.shape != coo.shape:
            raise NoSparseForm("a sparse tensor is added to one of the same shape only")
        made = array.astype(np.result_type(array.dtype, coo.dtype)) if out is None else out[0]
        if out is not None and made is not array:
            made[...] = array
        coo.add_to(made)
        return made

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        raise NoSparseForm(NO_FORM.format(f"{function.__name__}()"))

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise NoSparseForm(NO_FORM.format("numpy()"))

    def __getattr__(self, name: str) -> Any:
        if name == "strides":
            raise NoSparseForm("sparse tensors do not have strides")
        raise NoSparseForm(NO_FORM.format(name))

    def __getitem__(self, index: Any) -> Any:
        raise NoSparseForm(NO_FORM.format("an index"))

    def __setitem__(self, index: Any, value: Any) -> None:
        if index is not Ellipsis or not isinstance(value, Coo):
            raise NoSparseForm(NO_FORM.format("a write"))
        self.replace(value)


def values_at(array: Any, indices: Any) -> Any:
    """The values of an array at places of a sparse one."""
    return array[tuple(indices)] if len(indices) else array[None]
