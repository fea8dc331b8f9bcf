"""Sizes that a text takes for equal, under one name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from retrograd.compiler.ir.types import Array, Dim, Given, Tree, Type

__all__ = ["changed", "unified"]


def changed(kind: Type, change: Callable[[Any], Any]) -> Type:
    """A type with other sizes."""
    if isinstance(kind, Given):
        return replace(kind, type=changed(kind.type, change))
    if isinstance(kind, Array) and kind.dims:
        return kind.with_dims(tuple(map(change, kind.dims)))
    if isinstance(kind, Tree):
        return replace(kind, items=tuple(changed(item, change) for item in kind.items))
    return kind


def unified(types: dict[str, Type], equal: Iterable[tuple[Any, Any]]) -> dict[str, Type]:
    """Types in which sizes that a text takes for equal have one name, or are the number that they are."""
    table: dict[str, Any] = {}

    def find(size: Any) -> Any:
        while isinstance(size, str) and size in table:
            size = table[size]
        return size

    for a, b in equal:
        first, second = find(a), find(b)
        if first != second:
            first, second = (second, first) if isinstance(first, int) else (first, second)
            table[first] = second

    def change(size: Any) -> Any:
        found = find(size.name) if isinstance(size, Dim) else size
        return replace(size, name=found) if isinstance(found, str) else found

    return {name: changed(kind, change) for name, kind in types.items()}
