"""Other types and other libraries' arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays import devices
from ...arrays.libraries import cupy as library
from ...arrays.libraries import is_cupy
from ...arrays.transfers import empty_pinned
from ..fast_path.argument_calls import call
from ..graph.record_call import plain
from ..sparse.sparse_tensor import of_array
from ..tensor.devices import CPU, CUDA, place
from ..tensor.devices import device as Device
from ..tensor.dtypes import dtype as Type
from ..tensor.dtypes import is_differentiable, known, named
from ..tensor.registry import FUNCTIONS, function, method
from ..tensor.tensor import Tensor, wrapped
from ..tensor.transfers import sent

__all__: list[str] = []

HOST_MEMORY = (1, 3)  # DLPack: ordinary, and pinned
class_type = type  # the name is a method's below


@method(free=False)
def to(
    self: Tensor,
    *args: Any,
    dtype: Any = None,
    device: Any = None,
    copy: bool = False,
    non_blocking: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """In another type; the same tensor where nothing changes."""
    for arg in args:
        if isinstance(arg, Type):
            dtype = arg
        elif isinstance(arg, Tensor):
            dtype, device = arg.dtype, place(arg._array)
        elif not isinstance(arg, bool):  # non_blocking, copy
            device = arg
    if device is not None:
        there = sent(self, device if isinstance(device, Device) else Device(device))
        copy, self = copy and there is self, there
    if memory_format is not None and memory_format.rank is not None:
        self = self.contiguous(memory_format=memory_format)
    kind = self._array.dtype if dtype is None else dtype.dtype
    if kind == self._array.dtype:
        return self.clone() if copy else self
    if not is_differentiable(kind) or not is_differentiable(self._array.dtype):
        return of_array(self._array.astype(kind))
    if self._array.dtype.kind == "c" and kind.kind != "c":
        real = plain(np.real, self, name="RealBackward0")
        return to(real, dtype=known[kind])
    return call(np.ndarray.astype, (self, kind), {}, "ToCopyBackward0")


for _name in (
    "float",
    "double",
    "half",
    "bfloat16",
    "int",
    "long",
    "short",
    "bool",
    "cfloat",
    "cdouble",
    "byte",
    "char",
):

    def _convert(self: Tensor, _kind: str = _name) -> Tensor:
        return to(self, named(_kind))

    setattr(Tensor, _name, _convert)


@method(free=False)
def type(self: Tensor, dtype: Any = None) -> Any:
    if dtype is None:
        where = "cuda." if is_cupy(self._array) else ""
        return f"retrograd.{where}{self.dtype.letter}Tensor"
    if isinstance(dtype, str):  # "torch.FloatTensor"
        dtype = FUNCTIONS[dtype.rpartition(".")[2]]
    return to(self, getattr(dtype, "dtype", dtype) if isinstance(dtype, class_type) else dtype)


@method(free=False)
def type_as(self: Tensor, other: Tensor) -> Tensor:
    return to(self, other)


@method(free=False)
def cpu(self: Tensor, memory_format: Any = None) -> Tensor:
    """In the main memory; whoever asks waits for the device."""
    return to(self, CPU, memory_format=memory_format)


def cuda(
    self: Tensor, device: Any = None, non_blocking: bool = False, memory_format: Any = None
) -> Tensor:
    """On the device of CuPy's."""
    if not devices.count():
        raise AssertionError("retrograd is not built with CUDA here")
    return to(self, CUDA if device is None else device, memory_format=memory_format)


Tensor.cuda = cuda
Tensor.device = property(lambda self: place(self._array))


@method(free=False)
def pin_memory(self: Tensor, device: Any = None) -> Tensor:
    """A copy in memory of the host that does not move: the device reads it while the host goes on."""
    if is_cupy(self._array):
        raise RuntimeError(f"cannot pin '{self.type()}' only dense CPU tensors can be pinned")
    if not devices.count():
        raise RuntimeError("Cannot access accelerator device when none is available.")
    if self.is_pinned():
        return self
    made = self._copied_into(empty_pinned(self._array.shape, self._array.dtype))
    made._entries()["pinned"] = True
    return made


@function
def from_dlpack(ext_tensor: Any) -> Tensor:
    """A tensor that shows the memory of another library's array, wherever that is."""
    kind, _ = ext_tensor.__dlpack_device__()
    return wrapped((np if kind in HOST_MEMORY else library()).from_dlpack(ext_tensor))


@function
def is_tensor(obj: Any) -> bool:
    return isinstance(obj, Tensor)
