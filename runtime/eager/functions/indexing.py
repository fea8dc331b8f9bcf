"""Parts of tensors by index: reading and writing in every form."""

from __future__ import annotations

import operator
import sys
import warnings
from typing import Any

import numpy as np

from ...arrays.libraries import CUPY
from ...arrays.transfers import array_beside, beside, on_host
from ...batching.batched_array import BatchedArray, as_array, zeros_beside
from ...batching.borders import widened
from ...batching.dispatch import attempt
from ...device.places import is_far
from ...helpers import linear
from ..batches.crossings import edge_into
from ..graph.grad_mode import modes
from ..graph.node import shape_and_type
from ..graph.record_call import (
    attributed,
    before_writing,
    check_writable,
    guarded,
    in_place,
    plain,
    writing,
)
from ..graph.tangents import is_dual, same_tangents
from ..tensor.dtypes import c_name, is_differentiable
from ..tensor.registry import function, method
from ..tensor.shape_errors import expanded_text, sizes_text
from ..tensor.tensor import Tensor, of_node, type_text, wrapped
from ..tensor.transfers import sent
from ..tensor.views import CopyBackwards
from .shaping import taken

__all__: list[str] = []

PARTS = (Tensor, list, tuple, slice, np.ndarray, BatchedArray)


def index_at(array: Any, index: Any) -> Any:
    """The index as NumPy takes it, its arrays and lists where the array is that they are for."""
    return placed(array, plain_index(index))


def placed(array: Any, index: Any) -> Any:
    if not is_far(array):
        return index if CUPY not in sys.modules else near(index)
    if isinstance(index, tuple):
        return tuple(placed(array, part) for part in index)
    if isinstance(index, list):
        index = np.asarray([on_host(part) for part in index])
        index = index if index.size else index.astype(np.int64)
    return beside(array, index) if isinstance(index, np.ndarray) else index


def near(index: Any) -> Any:
    """An index into the main memory: nothing of it is on the device."""
    for part in index if isinstance(index, (tuple, list)) else (index,):
        if is_far(part):
            raise RuntimeError(
                "indices should be either on cpu or on the same device as the indexed tensor (cpu)"
            )
    return index


def plain_index(index: Any) -> Any:
    """The index as NumPy takes it."""
    if isinstance(index, Tensor):
        array = index._array
        if array.dtype.kind in "b" or array.ndim or type(array) is BatchedArray:
            return array
        return int(array)
    if isinstance(index, tuple):
        return tuple(plain_index(i) for i in index)
    if isinstance(index, list):
        return [plain_index(i) for i in index]
    if isinstance(index, slice):
        return slice(*[plain_index(p) for p in (index.start, index.stop, index.step)])
    return index


def is_simple(index: Any) -> bool:
    """True if an index has numbers and whole axes only, and is taken as it is."""
    if type(index) is int:
        return True
    if type(index) is not tuple:
        return False
    return all([type(i) is int or (type(i) is slice and i == WHOLE) for i in index])


WHOLE = slice(None)


def is_parted(index: Any) -> bool:
    """True if an index is a list that has a part for each axis: a short one with anything but numbers in it.

    >>> is_parted([[0, 1], [2, 3]]), is_parted([0, 1])
    (True, False)
    """
    if not isinstance(index, list) or len(index) >= 32:
        return False
    return any(isinstance(i, PARTS) or i is None or i is Ellipsis for i in index)


def in_parts(index: Any) -> Any:
    """The index, a tuple where it has a part for each axis."""
    if not is_parted(index):
        return index
    warnings.warn(
        "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch 2.9; use "
        "x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as tensor index, "
        "x[torch.tensor(seq)], which will result either in an error or a different result",
        stacklevel=3,
    )
    return tuple(index)


def tensors_in(index: Any) -> list[Tensor]:
    """The tensors of an index: they may not be written to before the way back."""
    if isinstance(index, (tuple, list)):
        return [one for part in index for one in tensors_in(part)]
    return [index] if isinstance(index, Tensor) else []


def is_number(part: Any) -> bool:
    return isinstance(part, (int, np.integer)) and not isinstance(part, bool)


def is_basic(index: Any) -> bool:
    """True if an index shows a part of the memory."""
    parts = index if isinstance(index, tuple) else (index,)
    return all(i is None or i is Ellipsis or isinstance(i, slice) or is_number(i) for i in parts)


