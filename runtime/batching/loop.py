"""A function without a rule for batches: called for one example after the other."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..objects.pytree import at, leaves, map_operands, map_paths
from .batch import Batch
from .batched_array import CONTROL, MORE, BatchedArray, NotBatched, is_array

__all__ = ["RAGGED", "SLOW", "example", "looped"]

SLOW = (
    "There is a performance drop because we have not yet implemented the batching rule for {}. It is called for one "
    "example after the other."
)
RAGGED = (
    "vmap: {} has results of different shapes for the examples of a batch, which do not make one array; select with "
    "torch.where, or leave it out of vmap"
)


def looped(function: Callable[..., Any], args: Any, kwargs: Any, batch: Batch, name: str) -> Any:
    """What a function gives for each example, put together."""
    warnings.warn(SLOW.format(name), UserWarning, stacklevel=2)
    shared = {id(x): (x, x.copy()) for x in leaves((args, kwargs)) if type(x) is np.ndarray}
    results = []
    for k in range(batch.count):
        own, named = (map_operands(partial(example, batch, k), tree) for tree in (args, kwargs))
        results.append(function(*own, **named))
    refuse_writes(list(shared.values()))
    return together(batch, results, name)


def example(batch: Batch, k: int, x: Any) -> Any:
    return x.value[k, ...] if batch.has(x) else x


def refuse_writes(shared: list[tuple[Any, Any]]) -> None:
    """What is the same for all examples may not be written to for one of them."""
    for x, before in shared:
        if not np.array_equal(x, before, x.dtype.kind in "fc"):
            x[...] = before
            raise NotBatched(MORE)


def together(batch: Batch, results: list[Any], name: str) -> Any:
    """The results of all examples as batches."""

    def joined(part: Any, path: tuple[Any, ...]) -> Any:
        parts = [at(result, path) for result in results]
        if not (is_array(part) or isinstance(part, (float, complex))):
            if any(other is not part and other != part for other in parts):
                raise NotBatched(CONTROL)
            return part
        if len({np.shape(one) for one in parts}) != 1:
            raise RuntimeError(RAGGED.format(name))
        return BatchedArray(batch.level, np.stack(parts))

    return map_paths(joined, results[0])
