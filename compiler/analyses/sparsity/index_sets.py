"""Index sets: for each entry of a value, the inputs it may depend on.

An array of sets has the shape of the value.  NumPy moves its entries about as it moves numbers, so
reading, reshaping and joining need nothing of their own here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = [
    "EMPTY",
    "as_sets",
    "cleaned",
    "empty",
    "everything",
    "filled",
    "inputs",
    "reduced",
    "union",
]

EMPTY: frozenset[int] = frozenset()


def united(a: frozenset[int], b: frozenset[int]) -> frozenset[int]:
    """The union; one of the two itself, where that is it: so large sets are shared."""
    if a is b or b <= a:
        return a
    return b if a <= b else a | b


union: Any = np.frompyfunc(united, 2, 1)


def as_sets(x: Any) -> Any:
    """An array of sets, of one set too."""
    if isinstance(x, np.ndarray):
        return x
    made = np.empty((), object)
    made[()] = x
    return made


def filled(shape: Sequence[int], one: frozenset[int]) -> Any:
    made = np.empty(tuple(shape), object)
    made[...] = as_sets(one)
    return made


def empty(like: Any) -> Any:
    """Sets for a value that depends on nothing."""
    return filled(np.shape(like), EMPTY)


def inputs(like: Any, start: int) -> Any:
    """Each entry depends on itself: the inputs are numbered from ``start`` on."""
    made = np.empty(np.size(like), object)
    made[:] = [frozenset((start + k,)) for k in range(made.size)]
    return made.reshape(np.shape(like))


def everything(sets: Any) -> frozenset[int]:
    """All inputs in an array of sets, or in a container of them."""
    if sets is None:
        return EMPTY
    if isinstance(sets, dict):
        return everything(list(sets.values()))
    if isinstance(sets, (tuple, list)):
        return EMPTY.union(*map(everything, sets))
    distinct = {id(s): s for s in as_sets(sets).ravel().tolist()}
    return EMPTY.union(*distinct.values())


def cleaned(x: Any) -> Any:
    """Sets, after an operation that has filled up with zeros."""
    sets = as_sets(x)
    strange = [not isinstance(s, frozenset) for s in sets.ravel().tolist()]
    if any(strange):
        sets = sets.copy()
        sets[np.reshape(strange, sets.shape)] = as_sets(EMPTY)
    return sets


def reduced(sets: Any, axis: Any, keepdims: bool = False) -> Any:
    """The unions along axes."""
    axes = range(sets.ndim) if axis is None else np.atleast_1d(axis).tolist()
    axes = sorted({a % sets.ndim for a in axes}) if sets.ndim else []
    for a in axes:
        if sets.shape[a]:
            sets = as_sets(union.reduce(sets, axis=a, keepdims=True))
        else:
            sets = filled([1 if k == a else n for k, n in enumerate(sets.shape)], EMPTY)
    if keepdims:
        return sets
    return sets.reshape([n for k, n in enumerate(sets.shape) if k not in axes])
