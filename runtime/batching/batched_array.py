"""A batch of arrays that looks like one of them.

``value`` holds all examples along its first axis; ``shape``, ``ndim`` and the like are those of one example.
NumPy's functions and operators go to the rules (`batch`), each of which computes all examples in one call; a
function without a rule is called for one example after the other (`loop`).

Batches nest: each has a level, and the value of one may be a batch of a lower level.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from ..arrays.libraries import is_cupy, is_of_cupy

__all__ = [
    "CONTROL",
    "MORE",
    "BatchedArray",
    "NotBatched",
    "as_array",
    "everywhere",
    "is_array",
    "levels_of",
    "memory_of",
    "somewhere",
    "zeros_beside",
]

FUNCTION: list[Callable[..., Any]] = []  # what answers NumPy's functions; `dispatch` enters it


class NotBatched(RuntimeError):
    """A batch was asked for what only the array of one example has."""


class NoAttribute(NotBatched, AttributeError):
    """The same for an attribute."""


class BatchedArray(NDArrayOperatorsMixin):
    """The arrays of all examples of a batch, as one array."""

    __slots__ = ("__weakref__", "level", "value")
    __array_priority__ = 900

    def __init__(self, level: int, value: Any) -> None:
        self.level, self.value = level, value

    # -- what it is ----------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        return self.value.shape[1:]  # type: ignore[no-any-return]

    @property
    def ndim(self) -> int:
        return int(self.value.ndim) - 1

    @property
    def dtype(self) -> Any:
        return self.value.dtype

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        return int(self.value.itemsize)

    @property
    def nbytes(self) -> int:
        return self.size * self.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        return self.value.strides[1:]  # type: ignore[no-any-return]

    @property
    def base(self) -> Any:
        return self.value.base

    @property
    def flags(self) -> Any:
        return self.value.flags

    def setflags(self, **flags: Any) -> None:
        self.value.setflags(**flags)

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))

    def __repr__(self) -> str:
        return f"BatchedArray(level={self.level}, value={self.value!r})"

    # -- what one array would say, and a batch cannot ------------------------------------------

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise NotBatched(
            "the array of one example is not there: the examples of a batch are computed together"
        )

    def __getattr__(self, name: str) -> Any:
        if hasattr(np.ndarray, name):
            raise NoAttribute(f"a batch has no `{name}` of one example")
        raise AttributeError(f"'BatchedArray' object has no attribute '{name}'")

    def item(self, *args: Any) -> Any:
        raise NotBatched(ITEM)

    tolist = __float__ = __int__ = __index__ = __complex__ = item

    def __bool__(self) -> bool:
        raise NotBatched(CONTROL)

    __hash__ = None  # type: ignore[assignment]

    # -- what is computed ---------------------------------------------------------------------

    def __array_ufunc__(self, ufunc: Any, way: str, *inputs: Any, **kwargs: Any) -> Any:
        if not all(map(is_known, inputs)):
            return NotImplemented
        return FUNCTION[0]((ufunc, way), inputs, kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if not all(
            issubclass(kind, (np.ndarray, BatchedArray)) or is_of_cupy(kind) for kind in types
        ):
            return NotImplemented
        return FUNCTION[0](function, args, kwargs)

    def __getitem__(self, index: Any) -> Any:
        return FUNCTION[0]("getitem", (self, index), {})

    def __setitem__(self, index: Any, value: Any) -> None:
        FUNCTION[0]("setitem", (self, index, value), {})

    def astype(self, dtype: Any, *args: Any, **kwargs: Any) -> BatchedArray:
        return BatchedArray(self.level, self.value.astype(dtype, *args, **kwargs))

    def view(self, *args: Any, **kwargs: Any) -> BatchedArray:
        if (args or kwargs) and not self.ndim:
            raise NotBatched("the numbers of a batch have no bytes of their own")
        return BatchedArray(self.level, self.value.view(*args, **kwargs))

    def copy(self, order: Any = "C") -> BatchedArray:
        return BatchedArray(self.level, self.value.copy(order))

    def __copy__(self) -> BatchedArray:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> BatchedArray:
        return self.copy()

    def fill(self, value: Any) -> None:
        self[...] = value

    def sort(self, axis: int = -1, **kwargs: Any) -> None:
        self[...] = np.sort(self, axis, **kwargs)

    def reshape(self, *shape: Any, **kwargs: Any) -> Any:
        return np.reshape(self, shape[0] if len(shape) == 1 else shape, **kwargs)

    def transpose(self, *axes: Any) -> Any:
        given = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes or None
        return np.transpose(self, given)

    @property
    def T(self) -> Any:
        return np.transpose(self)

    @property
    def mT(self) -> Any:
        return np.swapaxes(self, -1, -2)

    @property
    def real(self) -> Any:
        return BatchedArray(self.level, self.value.real)

    @real.setter
    def real(self, value: Any) -> None:
        self.real[...] = value

    @property
    def imag(self) -> Any:
        return BatchedArray(self.level, self.value.imag)

    @imag.setter
    def imag(self, value: Any) -> None:
        self.imag[...] = value


ITEM = (
    "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling .item() on a Tensor, "
    "please try to rewrite what you're doing with other operations. If error is occurring somewhere inside PyTorch "
    "internals, please file a bug report."
)
CONTROL = (
    "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. We don't support that "
    "yet, please shout over at https://github.com/pytorch/functorch/issues/257 ."
)

MORE = (
    "vmap: inplace arithmetic(self, *extra_args) is not possible because there exists a Tensor `other` in extra_args that "
    "has more elements than `self`. This happened due to `other` being vmapped over but `self` not being vmapped over in "
    "a vmap. Please try to use out-of-place operators instead of inplace arithmetic. If said operator is being called "
    "inside the PyTorch framework, please file a bug report instead."
)


def method(name: str) -> Callable[..., Any]:
    """The method that is NumPy's function of the same name."""
    function = getattr(np, name)

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **kwargs)

    call.__name__ = name
    return call


