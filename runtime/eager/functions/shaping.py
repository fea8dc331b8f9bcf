"""Views and rearrangements: shapes, axes, parts."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from ...arrays.transfers import library_of
from ..graph.grad_mode import count_write, modes
from ..graph.push_tangents import refuse_dual
from ..graph.record_call import as_view, attributed, before_writing, elementwise, keep_result, plain
from ..graph.tangents import at_each_level, own_is, shown, tangent_of
from ..tensor.memory_formats import FORMATS, has_format, in_format
from ..tensor.registry import alias, function, method
from ..tensor.shape_errors import axis_text, expanded_text
from ..tensor.tensor import Tensor, fresh, type_text, wrapped
from ..tensor.view_info import CUSTOM
from ..tensor.views import begin, check_inference, check_leaf, viewed

__all__: list[str] = []


def sizes(shape: tuple[Any, ...]) -> tuple[int, ...]:
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = tuple(shape[0])
    return tuple(int(n) for n in shape)


def as_view_or_copy(fn: Any, self: Tensor, *args: Any, name: str) -> Tensor:
    """A view where NumPy can give one, a copy otherwise."""
    array = fn(self._array, *args)
    if not array.size or np.may_share_memory(array, self._array):
        return as_view(fn, self, *args, name=name)
    return plain(fn, self, *args, name=name)


@method
def reshape(self: Tensor, *shape: Any) -> Tensor:
    wanted = sizes(shape)
    try:
        return as_view_or_copy(np.reshape, self, wanted, name="ViewBackward0")
    except ValueError:
        raise RuntimeError(invalid(wanted, self)) from None


def invalid(wanted: tuple[int, ...], self: Tensor) -> str:
    return f"shape '{list(wanted)}' is invalid for input of size {self._array.size}"


def view(self: Tensor, *shape: Any) -> Tensor:
    """The same memory in another shape (or as another type)."""
    if len(shape) == 1 and hasattr(shape[0], "letter"):
        if shape[0].dtype == self._array.dtype:
            return view(self, self._array.shape)
        return viewed(
            fresh(self._array.view(shape[0].dtype)),
            self,
            lambda base: on_either(lambda x: view(x, shape[0]), base),
        )
    wanted = sizes(shape)
    try:
        array = np.reshape(self._array, wanted)
    except ValueError:
        raise RuntimeError(invalid(wanted, self)) from None
    if array.size and not np.may_share_memory(array, self._array):
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across "
            "two contiguous subspaces). Use .reshape(...) instead."
        )
    return as_view(np.reshape, self, wanted, name="ViewBackward0")


Tensor.view = view
Tensor.view_as = lambda self, other: view(self, other.shape)
Tensor.reshape_as = lambda self, other: reshape(self, other.shape)


@method
def flatten(self: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    shape = self._array.shape
    if not shape:
        return reshape(self, 1)
    start, end = start_dim % len(shape), end_dim % len(shape)
    if start == end:
        return self
    return reshape(self, *shape[:start], -1, *shape[end + 1 :])


@method
def ravel(self: Tensor) -> Tensor:
    return reshape(contiguous(self), -1)


@method
def unflatten(self: Tensor, dim: int, sizes: Any) -> Tensor:
    shape = self._array.shape
    if not shape:
        raise RuntimeError(
            "unflatten got an unexpected error:\nDimension specified as 0 but tensor has no dimensions"
        )
    if not -len(shape) <= dim < len(shape):
        raise IndexError(axis_text(dim, len(shape)))
    dim %= len(shape)
    known = math.prod(n for n in sizes if n != -1)
    # of this axis alone: the others may have no entries
    inner = [shape[dim] // known if n == -1 and known else n for n in sizes]
    if math.prod(inner) != shape[dim]:
        raise RuntimeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {dim} ({shape[dim]}) in the "
            "input tensor"
        )
    return reshape(self, *shape[:dim], *inner, *shape[dim + 1 :])


@method
def transpose(self: Tensor, dim0: int, dim1: int) -> Tensor:
    if not self._array.ndim and {dim0, dim1} <= {0, -1}:
        return as_view(np.transpose, self, name="TransposeBackward0")
    return as_view(np.swapaxes, self, dim0, dim1, name="TransposeBackward0")


alias("swapaxes", "transpose")
alias("swapdims", "transpose")


@method
def t(self: Tensor) -> Tensor:
    if self._array.ndim > 2:
        raise RuntimeError(
            f"t() expects a tensor with <= 2 dimensions, but self is {self._array.ndim}D"
        )
    return as_view(np.transpose, self, name="TBackward0")


@method
def permute(self: Tensor, *dims: Any) -> Tensor:
    if len(sizes(dims)) != self._array.ndim:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
            f"ordering of dimensions i.e. input.dim() = {self._array.ndim} is not equal to len(dims) = "
            f"{len(sizes(dims))}"
        )
    return as_view(np.transpose, self, sizes(dims), name="PermuteBackward0")


def axes_of(dims: Any) -> tuple[Any, ...]:
    return tuple(dims) if isinstance(dims, (tuple, list)) else (dims,)


@method
def movedim(self: Tensor, source: Any, destination: Any) -> Tensor:
    if not self._array.ndim and {*axes_of(source), *axes_of(destination)} <= {0, -1}:
        return as_view(np.transpose, self, name="PermuteBackward0")
    return as_view(np.moveaxis, self, source, destination, name="PermuteBackward0")


alias("moveaxis", "movedim")
Tensor.T = property(lambda self: as_view(np.transpose, self, name="PermuteBackward0"))


def of_matrices(name: str, conjugate: bool) -> None:
    """``x.mT`` and its like: the last two axes exchanged; of a number, the number."""

    def turned(self: Tensor) -> Tensor:
        rank = self._array.ndim
        if rank == 1 or (rank > 2 and name == "H"):
            what = "matrices (2-D tensors)" if name == "H" else "matrices or batches of matrices"
            raise RuntimeError(f"tensor.{name} is only supported on {what}. Got {rank}-D tensor.")
        made = transpose(self, -2, -1) if rank else self
        return made.conj() if conjugate else made

    setattr(Tensor, name, property(turned))


of_matrices("mT", False)
of_matrices("H", True)
of_matrices("mH", True)


@method
def unsqueeze(self: Tensor, dim: int) -> Tensor:
    return as_view(np.expand_dims, self, dim, name="UnsqueezeBackward0")


@method
def squeeze(self: Tensor, dim: Any = None) -> Tensor:
    """Without axes of length one."""
    shape = self._array.shape
    if dim is None:
        return as_view(np.squeeze, self, name="SqueezeBackward0")
    dims = tuple(
        d % max(len(shape), 1) for d in (dim if isinstance(dim, (tuple, list)) else (dim,))
    )
    short = tuple(d for d in dims if shape and shape[d] == 1)
    return as_view(np.squeeze, self, short, name="SqueezeBackward1")


@method
def expand(self: Tensor, *size: Any) -> Tensor:
    """Stretched over new sizes; -1 keeps one."""
    wanted = sizes(size)
    refused = expanded_text(self._array.shape, wanted, type_text(self))
    if refused is not None:
        raise RuntimeError(refused)
    lead = len(wanted) - self._array.ndim
    if -1 in wanted[:lead]:
        raise RuntimeError(
            "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension "
            f"{wanted.index(-1)}"
        )
    own = (1,) * (len(wanted) - self._array.ndim) + self._array.shape
    shape = tuple(o if n == -1 else n for n, o in zip(wanted, own, strict=True))
    return as_view(np.broadcast_to, self, shape, name="ExpandBackward0")


Tensor.expand_as = lambda self, other: expand(self, other.shape)


@method
def broadcast_to(self: Tensor, *size: Any) -> Tensor:
    return expand(self, *size)


@method
def narrow(self: Tensor, dim: int, start: int, length: int) -> Tensor:
    if isinstance(start, Tensor):
        start = int(start.item())
    if not self._array.ndim:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if not length <= self._array.shape[dim] - (start + self._array.shape[dim] * (start < 0)):
        raise RuntimeError(
            f"start ({start}) + length ({length}) exceeds dimension size ({self._array.shape[dim]})."
        )
    start = start % self._array.shape[dim] if start < 0 else start
    index = (slice(None),) * (dim % self._array.ndim) + (slice(start, start + length),)
    return taken(self, index, "SliceBackward0")


@method
def select(self: Tensor, dim: int, index: int) -> Tensor:
    if not self._array.ndim:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    dim = dim % self._array.ndim
    made = taken(self, (slice(None),) * dim + (int(index),), "SelectBackward0")
    return attributed(made, dim=dim, index=int(index), self_sym_sizes=tuple(self._array.shape))


def taken(self: Tensor, index: Any, name: str) -> Tensor:
    """A part, as a view."""
    if self._array.ndim:
        return as_view(operator.getitem, self, with_rest(index), name=name)
    return as_view(np.reshape, self, self._array[with_rest(index)].shape, name=name)


def with_rest(index: Any) -> Any:
    """The index with an ellipsis, so that NumPy gives a view even of a single entry."""
    whole = index if isinstance(index, tuple) else (index,)
    return whole if any(i is Ellipsis for i in whole) else (*whole, Ellipsis)


@method
def diagonal(self: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    for dim in (dim1, dim2):
        if not -self._array.ndim <= dim < self._array.ndim:
            raise IndexError(axis_text(dim, self._array.ndim))
    return as_view(np.diagonal, self, offset, dim1, dim2, name="DiagonalBackward0")


@method
def diag(self: Tensor, diagonal: int = 0) -> Tensor:
    if self._array.ndim not in (1, 2):
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {self._array.ndim}D")
    return plain(np.diag, self, diagonal)


@method
def unfold(self: Tensor, dimension: int, size: int, step: int) -> Tensor:
    n = self._array.shape[dimension] if self._array.ndim else 1
    if size > n:
        raise RuntimeError(
            f"maximum size for tensor at dimension {dimension} is {n} but size is {size}"
        )
    return as_view(
        np.lib.stride_tricks.sliding_window_view, self, size, dimension, name="UnfoldBackward0"
    )[(slice(None),) * (dimension % self._array.ndim) + (slice(None, None, step),)]


# -- the shape of a tensor itself -------------------------------------------------------------------


def on_either(view_of: Any, base: Any) -> Any:
    """A view of a tensor, or of an array."""
    return view_of(base) if isinstance(base, Tensor) else view_of(wrapped(base))._array


def views_of(tensor: Tensor) -> list[Any]:
    """The view infos of a tensor: for its history, and for its tangent."""
    own = (tensor._more or {}).get("shows", {})
    return [view for view in (tensor._view, *own.values()) if view is not None]


def is_root(tensor: Tensor) -> bool:
    """True if it is what others show, for their history or for their tangent."""
    own = (tensor._more or {}).get("shows", {})
    return tensor._view is None or None in own.values()


def reshape_tangent(tensor: Tensor, made: Tensor) -> None:
    """The tangent that is the tensor's own, in its new shape."""
    if shown(tensor) is None and tangent_of(tensor) is not None:
        own_is(tensor, tangent_of(made))


