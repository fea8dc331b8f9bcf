"""Tensors as something else: arrays of NumPy, numbers, copies, pickles."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from ...arrays.transfers import on_host
from ...device.places import is_far
from ..graph.grad_mode import modes
from ..graph.tangents import is_dual, levels
from ..warned import warn_once
from .devices import place
from .tensor import Tensor, extend, fresh, restored

__all__: list[str] = []


@extend
class Export(Tensor):
    """The methods by which a tensor is left."""

    __slots__ = ()

    def numpy(self, *, force: bool = False) -> Any:
        """The array itself: writes to it are seen by the tensor, but not by its version."""
        if force:
            return on_host(self.detach()._array)
        if modes.grad and self.requires_grad:
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
            )
        if levels.current >= 0 and is_dual(self):
            raise RuntimeError(
                "Can't call numpy() on a dual Tensor, whose tangent would be lost. Take its primal "
                "(forward_ad.unpack_dual), or write it with functions that NumPy dispatches."
            )
        if is_far(self._array):
            raise TypeError(
                f"can't convert {place(self._array)} device type tensor to numpy. Use Tensor.cpu() to copy the tensor "
                "to host memory first."
            )
        return self._array

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array(self.numpy(), dtype=dtype, copy=copy)

    def __dlpack__(self, **kwargs: Any) -> Any:
        if self.requires_grad:
            raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
        return self._array.__dlpack__(**kwargs)

    def __dlpack_device__(self) -> Any:
        return self._array.__dlpack_device__()

    def tolist(self) -> Any:
        return self._array.tolist()

    def item(self) -> Any:
        if self._array.size != 1:
            raise RuntimeError(
                f"a Tensor with {self._array.size} elements cannot be converted to Scalar"
            )
        if modes.no_numbers is not None:
            raise RuntimeError(modes.no_numbers)
        return self._array.item()

    def _number(self) -> Any:
        dual = levels.current >= 0 and is_dual(self)
        if dual or (modes.grad and self.requires_grad):
            warn_once(
                "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
                "Consider using tensor.detach() first.",
                stacklevel=3,
            )
        return self.item()

    def __float__(self) -> float:
        return float(self._real_number("double"))

    def __int__(self) -> int:
        return int(self._real_number("int64_t"))

    def _real_number(self, kind: str) -> Any:
        number = self._number()
        if not isinstance(number, complex):
            return number
        if number.imag:
            raise RuntimeError(f"value cannot be converted to type {kind} without overflow")
        return number.real

    def __complex__(self) -> complex:
        return complex(self._number())

    def __index__(self) -> int:
        if self._array.dtype.kind not in "iub":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.item())

    def __bool__(self) -> bool:
        if self._array.size != 1:
            what = "no values" if not self._array.size else "more than one value"
            raise RuntimeError(f"Boolean value of Tensor with {what} is ambiguous")
        return bool(self._array)

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        if self.grad_fn is not None:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the "
                "moment.  If you were attempting to deepcopy a module, this may be because of a "
                "torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001"
            )
        if id(self) not in memo:
            made = memo[id(self)] = fresh(self._array.copy(order="K"), type(self))
            made._requires = self._requires
            made._grad = copy.deepcopy(self._grad, memo)
            made.__dict__.update(copy.deepcopy(self.__dict__, memo))
        found: Tensor = memo[id(self)]
        return found

    def __reduce__(self) -> Any:
        if self.grad_fn is not None:
            raise RuntimeError("only leaf tensors can be pickled: detach() it first")
        return restored, (self._array, self._requires), self.__dict__ or None
