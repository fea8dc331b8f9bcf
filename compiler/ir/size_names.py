"""Names of unknown sizes: each stands for one size, and a new one is made whenever that is not certain."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from .types import Array, Dim, Number, Size, Stack, Tree, Type

__all__ = ["UNKNOWN_SIZE", "anew", "fresh_name", "has_known_shape", "unknown_sizes"]

UNKNOWN_SIZE = re.compile(r"~\d+")
numbers = itertools.count()


def fresh_name() -> str:
    return f"~{next(numbers)}"


def anew(kind: Type, names: dict[str, str]) -> Type:
    """A type in which sizes that nobody knows are other ones, those in ``names`` what is said there.

    What a loop leaves, or a list holds at some place, is not as long as what it had at another.

    >>> anew(Array("float64", (Dim("~0-1"), 3), "f"), {"~0": "~7"}).dims
    (Dim(name='~7-1', above_one=False), 3)
    """
    if isinstance(kind, Array) and kind.dims:
        return kind.with_dims(tuple(size_anew(n, names) for n in kind.dims))
    if isinstance(kind, Number) and kind.size is not None:
        return replace(kind, size=size_anew(kind.size, names))
    if isinstance(kind, Tree):
        return replace(kind, items=tuple(anew(item, names) for item in kind.items))
    if isinstance(kind, Stack):
        return replace(kind, item=anew(kind.item, names))
    return kind


def size_anew(size: Size, names: dict[str, str]) -> Any:
    def other(found: re.Match[str]) -> str:
        return names.setdefault(found[0], fresh_name())

    if not isinstance(size, Dim) or "~" not in size.name:
        return size
    return replace(size, name=UNKNOWN_SIZE.sub(other, size.name))


def unknown_sizes(kinds: Iterable[Type]) -> set[str]:
    """The names that sizes nobody knows have in these types."""
    return set(UNKNOWN_SIZE.findall(repr(list(kinds))))


def has_known_shape(kind: Type) -> bool:
    """True if all values of a type have one shape."""
    if not isinstance(kind, (Array, Number)) or kind.dims is None:
        return False
    return None not in kind.dims and not unknown_sizes([kind])
