"""Places and multiplicities of entries; writes that combine what meets at a place."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.transfers import beside, library_of
from ...batching.batched_array import as_array, somewhere
from ..batches.crossings import edge_into
from ..graph.grad_mode import modes
from ..graph.node import no_derivative, shape_and_type
from ..graph.push_tangents import refuse_dual
from ..tensor.dtypes import is_differentiable
from ..tensor.registry import FUNCTIONS, function, method
from ..tensor.tensor import Tensor, of_node, wrapped
from ..tensor.transfers import check_one_place
from . import indexing
from .indexing import index_at, tensors_in

__all__: list[str] = []


def answers(*parts: Any) -> Any:
    return parts[0] if len(parts) == 1 else tuple(parts)


def underivable(array: Any, name: str, *of: Tensor) -> Tensor:
    """A result of tensors that PyTorch refuses to derive: so does the way back."""
    refuse_dual(name, *of)
    asked = modes.grad and not modes.inference and any(one.requires_grad for one in of)
    if not asked or not is_differentiable(array.dtype):
        return wrapped(array)
    edges = tuple(edge_into(one) for one in of)
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
    check_one_place(elements, test_elements)
    own, others = (getattr(x, "_array", x) for x in (elements, test_elements))
    return wrapped(as_array(np.isin(own, others, assume_unique=assume_unique, invert=invert)))


@method
def unique_consecutive(
    self: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: Any = None
) -> Any:
    """Of neighbours that are equal only the first."""
    whole = self._array.reshape(-1) if dim is None else np.moveaxis(self._array, dim, 0)
    rows = whole.reshape(len(whole), -1)
    first = library_of([rows]).ones(min(len(rows), 1), bool)
    new = np.concatenate([first, (rows[1:] != rows[:-1]).any(1)])
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
    check_one_place(sorted_sequence, self, sorter)
    where: Any = "right" if right or side == "right" else "left"
    rows = sorted_sequence._array
    if sorter is not None:
        rows = np.take_along_axis(rows, sorter._array, -1)
    values = self._array if isinstance(self, Tensor) else beside(rows, as_array(self))
    if rows.ndim == 1:
        found = np.searchsorted(rows, values, where)
    else:
        if rows.shape[:-1] != values.shape[:-1]:
            raise RuntimeError(
                "retrograd.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of "
                "boundaries tensor and input value tensor must match, but we got boundaries tensor "
                f"{list(rows.shape)} and input value tensor {list(values.shape)}"
            )
        found = library_of([rows]).empty(values.shape, np.int64)
        for k in np.ndindex(rows.shape[:-1]):
            found[k] = np.searchsorted(rows[k], values[k], where)
    return wrapped(as_array(found).astype(np.int32 if out_int32 else np.int64))


@function
def bucketize(
    input: Any, boundaries: Tensor, *, out_int32: bool = False, right: bool = False
) -> Tensor:
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)


@method
def bincount(self: Tensor, weights: Any = None, minlength: int = 0) -> Tensor:
    if self._array.ndim != 1 or somewhere(self._array < 0):
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    refuse_dual("aten::bincount", self, weights)
    return wrapped(
        np.bincount(self._array, None if weights is None else weights.detach()._array, minlength)
    )


@method
def index_put(self: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Tensor:
    """A copy with entries replaced, or added to."""
    index = index_at(self._array, tuple(indices))
    return indexing.index_put(self, index, values, accumulate, tensors_in(indices))


FUNCTIONS["index_put_"] = Tensor.index_put_