def axes_of(part: Any) -> tuple[Any, ...]:
    """Slices of all that a part of an index takes from."""
    if part is Ellipsis:
        return (part,)
    taken_from = 0 if part is None else 1
    if not isinstance(part, (slice, type(None))):
        array = as_array(part)
        taken_from = array.ndim if array.dtype.kind == "b" else 1
    return (slice(None),) * taken_from


def numbers_first(index: Any) -> tuple[Any, list[int]] | None:
    """The numbers of an index that has lists or arrays too, and where the others are.

    PyTorch takes the numbers first; to NumPy they would be arrays, which bring their axes to the front.
    """
    if not isinstance(index, tuple) or is_basic(index) or not any(map(is_number, index)):
        return None
    first = [one for part in index for one in ((part,) if is_number(part) else axes_of(part))]
    return tuple(first), [k for k, part in enumerate(index) if not is_number(part)]


def check_step(index: Any) -> None:
    for part in index if isinstance(index, tuple) else (index,):
        if isinstance(part, slice) and part.step is not None and part.step <= 0:
            raise ValueError("step must be greater than zero")


def node_name(index: Any) -> str:
    parts = index if isinstance(index, tuple) else (index,)
    if any(isinstance(i, slice) for i in parts):
        return "SliceBackward0"
    if any(i is None for i in parts):
        return "UnsqueezeBackward0"
    return "SelectBackward0" if any(map(is_number, parts)) else "AliasBackward0"


def getitem(self: Tensor, index: Any) -> Tensor:
    given = index
    if not is_simple(index):
        given = in_parts(index)
        index = index_at(self._array, given)
        check_step(index)
    if self._array.ndim == 0 and is_number(index):
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to "
            "convert a 0-dim tensor to a number"
        )
    try:
        if is_basic(index):
            made = taken(self, index, node_name(index))
            if made._grad_fn is not None:
                made._grad_fn.attributes = noted(index) | {"self_sym_sizes": self._array.shape}
            return made
        split = numbers_first(index)
        if split is not None:
            return getitem(getitem(self, split[0]), tuple(given[k] for k in split[1]))
        made = plain(operator.getitem, self, index, name="IndexBackward0")
        parts = index if isinstance(index, tuple) else (index,)
        if made._grad_fn is None:
            return made
        indices = [
            wrapped(p.copy() if is_far(p) else np.array(p))
            if isinstance(p, (np.ndarray, list)) or is_far(p)
            else None
            for p in parts
        ]
        guarded(made, *tensors_in(given), *indices)
        return attributed(made, indices=tuple(indices), self_sym_sizes=tuple(self._array.shape))
    except IndexError as error:
        raise IndexError(translated(str(error), self, index)) from None


def noted(index: Any) -> dict[str, Any]:
    """What ``_saved_...`` of the node says."""
    parts = index if isinstance(index, tuple) else (index,)
    attributes: dict[str, Any] = {}
    k = 0
    for part in parts:
        if part is Ellipsis:
            continue
        if isinstance(part, slice):
            attributes.update(dim=k, start=part.start or 0, end=part.stop, step=part.step or 1)
        elif part is not None:
            attributes.update(dim=k, index=int(part))
        k += 1
    return attributes


def translated(message: str, self: Tensor, index: Any) -> str:
    if message.startswith("too many indices"):
        return f"too many indices for tensor of dimension {self._array.ndim}"
    if "is out of bounds for axis" in message:
        number = message.split()[1]
        axis = message.split("axis ")[1].split()[0]
        size = message.rsplit(" ", 1)[1]
        return f"index {number} is out of bounds for dimension {axis} with size {size}"
    return message


def setitem(self: Tensor, index: Any, value: Any) -> None:
    """``self[index] = value``: a write into a view, or a scatter."""
    given = index
    if not is_simple(index):
        given = in_parts(index)
        index = index_at(self._array, given)
        check_step(index)
    if is_basic(index):
        part = self if is_whole(index, self._array.shape) else getitem(self, index)
        if isinstance(value, Tensor) and value._array.shape != part._array.shape:
            value = fitted(value, part)
        copy_(part, value)
        return
    split = numbers_first(index)
    if split is not None:
        setitem(getitem(self, split[0]), tuple(given[k] for k in split[1]), value)
        return
    if is_truth(index):  # an axis that is there or not
        self, index = self.unsqueeze(0), np.reshape(index, 1)
    reads = tensors_in(given)
    in_place(self, lambda old: index_put(old, index, value, reads=reads), reads=(value,))


