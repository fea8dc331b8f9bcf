"""`np.unique` with more than the values asked for: the values are taken from where each stands first."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..helpers import linear

__all__ = ["unique", "with_places"]


def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: Any = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    places = linear.distinct_places(ar, axis, equal_nan)
    return with_places(ar, places, (return_index, return_inverse, return_counts), axis)


def with_places(ar: Any, places: Any, asked: Any, axis: Any) -> Any:
    index, inverse, counts = places
    first, each, many = asked
    values = np.take(ar, index, axis=axis)
    found = [index] if first else []
    if each:
        found.append(inverse)
    if many:
        found.append(counts)
    return (values, *found) if found else values


unique.asked_by = ("return_index", "return_inverse", "return_counts", "axis")  # type: ignore[attr-defined]
