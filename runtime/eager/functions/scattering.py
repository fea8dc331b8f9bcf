"""Writing entries by index: along an axis, at places, where a mask is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...arrays.transfers import constant_beside, library_of
from ...device.places import is_far
from ..graph.record_call import guarded, in_place, plain
from ..tensor.registry import FUNCTIONS, method
from ..tensor.shape_errors import axis_text
from ..tensor.tensor import Tensor, wrapped
from ..tensor.transfers import check_one_place
from .indexing import index_put

__all__: list[str] = []


def refuse(condition: Any, text: str, kind: type[Exception] = RuntimeError) -> None:
    if condition:
        raise kind(text)


def check_inside(index: Any, size: int, dim: int, kind: type[Exception] = RuntimeError) -> None:
    """Refuse an index that is not one of an axis; none counts from the end."""
    if is_far(index):  # whoever asks waits
        return
    outside = index[(index < 0) | (index >= size)]
    if outside.size:
        text = f"index {outside.flat[0]} is out of bounds for dimension {dim} with size {size}"
        raise kind(text)


def kept_source(made: Tensor, source: Tensor) -> Tensor:
    """PyTorch keeps a source of which it wants the gradient."""
    return guarded(made, source) if source.requires_grad else made


# -- along an axis ------------------------------------------------------------------------------


def places(self: Tensor, dim: int, index: Any) -> Any:
    """The positions that an index along one axis means."""
    grid = list(library_of([index]).ogrid[tuple(slice(0, n) for n in index.shape)])
    grid[dim] = index
    return tuple(grid)


@method(write=True)
def scatter(
    self: Tensor, dim: int, index: Tensor, src: Any, *, reduce: str | None = None
) -> Tensor:
    """Entries along an axis replaced where the index says, or added to, or multiplied."""
    refuse(
        reduce not in (None, "add", "multiply"), "reduce argument must be either add or multiply."
    )
    check_scattered_types(self, index, src)
    if not self._array.ndim:
        text = "Index tensor must have the same number of dimensions as self tensor"
        refuse(index._array.ndim > 1, text)
        given = src.reshape(-1) if isinstance(src, Tensor) else src
        one = scatter(self.reshape(1), dim, index.reshape(-1), given, reduce=reduce)
        return plain(np.reshape, one, ())
    rank = self._array.ndim
    dim %= rank
    check_scatter(self, dim, index, src)
    if not index._array.size:
        leads = isinstance(src, Tensor) and src.requires_grad
        return (
            self - src.reshape(-1)[:0].sum() if leads else self.clone()
        )  # a zero of either sign stays
    index = index if index._array.ndim else index.reshape(1)
    at = places(self, dim, index._array)
    if isinstance(src, Tensor):
        src = src if src._array.ndim else src.reshape(1)
        src = src[tuple(slice(0, n) for n in index._array.shape)]
    else:
        full = library_of([self._array]).full
        src = wrapped(full(index._array.shape, src, self._array.dtype))
    if reduce == "multiply":
        return multiplied(self, at, src)
    return index_put(self, at, src, accumulate=reduce == "add", reads=(index,))


def check_scattered_types(self: Tensor, index: Tensor, src: Any) -> None:
    check_one_place(self, index, src)
    refuse(index._array.dtype.kind != "i", "scatter(): Expected dtype int32/int64 for index")
    if isinstance(src, Tensor):
        refuse(
            src._array.dtype != self._array.dtype,
            "scatter(): Expected self.dtype to be equal to src.dtype",
        )


def check_scatter(self: Tensor, dim: int, index: Tensor, src: Any) -> None:
    own, at = self._array.shape, index._array.shape or (1,)
    if not index._array.size:
        return
    refuse(
        len(at) != len(own), "Index tensor must have the same number of dimensions as self tensor"
    )
    given = (src._array.shape or (1,)) if isinstance(src, Tensor) else at
    refuse(len(given) < len(at), axis_text(len(given), len(given)), IndexError)
    sizes = zip(at, own, given, strict=False)
    refuse(
        any(n > s or (k != dim and n > m) for k, (n, m, s) in enumerate(sizes)),
        f"Expected index {list(at)} to be no larger than self {list(own)} apart from dimension {dim} and to be no "
        f"larger size than src {list(given)}",
    )
    check_inside(index._array, own[dim], dim)


def multiplied(self: Tensor, at: Any, src: Tensor) -> Tensor:
    refuse(
        self.requires_grad or src.requires_grad,
        "the derivative of scatter with reduce='multiply' is not implemented: use scatter_reduce with 'prod'",
    )
    made = self._array.copy()
    np.multiply.at(made, at, src._array)
    return wrapped(made)


@method(write=True)
def scatter_add(self: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    return scatter(self, dim, index, src, reduce="add")


def along(self: Tensor, dim: int, index: Tensor) -> Any:
    """An index along one axis."""
    return (slice(None),) * dim + (index._array.reshape(-1),)


def as_vector(self: Tensor, fn: Any, *args: Any, **kwargs: Any) -> Tensor:
    """A function along an axis, of a number as a vector of one."""
    given = [a.reshape(1) if isinstance(a, Tensor) and not a._array.ndim else a for a in args]
    made: Tensor = plain(np.reshape, fn(self.reshape(1), *given, **kwargs), ())
    return made


def check_add(self: Tensor, dim: int, index: Tensor, source: Tensor, name: str) -> None:
    check_one_place(self, index, source)
    own, given = self._array.shape, source._array.shape
    count, parts = index._array.size, given[dim] if len(given) > dim else 1
    refuse(
        index._array.ndim > 1,
        f"{name}(): Index is supposed to be a vector, but got dim: {index._array.ndim} with type: "
        f"{index.dtype.letter} and size: {list(index.shape)}",
        IndexError,
    )
    refuse(
        index._array.dtype.kind != "i",
        f"{name}(): Expected dtype int32/int64 for index but got: {index.dtype.letter}",
    )
    refuse(
        self._array.dtype != source._array.dtype,
        f"{name}(): self ({self.dtype.letter}) and source ({source.dtype.letter}) must have the same scalar type",
    )
    refuse(
        count != parts,
        f"{name}(): Number of indices ({count}) should be equal to source.size(dim): ({parts}), for dim: {dim}",
    )
    refuse(
        len(own) != len(given) or own[:dim] + own[dim + 1 :] != given[:dim] + given[dim + 1 :],
        "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = "
        f"{list(own)} source.shape = {list(given)}",
    )


@method(write=True)
def index_add(self: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Tensor:
    own = self._array.shape
    dim %= max(len(own), 1)
    check_add(self, dim, index, source, "index_add_")
    if not own:
        return as_vector(self, index_add, 0, index, source, alpha=alpha)
    check_inside(index._array, own[dim], dim)
    scaled = source if alpha == 1 else source * alpha
    made = index_put(self, along(self, dim, index), scaled, accumulate=True, reads=(index,))
    return kept_source(made, source)


@method(write=True)
def index_copy(self: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    own, given = self._array.shape, source._array.shape
    dim %= max(len(own), 1)
    check_copy(self, dim, index, source)
    if not own:
        return as_vector(self, index_copy, 0, index, source)
    check_inside(index._array, own[dim], dim, IndexError)
    values = source if given else source.reshape(1)
    made = index_put(self, along(self, dim, index), values, reads=(index,))
    return kept_source(made, source)


def check_copy(self: Tensor, dim: int, index: Tensor, source: Tensor) -> None:
    check_one_place(self, index, source)
    own, given, count = self._array.shape, source._array.shape, index._array.size
    name = "index_copy_(): "
    refuse(
        index._array.ndim > 1,
        f"{name}Index should have dimension 1 or 0 (got {index._array.ndim})",
        IndexError,
    )
    refuse(
        not given and count != 1,
        f"{name}When source is scalar, index should have one element (got {count})",
        IndexError,
    )
    refuse(
        own and given and len(own) != len(given),
        f"{name}When source and destination are not scalars, their dimensionality must match. Source dimensionality "
        f"({len(given)}), destination dimensionality ({len(own)})",
        IndexError,
    )
    refuse(
        index._array.dtype != np.int64,
        f"{name}Expected a long tensor for index, but got {index.dtype.letter}",
    )
    refuse(
        self._array.dtype != source._array.dtype,
        f"{name}self and source expected to have the same dtype, but got (self) {self.dtype.letter} and (source) "
        f"{source.dtype.letter}",
    )
    mine, theirs = (s[:dim] + s[dim + 1 :] for s in (own, given))
    refuse(
        mine != theirs,
        f"{name}Source/destination tensor must have same slice shapes. Destination slice shape: "
        f"{' '.join(map(str, mine))} at dimension {dim} and source slice shape: {' '.join(map(str, theirs))} at "
        "dimension 0.",
    )
    refuse(
        given and count != given[dim],
        f"{name}Number of indices ({count}) should be equal to source.size(dim) ({given[dim] if given else 1})",
        IndexError,
    )


@method(write=True)
def index_fill(self: Tensor, dim: int, index: Tensor, value: Any) -> Tensor:
    name = "index_fill_"
    check_one_place(self, index)
    refuse(
        isinstance(value, Tensor) and value._array.ndim,
        f"{name} only supports a 0-dimensional value tensor, but got tensor with "
        f"{np.ndim(getattr(value, '_array', 0))} dimension(s).",
    )
    refuse(index._array.dtype != np.int64, f"{name}(): Expected dtype int64 for index.", IndexError)
    if not self._array.ndim:
        return as_vector(self, index_fill, 0, index, value)
    if isinstance(value, Tensor):
        refuse(
            value.is_complex() and not self.is_complex(),
            f"{name}(): Converting complex Scalar to non-complex type is not supported",
        )
        value = value.to(self.dtype)
    dim %= self._array.ndim
    size = self._array.shape[dim]
    at = np.where(index._array < 0, index._array + size, index._array)  # from the end, for once
    check_inside(at, size, dim, IndexError)
    return index_put(self, along(self, dim, index), value, reads=(index,))


# -- a part replaced -------------------------------------------------------------------------------


def replaced(self: Tensor, at: Any, src: Tensor) -> Tensor:
    """A copy with other entries in a part."""
    part = self._array[at].shape
    refuse(
        src._array.shape != part,
        "expected src to have a size equal to the slice of self. src size = "
        f"{list(src._array.shape)}, slice size = {list(part)}",
    )
    return index_put(self, at, src.to(self.dtype))


@method
def select_scatter(self: Tensor, src: Tensor, dim: int, index: int) -> Tensor:
    if not self._array.ndim:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    return replaced(self, (slice(None),) * (dim % self._array.ndim) + (index,), src)


@method
def slice_scatter(
    self: Tensor, src: Tensor, dim: int = 0, start: Any = None, end: Any = None, step: int = 1
) -> Tensor:
    whole = (slice(None),) * (dim % self._array.ndim)
    return replaced(self, (*whole, slice(start, end, step)), src)


@method
def diagonal_scatter(
    self: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Tensor:
    given = self._array.shape, offset, dim1, dim2
    at = tuple(
        constant_beside(self._array, place_on_diagonal, k, *given) for k in range(self._array.ndim)
    )
    return replaced(self, at, src)


def place_on_diagonal(axis: int, shape: Any, offset: int, dim1: int, dim2: int) -> Any:
    """Where along an axis the entries of a diagonal are."""
    numbers = np.arange(math.prod(shape)).reshape(shape)
    return np.unravel_index(np.diagonal(numbers, offset, dim1, dim2), shape)[axis]


def fill_diagonal_(self: Tensor, fill_value: Any, wrap: bool = False) -> Tensor:
    """The diagonal filled; with ``wrap`` that of a tall matrix begins again below itself."""
    shape = self._array.shape
    refuse(len(shape) < 2, "dimensions must larger than 1")
    refuse(len(shape) > 2 and len({*shape}) > 1, "all dimensions of input must be of equal length")
    on = library_of([self._array]).zeros(shape, np.bool_)
    np.fill_diagonal(on, True, wrap)
    return in_place(self, lambda old: old.masked_fill(wrapped(on), fill_value))


Tensor.fill_diagonal_ = fill_diagonal_


# -- at places, and where a mask is ------------------------------------------------------------------


@method(write=True)
def put(self: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """Entries of the flattened tensor replaced, or added to."""
    check_one_place(self, index, source)
    size, count = self._array.size, index._array.size
    refuse(
        index._array.dtype != np.int64,
        f"put_(): Expected a long tensor for index, but got {index.dtype.letter}",
    )
    refuse(
        self._array.dtype != source._array.dtype,
        "put_(): self and source expected to have the same dtype, but got self.dtype = "
        f"{self.dtype.letter} and source.dtype = {source.dtype.letter}",
    )
    refuse(
        source._array.size != count,
        "put_(): Expected source and index to have the same number of elements, but got source.numel() = "
        f"{source._array.size}, index.numel() = {count}",
        IndexError,
    )
    refuse(not size and count, "put_(): Tried to put elements into an empty tensor", IndexError)
    at = index._array.reshape(-1)
    outside = at[:0] if is_far(at) else at[(at < -size) | (at >= size)]
    if outside.size:
        text = f"out of range: tried to access index {outside[0]} on a tensor of {size} elements."
        raise IndexError(text)
    values = source.reshape(-1)
    made = index_put(self.reshape(-1), (at,), values, accumulate, reads=(index,))
    return plain(np.reshape, made, self._array.shape, name="PutBackward0")


@method
def masked_scatter(self: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """The entries where the mask is, in order, replaced by the first ones of the source."""
    check_masked(self, mask, source)
    whole = np.broadcast_shapes(self._array.shape, mask._array.shape)
    chosen = np.broadcast_to(mask._array, whole)
    if is_far(
        chosen
    ):  # the count is not waited for: an entry is found by the number of those before it
        place = np.maximum(np.cumsum(chosen.ravel()).reshape(whole) - 1, 0)
        found = source.reshape(-1)[wrapped(place)]
        named = "IndexPutBackward0"
        return guarded(
            plain(np.where, mask.expand(whole), found, self.expand(whole), name=named), mask
        )
    count = int(np.count_nonzero(chosen))
    refuse(source._array.size < count, "Number of elements of source < number of ones in mask")
    values = source.reshape(-1)[:count]
    made = index_put(self.expand(whole), np.array(chosen), values)
    return guarded(made, mask)


def check_masked(self: Tensor, mask: Tensor, source: Tensor) -> None:
    check_one_place(self, mask, source)
    refuse(
        self._array.dtype != source._array.dtype,
        f"masked_scatter: expected self and source to have same dtypes but got{self.dtype.letter} and "
        f"{source.dtype.letter}",
    )
    refuse(
        mask._array.dtype.kind != "b",
        f"masked_scatter_ only supports boolean masks, but got mask with dtype {mask.dtype.letter}",
    )


def masked_scatter_(self: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """`masked_scatter` in place: the mask is stretched, the tensor is not."""
    stretched = mask.expand(self._array.shape)
    return in_place(self, lambda old: masked_scatter(old, stretched, source), reads=(mask, source))


Tensor.masked_scatter_ = FUNCTIONS["masked_scatter_"] = masked_scatter_