def then(first: Any, second: Any) -> Any:
    return lambda base: second(first(base))


def undoing(tensor: Tensor, name: str, again: Any) -> Any:
    """The view that is the tensor as it is now, of what it becomes."""
    shape, steps = tensor._array.shape, tensor.stride()
    if "squeeze" in name:
        return lambda base: base.reshape(shape)
    if name == "as_strided":
        return lambda base: on_either(lambda x: x.as_strided(shape, steps), base)
    return again  # an exchange of axes


def reshaping(name: str) -> None:
    """``x.name_(...)``: the tensor becomes that view of itself."""
    made_by = getattr(Tensor, name)

    def write(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        def again(base: Any) -> Any:
            return on_either(lambda x: made_by(x, *args, **kwargs), base)

        check_inference(self)
        check_leaf(self)
        try:
            made = made_by(before_writing(self, ()), *args, **kwargs)
        except RuntimeError as error:
            raise RuntimeError(str(error).replace(f"{name}() ", f"{name}_() ")) from None
        keep_result(self)
        undo = undoing(self, name, again)
        for view in views_of(self):
            view.replay = then(view.replay, again)
        if is_root(self):
            self._entries().setdefault("undo", []).append(undo)
            at_each_level(reshape_tangent, self, made)
        self._array = made._array
        if made._grad_fn is not None:
            begin(self, made._grad_fn, made._nr)
        count_write(self)
        if self._view is not None and made._grad_fn is not None:
            self._view.version = self._counter[0]
        return self

    write.__name__ = write.__qualname__ = f"{name}_"
    setattr(Tensor, f"{name}_", write)


for _name in ("unsqueeze", "squeeze", "t", "transpose", "swapaxes", "swapdims"):
    reshaping(_name)


def resize_(self: Tensor, *shape: Any) -> Tensor:
    """Other sizes, the memory kept where it is large enough."""
    if self.requires_grad and not modes.inference:
        raise RuntimeError("cannot resize variables that require grad")
    refuse_dual("resize_", self)
    wanted = sizes(shape)
    n = int(np.prod(wanted))
    flat = np.ravel(self._array)
    same = wanted == self._array.shape
    self._array = (
        flat[:n]
        if n <= flat.size
        else np.concatenate([flat, library_of([flat]).empty(n - flat.size, flat.dtype)])
    ).reshape(wanted)
    if not same:
        count_write(self)
    return self


Tensor.resize_ = resize_
Tensor.resize_as_ = lambda self, other: resize_(self, other.shape)


# -- copies ----------------------------------------------------------------------------------------


@method
def clone(self: Tensor, *, memory_format: Any = None) -> Tensor:
    made = (
        elementwise(np.positive, self, name="CloneBackward0")
        if self._array.dtype.kind != "b"
        else wrapped(self._array.copy())
    )
    if memory_format is not None and memory_format is not FORMATS["preserve_format"]:
        made._array = in_format(made._array, memory_format)
    return made


@method
def contiguous(self: Tensor, memory_format: Any = None) -> Tensor:
    if has_format(self._array, memory_format):
        return self
    if memory_format is not None and memory_format.rank is not None:
        return clone(self, memory_format=memory_format)
    return plain(np.ascontiguousarray, self, name="CloneBackward0")


@method
def flip(self: Tensor, *dims: Any) -> Tensor:
    axes = sizes(dims) if self._array.ndim else tuple(d for d in sizes(dims) if d not in (0, -1))
    return plain(np.flip, self, axes, name="FlipBackward0")


@method
def roll(self: Tensor, shifts: Any, dims: Any = None) -> Tensor:
    if not self._array.ndim and dims is None:
        return self.clone()
    made = plain(np.roll, self, shifts, dims, name="RollBackward0")
    if not made._array.flags.c_contiguous:
        made._array = made._array.copy()
    return made


def check_matrix(name: str, self: Tensor) -> None:
    if self._array.ndim < 2:
        raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")


@method(write=True)
def tril(self: Tensor, diagonal: int = 0) -> Tensor:
    check_matrix("tril", self)
    return plain(np.tril, self, diagonal, name="TrilBackward0")


@method(write=True)
def triu(self: Tensor, diagonal: int = 0) -> Tensor:
    check_matrix("triu", self)
    return plain(np.triu, self, diagonal, name="TriuBackward0")


@method
def repeat(self: Tensor, *repeats: Any) -> Tensor:
    if len(sizes(repeats)) < self._array.ndim:
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"
        )
    return plain(np.tile, self, sizes(repeats), name="RepeatBackward0")


@method
def tile(self: Tensor, *dims: Any) -> Tensor:
    return plain(np.tile, self, sizes(dims), name="RepeatBackward0")


@method
def repeat_interleave(self: Tensor, repeats: Any, dim: Any = None) -> Tensor:
    count = repeats._array.copy() if isinstance(repeats, Tensor) else repeats
    return plain(np.repeat, self, count, dim)


def view_of_input(made: Tensor, parent: Tensor) -> Tensor:
    """An unchanged result of a custom function: a view nobody may write to while recording."""
    return viewed(
        made, parent, lambda base: base.view_as(base) if isinstance(base, Tensor) else base, CUSTOM
    )


@function
def numel(input: Tensor) -> int:
    return input.numel()
