"""Helpers on containers in containers, and on dicts whose keys are known at run time: each returns a new container.

A ``path`` is the keys that lead to an item, from the whole inwards: ``m[i][j]`` is at ``(i, j)``.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from ..objects.pytree import with_items
from .core import add, zeros_like

__all__ = [
    "cleared_at",
    "dropped",
    "entered",
    "increased_at",
    "keys_of",
    "like_keys",
    "put_at",
    "renewed_at",
    "shallow",
    "taken_at",
    "values_of",
    "with_keys",
]

Path = tuple[Any, ...]


def put_at(items: Any, path: Path, item: Any) -> Any:
    """A container with another item at the end of ``path``.

    >>> put_at([[1.0, 2.0], [3.0]], (0, 1), 5.0), put_at({"a": {}}, ("a", "b"), 5.0)
    ([[1.0, 5.0], [3.0]], {'a': {'b': 5.0}})
    """
    key, *rest = path
    made = copy.copy(items)
    made[key] = put_at(items[key], tuple(rest), item) if rest else item
    return made


def renewed_at(items: Any, path: Path, content: Any) -> Any:
    """The same where it is the container at ``path`` that changed, and none was put in its place.

    >>> renewed_at([[1.0], [3.0]], (0,), [1.0, 2.0])
    [[1.0, 2.0], [3.0]]
    """
    return put_at(items, path, content)


def cleared_at(c: Any, path: Path, like: Any) -> Any:
    """The container ``c``, at ``path`` zeros of the structure of ``like``, or nothing if ``like`` has nothing there.

    >>> cleared_at([[1.0, 2.0]], (0, 1), [[5.0, 6.0]]), cleared_at({"a": 1.0, "b": 2.0}, ("b",), {"a": 5.0})
    ([[1.0, 0.0]], {'a': 1.0})
    """
    key, *rest = path
    made = copy.copy(c)
    if rest:
        made[key] = cleared_at(c[key], tuple(rest), like[key])
    elif isinstance(like, dict) and key not in like:
        del made[key]
    else:
        made[key] = zeros_like(like[key])
    return made


def taken_at(c: Any, path: Path) -> Any:
    """The item at the end of ``path``.

    >>> taken_at([[1.0, 2.0]], (0, 1))
    2.0
    """
    for key in path:
        c = c[key]
    return c


def increased_at(items: Any, path: Path, c: Any) -> Any:
    """A container with ``c`` added to what is at the end of ``path``, which may be a slice.

    >>> increased_at([[1.0, 2.0], (3.0,)], (0, 1), 5.0), increased_at([(1.0,)], (0,), (2.0,))
    ([[1.0, 7.0], (3.0,)], [(3.0,)])
    """
    key, *rest = path
    old = items[key]
    if rest:
        new = increased_at(old, tuple(rest), c)
    elif isinstance(key, slice):
        new = [add(item, more) for item, more in zip(old, c, strict=True)]
    else:
        new = add(old, c)
    if isinstance(items, list) or type(items) is dict:
        made = copy.copy(items)
        made[key] = new
        return made
    return with_part(items, key, new)


def with_part(items: Any, key: Any, new: Any) -> Any:
    """The same kind of container with something else at ``key``, though nothing can be put into it."""
    if isinstance(items, Mapping):
        return with_items(items, [new if k == key else item for k, item in items.items()])
    made = list(items)
    made[key] = new
    return with_items(items, made)


def entered(items: dict[Any, Any], key: Any, item: Any) -> dict[Any, Any]:
    """A dict with this item at ``key``.

    >>> entered({"a": 1.0}, "b", 2.0)
    {'a': 1.0, 'b': 2.0}
    """
    return {**items, key: item}


def dropped(items: dict[Any, Any], key: Any) -> dict[Any, Any]:
    """A dict without the item at ``key``.

    >>> dropped({"a": 1.0, "b": 2.0}, "a")
    {'b': 2.0}
    """
    made = dict(items)
    del made[key]
    return made


def like_keys(c: dict[Any, Any], like: dict[Any, Any], key: Any) -> dict[Any, Any]:
    """The items of ``c`` at the keys of ``like``; zeros at ``key``, and where ``c`` has none.

    >>> like_keys({"a": 1.0, "b": 2.0}, {"a": 5.0, "c": 6.0}, "b")
    {'a': 1.0, 'c': 0.0}
    """
    return {k: c[k] if k in c and k != key else zeros_like(v) for k, v in like.items()}


def shallow(items: Any) -> Any:
    """Another list or dict of the same items.

    >>> shallow({"a": 1.0})
    {'a': 1.0}
    """
    return copy.copy(items)


def keys_of(items: dict[Any, Any]) -> list[Any]:
    """The keys of a dict, as a list.

    >>> keys_of({"a": 1.0})
    ['a']
    """
    return list(items)


def values_of(items: dict[Any, Any]) -> list[Any]:
    """The values of a dict, as a list.

    >>> values_of({"a": 1.0})
    [1.0]
    """
    return list(items.values())


def with_keys(items: list[Any], keys: Any) -> dict[Any, Any]:
    """A dict of these keys and items.

    >>> with_keys([1.0], ["a"])
    {'a': 1.0}
    """
    return dict(zip(keys, items, strict=True))
