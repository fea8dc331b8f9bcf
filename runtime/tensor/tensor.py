"""The tensor: an array, and how it was made."""

from __future__ import annotations

import copy
import warnings
import weakref
from typing import Any

import numpy as np

from ..autograd.grad_mode import modes
from ..autograd.node import Hooks, RemovableHandle
from .dtypes import Size, is_differentiable, known, of
from .views import DEFAULT, INFERENCE, NO_GRAD, ViewInfo, chained, refresh

__all__ = ["Tensor", "of_edge", "of_node", "type_text", "unwrapped", "wrapped"]

NON_LEAF_GRAD = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be "
    "populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf "
    "Tensor, use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure "
    "you access the leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more informations."
)
FLOATING = "only Tensors of floating point and complex dtype can require gradients"


warned: list[bool] = []  # that a tensor with history was made a number


class Tensor:
    """A multi-dimensional array that can remember how it was computed.

    ``_array``: its NumPy array.  ``_counter``: how often its memory was written to, shared with its
    views.  ``_grad_fn``, ``_nr``: the node that made it, and which of its results it is.
    ``_requires``: gradients reach it.  ``_view``: what it is a view of.  ``_more``: hooks and other
    things that few tensors have.
    """

    __slots__ = (
        "__weakref__", "_accumulator", "_array", "_counter", "_grad", "_grad_fn", "_more", "_nr", "_requires",
        "_view",
    )  # fmt: skip
    __array_priority__ = 1000

    def __new__(cls, data: Any = (), **kwargs: Any) -> Any:
        from .creation import tensor

        made = fresh(np.array(tensor(data, **kwargs)._array), cls)
        return made

    # -- what it is ----------------------------------------------------------------------

    @property
    def shape(self) -> Size:
        return Size(self._array.shape)

    @property
    def dtype(self) -> Any:
        return known.get(self._array.dtype) or of(self._array.dtype)

    @property
    def ndim(self) -> int:
        return int(self._array.ndim)

    @property
    def itemsize(self) -> int:
        return int(self._array.itemsize)

    @property
    def nbytes(self) -> int:
        return int(self._array.nbytes)

    def size(self, dim: int | None = None) -> Any:
        return self.shape if dim is None else self._array.shape[dim]

    def dim(self) -> int:
        return int(self._array.ndim)

    ndimension = dim

    def numel(self) -> int:
        return int(self._array.size)

    nelement = numel

    def element_size(self) -> int:
        return int(self._array.itemsize)

    def stride(self, dim: int | None = None) -> Any:
        """The step of each axis, in elements."""
        steps = tuple(s // self._array.itemsize for s in self._array.strides)
        return steps if dim is None else steps[dim]

    def storage_offset(self) -> int:
        base = self._array if self._view is None else self._view.base._array
        start = np.byte_bounds(self._array)[0] if hasattr(np, "byte_bounds") else address(self._array)
        return int((start - address(base)) // self._array.itemsize)

    def data_ptr(self) -> int:
        return address(self._array)

    def is_contiguous(self, memory_format: Any = None) -> bool:
        return bool(self._array.flags.c_contiguous)

    def is_floating_point(self) -> bool:
        return bool(self.dtype.is_floating_point)

    def is_complex(self) -> bool:
        return bool(self._array.dtype.kind == "c")

    def is_inference(self) -> bool:
        return bool(self._more is not None and self._more.get("inference"))

    def __len__(self) -> int:
        if not self._array.ndim:
            raise TypeError("len() of a 0-d tensor")
        return len(self._array)

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        from .printing import text

        return text(self)

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if spec and not self._array.ndim else str(self)

    # -- the graph -----------------------------------------------------------------------

    @property
    def grad_fn(self) -> Any:
        if self._view is not None and not self.is_inference():
            refresh(self)
        return self._grad_fn

    @grad_fn.setter
    def grad_fn(self, value: Any) -> None:
        raise AttributeError("attribute 'grad_fn' of 'retrograd._C.TensorBase' objects is not writable")

    @property
    def output_nr(self) -> int:
        return int(self._nr)

    @property
    def is_leaf(self) -> bool:
        return self.grad_fn is None

    @property
    def requires_grad(self) -> bool:
        return bool(self._requires or (self._view is not None and self._view.base._requires))

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise RuntimeError("requires_grad must be a bool")
        if self.grad_fn is not None:
            raise RuntimeError(
                "you can only change requires_grad flags of leaf variables."
                + ("" if value else " If you want to use a computed variable in a subgraph that doesn't require "
                   "differentiation use var_no_grad = var.detach().")
            )  # fmt: skip
        self._check_requiring(value, FLOATING)
        self._requires = value

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        self._check_requiring(
            requires_grad, "only Tensors of floating point dtype can require gradients"
        )
        if not requires_grad or self.grad_fn is None:
            self.requires_grad = requires_grad
        return self

    def _check_requiring(self, value: bool, message: str) -> None:
        if not value:
            return
        if not is_differentiable(self._array.dtype):
            raise RuntimeError(message)
        if self.is_inference() and not modes.inference:
            raise RuntimeError(
                "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."
            )

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
        kind = self.grad_dtype
        if kind is not None and value.dtype is not kind:
            raise RuntimeError(
                f"attempting to assign a gradient with dtype '{lower(value.dtype)}' to a tensor with grad_dtype "
                f"'{kind.letter}'. The gradient must match the tensor's grad_dtype (defaults to the tensor's "
                "dtype). You can set the tensor's grad_dtype attribute with a specific dtype, or None to allow "
                "any dtype. Set grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may "
                "break downstream systems that assume they match."
            )
        if value._array.shape != self._array.shape:
            raise RuntimeError(
                f"attempting to assign a gradient of size '{list(value.shape)}' to a tensor of size "
                f"'{list(self.shape)}'. Please ensure that the gradient and the tensor are the same size"
            )

    @property
    def grad_dtype(self) -> Any:
        return self._more["grad_dtype"] if self._more and "grad_dtype" in self._more else self.dtype

    @grad_dtype.setter
    def grad_dtype(self, value: Any) -> None:
        if self._grad_fn is not None:
            raise RuntimeError("grad_dtype can only be set on leaf tensors.")
        self._entries()["grad_dtype"] = value

    def _grad_type(self, array: Any) -> Any:
        """The NumPy type of the gradient that is accumulated; None: whatever arrives."""
        kind = self.grad_dtype
        return None if kind is None else kind.dtype

    def _entries(self) -> dict[str, Any]:
        if self._more is None:
            self._more = {}
        return self._more

    def backward(self, gradient: Any = None, retain_graph: bool | None = None, create_graph: bool = False, inputs: Any = None) -> None:
        """The gradients of this tensor, added to the ``.grad`` of the leaves it was made of."""
        from ..autograd.functions import backward

        backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    # -- hooks ---------------------------------------------------------------------------

    def register_hook(self, hook: Any) -> RemovableHandle:
        """``hook(grad)`` when the gradient of this tensor is there; it may return another."""
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        return self._hooks().add(hook)

    def _hooks(self) -> Hooks:
        node = self.grad_fn
        if node is not None:
            return node.tensor_hooks(self._nr)  # type: ignore[no-any-return]
        hooks: Hooks = self._entries().setdefault("hooks", Hooks())
        known = None if self._accumulator is None else self._accumulator()
        if known is not None:
            known.kept("tensor_hooks", dict)[0] = hooks
        return hooks

    @property
    def _backward_hooks(self) -> Any:
        return self._more.get("hooks") if self._more else None

    def register_post_accumulate_grad_hook(self, hook: Any) -> RemovableHandle:
        """``hook(tensor)`` after its ``.grad`` was added to."""
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self.grad_fn is not None:
            raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
        hooks: Hooks = self._entries().setdefault("post", Hooks())
        return hooks.add(hook)

    @property
    def retains_grad(self) -> bool:
        node = self._grad_fn
        kept = node.more.get("retained", {}) if node is not None and node.more else {}
        return self._nr in kept and kept[self._nr]() is self

    def retain_grad(self) -> None:
        """Have ``.grad`` filled although this is not a leaf."""
        if not self.requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        node = self.grad_fn
        if node is not None:
            node.kept("retained", dict)[self._nr] = weakref.ref(self)

    # -- without history -----------------------------------------------------------------

    def detach(self) -> Tensor:
        """The same memory without history."""
        made = fresh(self._array.view(), type(self))
        made._counter = self._counter
        if self.is_inference():
            made._entries()["inference"] = True
        return made

    def detach_(self) -> Tensor:
        if self._view is not None:
            raise RuntimeError(
                "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) "
                "for training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and "
                "hence detach_() cannot be called on these gradients. To fix this error, please refer to the "
                "Optimizer.zero_grad() function in torch/optim/optimizer.py as a solution."
            )
        if self._grad_fn is not None:
            self._entries()["detached"] = True
        if self._more is not None:
            self._more.pop("tangent", None)
        self._grad_fn, self._nr, self._requires = None, 0, False
        return self

    @property
    def data(self) -> Tensor:
        return fresh(self._array.view(), type(self))

    @data.setter
    def data(self, value: Tensor) -> None:
        if self._requires and not is_differentiable(value._array.dtype):
            raise RuntimeError(
                "data set to a tensor that requires gradients must be floating point or complex dtype"
            )
        self._array = value._array

    @data.deleter
    def data(self) -> None:
        raise RuntimeError("Deleting tensor data is not allowed. Delete tensor instead!")

    @property
    def _version(self) -> int:
        if self.is_inference():
            raise RuntimeError("Inference tensors do not track version counter.")
        return int(self._counter[0])

    @property
    def _base(self) -> Any:
        return None if self._view is None else self._view.base

    def _is_view(self) -> bool:
        return self._view is not None

    # -- leaving -------------------------------------------------------------------------

    def numpy(self, *, force: bool = False) -> Any:
        """The array itself: writes to it are seen by the tensor, but not by its version."""
        if force:
            return self.detach()._array
        if modes.grad and self.requires_grad:
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
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
            raise RuntimeError(f"a Tensor with {self._array.size} elements cannot be converted to Scalar")
        return self._array.item()

    def _number(self) -> Any:
        if modes.grad and self.requires_grad and not warned:
            warned.append(True)
            warnings.warn(
                "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior. "
                "Consider using tensor.detach() first.",
                stacklevel=3,
            )
        return self.item()

    def __float__(self) -> float:
        return float(self._number())

    def __int__(self) -> int:
        return int(self._number())

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
        return bool(self._array.item())

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
        found: Tensor = memo[id(self)]
        return found

    def __reduce__(self) -> Any:
        if self.grad_fn is not None:
            raise RuntimeError("only leaf tensors can be pickled: detach() it first")
        return restored, (self._array, self._requires)

    # -- inside ----------------------------------------------------------------------------

    def _fitted(self, kind: Any) -> Any:
        """A gradient in another type, recorded."""
        made = self
        if self._array.dtype.kind == "c" and kind.kind != "c":
            made = made.real
        return made.to(known[kind])

    def _copied(self, array: Any) -> Any:
        """A clone in a memory of given layout."""
        made = self.clone()
        made._array = array
        return made


def address(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


def lower(kind: Any) -> str:
    return {"float64": "double", "float32": "float", "float16": "half"}.get(kind.name, kind.name)


def restored(array: Any, requires: bool) -> Tensor:
    made = wrapped(array)
    made._requires = requires
    return made


# -- making them ---------------------------------------------------------------------------


def fresh(array: Any, cls: Any = Tensor) -> Any:
    """A tensor of this array, with no history."""
    made = object.__new__(cls)
    made._array, made._counter, made._requires = array, [0], False
    made._grad = made._grad_fn = made._view = made._more = made._accumulator = None
    made._nr = 0
    return made


def wrapped(array: Any) -> Tensor:
    """A tensor of an array that an operation made."""
    made: Tensor = fresh(array)
    if modes.inference:
        made._more = {"inference": True}
    return made


def of_node(array: Any, node: Any, output: int) -> Tensor:
    """A result of a node."""
    made: Tensor = fresh(array)
    made._grad_fn, made._nr, made._requires = node, output, True
    return made


def of_edge(array: Any, edge: Any) -> Tensor:
    """The tensor an edge leads to: the leaf itself, or an array with that history."""
    node, output = edge
    variable = getattr(node, "variable", None)
    return of_node(array, node, output) if variable is None else variable


def unwrapped(value: Any) -> Any:
    return value._array if isinstance(value, Tensor) else value


def viewed(made: Tensor, parent: Tensor, replay: Any, creation: int = DEFAULT) -> Tensor:
    """``made`` is a view of ``parent``: it shares its counter, and follows its base."""
    if parent.is_inference():
        made._entries()["inference"] = True
        made._counter = parent._counter
        return made
    if made._more is not None:
        made._more.pop("inference", None)
    base, replay = chained(parent, replay)
    if creation == DEFAULT and parent._view is not None:
        creation = parent._view.creation
    if creation == DEFAULT and modes.inference:
        creation = INFERENCE
    elif creation == DEFAULT and not modes.grad:
        creation = NO_GRAD
    made._counter = parent._counter
    made._view = ViewInfo(base, replay, creation, parent._counter[0])
    return made


def type_text_of(kind: Any) -> str:
    """The legacy name of a tensor type."""
    return f"retrograd.{of(kind).letter}Tensor"


def type_text(tensor: Tensor) -> str:
    return type_text_of(tensor._array.dtype)
