"""What attempts at a loop have found out, kept for the next time that this loop is lowered.

A loop in another one is lowered again in each attempt at that.  It begins with the plan that it had in the end,
as far as that can be said in words that this attempt has: names, ways into what they hold, and types.  All of it
is found out again by the attempt that holds; what is not so any more is refused, and the loop begins cold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from retrograd.runtime.errors import CompileError
from retrograd.runtime.records import dataclass, field, replace

from ....ir.containers import leaves
from ....ir.operations import Value
from ....ir.size_names import anew, unknown_sizes
from ....ir.types import Type
from ...memory.places import hidden
from ...nodes import Environment
from ..carried_entries import spelled
from .changes import Change, Draft, ListOuter, is_free_of_names
from .spots import Spot, Spots

__all__ = ["Known", "WarmStarts", "sizes_around"]

Slot = tuple[Spot, int]  # one of the values of a carried name


@dataclass(frozen=True)
class Widened:
    """The type that a carried value had before attempts widened it, and after."""

    before: Type
    after: Type

    def again(self, now: Type, same_sizes: bool, names: dict[str, str]) -> Type:
        """The type of such a value that begins as ``now``."""
        if now != self.before or not (same_sizes or is_free_of_names(self.after)):
            return now
        return anew(self.after, names)


@dataclass
class Known:
    """What is remembered of one loop, and of those in it."""

    changes: list[tuple[Change, tuple[Spot, ...]]] = field(default_factory=list)
    types: dict[Spot, list[Widened]] = field(default_factory=dict)
    sizes: str = ""  # the types around the loop when these were found
    pairs: set[frozenset[Slot]] = field(default_factory=set)
    near: dict[Slot, set[Spot]] = field(default_factory=dict)
    rank0: set[Slot] = field(default_factory=set)
    outside: set[Slot] = field(default_factory=set)
    inner: dict[Any, Known] = field(default_factory=dict)
    lowered: Counter[Any] = field(default_factory=Counter)  # inner loops, in this attempt

    def is_empty(self) -> bool:
        return not (
            self.changes or self.types or self.pairs or self.near or self.rank0 or self.outside
        )

    def forget(self) -> None:
        """Nothing is known of this loop, nor of those in it."""
        vars(self).update(vars(Known()))

    def inner_loop(self, key: Any) -> Known:
        """What is known of a loop in this one: the next that stands at this place of the text."""
        self.lowered[key] += 1
        return self.inner.setdefault((key, self.lowered[key]), Known())

    # -- what is found out -------------------------------------------------------------

    def note(self, change: Change, draft: Draft) -> None:
        """A change of the plan was found."""
        spots, lasting = spots_of(draft), change.lasting()
        found = [spots.of(name) for name in names_in(change)]
        if lasting is not None and None not in found:
            told = lasting, tuple(s for s in found if s is not None)
            self.changes += [] if told in self.changes else [told]

    def note_types(self, draft: Draft, sizes: str) -> None:
        """The types, and what shares memory, after an attempt."""
        spots, plan = spots_of(draft), draft.plan
        if sizes != self.sizes:
            self.types.clear()
        self.sizes = sizes
        at = {name: spots.of(name) for name in plan.carried}
        around = unknown_sizes(types_around(draft.outer))
        for name, spot in at.items():
            pairs = zip(plan.began.get(name, ()), plan.types.get(name, ()), strict=False)
            found = [Widened(a, a if unknown_sizes([b]) & around else b) for a, b in pairs]
            if spot is not None and any(w.before != w.after for w in found):
                self.types[spot] = found
        self.note_sharing(draft, spots, at)

    def note_sharing(self, draft: Draft, spots: Spots, at: dict[str, Spot | None]) -> None:
        shared = draft.plan.shared

        def known(slots: Iterable[tuple[str, int]]) -> list[Slot]:
            return [(spot, k) for name, k in slots if (spot := at.get(name)) is not None]

        self.pairs |= {frozenset(two) for pair in shared.pairs if len(two := known(pair)) == 2}
        self.rank0 |= set(known(shared.rank0))
        self.outside |= set(known(shared.outside))
        for slot, cells in shared.near.items():
            found = {s for cell in cells if (s := spots.of_memory(cell)) is not None}
            for one in known([slot] if found else []):
                self.near.setdefault(one, set()).update(found)

    # -- the next time ------------------------------------------------------------------

    def begin(self, draft: Draft, sizes: str) -> None:
        """Change a plan as attempts have found out before."""
        spots = spots_of(draft)
        for change, at in self.changes:
            names = [spots.name_at(spot) for spot in at]
            if None not in names:
                here = renamed(change, names)
                if here.applies(draft):
                    here.make(draft)
        self.begin_types(draft, spots, sizes)
        self.begin_sharing(draft, spots)

    def begin_types(self, draft: Draft, spots: Spots, sizes: str) -> None:
        names: dict[str, str] = {}
        for spot, found in self.types.items():
            name = spots.name_at(spot)
            now = draft.plan.types.get(name, []) if name is not None else []
            if name is not None and len(now) == len(found):
                same = sizes == self.sizes
                draft.plan.types[name] = [
                    w.again(t, same, names) for w, t in zip(found, now, strict=True)
                ]

    def begin_sharing(self, draft: Draft, spots: Spots) -> None:
        shared = draft.plan.shared

        def here(slots: Iterable[Slot]) -> list[tuple[str, int]]:
            known = [(spots.name_at(spot), k) for spot, k in slots]
            return [(name, k) for name, k in known if name in draft.plan.carried]

        shared.pairs |= {frozenset(two) for pair in self.pairs if len(two := here(pair)) == 2}
        shared.rank0 |= set(here(self.rank0))
        shared.outside |= set(here(self.outside))
        for slot, at in self.near.items():
            cells = {cell for spot in at if (cell := spots.memory_at(spot)) is not None}
            for one in here([slot]):
                shared.reach(one, cells)


class WarmStarts:
    """What is remembered of the loops of one function that is lowered."""

    def __init__(self) -> None:
        self.here = Known()  # of the loop whose body is lowered now
        self.around = 0  # loops around what is lowered now
        self.begun = 0  # loops that began with what was remembered
        self.cold = False
        self.final: CompileError | None = None  # what was refused in a loop that began cold

    @contextmanager
    def loop(self, key: Any) -> Iterator[Known]:
        """A loop is lowered: what is known of it."""
        outer = self.here
        self.here = Known() if self.cold else outer.inner_loop(key)
        self.around += 1
        try:
            yield self.here
        finally:
            self.here = outer
            self.around -= 1

    def attempt(self) -> None:
        """An attempt at the body begins: its loops are counted anew."""
        self.here.lowered.clear()

    @contextmanager
    def forgotten(self) -> Iterator[None]:
        """A loop that was refused is lowered as if it were the first time; if it is the outermost, nothing is remembered."""
        before, self.cold = self.cold, self.cold or self.around == 1
        try:
            yield
        except CompileError as error:
            self.final = error
            raise
        finally:
            self.cold = before

    def is_final(self, error: CompileError) -> bool:
        """True if this was found again by a loop that had forgotten all; the outermost one still tries."""
        return error is self.final and self.around > 1


def sizes_around(env: Environment) -> str:
    """The types of what stands before a loop, up to the names of sizes that nobody knows."""
    return spelled({"": types_around(env)})


def types_around(env: Environment) -> list[Type]:
    held = [v for n, node in env.items() if not hidden(n) for v in leaves(node)]
    return [v.type for v in held if isinstance(v, Value)]


def spots_of(draft: Draft) -> Spots:
    return Spots(draft.lowerer.versions, draft.outer)


def names_in(change: Change) -> list[str]:
    return [change.name, change.held] if isinstance(change, ListOuter) else [change.name]


def renamed(change: Change, names: list[Any]) -> Change:
    if isinstance(change, ListOuter):
        return replace(change, name=names[0], held=names[1])
    return replace(change, name=names[0])  # type: ignore[type-var]
