"""The methods of tensors about the graph: gradient, hooks, history."""

from __future__ import annotations

import warnings
import weakref
from typing import Any

from ...device.places import is_far
from ..tensor.dtypes import c_name
from ..tensor.tensor import Tensor, extend
from ..tensor.views import refresh
from . import backward
from .node import Hooks, RemovableHandle, peek

__all__: list[str] = []

NON_LEAF_GRAD = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be "
    "populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf "
    "Tensor, use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure "
    "you access the leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more information."
)


@extend
class History(Tensor):
    """The methods of tensors that are about gradients."""

    __slots__ = ()

    # -- the graph -----------------------------------------------------------------------

    @property
    def grad_fn(self) -> Any:
        if self._view is not None and not self.is_inference():
            refresh(self)
        return self._grad_fn

    @grad_fn.setter
    def grad_fn(self, value: Any) -> None:
        raise AttributeError(
            "attribute 'grad_fn' of 'retrograd._C.TensorBase' objects is not writable"
        )

    @property
    def output_nr(self) -> int:
        return int(self._nr)

    @property
    def is_leaf(self) -> bool:
        return self.grad_fn is None

    @property
    def grad(self) -> Any:
        if self._grad is None and self._grad_fn is not None and not self.retains_grad:
            warnings.warn(NON_LEAF_GRAD, stacklevel=2)
        return self._grad

    @grad.setter
    def grad(self, value: Any) -> None:
        if value is not None:
            self._check_grad(value)
        self._grad = value

    @grad.deleter
    def grad(self) -> None:
        self._grad = None

    def _check_grad(self, value: Any) -> None:
        if not isinstance(value, Tensor):
            raise TypeError(
                f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}"
            )
        if value is self:
            raise RuntimeError("can't assign Variable as its own grad")
        kind = self._grad_kind()
        if kind is not None and value.dtype is not kind:
            raise RuntimeError(
                f"attempting to assign a gradient with dtype '{c_name(value.dtype)}' to a tensor with grad_dtype "
                f"'{kind.letter}'. The gradient must match the tensor's grad_dtype (defaults to the tensor's "
                "dtype). You can set the tensor's grad_dtype attribute with a specific dtype, or None to allow "
                "any dtype. Set grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may "
                "break downstream systems that assume they match."
            )
        if is_far(value._array) is not is_far(self._array):
            raise RuntimeError(
                f"attempting to assign a gradient with device type '{value.device.type}' to a tensor with device type "
                f"'{self.device.type}'. Please ensure that the gradient and the tensor are on the same device"
            )
        if value._array.shape != self._array.shape:
            raise RuntimeError(
                f"attempting to assign a gradient of size '{list(value.shape)}' to a tensor of size "
                f"'{list(self.shape)}'. Please ensure that the gradient and the tensor are the same size"
            )

    @property
    def grad_dtype(self) -> Any:
        if self.grad_fn is not None:
            raise RuntimeError("grad_dtype can only be accessed on leaf tensors.")
        return self._grad_kind()

    @grad_dtype.setter
    def grad_dtype(self, value: Any) -> None:
        if self._grad_fn is not None:
            raise RuntimeError("grad_dtype can only be set on leaf tensors.")
        known = self._grad
        if known is not None and value is not None and known.dtype is not value:
            raise RuntimeError(
                f"Cannot set grad_dtype to '{value.letter}' because there is already a gradient with dtype "
                f"'{c_name(known.dtype)}'. Please clear the gradient (.grad = None) before changing grad_dtype, or "
                "ensure the new grad_dtype matches the existing gradient's dtype."
            )
        self._entries()["grad_dtype"] = value
        end = None if self._accumulator is None else self._accumulator()
        if end is not None:  # what was recorded before leads here, too
            end.outputs = ((self._array.shape, self._grad_type(self._array)),)

    def _grad_kind(self) -> Any:
        """The type that a gradient is to have; None: any."""
        return self._more["grad_dtype"] if self._more and "grad_dtype" in self._more else self.dtype

    def _grad_type(self, array: Any) -> Any:
        """The NumPy type of the gradient that is accumulated; None: whatever arrives."""
        kind = self._grad_kind()
        return None if kind is None else kind.dtype

    def backward(
        self,
        gradient: Any = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Any = None,
    ) -> None:
        """The gradients of this tensor, added to the ``.grad`` of the leaves it was made of."""
        backward.backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    # -- hooks ---------------------------------------------------------------------------

    def register_hook(self, hook: Any) -> RemovableHandle:
        """``hook(grad)`` when the gradient of this tensor is there; it may return another."""
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        return self._hooks().add(hook)

    def _hooks(self) -> Hooks:
        node = self.grad_fn
        if node is not None:
            return node.tensor_hooks(self._nr)
        hooks: Hooks = self._entries().setdefault("hooks", Hooks())
        known = None if self._accumulator is None else self._accumulator()
        if known is not None:
            known.kept("tensor_hooks", dict)[0] = hooks
        return hooks

    @property
    def _backward_hooks(self) -> Any:
        return self._more.get("hooks") if self._more else None

    @_backward_hooks.setter
    def _backward_hooks(self, value: Any) -> None:
        hooks = self._entries()["hooks"] = Hooks(value or {})
        node = self.grad_fn or (None if self._accumulator is None else self._accumulator())
        if node is not None:
            node.kept("tensor_hooks", dict)[self._nr] = hooks

    @_backward_hooks.deleter
    def _backward_hooks(self) -> None:
        raise RuntimeError("Deletion of _backwards_hooks not allowed!")

    def register_post_accumulate_grad_hook(self, hook: Any) -> RemovableHandle:
        """``hook(tensor)`` after its ``.grad`` was added to."""
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self.grad_fn is not None:
            raise RuntimeError(
                "post accumulate grad hooks cannot be registered on non-leaf tensors"
            )
        hooks: Hooks = self._entries().setdefault("post", Hooks())
        return hooks.add(hook)

    @property
    def retains_grad(self) -> bool:
        return bool(self._more is not None and self._more.get("retains"))

    def retain_grad(self) -> None:
        """Have ``.grad`` filled although this is not a leaf."""
        if not self.requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        node = self.grad_fn
        if node is not None and not self.retains_grad:
            self._entries()["retains"] = True
            node.kept("retained", dict)[self._nr] = weakref.ref(self)

    # -- without history -----------------------------------------------------------------

    def detach(self) -> Any:
        """The same memory without history."""
        made = self._fresh(self._array.view())
        made._counter = self._counter
        if self.is_inference():
            made._entries()["inference"] = True
        return made

    def detach_(self) -> Any:
        if self._view is not None:
            raise RuntimeError(
                "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) "
                "for training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and "
                "hence detach_() cannot be called on these gradients. To fix this error, please refer to the "
                "Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution."
            )
        if self._grad_fn is not None:
            self._entries()["detached"] = peek()
        if self._more is not None:
            self._more.pop("tangents", None)
        self._grad_fn, self._nr, self._requires = None, 0, False
        return self