def is_truth(index: Any) -> bool:
    """True if an index is a single truth value (a tuple of several kinds has no shape to ask for)."""
    return (
        not isinstance(index, (tuple, list))
        and as_array(index).dtype.kind == "b"
        and not np.ndim(index)
    )


def is_whole(index: Any, shape: tuple[int, ...]) -> bool:
    """True if a basic index takes everything as it is."""
    parts = [i for i in (index if isinstance(index, tuple) else (index,)) if i is not Ellipsis]
    return len(parts) <= len(shape) and all(
        isinstance(i, slice) and i.indices(n) == (0, n, 1)
        for i, n in zip(parts, shape, strict=False)
    )


def fitted(value: Tensor, part: Tensor) -> Tensor:
    """A value without its leading axes of length one, if it fits."""
    shape = value._array.shape
    while shape and shape[0] == 1:
        shape = shape[1:]
    if shape != value._array.shape:
        value = value.reshape(shape)
    refused = expanded_text(value._array.shape, part._array.shape, type_text(value))
    if refused is not None:
        raise RuntimeError(refused)
    return value


def parts_in(index: Any) -> tuple[Any, ...]:
    return index if isinstance(index, tuple) else (index,)


def is_mask(index: Any) -> bool:
    """True if an index is made of truth values alone: what is written there is filled in, in any type."""
    kinds = (np.ndarray, BatchedArray, list)
    return all(
        (isinstance(p, kinds) or is_far(p)) and as_array(p).dtype.kind == "b"
        for p in parts_in(index)
    )


def index_put(
    old: Tensor, index: Any, value: Any, accumulate: bool = False, reads: Any = ()
) -> Tensor:
    """A copy with entries replaced, or added to; ``reads``: the tensors of which the index is made."""
    if not isinstance(value, Tensor):
        value = wrapped(array_beside(old._array, value, old._array.dtype))
    elif value._array.ndim == 0:
        value = sent(value, old.device)
    if is_far(old._array) and not accumulate and value._array.size == 1 and is_mask(index):
        return where_masked(old, index, value)
    part = attempt(operator.getitem, (old._array, index), {}).shape
    if expanded_text(value._array.shape, part) is not None:
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(value.shape)} cannot be broadcast to indexing result of "
            f"shape {list(part)}"
        )
    if not accumulate and value._array.size == 1 and is_mask(index):
        value = value.to(old.dtype)
    elif value._array.dtype != old._array.dtype:
        raise RuntimeError(
            f"Index put requires the source and destination dtypes match, got {old.dtype.letter} for the "
            f"destination and {value.dtype.letter} for the source."
        )
    value = value.expand(part)
    if accumulate:
        added = guarded(plain(linear.scatter, value, old._array, index), *reads)
        return plain(np.add, old, added, name="IndexPutBackward0")
    written = zeros_beside(old._array, old._array.shape, np.bool_)
    written = widened(written, *parts_in(index))
    written[index] = True
    scattered = guarded(plain(linear.scatter_last, value, old._array, index), *reads)
    return plain(np.where, written, scattered, old, name="IndexPutBackward0")


def where_masked(old: Tensor, index: Any, value: Tensor) -> Tensor:
    """One value where a mask is: how often is not waited for."""
    (mask,) = parts_in(index)
    mask = mask.reshape(mask.shape + (1,) * (old._array.ndim - mask.ndim))
    filler = value.to(old.dtype).reshape(())
    return plain(np.where, mask, filler, old, name="IndexPutBackward0")


Tensor.__getitem__ = getitem
Tensor.__setitem__ = setitem


def copy_(self: Tensor, src: Any, non_blocking: bool = False) -> Tensor:
    """The entries of another tensor, in this one's type."""
    check_writable(self, (src,) if is_differentiable(self._array.dtype) else ())
    if isinstance(src, Tensor):
        source = sent(src, self.device)
    else:
        source = wrapped(array_beside(self._array, src, self._array.dtype))
    made = source if source._array.dtype == self._array.dtype else source.to(self.dtype)
    if made._array.shape != self._array.shape:
        shapes = [self._array.shape, made._array.shape]
        refused = sizes_text(shapes)
        if refused is not None:
            raise RuntimeError(refused)
        whole = list(np.broadcast_shapes(*shapes))
        if whole != list(self._array.shape):
            raise RuntimeError(
                f"output with shape {list(self.shape)} doesn't match the broadcast shape {whole}"
            )
        made = made.expand(self._array.shape)
    copy = (
        plain(np.positive, made, name="CopyBackwards")
        if made._array.dtype.kind != "b"
        else wrapped(made._array)
    )
    if modes.grad and self._view is None and (self._grad_fn is not None or made.requires_grad):
        copy = over(self, copy, made)
    return writing(self, copy)


