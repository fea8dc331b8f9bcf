"""Aliasing of the carried values of a loop: assumed, checked, assumed again.

The values that a loop carries are thought to be apart from each other if they are so before
the loop; if an iteration ends with two of them in one memory, the body is lowered again with
that known.  So ``u, v = v, u`` stays two arrays.
"""

from __future__ import annotations

from typing import Any

from ...analyses.aliasing.views_and_copies import Cell
from ...ir.containers import leaves
from ...ir.operations import Value
from ..interface.memory import Versions
from ..memory.array_kinds import has_axes
from ..memory.places import hidden

__all__ = ["Sharing"]

Slot = tuple[str, int]  # a carried name, and which value of a container it holds


class Sharing:
    """The assumptions about one loop: cells from outside, and pairs of carried values."""

    def __init__(self, versions: Versions) -> None:
        self.versions = versions
        self.before = {cell: set(cell.near) for cell in versions.memory.cells.values()}
        self.near: dict[Slot, set[Cell]] = {}
        self.pairs: set[frozenset[Slot]] = set()
        self.cells: dict[Slot, Cell] = {}
        self.rank0: set[Slot] = set()
        self.outside: set[Slot] = set()  # those that may be arrays of the module
        self.params: dict[Slot, Value] = {}
        self.perhaps: set[Slot] = set()  # those that an iteration may leave no array
        self.renewed: set[Slot] = set()  # those that are more than augmented

    def restore(self) -> None:
        """Forget what the last attempt said about the cells from outside."""
        for cell, near in self.before.items():
            cell.near = set(near)

    def reach(self, slot: Slot, cells: set[Cell]) -> None:
        """Think that a carried value may be any of these from outside."""
        for cell in cells:
            self.before.setdefault(cell, set(cell.near))
        self.near.setdefault(slot, set()).update(cells)

    def forget(self, name: str) -> None:
        """Drop what is known of a name whose values are to be counted otherwise."""
        self.near = {slot: near for slot, near in self.near.items() if slot[0] != name}
        self.pairs = {pair for pair in self.pairs if all(slot[0] != name for slot in pair)}
        self.rank0 = {slot for slot in self.rank0 if slot[0] != name}
        self.outside = {slot for slot in self.outside if slot[0] != name}
        self.perhaps = {slot for slot in self.perhaps if slot[0] != name}
        self.renewed = {slot for slot in self.renewed if slot[0] != name}

    def enter(self, carried: list[str], inits: dict[str, Any], params: dict[str, Any]) -> None:
        """Give the parameters of the body their cells."""
        began: dict[Slot, Value] = {}
        slots: dict[Slot, Value] = {}
        self.params = {}
        for name in carried:
            values = zip(leaves(inits[name]), leaves(params[name]), strict=True)
            for k, (init, param) in enumerate(values):
                if hidden(name):
                    self.versions.stands_for(param, self.versions.cells[name])
                    continue
                if self.versions.may_be_of_module(init):
                    self.outside.add((name, k))
                if init in self.versions.rank0:
                    self.rank0.add((name, k))
                if (name, k) in self.rank0:
                    self.versions.keep_rank0([param])
                self.suppose((name, k), init, param)
                if self.versions.may_be_array(param):
                    slots[name, k] = param
                    if self.versions.may_be_array(init):
                        began[name, k] = init
        self.begin(began)
        self.cells = {}
        for slot, param in slots.items():
            self.cells[slot] = self.versions.share(param, self.near.get(slot, ()))
            if slot in self.outside:
                self.versions.hold_of_module(param)
        for pair in self.pairs:
            both = [self.cells[slot] for slot in pair if slot in self.cells]
            if len(both) == 2:
                self.versions.memory.relate(*both)

    def suppose(self, slot: Slot, init: Any, param: Value) -> None:
        """Think that a carried value is an array, or is none, in every iteration as before the loop."""
        self.params[slot] = param
        rank0 = self.versions.rank0
        if slot not in self.perhaps:
            rank0.take(param, init, init)
        if slot not in self.renewed and init in rank0 and isinstance(init, Value):
            rank0.witnesses[param] = rank0.witness(init)

    def compare(self, slot: Slot, end: Any) -> None:
        """Look whether that is so at the end of the body."""
        rank0, param = self.versions.rank0, self.params[slot]
        if rank0.is_array(param) and not (rank0.is_array(end) or has_axes(end)):
            self.perhaps.add(slot)
        if param in rank0.witnesses and rank0.witness(end) is not rank0.witness(param):
            self.renewed.add(slot)

    def begin(self, began: dict[Slot, Value]) -> None:
        """Records what the values before the loop share memory with, and which with each other."""
        for slot, init in began.items():
            cell = self.versions.place_of(init).cell
            near = self.before.setdefault(cell, set(cell.near))
            self.near.setdefault(slot, set()).update((cell, *near))
        self.pair(began)

    def pair(self, values: dict[Slot, Value]) -> None:
        slots = list(values)
        for i, a in enumerate(slots):
            for b in slots[:i]:
                x, y = values[a], values[b]
                if x is y or self.versions.memory.may_share(x, y):
                    self.pairs.add(frozenset((a, b)))

    def leave(self, carried: list[str], ends: dict[str, Any]) -> bool:
        """Compare the end of the body with what was assumed; whether more is known now."""
        known = self.size()
        by_slot: dict[Slot, Value] = {}
        for name in carried:
            if hidden(name) or name not in ends:
                continue
            for k, end in enumerate(leaves(ends[name])):
                if end in self.versions.rank0:
                    self.rank0.add((name, k))
                self.compare((name, k), end)
                if self.versions.may_be_of_module(end):
                    self.outside.add((name, k))
                if (name, k) in self.cells and isinstance(end, Value):
                    by_slot[name, k] = end
        for slot, end in by_slot.items():
            self.near.setdefault(slot, set()).update(self.reached(end))
        self.pair(by_slot)
        return self.size() != known

    def size(self) -> tuple[int, ...]:
        near = sum(map(len, self.near.values()))
        kinds = len(self.rank0), len(self.outside), len(self.perhaps), len(self.renewed)
        return near, len(self.pairs), *kinds

    def reached(self, end: Value) -> set[Cell]:
        """The cells from outside the loop that a value may be."""
        if not self.versions.may_be_array(end):
            return set()
        cell = self.versions.place_of(end).cell
        self.before.setdefault(cell, set(cell.near))
        return {c for c in (cell, *cell.near) if self.versions.outlives(c)}
