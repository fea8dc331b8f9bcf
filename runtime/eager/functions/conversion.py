"""Other types and other libraries' arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..fast_path.argument_calls import call
from ..graph.record_call import plain
from ..sparse.sparse_tensor import of_array
from ..tensor.devices import check_device, device
from ..tensor.dtypes import dtype as Type
from ..tensor.dtypes import is_differentiable, known, named
from ..tensor.registry import FUNCTIONS, function, method
from ..tensor.tensor import Tensor, wrapped

__all__: list[str] = []

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
            dtype = arg.dtype
        elif not isinstance(arg, bool):  # non_blocking, copy
            check_device(arg)
    check_device(device)
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
        return f"retrograd.{self.dtype.letter}Tensor"
    if isinstance(dtype, str):  # "torch.FloatTensor"
        dtype = FUNCTIONS[dtype.rpartition(".")[2]]
    return to(self, getattr(dtype, "dtype", dtype) if isinstance(dtype, class_type) else dtype)


@method(free=False)
def type_as(self: Tensor, other: Tensor) -> Tensor:
    return to(self, other.dtype)


@method(free=False)
def cpu(self: Tensor) -> Tensor:
    return self


def cuda(self: Tensor, device: Any = None) -> Tensor:
    raise AssertionError("retrograd is not built with CUDA here")


Tensor.cuda = cuda
Tensor.device = property(lambda self: device())


@function
def from_dlpack(ext_tensor: Any) -> Tensor:
    return wrapped(np.from_dlpack(ext_tensor))


@function
def is_tensor(obj: Any) -> bool:
    return isinstance(obj, Tensor)
