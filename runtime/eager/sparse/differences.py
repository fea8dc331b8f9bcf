"""What `gradcheck` moves of a tensor, dense or sparse."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...arrays.transfers import beside, on_host
from .coo import Coo, values_at

__all__ = ["entries", "has_entry", "moved_entries", "nonzero"]


def entries(tensor: Any) -> Any:
    """All entries, in a row, in the main memory."""
    array = on_host(tensor._array)
    return (array.dense() if type(array) is Coo else array).reshape(-1)


def has_entry(tensor: Any, j: int) -> bool:
    """True if a sparse tensor keeps an entry."""
    array = tensor._array
    kept = Coo(array.indices, np.ones(array.values.shape), array.shape)
    return bool(kept.dense().reshape(-1)[j])


def nonzero(tensor: Any) -> bool:
    return bool(np.any(entries(tensor) != 0))


@contextmanager
def moved_entries(tensor: Any, flat: Any, masked: bool) -> Iterator[None]:
    """Other entries: in a sparse tensor those that it keeps, or all."""
    before = tensor._array.copy()
    whole = flat.reshape(before.shape)
    if type(before) is not Coo:
        tensor._array[...] = beside(before, whole)
    else:
        tensor._array = spread(before, whole, masked)
    try:
        yield
    finally:
        if type(before) is Coo:
            tensor._array = before
        else:
            tensor._array[...] = before


def spread(like: Coo, whole: Any, masked: bool) -> Coo:
    """Entries at the places of a sparse array, or at all."""
    n = len(like.indices)
    at = like.unique().indices if masked else np.indices(like.shape[:n]).reshape(n, -1)
    return Coo(at, np.array(values_at(whole, at)), like.shape, True)
