"""Rows and entries that are read by index, with gradients of as many entries as were read."""

from __future__ import annotations

from typing import Any

import numpy as np

from .making import coo
from .sparse_nodes import recorded_as

__all__ = ["entries_read", "rows_read"]


def rows_read(table: Any, index: Any, padding: int | None) -> Any:
    """The rows of a table; no gradient goes to the row ``padding``."""
    shape, flat = table._array.shape, index.reshape(-1).copy()
    read = np.arange(len(flat)) if padding is None else np.flatnonzero(flat != padding)

    def pull(bar: Any) -> tuple[Any]:
        rows = bar.reshape(-1, shape[1])
        values = rows if padding is None else rows[read]
        return (coo(flat[read][None], values, shape),)

    return recorded_as("Embedding", table._array[index], (table,), pull)


def entries_read(x: Any, axis: int, index: Any) -> Any:
    """The entries of `gather`, their gradient at the places that were read."""
    shape = x._array.shape
    if index.ndim != len(shape) or not shape:
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    axis %= len(shape)
    outside = (index < 0) | (index >= shape[axis])
    if outside.any():
        raise RuntimeError(
            f"index {index[outside][0]} is out of bounds for dimension {axis} with size {shape[axis]}"
        )
    places = [k.reshape(-1) for k in np.indices(index.shape)]
    places[axis] = index.reshape(-1).copy()
    found = tuple(places)

    def pull(bar: Any) -> tuple[Any]:
        return (coo(np.stack(found), bar.reshape(-1), shape),)

    return recorded_as("Gather", x._array[found].reshape(index.shape), (x,), pull)
