"""Calls of functions that look at their arguments and change none of them: validators."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..errors import UnsupportedOperation
from ..objects.held_objects import held_by, reached_from
from .object_protocols import is_word

__all__ = ["given_back"]


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
    before = contents(given)
    arrays = [(a, np.asarray(a).copy()) for a, _ in before if isinstance(a, np.ndarray)]
    yield
    if any(differ(a, entries) for a, entries in arrays):
        for a, entries in arrays:
            if a.flags.writeable:
                a[...] = entries
        raise not_as_before(fn, "writes to an argument")
    if not are_same(before, contents(given)):
        raise not_as_before(fn, "changes an argument")


def differ(a: np.ndarray, b: np.ndarray) -> bool:
    """True if two arrays hold other entries: nan is itself."""
    quickly = a.dtype.kind in "biufc" and np.array_equal(a, b)
    return not quickly and np.asarray(a).tobytes() != b.tobytes()


def contents(given: list[Any]) -> list[tuple[Any, list[Any]]]:
    """All that is given and what it holds, however deep it lies, each with its own items and attributes."""
    return [(one, list(held_by(one))) for one in reached_from(given)]


def are_same(before: list[tuple[Any, list[Any]]], after: list[tuple[Any, list[Any]]]) -> bool:
    return [ids(*one) for one in before] == [ids(*one) for one in after]


def ids(owner: Any, held: list[Any]) -> tuple[int, ...]:
    return (id(owner), *map(id, held))


def not_as_before(fn: Any, what: str) -> UnsupportedOperation:
    name = getattr(fn, "__name__", type(fn).__name__)
    return UnsupportedOperation(
        f"`{name}` {what}: when the derivative was made, it gave its arguments back as they were",
        fix="call it outside of the function",
    )
