"""Linear helpers of histograms: weights added up in boxes, and sent back."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import cast, zeros_like

__all__ = ["bin_places", "binned", "nothing", "unbinned"]


def bin_places(sample: Any, edges: Any) -> Any:
    """The box each point of ``sample`` (one array for each axis) lies in; -1 outside of all.

    >>> bin_places((np.array([0.0, 1.5, 2.0, 7.0]),), (np.array([0.0, 1.0, 2.0]),))
    array([ 0,  1,  1, -1])
    """
    place, outside = np.zeros(np.size(sample[0]), np.intp), np.zeros(np.size(sample[0]), bool)
    for x, ends in zip(sample, edges, strict=True):
        at = np.searchsorted(ends, np.ravel(x), side="right") - 1
        at = np.where(np.ravel(x) == ends[-1], len(ends) - 2, at)
        outside |= (at < 0) | (at > len(ends) - 2)
        place = place * (len(ends) - 1) + np.clip(at, 0, len(ends) - 2)
    return np.where(outside, -1, place)


def binned(weights: Any, sample: Any, edges: Any) -> Any:
    """The sum of the weights in each box.

    >>> binned(np.array([1.0, 2.0]), (np.array([0.5, 0.7]),), (np.array([0.0, 1.0, 2.0]),))
    array([3., 0.])
    """
    shape = tuple(len(ends) - 1 for ends in edges)
    place, weights = bin_places(sample, edges), np.ravel(weights)
    out = np.zeros(int(np.prod(shape)), np.result_type(np.asarray(weights), np.float16))
    np.add.at(out, place[place >= 0], weights[place >= 0])
    return out.reshape(shape)


def unbinned(c: Any, like: Any, sample: Any, edges: Any) -> Any:
    """`binned`, transposed: each weight gets what its box gets.

    >>> unbinned(np.array([5.0, 7.0]), np.zeros(2), (np.array([0.5, 1.7]),), (np.arange(3.0),))
    array([5., 7.])
    """
    place = bin_places(sample, edges)
    got = np.where(place < 0, 0.0, np.ravel(c)[place])
    return cast(got.reshape(np.shape(like)), like)


def nothing(c: Any, like: Any) -> Any:
    """Zeros shaped as ``like``, whatever ``c`` is.

    >>> nothing(1.0, np.ones(2))
    array([0., 0.])
    """
    return zeros_like(like)
