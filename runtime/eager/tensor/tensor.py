"""The tensor: an array, and how it was made.

This module is below all others: it has what tensors hold, and what that alone tells.  Modules above enter
the methods that need more (`extend`; functions of the API by ``tensor.registry``).
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from ...arrays.libraries import is_cupy
from ...batching.batched_array import memory_of
from ...batching.borders import copied_into
from ..graph.grad_mode import modes
from .dtypes import Size, is_differentiable, known, of
from .memory_formats import has_format

__all__ = [
    "Tensor", "address", "extend", "fresh", "of_edge", "of_node", "type_text", "type_text_of", "unwrapped", "wrapped",
]  # fmt: skip


FLOATING = "only Tensors of floating point and complex dtype can require gradients"


class Tensor:
    """A multi-dimensional array that can remember how it was computed.

    ``_array``: its NumPy array.  ``_counter``: how often its memory was written to, shared with its
    views.  ``_grad_fn``, ``_nr``: the node that made it, and which of its results it is.
    ``_requires``: gradients reach it.  ``_view``: what it is a view of.  ``_more``: hooks and other
    things that few tensors have.  What programs note on a tensor (``x.tag = 1``) is in its ``__dict__``.
    """

    __slots__ = (
        "__dict__", "__weakref__", "_accumulator", "_array", "_counter", "_grad", "_grad_fn", "_more", "_nr", "_requires",
        "_view",
    )  # fmt: skip
    __array_priority__ = 1000

    _array: Any
    _counter: Any
    _grad: Any
    _grad_fn: Any
    _nr: int
    _requires: bool
    _view: Any
    _more: dict[str, Any] | None
    _accumulator: Any

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
        return (address(self._array) - address(base)) // int(self._array.itemsize)

    def data_ptr(self) -> int:
        return address(self._array)

    def is_contiguous(self, memory_format: Any = None) -> bool:
        return has_format(self._array, memory_format)

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

    def __format__(self, spec: str) -> str:
        if not self._array.ndim and type(self) is Tensor:
            return format(self.item(), spec)
        return object.__format__(self, spec)

    def _fresh(self, array: Any) -> Any:
        return fresh(array, type(self))

    # -- whether gradients are asked of it -----------------------------------------------------

    @property
    def requires_grad(self) -> bool:
        return bool(self._requires or (self._view is not None and self._view.base._requires))

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise RuntimeError("requires_grad must be a bool")
        if self._grad_fn is not None:
            raise RuntimeError(
                "you can only change requires_grad flags of leaf variables."
                + ("" if value else " If you want to use a computed variable in a subgraph that doesn't require "
                   "differentiation use var_no_grad = var.detach().")
            )  # fmt: skip
        self._check_requiring(value, FLOATING)
        if value and modes.frames and not self._requires:
            self._entries()["frame"] = modes.frames[-1].level
        self._requires = value

    @requires_grad.deleter
    def requires_grad(self) -> None:
        raise RuntimeError("requires_grad must be a bool")

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        self._check_requiring(
            requires_grad, "only Tensors of floating point dtype can require gradients"
        )
        if not requires_grad or self._grad_fn is None:
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

    # -- its memory -----------------------------------------------------------------------------

    @property
    def data(self) -> Any:
        return self._fresh(self._array.view())

    @data.setter
    def data(self, value: Any) -> None:
        if not isinstance(value, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
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

    # -- inside ----------------------------------------------------------------------------

    def _entries(self) -> dict[str, Any]:
        if self._more is None:
            self._more = {}
        return self._more

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

    def _copied_into(self, array: Any) -> Any:
        """A clone whose memory is that array."""
        return self._copied(copied_into(array, self._array))


def address(array: Any) -> int:
    array = memory_of(array)
    if is_cupy(array):
        return int(array.data.ptr)
    return int(array.__array_interface__["data"][0])


def restored(array: Any, requires: bool) -> Tensor:
    made = wrapped(array)
    made._requires = requires
    return made


def extend(part: type) -> type:
    """Enter the methods and properties of a class as those of tensors."""
    for name, member in vars(part).items():
        if name not in OF_ANY_CLASS:
            if isinstance(member, FunctionType):
                member.__qualname__ = f"Tensor.{name}"  # what an error says of its arguments
            setattr(Tensor, name, member)
    return part


class Bare:
    __slots__ = ()


OF_ANY_CLASS = {*vars(Bare), "__annotations__", "__annotate_func__", "__annotations_cache__"}


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


def type_text_of(kind: Any) -> str:
    """The legacy name of a tensor type."""
    return f"retrograd.{of(kind).letter}Tensor"


def type_text(tensor: Tensor) -> str:
    text = type_text_of(tensor._array.dtype)
    return text.replace(".", ".sparse.", 1) if tensor.is_sparse else text
