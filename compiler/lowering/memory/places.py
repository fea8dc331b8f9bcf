"""Where arrays and containers stand: the names of what they hold, and what is known of a write."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from retrograd.runtime.errors import Place as SourcePlace
from retrograd.runtime.records import dataclass

from ...analyses.aliasing.views_and_copies import Cell
from ...ir.containers import leaves
from ...ir.operations import Apply, Block, Operand, Value
from ..nodes import Listed, Mapped, Node, Ref

__all__ = [
    "Change",
    "Check",
    "Lost",
    "Path",
    "Place",
    "Unsettled",
    "cell_name",
    "cells_in",
    "has_identity",
    "hidden",
    "is_cell",
    "is_mutable",
]


PREFIX = "$memory"


Path = tuple[tuple[Operand, ...], ...]


@dataclass(frozen=True, eq=False)
class Place:
    """Where a value stands: a cell, the views that lead to it, and the version it was read from."""

    cell: Cell
    path: Path
    version: Value


class Lost:
    """The content of a memory after a write that may have been to it."""

    def __init__(self, name: str, place: SourcePlace) -> None:
        self.name, self.place = name, place


def hidden(name: str) -> bool:
    """True if an entry of the environment is the version of a memory."""
    return name.startswith(PREFIX)


@dataclass(eq=False)
class Check:
    """A check at run time, which nobody may need yet."""

    op: Apply
    block: Block
    value: Value
    statement: Any


@dataclass(frozen=True, eq=False)
class Change:
    """A write to a container: what it held and holds, and after how many operations of which block."""

    name: str
    before: Any
    after: Any
    block: Block
    at: int


class Unsettled(Exception):
    """The plan of a loop does not hold; ``change`` makes the next one.

    ``cell`` is a list that the loop that collects it must carry instead.
    """

    def __init__(self, change: Any = None, cell: int | None = None) -> None:
        self.change, self.cell = change, cell


def cell_name(cell: int) -> str:
    return f"$cell {cell}"


def is_cell(name: str | None) -> bool:
    return name is not None and name.startswith("$cell ")


def cells_in(node: Node) -> Iterator[int]:
    """The containers that a stored node refers to."""
    for leaf in leaves(node):
        if isinstance(leaf, Ref):
            yield leaf.cell


def is_mutable(kind: Any) -> bool:
    """True if containers of this kind can be written to."""
    if kind in (list, dict, Listed, Mapped):
        return True
    if not isinstance(kind, type) or issubclass(kind, tuple):
        return False
    parameters = getattr(kind, "__dataclass_params__", None)
    return not (parameters is not None and parameters.frozen)


def has_identity(kind: Any) -> bool:
    """True if two containers of one content may come apart: they can be written to, or keep what a property computes."""
    if is_mutable(kind) or not isinstance(kind, type) or issubclass(kind, tuple):
        return is_mutable(kind)
    kept = (v for base in kind.__mro__ for v in vars(base).values())
    return any(isinstance(v, functools.cached_property) for v in kept)
