"""The ways into a batch and out of it: from the array of all examples to that of one, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from .batched_array import BatchedArray, levels_of

__all__ = ["closed", "copied_into", "counts_of", "opened", "summed", "widened"]


def closed(examples: Any, level: int) -> Any:
    """An array whose first axis counts the examples, as a batch of that level."""
    if type(examples) is BatchedArray and examples.level > level:
        return BatchedArray(examples.level, closed(np.moveaxis(examples.value, 1, 0), level))
    return BatchedArray(level, examples)


def opened(x: Any, level: int, count: int) -> Any:
    """The array of all examples, along the first axis; what is the same for all is repeated."""
    if type(x) is not BatchedArray or level not in levels_of(x):
        return np.broadcast_to(x, (count, *np.shape(x)))
    if x.level == level:
        return x.value
    return BatchedArray(x.level, np.moveaxis(opened(x.value, level, count), 0, 1))


def summed(x: Any, level: int, count: int) -> Any:
    """The sum over the examples."""
    if type(x) is not BatchedArray or level not in levels_of(x):
        return count * x
    return opened(x, level, count).sum(0)


def counts_of(x: Any) -> dict[int, int]:
    """The number of examples at each level of a batch of batches."""
    found = {}
    while type(x) is BatchedArray:
        found[x.level] = len(x.value)
        x = x.value
    return found


def copied_into(array: Any, x: Any) -> Any:
    """The array with another one written to it, where that is a batch with room for its examples."""
    if not levels_of(x) <= levels_of(array):
        array = widened(array, x)
    array[...] = x
    return array


def widened(x: Any, *others: Any) -> Any:
    """A copy of an array that has room for the examples of others."""
    known = levels_of(x)
    counts = {level: n for one in others for level, n in counts_of(one).items()}
    for level in sorted(counts.keys() - known):
        x = closed(np.broadcast_to(x, (counts[level], *np.shape(x))), level)
    return x.copy()
