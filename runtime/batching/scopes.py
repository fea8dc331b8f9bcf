"""Functions of this package on batches: copies of them, to which NumPy makes arrays with room for all examples.

Helpers and adjoints are written for the arrays of one example, and stay so.  In a copy ``np.asarray`` leaves a batch as
it is, and ``np.zeros`` gives one.
"""

from __future__ import annotations

import threading
import types
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..objects.copied_functions import Copies, is_followed
from .batch import UNDISPATCHED, batch_of
from .batched_array import BatchedArray, levels_of
from .borders import closed, counts_of

__all__ = ["by_copy"]


class Running(threading.local):
    """The batches that the running copies are for: their levels, and how many examples each has."""

    def __init__(self) -> None:
        self.counts: dict[int, int] = {}


running = Running()


def by_copy(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What the copy of a function gives; NotImplemented for what is not of this package."""
    if not is_followed(function):
        return NotImplemented
    before, running.counts = running.counts, counts_in((args, kwargs))
    try:
        return COPIES.copy(function)(*args, **kwargs)
    finally:
        running.counts = before


def counts_in(tree: Any) -> dict[int, int]:
    """The levels of all batches among values, and in tuples, lists and dicts of them."""
    found: dict[int, int] = {}
    for value in tree.values() if type(tree) is dict else tree:
        if type(value) is BatchedArray:
            found |= counts_of(value)
        elif type(value) in (tuple, list, dict):
            found |= counts_in(value)
    return found


class OfAnyKind(type):
    """What `isinstance` asks for arrays."""

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, (np.ndarray, BatchedArray))


class Arrays(metaclass=OfAnyKind):
    """Arrays, and batches of them."""


def with_room(make: Callable[..., Any]) -> Any:
    """A function that makes an array, of which each example has one."""

    def call(*args: Any, **kwargs: Any) -> Any:
        made = make(*args, **kwargs)
        for level in sorted(running.counts.keys() - levels_of(made)):
            made = closed(np.broadcast_to(made, (running.counts[level], *made.shape)), level)
        return made.copy()

    return staticmethod(call)


class Numpy:
    """NumPy to the functions of a batch."""

    ndarray = Arrays
    zeros, zeros_like = with_room(np.zeros), with_room(np.zeros_like)
    ones, ones_like = with_room(np.ones), with_room(np.ones_like)
    empty, empty_like = with_room(np.empty), with_room(np.empty_like)
    full, full_like = with_room(np.full), with_room(np.full_like)
    arange = with_room(np.arange)

    def __getattr__(self, name: str) -> Any:
        value = getattr(np, name)
        if isinstance(value, types.BuiltinFunctionType) and value in UNDISPATCHED:
            value = partial(ruled, value)
        setattr(self, name, value)
        return value


def ruled(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What a function gives that has a rule, and that NumPy does not ask batches about."""
    batch = batch_of(args)
    if not batch.level:
        return function(*args, **kwargs)
    return BatchedArray(batch.level, UNDISPATCHED[function](batch, *args, **kwargs))


def of_batches(value: Any) -> Any:
    """What stands for a global value in a copy."""
    if value is np:
        return NUMPY
    return partial(ruled, value) if is_followed(value) and value in UNDISPATCHED else value


NUMPY = Numpy()
COPIES = Copies(of_batches)
