"""Places and multiplicities of entries; writes that combine what meets at a place."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.grad_mode import modes
from ..graph.node import edge_of, no_derivative, shape_and_type
from ..graph.push_tangents import refuse_dual
from ..tensor.dtypes import is_differentiable
from ..tensor.registry import FUNCTIONS, function, method
from ..tensor.tensor import Tensor, of_node, wrapped
from . import indexing
from .indexing import plain_index, tensors_in
from .scattering import check_scatter, places

__all__: list[str] = []


def answers(*parts: Any) -> Any:
    return parts[0] if len(parts) == 1 else tuple(parts)


def underivable(array: Any, name: str, *of: Tensor) -> Tensor:
    """A result of tensors that PyTorch refuses to derive: so does the way back."""
    refuse_dual(name, *of)
    asked = modes.grad and not modes.inference and any(one.requires_grad for one in of)
    if not asked or not is_differentiable(array.dtype):
        return wrapped(array)
    edges = tuple(edge_of(one) for one in of)
    return of_node(array, no_derivative(name)(edges, (shape_and_type(array),)), 0)


@method
def unique(
    self: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: Any = None,
) -> Any:
    """The different entries, sorted; where each went; how many there were."""
    values, inverse, counts = np.unique(
        self._array, return_inverse=True, return_counts=True, axis=dim
    )
    found = [underivable(values, "_unique2" if dim is None else "unique_dim", self)]
    if return_inverse:
        found.append(wrapped(inverse.reshape(self._array.shape if dim is None else -1)))
    if return_counts:
        found.append(wrapped(counts))
    return answers(*found)


@function
def isin(
    elements: Any, test_elements: Any, *, assume_unique: bool = False, invert: bool = False
) -> Tensor:
    """Which of the elements are among the others."""
    own, others = (getattr(x, "_array", x) for x in (elements, test_elements))
    return wrapped(np.asarray(np.isin(own, others, assume_unique=assume_unique, invert=invert)))


@method
def unique_consecutive(
    self: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: Any = None
) -> Any:
    """Of neighbours that are equal only the first."""
    whole = self._array.reshape(-1) if dim is None else np.moveaxis(self._array, dim, 0)
    rows = whole.reshape(len(whole), -1)
    new = np.concatenate([np.ones(min(len(rows), 1), bool), (rows[1:] != rows[:-1]).any(1)])
    group = np.cumsum(new) - 1
    values = whole[new] if dim is None else np.moveaxis(whole[new], 0, dim)
    found = [underivable(values, "unique_consecutive", self)]
    if return_inverse:
        found.append(wrapped(group.reshape(self._array.shape if dim is None else -1)))
    if return_counts:
        found.append(wrapped(np.bincount(group)))
    return answers(*found)


@method
def argwhere(self: Tensor) -> Tensor:
    return wrapped(np.argwhere(self._array))


@function
def searchsorted(
    sorted_sequence: Tensor,
    self: Any,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Any = None,
) -> Tensor:
    """Where values would be put into sorted rows."""
    if side is not None and right and side == "left":
        raise RuntimeError(
            "retrograd.searchsorted(): side and right can't be set to opposites, got side of left while right was True"
        )
    where: Any = "right" if right or side == "right" else "left"
    rows = sorted_sequence._array
    if sorter is not None:
        rows = np.take_along_axis(rows, sorter._array, -1)
    values = self._array if isinstance(self, Tensor) else np.asarray(self)
    if rows.ndim == 1:
        found = np.searchsorted(rows, values, where)
    else:
        if rows.shape[:-1] != values.shape[:-1]:
            raise RuntimeError(
                "retrograd.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of "
                "boundaries tensor and input value tensor must match, but we got boundaries tensor "
                f"{list(rows.shape)} and input value tensor {list(values.shape)}"
            )
        found = np.empty(values.shape, np.int64)
        for k in np.ndindex(rows.shape[:-1]):
            found[k] = np.searchsorted(rows[k], values[k], where)
    return wrapped(np.asarray(found).astype(np.int32 if out_int32 else np.int64))


@function
def bucketize(
    input: Any, boundaries: Tensor, *, out_int32: bool = False, right: bool = False
) -> Tensor:
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)


@method
def bincount(self: Tensor, weights: Any = None, minlength: int = 0) -> Tensor:
    if self._array.ndim != 1 or (self._array < 0).any():
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    return wrapped(
        np.bincount(self._array, None if weights is None else weights.detach()._array, minlength)
    )


@method
def index_put(self: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Tensor:
    """A copy with entries replaced, or added to."""
    index = plain_index(tuple(indices))
    return indexing.index_put(self, index, values, accumulate, tensors_in(indices))


FUNCTIONS["index_put_"] = Tensor.index_put_


@method(write=True)
def scatter_reduce(
    self: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """Sums, multiplies or averages what meets at a place, or takes its extreme."""
    if reduce not in ("sum", "prod", "mean", "amax", "amin"):
        raise RuntimeError("reduce argument must be either sum, prod, mean, amax or amin.")
    if not self._array.ndim:
        return scatter_reduce(
            self.reshape(1), 0, index.reshape(1), src.reshape(1), reduce, include_self=include_self
        ).reshape(())
    dim %= self._array.ndim
    check_scatter(self, dim, index, src)
    at = places(self, dim, index._array.copy())
    src = src[tuple(slice(0, n) for n in index._array.shape)]
    counts = np.zeros(self._array.shape, np.int64)
    np.add.at(counts, at, 1)
    own = np.ones_like(counts) if include_self else (counts == 0).astype(np.int64)
    start = self if include_self else FUNCTIONS["where"](wrapped(own > 0), self, 0)
    if reduce == "prod":
        return product(start, at, src, own, counts)
    if reduce in ("amax", "amin"):
        return meeting(self, at, src, own, reduce)
    total = indexing.index_put(start, at, src, accumulate=True)
    if reduce == "sum":
        return total
    many = wrapped(np.maximum(own + counts, 1).astype(self._array.dtype))
    return total / many if is_differentiable(self._array.dtype) else total // many


def product(start: Tensor, at: Any, src: Tensor, own: Any, counts: Any) -> Tensor:
    """One layer for each factor of a place: `prod` knows about zeros."""
    flat = np.ravel_multi_index(np.broadcast_arrays(*at), counts.shape).reshape(-1)
    order = np.argsort(flat, kind="stable")
    layer = np.empty(flat.size, np.int64)
    layer[order] = np.arange(flat.size) - np.searchsorted(flat[order], flat[order])
    ones = FUNCTIONS["ones"](int(counts.max(initial=0)), *counts.shape, dtype=start.dtype)
    layers = indexing.index_put(ones, (layer.reshape(src._array.shape), *at), src)
    first = FUNCTIONS["where"](wrapped(own > 0), start, 1)
    return FUNCTIONS["cat"]([first.unsqueeze(0), layers], 0).prod(0).to(start.dtype)


def meeting(self: Tensor, at: Any, src: Tensor, own: Any, reduce: str) -> Tensor:
    """The mean of those that equal the extreme, so that they share its gradient."""
    ufunc = np.maximum if reduce == "amax" else np.minimum
    found = self._array.copy()
    fresh = np.zeros(own.shape, np.bool_)
    fresh[at] = True
    first = fresh & (own == 0)  # these start with one of what meets there
    starts = found.copy()
    starts[at] = src._array
    found[first] = starts[first]
    with np.errstate(invalid="ignore"):
        ufunc.at(found, at, src._array)
    if not is_differentiable(found.dtype):
        return wrapped(found)
    there = (own > 0) & are_equal(self._array, found)
    here = are_equal(src._array, found[at])
    many = there.astype(np.int64)
    np.add.at(many, at, here)
    zero_if = FUNCTIONS["where"]
    total = indexing.index_put(
        zero_if(wrapped(there), self, 0), at, zero_if(wrapped(here), src, 0), accumulate=True
    )
    made = total / wrapped(np.maximum(many, 1).astype(found.dtype))
    made._array[...] = found  # the mean of equal numbers may be another one
    return made


def are_equal(a: Any, b: Any) -> Any:
    """Where two arrays are equal, in NaN too."""
    return (a == b) | ((a != a) & (b != b))
