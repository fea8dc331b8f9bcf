"""The entries of sparse inputs that `gradcheck` moves: those that are there, or all, the zeros too."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..sparse.coo_array import CooArray, dense_of
from .gradcheck_properties import GradcheckError

__all__ = ["check_layout", "count", "entries", "entries_of_gradient", "put", "put_back"]

LAYOUT = "grad is incorrect layout ({} is not {})"


def entries(x: Any, masked: bool) -> Any:
    """The entries of an input, one after the other."""
    array = x._array
    if not isinstance(array, CooArray):
        return array.reshape(-1)
    return array.coalesced().values.reshape(-1) if masked else array.dense().reshape(-1)


def count(x: Any, masked: bool) -> int:
    return len(entries(x, masked))


def put(x: Any, flat: Any, masked: bool) -> Any:
    """Give an input other entries; what it had before is returned, to be put back."""
    before = x._array
    if not isinstance(before, CooArray):
        saved = before.copy()
        before[...] = flat.reshape(before.shape)
        return saved.reshape(-1)
    one = before.coalesced()
    if masked:
        x._array = one.with_values(flat.reshape(one.values.shape))
        return None, before
    new = flat.reshape(before.shape)
    added = (new != before.dense()).reshape(*before.shape[: before.axes], -1).any(-1)
    added[tuple(one.indices)] = True
    indices = np.array(np.nonzero(added))
    x._array = CooArray(indices, new[tuple(indices)], before.shape, True)
    return None, before


def put_back(x: Any, before: Any) -> None:
    if isinstance(before, tuple):
        x._array = before[1]
    else:
        x._array[...] = before.reshape(x._array.shape)


def entries_of_gradient(x: Any, bar: Any, masked: bool) -> Any:
    """The entries of a gradient, in the order of those of the input."""
    dense = dense_of(bar._array)
    if masked and isinstance(x._array, CooArray):
        dense = dense[tuple(x._array.coalesced().indices)]
    return dense.reshape(-1)


def check_layout(x: Any, bar: Any, masked: bool) -> None:
    """A gradient is kept as its input is; a dense one of a sparse input may be compared where all entries are."""
    if bar.layout is not x.layout and not (x.is_sparse and not masked):
        raise GradcheckError(LAYOUT.format(bar.layout, x.layout))
