"""A function of the program as a call of it sees it: in the caller's names of dimensions and of containers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from retrograd.runtime.errors import CompileError, UnsupportedSyntax
from retrograd.runtime.records import dataclass, field

from ...analyses.shapes.infer import type_of
from ...dependencies.object_reads import Reading
from ...ir.operations import Function
from ...ir.types import Type, rename
from ..call_facts import CallFacts
from ..nodes import values_of

__all__ = ["Callee", "Callees", "key_of", "not_settled"]

DECIDES = 4  # where a key says whether constants that have names decide


@dataclass
class Callee:
    """One function compiled for one kind of arguments."""

    function: Function
    names: dict[str, str] = field(default_factory=dict)  # our canonical dims -> the caller's
    cells: dict[int, int] = field(default_factory=dict)  # our containers -> the caller's

    def result_tree(self) -> Any:
        return self.function.tree

    def result_types(self) -> list[Type]:
        known = [type_of(y) for y in self.function.body.yields]
        return known or [None] * len(list(values_of(self.function.tree)))

    def outward(self, kind: Type) -> Type:
        """A result type in the caller's names of dimensions."""
        return rename(kind, lambda name: self.names.get(name))


@dataclass
class Notes:
    """What the text of a function depends on: what was read for it, and the functions that it calls."""

    readings: dict[Any, Reading] = field(default_factory=dict)
    calls: dict[Any, None] = field(default_factory=dict)
    as_of: int = 0  # how often readings had been forgotten when these were noted


def key_of(
    code: Any,
    again: bool,
    closure: tuple[int, ...],
    kinds: tuple[Any, ...],
    facts: CallFacts,
    known: list[Any],
) -> Any:
    """What a function is lowered for."""
    return code, again, closure, kinds, facts.decides, *known


class Callees(dict[Any, Function]):
    """The functions that were lowered for calls, by what they were lowered for, and why others were refused.

    Each is lowered once, and refused once: where nothing asked whether constants that have names decide, it is the
    same if they do.
    """

    def __init__(self) -> None:
        super().__init__()
        self.refused: dict[Any, CompileError] = {}
        self.regardless: set[Any] = set()
        self.unsettled = 0  # calls of what is being lowered: what it returns is not known yet
        self.notes: dict[Any, Notes] = {}
        self.noting: list[Notes] = [Notes()]
        self.forgotten = 0

    def clear(self) -> None:
        super().clear()
        self.notes.clear()
        self.refused.clear()
        self.regardless.clear()

    def known_as(self, key: Any, facts: CallFacts, under_way: list[Any]) -> Any:
        """The key that a function is known by, where constants that have names are of no matter to it."""
        plain = (*key[:DECIDES], False, *key[DECIDES + 1 :])
        key = plain if plain in self.regardless else key
        self.unsettled += key in under_way
        facts.deciding |= key not in self.regardless and (key in self or key in self.refused)
        return key

    @contextmanager
    def lowering(
        self, key: Any, facts: CallFacts, under_way: list[Any], refused: dict[Any, CompileError]
    ) -> Iterator[None]:
        """A function is lowered here for the first time; what is refused leaves no function."""
        if key in self.refused:
            raise self.refused[key].with_traceback(None)
        around, unsettled, tape = list(under_way), self.unsettled, len(refused)
        outer, facts.deciding = facts.deciding, False
        under_way.append(key)
        self.notes[key] = Notes(as_of=self.forgotten)
        self.noting.append(self.notes[key])
        try:
            yield
        except CompileError as error:
            self.pop(key, None)  # what calls it may do without its text
            if self.unsettled == unsettled and all(known[0] is not key[0] for known in around):
                self.refused[key] = error
                self.note(key, facts)
            raise
        else:
            if self.unsettled == unsettled and len(refused) == tape:
                self.note(key, facts)
        finally:
            self.noting.pop()
            under_way[:] = around
            facts.deciding |= outer

    def called(self, key: Any, note: Callable[..., Any]) -> None:
        """A function is called: the text depends on what its own does, which may have been forgotten with a caller."""
        self.noting[-1].calls[key] = None
        waiting = [key]
        while waiting:
            found = self.notes.get(waiting.pop())
            if found is None or found.as_of == self.forgotten:
                continue
            found.as_of = self.forgotten
            waiting += found.calls
            for reading in list(found.readings.values()):
                note(*reading)

    def note(self, key: Any, facts: CallFacts) -> None:
        if not facts.deciding and not key[DECIDES]:
            self.regardless.add(key)


def not_settled(fn: Any, source: Any) -> UnsupportedSyntax:
    """A function that calls itself, for which no types of results were found."""
    return UnsupportedSyntax(
        f"the recursion of `{fn.__name__}` does not settle on one type of result",
        place=source.place(None), fix="return values of the same type from every branch",
    )  # fmt: skip
