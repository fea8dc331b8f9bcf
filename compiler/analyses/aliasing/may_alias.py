"""May-alias analysis of a finished program, through loops and tapes.

What ``Memory`` says of single operations, followed through the regions: the parameters of a
loop are thought apart until an iteration ends with two of them together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from retrograd.runtime.records import dataclass, field
from retrograd.runtime.traits.lookup import traits_of

from ...ir.operations import (
    Apply,
    Block,
    Call,
    Const,
    Function,
    If,
    Loop,
    Operand,
    Value,
    values_in,
    walk,
)
from ...ir.primitives import BUNDLE, UNPACK
from ..shapes.infer import type_of
from .views_and_copies import Cell, Memory, may_be_memory

__all__ = ["Shares", "base_of", "shares_of"]


def base_of(op: Apply) -> Operand:
    """The memory an operation writes to, or None.

    What the program's own call changes, of an object that is known when it runs, is read as it is from then on.
    """
    out = op.kwargs.get("out")
    if out is not None:
        return None if op.effect else out
    return op.args[0] if traits_of(op.fn).writes in ("version", "sum") else None


Summary = tuple[list[set[int]], set[tuple[int, int]]]


@dataclass
class Shares:
    """The memory of every value; ``contents`` are the items of tuples, stacks and elements."""

    memory: Memory = field(default_factory=Memory)
    contents: dict[Value, list[Operand]] = field(default_factory=dict)
    passed_on: dict[Cell, set[Cell]] = field(default_factory=dict)  # to the next iteration
    summaries: dict[Function, Any] = field(default_factory=dict)
    assumed: dict[Function, Summary] = field(default_factory=dict)  # of functions being looked at
    consulted: set[Function] = field(default_factory=set)

    # -- one function ------------------------------------------------------------------

    def function(self, function: Function) -> None:
        for p in function.body.params:
            self.memory.of(p)
        self.block(function.body)

    def block(self, block: Block) -> None:
        for op in block.ops:
            if isinstance(op, Apply):
                self.apply(op)
            elif isinstance(op, Call):
                self.call(op)
            elif isinstance(op, If):
                self.block(op.then)
                self.block(op.orelse)
                for result, a, b in zip(op.results, op.then.yields, op.orelse.yields, strict=True):
                    self.memory.joined(result, a, b)
                    self.keep_contents(result, a, b)
            else:
                assert isinstance(op, Loop)
                self.loop(op)

    def apply(self, op: Apply) -> None:
        base = base_of(op)
        if isinstance(base, Value):
            return self.memory.same(op.result, base)
        if op.fn is BUNDLE:
            items = op.args[0].values() if isinstance(op.args[0], dict) else op.args[0]
            return self.hold(op.result, list(items))
        if op.fn is UNPACK:
            return self.take_apart(op)
        self.memory.enter(op)
        for result in filter(may_be_memory, op.results):
            self.memory.of(result)  # loops want to know every cell from outside

    def hold(self, v: Value, items: list[Operand]) -> None:
        """``v`` is a container of these."""
        self.contents[v] = items
        self.memory.either(v, values_in(items))

    def keep_contents(self, result: Value, a: Operand, b: Operand) -> None:
        """What is kept of one side of a branch, and None on the other one, is known item by item."""
        for whole, other in ((a, b), (b, a)):
            none = isinstance(other, Const) and other.value is None
            if none and isinstance(whole, Value) and whole in self.contents:
                self.contents[result] = self.contents[whole]

    def take_apart(self, op: Apply) -> None:
        whole = op.args[0]
        if len(getattr(type_of(whole), "dims", None) or ()) == 1:
            return  # into numbers
        items = self.contents.get(whole) if isinstance(whole, Value) else None
        for k, result in enumerate(op.results):
            known = items is not None and len(items) == len(op.results)
            self.memory.either(result, values_in(items[k] if known else whole))  # type: ignore[index]

    # -- calls -------------------------------------------------------------------------

    def call(self, op: Call) -> None:
        shows, pairs = self.summary(op.callee)
        written = {j: k for k, j in op.callee.facts.writes if j is not None}
        for j, result in enumerate(op.results):
            if j in written and isinstance(op.args[written[j]], Value):
                self.memory.same(result, op.args[written[j]])
                continue
            known = shows[j] if shows is not None and j < len(shows) else range(len(op.args))
            others = [v for k in known for v in values_in(op.args[k])]
            others += [op.results[i] for i in range(j) if pairs is None or (i, j) in pairs]
            if may_be_memory(result):
                self.memory.either(result, others)

    def summary(self, function: Function) -> tuple[Any, Any]:
        """For each result the parameters it may show, and the pairs of results that may overlap.

        A function that calls itself is thought to share nothing, until it is found to.
        """
        if not function.body.ops and not function.body.yields:
            return None, None
        if function in self.assumed:
            self.consulted.add(function)
            return self.assumed[function]
        if function not in self.summaries:
            known = dict(self.summaries)
            n = len(function.body.yields)
            found: Summary = [set() for _ in range(n)], set()
            while True:
                self.assumed[function] = found
                more = self.summarised(function)
                del self.assumed[function]
                if more == found or function not in self.consulted:
                    break
                found = more
                self.summaries.clear()
                self.summaries.update(known)
            self.summaries[function] = more
        return self.summaries[function]  # type: ignore[no-any-return]

    def summarised(self, function: Function) -> Summary:
        inner = Shares(summaries=self.summaries, assumed=self.assumed, consulted=self.consulted)
        inner.function(function)
        may = inner.memory.may_share
        body = function.body
        written = {k for k, _ in function.facts.writes}
        ends = [y if isinstance(y, Value) and may_be_memory(y) else None for y in body.yields]
        shows = [{k for k, p in enumerate(body.params) if y and may(y, p)} for y in ends]
        for y, shown in zip(ends, shows, strict=True):
            if y in inner.contents:  # copied into what is saved, as the caller may write again
                shown -= written
        pairs = {
            (i, j)
            for j, y in enumerate(ends)
            for i, x in enumerate(ends[:j])
            if x and y and may(x, y)
        }
        return shows, pairs

    # -- loops -------------------------------------------------------------------------

    def loop(self, op: Loop) -> None:
        memory = self.memory
        inside = list(values_inside(op))
        self.forget(inside)
        outside = set(memory.cells.values())
        carried = [k for k, p in enumerate(op.carried) if may_be_memory(p)]
        near: dict[int, set[Cell]] = {k: set() for k in carried}
        pairs: set[tuple[int, int]] = set()
        same: dict[int, Cell] = {}
        for k in carried:
            if isinstance(op.inits[k], Value) and may_be_memory(op.inits[k]):
                cell = memory.of(op.inits[k])
                outside.add(cell)
                same[k] = cell
                near[k] |= {cell, *cell.near}
        pairs |= self.together(carried, op.inits)
        before = {cell: set(cell.near) for cell in outside}
        while True:
            for cell, known in before.items():
                cell.near = set(known)
            self.forget(inside)
            self.iteration(op, carried, near, pairs, same)
            ends = list(op.body.yields)
            more_near = {k: near[k] | self.reached(ends[k], outside) for k in carried}
            more_pairs = pairs | self.together(carried, ends)
            kept = {k: c for k, c in same.items() if self.is_cell(ends[k], c)}
            if (more_near, more_pairs, kept) == (near, pairs, same):
                break
            near, pairs, same = more_near, more_pairs, kept
        self.leave(op, carried, near, pairs, same, outside)

    def forget(self, values: list[Value]) -> None:
        """Forget conclusions drawn with less knowledge of the carried values."""
        for v in values:
            self.memory.cells.pop(v, None)

    def is_cell(self, end: Operand, cell: Cell) -> bool:
        return isinstance(end, Value) and self.memory.cells.get(end) is cell

    def iteration(self, op: Loop, carried: list[int], near: Any, pairs: Any, same: Any) -> None:
        self.enter(list(op.carried), carried, near, pairs, same)
        if op.cond is not None:
            self.enter(list(op.cond.params), carried, near, pairs, same)
            self.block(op.cond)
        for (stack, _), element in zip(op.feeds, op.elements, strict=True):
            if isinstance(stack, Value) and stack in self.contents:
                self.contents[element] = self.contents[stack]
            self.memory.either(element, values_in(stack))
        self.block(op.body)
        for k in carried:
            mine = self.memory.of(op.carried[k])
            self.passed_on.setdefault(mine, set()).update(self.shown_by(op.body.yields[k]))

    def enter(
        self, values: list[Value], carried: list[int], near: Any, pairs: Any, same: Any
    ) -> None:
        """Give what a loop carries its cells: that of what it began with, as long as it stays so."""
        for k in carried:
            if k in same:
                self.memory.cells[values[k]] = same[k]
            else:
                self.memory.approach(values[k], near[k])
        for i, j in pairs:
            self.memory.relate(self.memory.of(values[i]), self.memory.of(values[j]))

    def leave(
        self, op: Loop, carried: list[int], near: Any, pairs: Any, same: Any, outside: set[Cell]
    ) -> None:
        params = {self.memory.of(op.carried[k]) for k in carried}
        ends = {k: self.of_any_iteration(op.body.yields[k], params, outside) for k in carried}
        self.enter(list(op.results[: len(op.inits)]), carried, near, pairs, same)
        for k in carried:  # what an iteration made, which a stack may hold as well
            for cell in ends[k]:
                self.memory.relate(self.memory.of(op.results[k]), cell)
        for stack, value in zip(op.stacks, op.collected(), strict=True):
            if isinstance(value, Value) and value in self.contents:
                self.contents[stack] = self.contents[value]
            self.memory.either(stack, values_in(value))

    def of_any_iteration(self, end: Operand, params: set[Cell], outside: set[Cell]) -> set[Cell]:
        """Values that may leave a loop: made in the last iteration or carried into it."""
        found = self.shown_by(end)
        if isinstance(end, Value) and self.memory.cells.get(end) in outside:
            return found
        left = found & params
        while left:
            more = self.passed_on.get(left.pop(), set()) - found
            found |= more
            left |= more & params
        return found

    def shown_by(self, end: Operand) -> set[Cell]:
        if not isinstance(end, Value) or not may_be_memory(end):
            return set()
        cell = self.memory.of(end)
        return {cell, *cell.near}

    def reached(self, end: Operand, outside: set[Cell]) -> set[Cell]:
        return self.shown_by(end) & outside

    def together(self, carried: list[int], values: list[Operand]) -> set[tuple[int, int]]:
        found = set()
        arrays = [k for k in carried if isinstance(values[k], Value) and may_be_memory(values[k])]
        for at, j in enumerate(arrays):
            for i in arrays[:at]:
                if values[i] is values[j] or self.memory.may_share(values[i], values[j]):
                    found.add((i, j))
        return found


def values_inside(loop: Loop) -> Iterator[Value]:
    """Every value that an iteration makes anew."""
    for block in loop.blocks:
        yield from block.params
        for op in walk(block):
            yield from op.results
            for inner in op.blocks:
                yield from inner.params


def shares_of(function: Function) -> Shares:
    """The sharing of one function."""
    found = Shares()
    found.function(function)
    return found
