"""More that a name stands for while the text is read: lists that grow, values of two kinds, iterations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.runtime.records import dataclass, field

from ..loop_ir.ir import Var
from ..loop_ir.values import View

__all__ = [
    "MIXED",
    "Arena",
    "Either",
    "Gone",
    "Growing",
    "Handle",
    "Iteration",
    "Joined",
    "Maybe",
    "Object",
    "Record",
    "Rows",
    "Tape",
]


MIXED = "mixed"


@dataclass(frozen=True)
class Object:
    """An object of the module that anybody may change: which one it is is known, and nothing else."""

    value: Any


@dataclass(frozen=True)
class Gone:
    """A view of memory that has been written to since it was read: it is no longer what was read."""


@dataclass(eq=False)
class Arena:
    """Where the items of the lists made at one place of the text stand."""

    name: str
    used: Var
    key: int = 0  # where in the text
    item: Any = None  # an item, by its leaves: arrays as views of the arena's buffers
    leaves: list[Any] = field(default_factory=list)


@dataclass(frozen=True)
class Tape:
    """A list that grows: from ``start`` in its arena; ``count`` is None while it still does."""

    arena: Arena
    start: Any
    count: Any = None


@dataclass(eq=False)
class Rows:
    """A list that gets one item in each iteration of a loop: as many rows of memory."""

    key: int  # where in the text
    count: Any
    block: list[Any]  # the body of the loop
    at: Any  # the number of the item, while the loop is read
    before: list[Any]  # what stands before the loop
    item: Any = None  # an item, by its leaves
    leaves: list[View] = field(default_factory=list)


@dataclass(frozen=True)
class Joined:
    """A list of lists, one after the other: what joins its items takes them part by part."""

    parts: tuple[Any, ...]


@dataclass(eq=False)
class Growing:
    """A list whose items are known one by one: it grows in one block only, in which it was made."""

    block: list[Any]
    key: int  # where in the text
    items: list[Any] = field(default_factory=list)


@dataclass(frozen=True)
class Maybe:
    """A value, or None if a condition does not hold: whoever reads it leaves the kernel then."""

    there: Any
    value: Any


@dataclass(frozen=True)
class Either:
    """A name that is of one kind if a condition held, and of another if not."""

    cond: Any
    then: Any
    orelse: Any


@dataclass(eq=False)
class Record:
    """What a function that calls itself keeps for the way back: of a kind of its own where it returns from another place."""

    name: str
    kinds: dict[Any, Any] = field(default_factory=dict)  # specs, by the way to the place


@dataclass(frozen=True)
class Handle:
    """The address of a record."""

    record: Record
    expr: Any


@dataclass(frozen=True)
class Iteration:
    """The items that a loop runs over: ``count``, and the element number ``k`` of it."""

    count: Any
    element: Callable[[Any], Any]
    direct: tuple[Any, Any] | None = None  # a range: its bounds, the element being the index
    backwards: bool = False
    static: bool = False  # the elements are of several kinds: which one has to be known
