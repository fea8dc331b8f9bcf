"""Arrays of coordinates and values: what is not named is zero, what is named twice is summed."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["CooArray", "dense_of"]

MISSING = "{what} of sparse values is missing: sparse tensors have what gradients of embeddings need. Use .to_dense() first"


class CooArray:
    """``indices``: coordinates, an axis by entry; ``values``: for each entry a number, or an array of the other axes."""

    __array_priority__ = 2000

    def __init__(
        self, indices: Any, values: Any, shape: tuple[int, ...], is_coalesced: bool = False
    ) -> None:
        self.indices, self.values, self.shape = indices, values, tuple(shape)
        self.is_coalesced = is_coalesced

    @property
    def dtype(self) -> Any:
        return self.values.dtype

    @property
    def itemsize(self) -> int:
        return int(self.values.itemsize)

    @property
    def nbytes(self) -> int:
        return int(self.values.nbytes + self.indices.nbytes)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def axes(self) -> int:
        """How many axes the coordinates are of."""
        return len(self.indices)

    def dense(self) -> Any:
        made = np.zeros(self.shape, self.dtype)
        np.add.at(made, tuple(self.indices), self.values)
        return made

    def with_values(self, values: Any) -> CooArray:
        return CooArray(self.indices, values, self.shape, self.is_coalesced)

    def copy(self) -> CooArray:
        return CooArray(self.indices.copy(), self.values.copy(), self.shape, self.is_coalesced)

    def astype(self, kind: Any) -> CooArray:
        return self.with_values(self.values.astype(kind))

    def order(self) -> tuple[Any, Any]:
        """The different coordinates in their order, and for each entry which of them it has."""
        flat = np.ravel_multi_index(tuple(self.indices), self.shape[: self.axes]) if self.indices.size else (
            np.zeros(self.indices.shape[1], np.int64)
        )  # fmt: skip
        _, first, place = np.unique(flat, return_index=True, return_inverse=True)
        return self.indices[:, first], place.reshape(-1)

    def coalesced(self) -> CooArray:
        """Each coordinate once."""
        if self.is_coalesced:
            return self
        indices, place = self.order()
        values = np.zeros((indices.shape[1], *self.values.shape[1:]), self.dtype)
        np.add.at(values, place, self.values)
        return CooArray(indices, values, self.shape, True)

    # -- what gradients do ---------------------------------------------------------------

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, CooArray):
            return np.add(self, other)
        if other.shape != self.shape or other.axes != self.axes:
            raise NotImplementedError(MISSING.format(what="a sum of other kinds"))
        indices = np.concatenate([self.indices, other.indices], 1)
        made = CooArray(indices, np.concatenate([self.values, other.values]), self.shape)
        return made.coalesced() if self.is_coalesced and other.is_coalesced else made

    def __mul__(self, other: Any) -> Any:
        return np.multiply(self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return np.true_divide(self, other)

    def __neg__(self) -> CooArray:
        return self.with_values(-self.values)

    def times(self, other: Any) -> CooArray:
        """By a number, or by the entries of an array at the same places."""
        if np.ndim(other) == 0:
            return self.with_values((self.values * other).astype(self.dtype))
        places = np.broadcast_to(other, self.shape)[tuple(self.indices)]
        return self.with_values((self.values * places).astype(self.dtype))

    def __array_ufunc__(
        self, ufunc: Any, method: str, *args: Any, out: Any = None, **kwargs: Any
    ) -> Any:
        if method == "__call__" and not kwargs and len(args) == 2:
            x, y = args
            if ufunc in (np.add, np.subtract) and out is not None and out[0] is x:
                ufunc.at(x, tuple(y.indices), y.values)
                return x
            if ufunc in (np.add, np.subtract) and not isinstance(x, CooArray):
                return ufunc(x, y.dense(), out=out)
            if ufunc is np.add and not isinstance(y, CooArray):
                return ufunc(x.dense(), y, out=out)
            if ufunc is np.multiply and out is None:
                return x.times(y) if isinstance(x, CooArray) else y.times(x)
            if ufunc is np.true_divide and np.ndim(y) == 0 and out is None:
                return x.with_values(x.values / y)
        if ufunc is np.negative and method == "__call__" and out is None:
            return -self
        raise NotImplementedError(MISSING.format(what=ufunc.__name__))

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if func is np.shape:
            return self.shape
        if func is np.ndim:
            return self.ndim
        raise NotImplementedError(MISSING.format(what=func.__name__))

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(MISSING.format(what="an array"))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotImplementedError(MISSING.format(what=f"{name}()"))


def dense_of(array: Any) -> Any:
    """The array with its zeros."""
    return array.dense() if isinstance(array, CooArray) else array
