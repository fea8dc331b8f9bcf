"""Arrays across calls: what a callee writes to, returns and shares, as its caller sees it."""

from __future__ import annotations

from typing import Any

import gast

from retrograd.runtime.errors import MutationError

from ...analyses.aliasing.views_and_copies import Cell, is_memory
from ...ir.facts import Facts
from ...ir.operations import Call, Operand, Value
from ..interface.lowerer import Lowerer
from ..memory.array_kinds import is_constant_array
from ..memory.places import Lost

__all__ = ["CallEffects"]


class CallEffects:
    """The end of a function, and what follows a call of it."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def summarise(self, facts: Facts, params: list[Value], results: list[Any]) -> None:
        """Records what a call does to its arguments; ``writes`` has the versions at the end."""
        for k, p in enumerate(params):
            cell = self.lowerer.versions.memory.cells.get(p)
            held = self.lowerer.versions.choices.read(cell) if cell is not None else p
            if isinstance(held, Lost):
                facts.unclear[k] = held
            elif held is not p:
                facts.writes.append((k, held))
        for v in results:
            place = self.lowerer.versions.places.get(v) if isinstance(v, Value) else None
            near = {place.cell, *self.near(place.cell)} if place is not None else set()
            mine = [
                k
                for k, p in enumerate(params)
                if self.lowerer.versions.memory.cells.get(p) in near or p is v
            ]
            exact = place is None or not place.path
            whole = [
                k
                for k in mine
                if exact
                and (
                    params[k] is v
                    or self.lowerer.versions.memory.cells.get(params[k]) is (place and place.cell)
                )
            ]
            facts.gives.append(whole[0] if whole else None)
            facts.shows.append(mine)
        for k, p in enumerate(params):
            known = self.lowerer.handed.keeper_of(p)
            if known is not None:
                facts.handed[k] = known
        rank0 = self.lowerer.versions.rank0
        facts.rank0 = [v in rank0 for v in results]
        facts.of_module = [self.lowerer.versions.may_be_of_module(v) for v in results]
        facts.twins = self.twins(results)

    def twins(self, results: list[Any]) -> list[tuple[int, int, bool]]:
        """The pairs of results that may be one memory, and whether they are one array for certain."""
        arrays = [(k, v) for k, v in enumerate(results) if self.lowerer.versions.may_be_array(v)]
        found = []
        for at, (j, b) in enumerate(arrays):
            for i, a in arrays[:at]:
                same = a is b or self.lowerer.versions.same_place(a, b)
                if same or self.lowerer.parted.may_share(a, b):
                    found.append((i, j, same))
        return found

    def after_call(self, op: Call, given: list[Operand], node: gast.AST) -> list[Operand]:
        """Takes over what a call of a user's function did to its arguments, and what it returned."""
        facts = op.callee.facts
        count = len(op.results) - len(facts.writes)
        for (k, _), made in zip(facts.writes, op.results[count:], strict=True):
            self.written_by_call(given, k, made, node)
        for k, name in facts.handed.items():
            self.lowerer.handed.hand_over(given[k], name)
        for k in facts.unclear:
            if self.lowerer.versions.may_be_array(given[k]):
                self.lose(self.lowerer.versions.place_of(given[k]).cell, node)
        maybe = zip(op.results, facts.rank0, strict=False)
        self.lowerer.versions.keep_rank0(r for r, is_rank_0 in maybe if is_rank_0)
        for result, is_of_module in zip(op.results, facts.of_module, strict=False):
            if is_of_module:
                self.lowerer.versions.hold_of_module(result)
        results: list[Operand] = list(op.results[:count])
        own = facts.custom is not None  # its results have a derivative that their memory has not
        for k, (whole, shown) in enumerate(zip(facts.gives, facts.shows, strict=False)):
            results[k] = self.returned_value(given, results[k], None if own else whole, shown)
        for i, j, same in facts.twins:
            if results[j] is op.results[j] and self.lowerer.versions.may_be_array(results[j]):
                if same and not own:
                    results[j] = results[i]
                elif self.lowerer.versions.may_be_array(results[i]):
                    self.beside_more(results[j], results[i])
        return results

    def beside_more(self, v: Value, other: Value) -> None:
        """``v`` may be the memory of ``other``, too."""
        mine, cell = (
            self.lowerer.versions.place_of(v).cell,
            self.lowerer.versions.place_of(other).cell,
        )
        for near in (cell, *self.near(cell)):
            self.lowerer.versions.memory.relate(mine, near)

    def returned_value(
        self, given: list[Operand], v: Value, whole: int | None, shows: list[int]
    ) -> Any:
        versions = self.lowerer.versions
        arrays = [a for k in shows if versions.may_be_array(a := given[k])]
        of_module = [a for k in shows if versions.may_be_of_module(a := given[k])]
        if whole is not None and (given[whole] in arrays or is_constant_array(given[whole])):
            return given[whole]
        if of_module:
            versions.hold_of_module(v)
            versions.keep_rank0([v] if any(a in versions.rank0 for a in of_module) else [])
        if arrays and self.lowerer.versions.may_be_array(v):
            self.lowerer.versions.beside(v, arrays)
        return v

    def written_by_call(self, given: list[Operand], k: int, made: Value, node: gast.AST) -> None:
        """A callee has written to its ``k``-th argument: ``made`` is what that holds now."""
        target = given[k]
        if not isinstance(target, Value):
            raise MutationError(
                "this call writes to an array that is not made in this function",
                place=self.scope.place(node), fix="pass a copy of it (`.copy()`)",
            )  # fmt: skip
        if self.overlaps(given, k):
            raise MutationError(
                "this call writes to an argument that may overlap another one",
                place=self.scope.place(node), fix="pass a copy of one of them (`.copy()`)",
            )  # fmt: skip
        place = self.lowerer.versions.place_of(target)
        self.lowerer.versions.open_owner(place.cell, node)
        made.type, made.hint = target.type, place.cell.first.hint
        self.lowerer.versions.check_target(target, place, made, node)
        if place.path:
            self.lowerer.versions.write(target, (), made, node)
        else:
            self.lowerer.versions.set_version(place.cell, made, node)

    def overlapped(self, facts: Facts, given: list[Operand]) -> bool:
        """True if a callee writes to an argument that may be the memory of another."""
        written = [k for k, _ in facts.writes if isinstance(given[k], Value)]
        return any(self.overlaps(given, k) for k in written)

    def overlaps(self, given: list[Operand], k: int) -> bool:
        return any(
            j != k and isinstance(v, Value) and is_memory(v) and self.overlap(given[k], v)
            for j, v in enumerate(given)
        )

    def overlap(self, a: Any, b: Value) -> bool:
        return a is b or self.lowerer.parted.may_share(a, b)

    def near(self, cell: Cell) -> set[Cell]:
        return self.lowerer.parted.near(cell)

    def lose(self, cell: Cell, node: gast.AST) -> None:
        """A memory may have been written to, or may not."""
        self.lowerer.versions.open_owner(cell, node)
        name = f"`{cell.first.hint}`" if cell.first.hint else "an array"
        for near in (cell, *self.near(cell)):
            self.scope.env[self.lowerer.versions.key_of(near)] = Lost(name, self.scope.place(node))