def over(old: Tensor, copy: Tensor, source: Tensor) -> Tensor:
    """The copy of a value that is written over another, which gets a gradient of zeros."""
    node = CopyBackwards(
        (edge_into(before_writing(old, ())), edge_into(source)), (shape_and_type(copy._array),)
    )
    value = of_node(copy._array, node, 0)
    return same_tangents(value, copy)


Tensor.copy_ = copy_


def fill_(self: Tensor, value: Any) -> Tensor:
    """One value everywhere."""
    if isinstance(value, complex) and self._array.dtype.kind != "c":
        raise RuntimeError(
            f"value cannot be converted to type {c_name(self.dtype)} without overflow"
        )
    if isinstance(value, Tensor) and (value.requires_grad or is_dual(value)):
        return copy_(self, value.expand(self._array.shape))
    if isinstance(value, Tensor):
        value = sent(value.detach(), self.device)._array
    return in_place(self, lambda old: wrapped(filled(old._array, value)))


def filled(array: Any, value: Any) -> Any:
    """An array like another, of one value: NumPy's function takes none of the device."""
    made = np.empty_like(array)
    made[...] = value
    return made


def zero_(self: Tensor) -> Tensor:
    return fill_(self, 0)


Tensor.fill_, Tensor.zero_ = fill_, zero_


def index_put_(self: Tensor, indices: Any, values: Any, accumulate: bool = False) -> Tensor:
    index, reads = index_at(self._array, tuple(indices)), tensors_in(indices)
    return in_place(
        self, lambda old: index_put(old, index, values, accumulate, reads), reads=(values,)
    )


Tensor.index_put_ = index_put_


@method
def index_select(self: Tensor, dim: int, index: Tensor) -> Tensor:
    if not self._array.ndim:
        return plain(np.reshape, index_select(self.unsqueeze(0), dim, index), ())
    return plain(np.take, self, index, dim, name="IndexSelectBackward0")


def gather(self: Tensor, dim: int, index: Tensor) -> Tensor:
    """Entries along an axis by index; the index may be smaller than the tensor elsewhere."""
    if not self._array.ndim:
        one = gather(self.unsqueeze(0), dim, index.reshape(-1))
        return guarded(plain(np.reshape, one, index._array.shape), self)
    if not index._array.ndim and self._array.ndim == 1:
        return gather(self, dim, index.reshape(1)).reshape(())
    part = tuple(
        slice(0, n) if d != dim % self._array.ndim else slice(None)
        for d, n in enumerate(index._array.shape)
    )
    made = plain(np.take_along_axis, self[part], index, dim, name="GatherBackward0")
    return guarded(made, self)


@method
def take(self: Tensor, index: Tensor) -> Tensor:
    return guarded(plain(np.take, self, index, name="TakeBackward0"), self)


@method
def take_along_dim(self: Tensor, indices: Tensor, dim: Any = None) -> Tensor:
    if dim is None:
        return plain(np.take, self, indices)
    return plain(np.take_along_axis, self, indices._array.copy(), dim)


@method
def masked_select(self: Tensor, mask: Tensor) -> Tensor:
    refused = sizes_text([mask._array.shape, self._array.shape])
    if refused is not None:
        raise RuntimeError(refused)
    whole, chosen = np.broadcast_arrays(self._array, mask._array)
    made = plain(operator.getitem, self.expand(whole.shape), chosen, name="MaskedSelectBackward0")
    return guarded(made, mask)


@function
def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    found = np.nonzero(input._array)
    return tuple(map(wrapped, found)) if as_tuple else wrapped(np.stack(found, -1))


Tensor.nonzero = nonzero


def iterate(self: Tensor) -> Any:
    if self._array.ndim == 0:
        raise TypeError("iteration over a 0-d tensor")
    return iter(self.unbind(0))


Tensor.__iter__ = iterate
Tensor.__contains__ = lambda self, item: bool(
    (self._array == (item._array if isinstance(item, Tensor) else item)).any()
)
