"""Calls of functions that look at their arguments and change none of them: validators."""

from __future__ import annotations

import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..errors import UnsupportedOperation
from .object_protocols import is_word

__all__ = ["given_back"]

CONTAINERS = (list, tuple, dict)
NO_OBJECTS = (type, types.ModuleType, types.FunctionType, types.MethodType)


def given_back(fn: Any, places: Any, /, *args: Any, **kwargs: Any) -> Any:
    """``fn(*args, **kwargs)``, which looks at its arguments and gives those at these places.

    None is the place of what carries no derivative.  Refused if it gives anything else, or changes an argument.

    >>> x = np.ones(2)
    >>> given_back(lambda x, *, y: (x, y, "ok"), (0, "y", None), x, y=x)[2]
    'ok'
    """
    with unchanged(fn, [*args, *kwargs.values()]):
        found = fn(*args, **kwargs)
    several = type(found) is tuple
    parts = found if several else (found,)
    expected = places if type(places) is tuple else (places,)
    if several != (type(places) is tuple) or len(parts) != len(expected):
        raise not_as_before(fn, "gives another number of things")
    for part, place in zip(parts, expected, strict=True):
        given = args[place] if type(place) is int else kwargs.get(place)
        if not is_word(part) if place is None else part is not given:
            raise not_as_before(fn, "gives something else")
    return found


@contextmanager
def unchanged(fn: Any, given: list[Any]) -> Iterator[None]:
    """Arrays have the entries they had, which they get back else; containers and objects hold what they held."""
    before = held_by(given)
    arrays = [(a, a.copy()) for a in before if type(a) is np.ndarray]
    yield
    if any(differ(a, entries) for a, entries in arrays):
        for a, entries in arrays:
            if a.flags.writeable:
                a[...] = entries
        raise not_as_before(fn, "writes to an argument")
    if not is_same(before, held_by(given)):
        raise not_as_before(fn, "changes an argument")


def differ(a: np.ndarray, b: np.ndarray) -> bool:
    """True if two arrays hold other entries: nan is itself."""
    quickly = a.dtype.kind in "biufc" and np.array_equal(a, b)
    return not quickly and a.tobytes() != b.tobytes()


def held_by(given: list[Any]) -> list[Any]:
    """All that is given, the attributes of objects in it, and what containers hold, however deep they lie."""
    attributes = [part for x in given if is_object(x) for part in (*vars(x), *vars(x).values())]
    left, found, seen = [*given, *attributes], [], set()
    while left:
        x = left.pop()
        found.append(x)
        if type(x) in CONTAINERS and id(x) not in seen:
            seen.add(id(x))
            left += content_of(x)
    return found


def content_of(x: Any) -> list[Any]:
    return [*x.keys(), *x.values()] if type(x) is dict else list(x)


def is_object(x: Any) -> bool:
    return hasattr(x, "__dict__") and not isinstance(x, NO_OBJECTS)


def is_same(before: list[Any], after: list[Any]) -> bool:
    return len(before) == len(after) and all(a is b for a, b in zip(before, after, strict=True))


def not_as_before(fn: Any, what: str) -> UnsupportedOperation:
    name = getattr(fn, "__name__", type(fn).__name__)
    return UnsupportedOperation(
        f"`{name}` {what}: when the derivative was made, it gave its arguments back as they were",
        fix="call it outside of the function",
    )
