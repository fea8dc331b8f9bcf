"""The tensor: an array, and how it was made."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np

from ..graph.grad_mode import modes
from ..graph.history import History
from ..graph.tangents import is_dual, levels, show
from .dtypes import Size, known, of
from .tensor_factory import makers
from .views import CUSTOM, DEFAULT, INFERENCE, NO_GRAD, ViewInfo, chained

__all__ = ["Tensor", "of_edge", "of_node", "type_text", "unwrapped", "wrapped"]

warned: list[bool] = []  # that a tensor with history was made a number


class Tensor(History):
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

    _array: Any
    _counter: Any
    _grad: Any
    _grad_fn: Any
    _nr: int
    _requires: bool
    _view: Any
    _more: dict[str, Any] | None
    _accumulator: Any

    def __new__(cls, data: Any = (), **kwargs: Any) -> Any:
        from ..functions.creation import tensor

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
        return (address(self._array) - address(base)) // int(self._array.itemsize)

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

    def _fresh(self, array: Any) -> Any:
        return fresh(array, type(self))

    # -- leaving -------------------------------------------------------------------------

    def numpy(self, *, force: bool = False) -> Any:
        """The array itself: writes to it are seen by the tensor, but not by its version."""
        if force:
            return self.detach()._array
        if modes.grad and self.requires_grad:
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
            )
        if levels.current >= 0 and is_dual(self):
            raise RuntimeError(
                "Can't call numpy() on a dual Tensor, whose tangent would be lost. Take its primal "
                "(forward_ad.unpack_dual), or write it with functions that NumPy dispatches."
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
        return self._array.item()

    def _number(self) -> Any:
        dual = levels.current >= 0 and is_dual(self)
        if (dual or (modes.grad and self.requires_grad)) and not warned:
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


makers.Tensor, makers.wrapped = Tensor, wrapped


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
    if levels.current >= 0:
        shows_part(made, parent, replay)
    if parent.is_inference():
        made._entries()["inference"] = True
        made._counter = parent._counter
        return made
    if made._more is not None:
        made._more.pop("inference", None)
    base, replay = chained(parent, replay)
    if creation != CUSTOM and (modes.inference or not modes.grad):
        creation = INFERENCE if modes.inference else NO_GRAD
    if creation == DEFAULT and parent._view is not None:
        creation = parent._view.creation
    made._counter = parent._counter
    made._view = ViewInfo(base, replay, creation, parent._counter[0])
    return made


def shows_part(made: Tensor, parent: Tensor, replay: Any) -> None:
    """Note of what the tangent is a part, where that is not told by the base: what is dual is not its base."""
    known = {} if parent._more is None else parent._more.get("shows", {})
    if parent.is_inference():
        known = {**dict.fromkeys(levels.names), **known}
    for name, view in known.items():
        base, again = (parent, replay) if view is None else (view.base, after(view.replay, replay))
        show(made, ViewInfo(base, again, DEFAULT, 0), name)


def after(first: Any, second: Any) -> Any:
    return lambda base: second(first(base))


def type_text_of(kind: Any) -> str:
    """The legacy name of a tensor type."""
    return f"retrograd.{of(kind).letter}Tensor"


def type_text(tensor: Tensor) -> str:
    return type_text_of(tensor._array.dtype)