for _name in (
    "all", "any", "argmax", "argmin", "argpartition", "argsort", "clip", "conj", "conjugate", "cumprod",
    "cumsum", "diagonal", "dot", "max", "mean", "min", "nonzero", "prod", "ravel", "repeat", "round", "searchsorted",
    "squeeze", "std", "sum", "swapaxes", "take", "trace", "var",
):  # fmt: skip
    setattr(BatchedArray, _name, method(_name))
BatchedArray.flatten = lambda self, order="C": np.ravel(self, order).copy()  # type: ignore[attr-defined]
BatchedArray.ptp = lambda self, *args, **kwargs: np.ptp(self, *args, **kwargs)  # type: ignore[attr-defined]


def is_known(value: Any) -> bool:
    """True unless something has an answer of its own to what NumPy computes."""
    kind = type(value)  # not `__class__`, which a box takes from its value
    known = issubclass(kind, (np.ndarray, np.generic, BatchedArray)) or is_of_cupy(kind)
    return known or not hasattr(kind, "__array_ufunc__")


# -- questions ------------------------------------------------------------------------------------


def is_array(value: Any) -> bool:
    """True for an array of any kind, and for NumPy's scalars."""
    return isinstance(value, (np.ndarray, np.generic, BatchedArray)) or is_cupy(value)


def as_array(value: Any, dtype: Any = None) -> Any:
    """A number as an array without dimensions; an array as it is."""
    kind = type(value)
    if dtype is None and (kind is np.ndarray or kind is BatchedArray):
        return value
    if kind is BatchedArray or is_cupy(value):
        return value if dtype is None else value.astype(dtype, copy=False)
    return np.asarray(value, dtype)


def zeros_beside(value: Any, shape: Any, dtype: Any) -> Any:
    """Zeros that a value, or parts of it, can be written to."""
    if type(value) is BatchedArray or is_cupy(value):
        return np.zeros_like(value, dtype, shape=shape)
    return np.zeros(shape, dtype)


def memory_of(x: Any) -> Any:
    """The array of all examples of all batches."""
    while type(x) is BatchedArray:
        x = x.value
    return x


def somewhere(mask: Any) -> bool:
    """True if something holds anywhere, in any example: for what is checked of all that is given.

    On the device nothing is checked: the host would have to wait.
    """
    found = memory_of(mask)
    return not is_cupy(found) and bool(np.any(found))


def everywhere(mask: Any) -> bool:
    found = memory_of(mask)
    return is_cupy(found) or bool(np.all(found))


def levels_of(value: Any) -> set[int]:
    """The levels of a batch of batches."""
    found = set()
    while type(value) is BatchedArray:
        found.add(value.level)
        value = value.value
    return found
