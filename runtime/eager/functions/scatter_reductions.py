"""Entries by index, reduced where several meet: sums, products, means, largest and smallest ones.

What is reduced is in flat order: ``at`` has the position of each entry of the source.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.transfers import library_of
from ...batching.batched_array import everywhere, somewhere
from ...device.places import TO_HOST, is_far, twin_for
from ...errors import UnsupportedOperation
from ..graph.record_call import guarded, plain
from ..tensor.registry import FUNCTIONS, method
from ..tensor.tensor import Tensor, wrapped
from .indexing import index_put
from .scattering import check_add, check_scatter, check_scattered_types, places, refuse

__all__: list[str] = []


def ufunc_of(reduce: str) -> Any:
    if reduce in ("amax", "amin"):
        return np.maximum if reduce == "amax" else np.minimum
    return np.multiply if reduce == "prod" else np.add


@method(write=True)
def scatter_reduce(
    self: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """Entries along an axis reduced with those that the index sends to them."""
    refuse(
        reduce not in ("sum", "prod", "mean", "amax", "amin"),
        f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}",
    )
    shape = self._array.shape
    rank = max(len(shape), 1)
    refuse(
        not -rank <= dim < rank,
        f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got {dim})",
        IndexError,
    )
    whole = self if shape else self.reshape(1)
    dim %= rank
    check_scattered_types(self, index, src)
    check_scatter(whole, dim, index, src)
    given = index._array if index._array.ndim else index._array.reshape(1)
    src = src if src._array.ndim else src.reshape(1)
    src_part = src[tuple(slice(0, n) for n in given.shape)] if given.size else src[:0]
    at = (
        numbered(whole)[places(whole, dim, given)]
        if given.size
        else library_of([given]).zeros(src_part._array.shape, np.int64)
    )
    return reduced(self, at, src_part, reduce, include_self, "ScatterReduceBackward0", (index, src))


@method(write=True)
def index_reduce(
    self: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """Slices along an axis reduced with those that the index sends to them."""
    refuse(
        reduce not in ("prod", "mean", "amax", "amin"),
        f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}.",
    )
    shape = self._array.shape
    dim %= max(len(shape), 1)
    check_add(self, dim, index, source, "index_reduce_")
    whole = self if shape else self.reshape(1)
    at = index._array.reshape(-1)
    size = whole._array.shape[dim]
    refuse(somewhere((at < 0) | (at >= size)), "index out of range in self", IndexError)
    spread = np.take(numbered(whole), at, dim)
    values = source if source._array.ndim else source.reshape(1)
    return reduced(
        self, spread, values, reduce, include_self, "IndexReduceBackward0", (index, source)
    )


def numbered(self: Tensor) -> Any:
    """The flat position of each entry."""
    return library_of([self._array]).arange(self._array.size).reshape(self._array.shape)


def reduced(
    self: Tensor,
    at: Any,
    src: Tensor,
    reduce: str,
    include_self: bool,
    name: str,
    reads: tuple[Tensor, ...],
) -> Tensor:
    kind, shape = self._array.dtype, self._array.shape
    extreme = reduce in ("amax", "amin")
    refuse(
        (kind.kind == "c" and extreme) or (kind.kind == "b" and reduce == "mean"),
        f"{reduce} of {self.dtype} entries by index is not implemented",
        NotImplementedError,
    )
    flat, values, at = self.reshape(-1), src.reshape(-1), at.reshape(-1)
    alone = library_of([flat._array]).ones(
        flat._array.shape, np.bool_
    )  # the entries that are in their reduction
    if not include_self:
        alone[at] = False
    if kind.kind not in "fc":
        return wrapped(counted(flat._array, at, values._array, reduce, alone).reshape(shape))
    if extreme:
        made = extremes(flat, at, values, reduce, alone)
    elif reduce == "prod":
        made = products(flat, at, values, alone)
    else:
        made = sums(flat, at, values, reduce, alone)
    named = plain(np.reshape, made, shape, name=name)
    return guarded(named, self, *reads, named)


def begun(flat: Any, at: Any, values: Any, reduce: str, alone: Any) -> Any:
    """What the entries of the source are reduced into."""
    made = flat.copy()
    if reduce not in ("amax", "amin"):
        np.copyto(made, ufunc_of(reduce).identity, where=~alone)
    elif is_far(alone):  # where the tensor is left out, what is least for all begins
        np.copyto(made, least(made.dtype, reduce), where=~alone)
    elif not everywhere(alone):
        hit = ~alone[at]
        made[at[hit]] = values[hit]
    return made


def least(kind: Any, reduce: str) -> Any:
    """What any entry is taken before."""
    bounds = np.iinfo(kind) if kind.kind in "iu" else None
    if reduce == "amax":
        return -np.inf if bounds is None else bounds.min
    return np.inf if bounds is None else bounds.max


def counted(flat: Any, at: Any, values: Any, reduce: str, alone: Any) -> Any:
    """The reduction of arrays; whole numbers have a whole mean."""
    made = begun(flat, at, values, reduce, alone)
    with np.errstate(invalid="ignore"):
        twin_for(ufunc_of(reduce).at, made)(made, at, values)
    return made // many(at, alone).astype(made.dtype) if reduce == "mean" else made


def many(at: Any, alone: Any) -> Any:
    """How many entries meet at each position (at least one)."""
    return np.maximum(alone + counted_at(at, 1, alone.size), 1)


def counted_at(at: Any, many: Any, size: int) -> Any:
    """``np.bincount`` of a known size, for which CuPy would wait."""
    if not is_far(at):
        return np.bincount(at, np.broadcast_to(many, at.shape), size)
    found = library_of([at]).zeros(size)
    twin_for(np.add.at, found)(found, at, many * 1.0)
    return found


def sums(flat: Tensor, at: Any, values: Tensor, reduce: str, alone: Any) -> Tensor:
    kept = flat
    if is_far(alone) or not everywhere(alone):
        kept = flat.masked_fill(wrapped(~alone), 0)
    made: Tensor = index_put(kept, (at,), values, accumulate=True)
    if reduce == "sum":
        return made
    quotient: Tensor = made / wrapped(many(at, alone).astype(flat._array.real.dtype))
    return quotient


def extremes(flat: Tensor, at: Any, values: Tensor, reduce: str, alone: Any) -> Tensor:
    """The largest or smallest ones; those that are equal share the gradient."""
    exact = counted(flat._array, at, values._array, reduce, alone)
    own = alone & same(flat._array, exact)
    theirs = same(values._array, exact[at])
    share = own + counted_at(at, theirs, alone.size)
    share = np.maximum(share, 1).astype(exact.dtype)
    first = (flat / wrapped(share)).masked_fill(wrapped(~own), 0)
    rest = (values / wrapped(share[at])).masked_fill(wrapped(~theirs), 0)
    made: Tensor = index_put(first, (at,), rest, accumulate=True)
    off = ~same(made._array, exact)  # the shares of one value may add up to its neighbour
    if is_far(off):
        return made + wrapped(np.where(off, exact - made._array, 0))
    gap = np.zeros_like(exact)
    gap[off] = exact[off] - made._array[off]
    return made + wrapped(gap) if somewhere(off) else made


def same(a: Any, b: Any) -> Any:
    return (a == b) | ((a != a) & (b != b))


def products(flat: Tensor, at: Any, values: Tensor, alone: Any) -> Tensor:
    """The products, in pairs: their derivatives of any order are right where a factor is zero."""
    if is_far(at):
        raise UnsupportedOperation(
            "products of entries by index have no derivative on the device: in which order they meet is not waited for",
            fix=TO_HOST,
        )
    positions = np.concatenate((np.flatnonzero(alone), at))
    order = np.argsort(positions, kind="stable")
    positions = positions[order]
    made = FUNCTIONS["cat"]([flat[wrapped(np.flatnonzero(alone))], values])[wrapped(order)]
    one = wrapped(np.ones(1, flat._array.dtype))
    while True:
        n = positions.size
        new = np.ones(n, np.bool_)
        new[1:] = positions[1:] != positions[:-1]
        if new.all():
            return made  # type: ignore[no-any-return]
        starts = np.maximum.accumulate(np.where(new, np.arange(n), 0))
        first = np.flatnonzero((np.arange(n) - starts) % 2 == 0)
        second = np.minimum(first + 1, n - 1)
        paired = (first + 1 < n) & (positions[second] == positions[first])
        factors = FUNCTIONS["cat"]([made, one])
        made = factors[wrapped(first)] * factors[wrapped(np.where(paired, second, n))]
        positions = positions[first]
