"""Helpers on lists whose length is known at run time: each returns a new list."""

from __future__ import annotations

import operator
from typing import Any

from .linear_core import zeros_like

__all__ = [
    "appended",
    "cleared",
    "count_of",
    "inserted",
    "joined",
    "place_of",
    "put_back",
    "removed",
    "replaced",
]

Items = list[Any]


def appended(items: Items, item: Any) -> Items:
    """A list with one item more.

    >>> appended([1.0], 2.0)
    [1.0, 2.0]
    """
    return [*items, item]


def count_of(items: Any) -> int:
    """How many items a list has.

    >>> count_of([1.0, 2.0])
    2
    """
    return len(items)


def joined(first: Items, second: Any) -> Items:
    """Two lists, one after the other.

    >>> joined([1.0], (2.0, 3.0))
    [1.0, 2.0, 3.0]
    """
    return [*first, *second]


def replaced(items: Items, index: int, item: Any) -> Items:
    """A list with another item at ``index``.

    >>> replaced([1.0, 2.0], -1, 5.0)
    [1.0, 5.0]
    """
    made = list(items)
    made[operator.index(index)] = item
    return made


def cleared(c: Items, index: int) -> Items:
    """A list with a zero at ``index``.

    >>> cleared([1.0, 2.0], 0)
    [0.0, 2.0]
    """
    return replaced(c, index, zeros_like(c[index]))


def place_of(items: Items, index: int) -> int:
    """Where ``items.insert(index, item)`` puts the item.

    >>> place_of([1.0, 2.0], -1), place_of([1.0, 2.0], 9)
    (1, 2)
    """
    n = len(items)
    return min(n, max(0, index + n if index < 0 else index))


def inserted(items: Items, index: int, item: Any) -> Items:
    """A list with one item more, before the one at ``index``.

    >>> inserted([1.0, 2.0], 1, 5.0)
    [1.0, 5.0, 2.0]
    """
    made = list(items)
    made.insert(index, item)
    return made


def removed(items: Items, index: int = -1) -> Items:
    """A list without the item at ``index``.

    >>> removed([1.0, 2.0, 3.0], 0)
    [2.0, 3.0]
    """
    made = list(items)
    made.pop(index)
    return made


def put_back(c: Items, like: Items, index: int = -1) -> Items:
    """The list ``c``, with a zero put where ``removed(like, index)`` took an item out.

    >>> put_back([2.0, 3.0], [1.0, 2.0, 3.0], 0)
    [0.0, 2.0, 3.0]
    """
    made = list(c)
    made.insert(range(len(like))[index], zeros_like(like[index]))
    return made
