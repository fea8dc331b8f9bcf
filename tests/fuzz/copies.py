"""Copies of arguments that lie in memory as the arguments do.

``copy.deepcopy`` gives each array memory of its own, in the order of its axes, that may be written to.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

__all__ = ["alike"]


def alike(tree: Any) -> Any:
    """A copy whose arrays have the same strides, share the same memory, and are as read-only.

    >>> x = np.arange(4.0)
    >>> a, b = alike((x[::-1], x[1:]))
    >>> a.strides, np.shares_memory(a, b), np.shares_memory(a, x)
    ((-8,), True, False)
    """
    arrays = {id(a): a for a in arrays_of(tree)}
    owners = Counter(id(owner_of(a)) for a in arrays.values())
    memories: dict[int, Any] = {}
    made: dict[int, Any] = {}
    for key, array in arrays.items():
        owner = owner_of(array)
        if owner is array and owners[id(owner)] == 1:
            made[key] = array.copy(order="K")
        else:
            memory = memories.setdefault(id(owner), bytes_of(owner))
            made[key] = np.ndarray(
                array.shape, array.dtype, memory, address(array) - address(owner), array.strides
            )
        made[key].flags.writeable = array.flags.writeable
    return copy.deepcopy(tree, made)


def arrays_of(tree: Any) -> Iterator[Any]:
    if isinstance(tree, np.ndarray):
        yield tree
    elif isinstance(tree, dict):
        for value in tree.values():
            yield from arrays_of(value)
    elif isinstance(tree, (tuple, list)):
        for value in tree:
            yield from arrays_of(value)
    elif hasattr(tree, "__dict__") and not callable(tree):
        yield from arrays_of(vars(tree))


def owner_of(array: Any) -> Any:
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def address(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


def bytes_of(owner: Any) -> Any:
    """The memory of an array, copied."""
    memory = np.empty(owner.nbytes + 8, np.uint8)
    np.ndarray(owner.shape, owner.dtype, memory, 0, owner.strides)[...] = owner
    return memory
