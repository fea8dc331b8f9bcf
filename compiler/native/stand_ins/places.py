"""Elements at the places of an array of places, along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["STAND_INS"]


def take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Any:
    if np.ndim(arr) == 1:
        return arr[indices]
    if np.ndim(arr) != 2 or np.ndim(indices) != 2 or not -2 <= axis < 2:
        raise ValueError("no matrix")
    if axis % 2 == 0:
        return arr[indices, np.arange(arr.shape[1])[None, :]]
    return arr[np.arange(arr.shape[0])[:, None], indices]


def scatter_along_axis(c: Any, like: Any, indices: Any, axis: Any = -1) -> Any:
    bar = np.zeros_like(like)
    if np.ndim(like) == 1:
        np.add.at(bar, indices, c)
        return bar
    if np.ndim(like) != 2 or np.ndim(indices) != 2:
        raise ValueError("no matrix")
    if axis % 2 == 0:
        np.add.at(bar, (indices, np.arange(like.shape[1])[None, :]), c)
    else:
        np.add.at(bar, (np.arange(like.shape[0])[:, None], indices), c)
    return bar


def delete(arr: Any, obj: Any) -> Any:
    if np.ndim(arr) != 1 or np.ndim(obj) != 0:
        raise ValueError("several of them")
    n = len(arr)
    place = obj + n if obj < 0 else obj
    if place < 0 or place >= n:
        raise ValueError("out of the array")
    return np.concatenate((arr[:place], arr[place + 1 :]))


def delete_pull(c: Any, like: Any, obj: Any) -> Any:
    bar = np.zeros_like(like)
    place = obj + len(like) if obj < 0 else obj
    bar[:place] = c[:place]
    bar[place + 1 :] = c[place:]
    return bar


STAND_INS: dict[tuple[str, str], Any] = {
    ("numpy", "take_along_axis"): take_along_axis,
    ("numpy", "delete"): delete,
    ("retrograd.runtime", "delete_pull"): delete_pull,
    ("retrograd.runtime", "scatter_along_axis"): scatter_along_axis,
}
