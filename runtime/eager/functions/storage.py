"""The memory under a tensor: parts of it by size and step, and what can be said of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.transfers import is_ndarray, library_of
from ...device.places import is_far
from ..graph.grad_mode import modes
from ..graph.leaf_accumulation import is_dense
from ..tensor.registry import function, method
from ..tensor.tensor import Tensor, address, fresh
from ..tensor.views import AsStridedBackward0, begin, viewed
from .creation import empty
from .shaping import reshaping

__all__: list[str] = []

Steps = tuple[int, ...]


def owner(array: Any) -> Any:
    """The array that has the memory."""
    while is_ndarray(array.base):
        array = array.base
    return array


def reach(size: Steps, stride: Steps, itemsize: int) -> int:
    """How many bytes from the first entry to the end of the last one."""
    if 0 in size:
        return 0
    return itemsize * (1 + sum((n - 1) * step for n, step in zip(size, stride, strict=True)))


def strided(array: Any, size: Steps, stride: Steps, offset: int | None = None) -> Any:
    """Entries of the memory of an array, from its first place or that of its own memory on."""
    memory, itemsize = owner(array), array.itemsize
    start = address(array) - address(memory)
    if offset is not None:
        start = offset * itemsize
    needed = start + reach(size, stride, itemsize)
    if min(stride, default=0) < 0:
        raise RuntimeError(
            "as_strided: Negative strides are not supported at the moment, got strides: "
            f"{list(stride)}"
        )
    if 0 not in size and needed > memory.nbytes:
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {start // itemsize}, and itemsize "
            f"{itemsize} requiring a storage size of {needed} are out of bounds for storage of size {memory.nbytes}"
        )
    if 0 in size:
        return library_of([array]).empty(size, array.dtype)
    steps = tuple(step * itemsize for step in stride)
    if is_far(array):
        return library_of([array]).ndarray(size, array.dtype, memory.data + start, steps)
    return np.ndarray(size, array.dtype, memory.ravel(order="K").view(np.uint8), start, steps)


class StridedView(AsStridedBackward0):
    """The node of `as_strided`, which shows what it was given."""

    __slots__ = ("_saved_size", "_saved_storage_offset", "_saved_stride")


StridedView.__name__ = AsStridedBackward0.__name__


def numbers(given: Any) -> Steps:
    return tuple(int(n) for n in given)


@method
def as_strided(self: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Tensor:
    """The view with these sizes and steps of the memory under a tensor."""
    wanted, steps = numbers(size), numbers(stride)
    if len(wanted) != len(steps):
        raise RuntimeError("mismatch in length of strides and shape")
    made: Tensor = fresh(strided(self._array, wanted, steps, storage_offset))
    if self.requires_grad and not is_dense(self._array):
        raise RuntimeError(
            "as_strided() of a tensor that has gaps in its memory cannot be recorded: clone() it first"
        )

    def replay(base: Any) -> Any:
        if isinstance(base, Tensor):
            return as_strided(base, wanted, steps, storage_offset)
        return strided(base, wanted, steps, storage_offset)

    if modes.grad and not modes.inference and self.requires_grad:
        node = StridedView(self, replay, made)
        node._saved_size, node._saved_stride = wanted, steps
        node._saved_storage_offset = storage_offset
        viewed(made, self, replay)
        begin(made, node, 0)
        return made
    return viewed(made, self, replay)


reshaping("as_strided")


@function
def empty_strided(size: Any, stride: Any, *, dtype: Any = None, requires_grad: bool = False) -> Any:
    """A tensor of these sizes and steps, in memory of its own."""
    wanted, steps = numbers(size), numbers(stride)
    one = empty(1, dtype=dtype)
    count = reach(wanted, steps, one.itemsize) // one.itemsize
    made = empty(count, dtype=dtype)
    made._array = strided(made._array, wanted, steps)
    return made.requires_grad_() if requires_grad else made


class Storage:
    """What can be said of the memory of a tensor."""

    def __init__(self, array: Any) -> None:
        self.memory = owner(array)

    def data_ptr(self) -> int:
        """Where it begins."""
        return address(self.memory)

    def nbytes(self) -> int:
        """How long it is."""
        return int(self.memory.nbytes)

    def size(self) -> int:
        """How many entries it has."""
        return int(self.memory.size)

    __len__ = size


def storage(self: Tensor) -> Storage:
    """The memory under the tensor."""
    return Storage(self._array)


Tensor.storage = Tensor.untyped_storage = storage
