"""`np.unique` with more than the values asked for: the values are taken from where each stands first."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..helpers import linear

__all__ = ["unique"]


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
    index, inverse, counts = linear.distinct_places(ar, axis, equal_nan)
    values = np.take(ar, index, axis=axis)
    places = [index] if return_index else []
    if return_inverse:
        places.append(inverse)
    if return_counts:
        places.append(counts)
    return (values, *places) if places else values


unique.asked_by = ("return_index", "return_inverse", "return_counts", "axis")  # type: ignore[attr-defined]
