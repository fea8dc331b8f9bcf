"""Containers at compile time: flatten nested tuples, lists and dicts of values, and rebuild them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from retrograd.runtime.records import dataclass, field

__all__ = ["LEAF", "Leaf", "Pack", "Record", "flatten", "leaves", "rebuild", "structure_of"]


@dataclass(frozen=True)
class Leaf:
    """One value."""


LEAF = Leaf()


@dataclass
class Pack:
    """A container the compiler takes apart: ``kind`` is tuple, list, dict, or a class.

    ``cell`` is the identity of one that can be written to (see `container_identity`); ``live`` makes an iterator, or
    a view of a dict, anew of what it goes over as that is now (see `mutation_during_iteration`).
    """

    kind: Any
    keys: list[Any]
    items: list[Any]
    cell: int | None = field(default=None, compare=False, repr=False)
    live: Any = field(default=None, compare=False, repr=False)
    home: Any = field(
        default=None, compare=False, repr=False
    )  # of one that is an item of another: see `Items`
    steady: Any = field(default=(), compare=False, repr=False)  # what it was computed of
    made: Any = field(default=None, compare=False, repr=False)  # see `set_histories`
    view: str = field(default="", compare=False, repr=False)  # of a dict: "keys", "values", "items"

    def get(self, key: Any) -> Any:
        if self.kind in (tuple, list) and isinstance(key, int):
            return self.items[key]
        return self.items[self.keys.index(key)]


class Record(dict[Any, Any]):
    """The attributes of an object of the class ``of``, which stand for it in a list of run-time length."""

    def __init__(self, of: type, items: dict[Any, Any]) -> None:
        super().__init__(items)
        self.of = of


def leaves(node: Any) -> Iterator[Any]:
    """The values of a nested container, in order.

    >>> list(leaves(Pack(tuple, [0, 1], ["a", Pack(list, [0], ["b"])])))
    ['a', 'b']
    """
    if isinstance(node, Pack):
        for item in node.items:
            yield from leaves(item)
    else:
        yield node


def structure_of(node: Any) -> Any:
    """The container with a ``LEAF`` in place of every value."""
    return rebuild(node, lambda leaf: LEAF)


def rebuild(node: Any, change: Callable[[Any], Any]) -> Any:
    """The same container around changed values."""
    if isinstance(node, Pack):
        return Pack(node.kind, list(node.keys), [rebuild(item, change) for item in node.items])
    return change(node)


def flatten(node: Any) -> tuple[list[Any], Any]:
    """The values of a container, and its structure."""
    return list(leaves(node)), structure_of(node)
