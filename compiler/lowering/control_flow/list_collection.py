"""Lists that a loop collects: one item per iteration, and what they share memory with after it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import gast

from retrograd.runtime.errors import MutationError
from retrograd.runtime.helpers import linear

from ...analyses.aliasing.views_and_copies import Cell
from ...analyses.shapes.infer import type_of
from ...frontend.exit_queries import LOOPS
from ...frontend.upward_exposed_reads import exposed
from ...ir.containers import Pack
from ...ir.operand_constants import constants_in
from ...ir.operations import Apply, Const, Loop, Value, values_in
from ...ir.primitives import BUNDLE
from ...ir.types import Stack
from ..interface.lowerer import Lowerer
from ..memory.container_writes import joined_type
from ..memory.places import Lost, Unsettled, cell_name, is_cell
from ..memory.places import hidden as is_version
from ..nodes import Environment, Listed
from .loop_aliasing import Slot
from .loop_plan import Plan

__all__ = ["Collection"]


class Attempted(Protocol):
    """The lowering of a loop body, as the lists that it collects see it."""

    loop: Loop
    plan: Plan
    node: gast.AST
    env: Environment
    outer: Environment
    params: list[Value]
    yields: list[Any]
    spans: dict[str, slice]
    ends: dict[str, list[Any]]

    def result_at(self, slot: Slot) -> Value | None: ...


class Collection:
    """The lists that one loop collects."""

    def __init__(self, lowerer: Lowerer, attempt: Attempted) -> None:
        self.lowerer, self.attempt = lowerer, attempt
        self.items: dict[int, Any] = {}  # what one iteration puts into each list

    def collect(self, cell: int) -> Value:
        """A list that each iteration appends one item to."""
        content = self.attempt.env[cell_name(cell)]
        if not isinstance(content, Pack) or len(content.items) != 1:
            raise Unsettled(cell=cell)
        lowerer = self.lowerer
        item = lowerer.operations.operand(lowerer.cells.seen(content.items[0]))
        if not isinstance(item, (Value, Const)):
            item = lowerer.subscripts.bundle_operand(item)
        held = set(lowerer.cells.reachable(content.items[0]))
        self.check_kept(held)
        lowerer.cells.note_held(content.items[0], (cell, "collected"), self.attempt.loop)
        self.items[cell] = item
        kind = Stack(type_of(item), user=True)
        self.attempt.loop.body.yields.append(item)
        self.attempt.loop.collects += 1
        return Value(lowerer.cells.cell_hint(cell_name(cell)), kind, self.attempt.loop.loc)

    def check_kept(self, held: set[int]) -> None:
        """Refuse to collect a container that another iteration writes to: all its entries are one."""
        names = [*self.attempt.plan.carried, *(n for n in self.attempt.outer if not is_cell(n))]
        node = self.attempt.node
        read = exposed(node) if isinstance(node, LOOPS) else frozenset(names)
        names = [n for n in names if n in read or n.startswith("$")]  # others are bound anew before
        ends = {n: self.attempt.env[n] for n in names if n in self.attempt.env}
        collected = set(map(cell_name, self.attempt.plan.collected))
        contents = {n: v for n, v in self.attempt.env.items() if is_cell(n) and n not in collected}
        lasting = self.lowerer.cells.alive(ends | contents)
        lasting |= {int(n.removeprefix("$cell ")) for n in self.attempt.outer if is_cell(n)}
        written = {int(n.removeprefix("$cell ")) for n in self.attempt.plan.carried if is_cell(n)}
        if held & lasting & (written | self.lowerer.scope.program.written):
            raise MutationError(
                "a container that is put into a list in every iteration is written to",
                place=self.lowerer.scope.place(self.attempt.node), fix="append a copy: dict(p), list(p)",
            )  # fmt: skip

    def leave_lists(self, stacks: Iterator[Value]) -> None:
        for cell in sorted(self.attempt.plan.collected):
            stack = next(stacks)
            self.lowerer.versions.made_in([stack], self.lowerer.scope.block)
            self.share(stack, self.items[cell])
            self.lowerer.scope.env[cell_name(cell)] = self.extended(cell, stack)

    def share(self, stack: Value, item: Any) -> None:
        """A list shares the memory of what was put into it, which no iteration may write to.

        What an iteration makes and writes to before its end is its own; what lasts longer is one
        array in several entries.
        """
        lowerer, shared = self.lowerer, self.attempt.plan.shared
        values = [
            v for v in (*values_in(item), *self.within(item)) if lowerer.versions.may_be_array(v)
        ]
        cells = {lowerer.versions.place_of(v).cell for v in values}
        near = cells | {c for cell in cells for c in cell.near}
        slots = [slot for slot in self.slots() if self.touches(slot, near)]
        lasting = {c for c in near if lowerer.versions.outlives(c)}
        if self.is_written(lasting, slots):
            raise MutationError(
                "an array that is put into a list in every iteration is written to in this loop",
                place=lowerer.scope.place(self.attempt.node), fix="append a copy of it (`.copy()`)",
            )  # fmt: skip
        lasting |= {
            c for slot in slots for c in shared.near.get(slot, ()) if lowerer.versions.outlives(c)
        }
        results = [self.attempt.result_at(slot) for slot in slots]
        lasting |= {
            lowerer.versions.place_of(r).cell for r in results if lowerer.versions.may_be_array(r)
        }
        lowerer.versions.share(stack, {c for cell in lasting for c in (cell, *cell.near)})
        constants = list(constants_in(item))
        if any(map(lowerer.versions.may_be_of_module, (*values, *constants))):
            lowerer.versions.hold_of_module(stack)
        held = any(v in lowerer.versions.rank0 for v in (*values, *constants))
        lowerer.versions.keep_rank0([stack] if held else [])

    def within(self, item: Any) -> list[Value]:
        """The values in a container of one iteration."""
        made = [op for op in self.attempt.loop.body.ops if item in op.results]
        bundles = [op for op in made if isinstance(op, Apply) and op.fn is BUNDLE]
        return [v for op in bundles for v in values_in(op.args[0])]

    def slots(self) -> list[Slot]:
        """The carried values that are arrays, the versions of memories left out."""
        return [
            (name, k) for name, at in self.attempt.spans.items() if not is_version(name)
            for k, param in enumerate(self.attempt.params[at]) if self.lowerer.versions.may_be_array(param)
        ]  # fmt: skip

    def touches(self, slot: Slot, near: set[Cell]) -> bool:
        """True if a carried value is one of these memories, at the head of the body or at its end."""
        name, k = slot
        lowerer = self.lowerer
        ends = [self.attempt.params[self.attempt.spans[name]][k], self.attempt.ends[name][k]]
        cells = {
            lowerer.versions.place_of(v).cell for v in ends if lowerer.versions.may_be_array(v)
        }
        return any(c in near or not near.isdisjoint(c.near) for c in cells)

    def is_written(self, lasting: set[Cell], slots: list[Slot]) -> bool:
        """True if the body writes to one of these memories, or to what a carried value may be."""
        lowerer = self.lowerer
        names = {lowerer.versions.keys.get(c) for c in lasting}
        if any(n in self.attempt.spans and self.is_changed(n) for n in names):
            return True
        if any(isinstance(self.attempt.outer.get(n), Lost) for n in names if n is not None):
            return True
        passed = [self.ends_elsewhere(slot) for slot in slots]
        params = (
            [self.attempt.params[self.attempt.spans[name]][k] for name, k in self.slots()]
            if any(passed)
            else []
        )
        keys = [lowerer.versions.keys.get(lowerer.versions.place_of(p).cell) for p in params]
        return any(key in self.attempt.env for key in keys)

    def ends_elsewhere(self, slot: Slot) -> bool:
        """True if what is collected is carried to the next iteration."""
        name, k = slot
        end = self.attempt.ends[name][k]
        near = {c for item in self.items.values() for v in values_in(item) if self.lowerer.versions.may_be_array(v)
                for c in (self.lowerer.versions.place_of(v).cell, *self.lowerer.versions.place_of(v).cell.near)}  # fmt: skip
        if not self.lowerer.versions.may_be_array(end):
            return False
        cell = self.lowerer.versions.place_of(end).cell
        return cell in near or not near.isdisjoint(cell.near)

    def is_changed(self, name: str) -> bool:
        at = self.attempt.spans[name]
        return self.attempt.yields[at] != self.attempt.params[at]

    def extended(self, cell: int, stack: Value) -> Pack:
        before = self.attempt.outer[cell_name(cell)]
        if before.kind is list and not before.items:
            return Pack(Listed, [0], [stack])
        start = self.lowerer.cells.as_one(self.lowerer.cells.seen(before))
        made = self.lowerer.operations.apply(linear.joined, (start.items[0], stack), {})
        whole: Pack = self.lowerer.cells.one_list(
            made, joined_type(start.items[0], stack), stack.hint
        )
        return whole
