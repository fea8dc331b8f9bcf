"""What an object holds: its items and its own attributes, found without asking its class."""

from __future__ import annotations

import collections
import contextlib
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from .declared_containers import slots_of

__all__ = ["held_by", "reached_from"]

CONTAINERS = (list, tuple, set, frozenset, dict, collections.deque, types.MappingProxyType)
PLAIN = (str, bytes, bool, int, float, complex, type(None))
ALONE = (np.generic, type, types.ModuleType)
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType)  # their attributes are nobody's data


def reached_from(values: Iterable[Any]) -> Iterator[Any]:
    """These objects and all that they hold, however deep it lies, each of them once.

    >>> row = [1.0]
    >>> sum(one is row for one in reached_from([{"rows": [row, row]}]))
    1
    """
    left, seen = list(values), {}
    while left:
        one = left.pop()
        if id(one) not in seen:
            seen[id(one)] = one
            yield one
            left += held_by(one)


def held_by(value: Any) -> Iterator[Any]:
    """The items and own attributes of an object, keys and names among them; no method of its class is called.

    >>> list(held_by({"a": 2.0})), list(held_by(2.0)), list(held_by(np.array([None, "b"])))
    (['a', 2.0], [], [None, 'b'])
    """
    if type(value) in PLAIN or isinstance(value, ALONE):
        return
    if isinstance(value, np.ndarray):
        yield from np.asarray(value).ravel().tolist() if value.dtype.hasobject else ()
    kind: Any = next((cls for cls in CONTAINERS if isinstance(value, cls)), None)
    if kind is not None:
        pairs = issubclass(kind, Mapping)
        yield from kind.keys(value) if pairs else kind.__iter__(value)
        yield from kind.values(value) if pairs else ()
    if isinstance(value, FUNCTIONS):
        return
    with contextlib.suppress(AttributeError):
        own = object.__getattribute__(value, "__dict__")
        yield from (*own.keys(), *own.values())
    for name in slots_of(type(value)):
        with contextlib.suppress(AttributeError):
            yield object.__getattribute__(value, name)
