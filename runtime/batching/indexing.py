"""Rules of subscripts: reading, writing, taking along an axis, adding at places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .batch import Batch, rule
from .batched_array import MORE, BatchedArray, NotBatched
from .reductions import shifted

__all__: list[str] = []


@dataclass(frozen=True, slots=True)
class Places:
    """An index of the whole batch.

    The result of the index has the axis of the examples at ``lead``; the axes of its arrays, of which there are
    ``arrays``, stand behind it and belong ``before`` axes later.
    """

    index: tuple[Any, ...]
    lead: int = 0
    arrays: int = 0
    before: int = 0

    def opened(self, found: Any) -> Any:
        """What the index gives, the examples first."""
        found = np.moveaxis(found, self.lead, 0) if self.lead else found
        if self.arrays and self.before:
            own = range(1, self.arrays + 1)
            found = np.moveaxis(found, own, [k + self.before for k in own])
        return found

    def closed(self, value: Any) -> Any:
        """The reverse, for what is written there."""
        if self.arrays and self.before:
            own = range(1, self.arrays + 1)
            value = np.moveaxis(value, [k + self.before for k in own], own)
        return np.moveaxis(value, 0, self.lead) if self.lead else value


def is_mask(part: Any) -> bool:
    return getattr(part, "dtype", None) == np.bool_ or isinstance(part, bool)


def is_places(part: Any) -> bool:
    """True for what selects by arrays of indices."""
    return isinstance(part, (np.ndarray, list, BatchedArray))


def parts_of(index: Any, rank: int) -> list[Any]:
    """The parts of an index, one for each axis (and None for those that are made); masks as places."""
    given = list(index) if type(index) is tuple else [index]
    given = [np.asarray(p) if type(p) is list else p for p in given]
    parts: list[Any] = []
    for part in given:
        if is_mask(part):
            if isinstance(part, BatchedArray):
                raise NotBatched("a mask selects another number of places in each example")
            parts += np.nonzero(part) if np.ndim(part) else [part]
        else:
            parts.append(part)
    used = sum(p is not None and p is not Ellipsis for p in parts)
    if not any(p is Ellipsis for p in parts):
        parts.append(Ellipsis)
    at = next(k for k, p in enumerate(parts) if p is Ellipsis)
    parts[at : at + 1] = [slice(None)] * (rank - used)
    return parts


def places_of(batch: Batch, index: Any, rank: int) -> Places:
    parts = parts_of(index, rank)
    if any(isinstance(p, (bool, np.bool_)) for p in parts):
        raise NotBatched("a truth value as an index")
    selects = [k for k, p in enumerate(parts) if is_places(p)]
    if not selects:
        return Places((slice(None), *parts))
    numbers = [k for k, p in enumerate(parts) if not isinstance(p, slice) and p is not None]
    arrays = max(np.ndim(parts[k]) for k in selects)
    apart = numbers[-1] - numbers[0] + 1 != len(numbers)
    before = (
        0 if apart else sum(1 for p in parts[: numbers[0]] if isinstance(p, slice) or p is None)
    )
    if not any(batch.has(p) for p in parts):
        return Places((slice(None), *parts), arrays if apart else 0)
    examples = np.arange(batch.count).reshape(-1, *(1,) * arrays)
    own = tuple(batch.aligned(p, arrays) if is_places(p) else p for p in parts)
    return Places((examples, *own), 0, arrays, before)


@rule("getitem")
def getitem(batch: Batch, a: Any, index: Any) -> Any:
    value = a.value if batch.has(a) else batch.whole(a)
    places = places_of(batch, index, np.ndim(a))
    return places.opened(value[places.index])


@rule("setitem")
def setitem(batch: Batch, a: Any, index: Any, value: Any) -> Any:
    if not batch.has(a):
        raise NotBatched(MORE)
    places = places_of(batch, index, a.ndim)
    a.value[places.index] = fitted(batch, a, places, value)
    return None


@rule(("ufunc", "at"))
def at(batch: Batch, ufunc: Any, a: Any, indices: Any, b: Any = None) -> Any:
    if not batch.has(a):
        raise NotBatched(MORE)
    places = places_of(batch, indices, a.ndim)
    ufunc.at(a.value, places.index, *(() if b is None else (fitted(batch, a, places, b),)))
    return None


def fitted(batch: Batch, a: Any, places: Places, value: Any) -> Any:
    """What is written there, in the order of the axes that the index has."""
    if not batch.has(value) and not places.lead and not places.arrays:
        return value
    shape = places.opened(np.broadcast_to(np.empty(()), a.value.shape)[places.index]).shape
    given = batch.aligned(value, len(shape) - 1)
    extra = np.ndim(given) - len(shape)
    if extra > 0:  # axes of length one that NumPy lets pass
        kept = (
            given.shape[extra:]
            if not batch.has(value)
            else (batch.count, *given.shape[1 + extra :])
        )
        given = given.reshape(kept)
    return places.closed(np.broadcast_to(given, shape))


@rule(np.take)
def take(
    batch: Batch, a: Any, indices: Any, axis: Any = None, out: Any = None, mode: Any = "raise"
) -> Any:
    if out is not None or (mode != "raise" and batch.has(indices)):
        return NotImplemented
    if not batch.has(indices):
        value = a.value.reshape(batch.count, -1) if axis is None else a.value
        along: Any = 1 if axis is None else shifted(axis, a.ndim)
        return np.take(value, indices, along, None, mode)
    if axis is None:
        a, axis = np.ravel(a), 0
    lead = (slice(None),) * (axis % np.ndim(a))
    return getitem(batch, a, (*lead, indices))


@rule(np.take_along_axis)
def take_along_axis(batch: Batch, arr: Any, indices: Any, axis: Any = -1) -> Any:
    if axis is None:
        return np.take_along_axis(
            batch.whole(arr).reshape(batch.count, -1), batch.whole(indices), 1
        )
    return np.take_along_axis(batch.whole(arr), batch.whole(indices), shifted(axis, np.ndim(arr)))


@rule(np.put_along_axis)
def put_along_axis(batch: Batch, arr: Any, indices: Any, values: Any, axis: Any) -> Any:
    if axis is None:
        return NotImplemented
    if not batch.has(arr):
        raise NotBatched(MORE)
    given = batch.aligned(values, arr.ndim)
    np.put_along_axis(arr.value, batch.whole(indices), given, shifted(axis, arr.ndim))
    return None
