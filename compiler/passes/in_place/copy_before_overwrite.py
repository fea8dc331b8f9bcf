"""Copies of values that are read after their memory is overwritten, made before the write.

>>> from tests.before_after import in_gradient
>>> from .writes_in_place import place
>>> in_gradient('''
... def f(x):
...     y = np.exp(x)
...     y[0] = 1.0
...     return np.sum(y ** 2)
... ''', "x: f8[n]", place)
def f_grad(x):
    # forward
    y = np.exp(x)
    y[0] = 1.0
    y_2 = y
    # backward
    # `return np.sum(y ** 2)`
    y_bar = 2.0 * y_2
    # `y[0] = 1.0`
    y_bar[0] = 0.0
    return rt.mul0(y_bar, y)
# becomes
def f_grad(x):
    # forward
    y = np.exp(x)
    y_2 = y.copy()
    y[0] = 1.0
    # backward
    # `return np.sum(y ** 2)`
    y_bar = 2.0 * y
    # `y[0] = 1.0`
    y_bar[0] = 0.0
    return rt.mul0(y_bar, y_2)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.aliasing.container_origins import is_listed
from ...analyses.aliasing.may_alias import Shares
from ...analyses.aliasing.memory_facts import is_version, is_view
from ...analyses.aliasing.read_write_order import Path, Read, Timeline, Write, exclusive
from ...analyses.aliasing.views_and_copies import Cell, may_be_memory
from ...ir.operations import (
    Apply,
    Block,
    Call,
    Function,
    Loop,
    Op,
    Value,
    map_operand,
    operands_of,
    set_operands,
    values_in,
    walk,
)
from ...ir.primitives import BUNDLE
from ...ir.types import Array, Stack, is_numeric
from ...ir.verify import shapes_read
from .name_copies import Yield, base_index, copy_of, copy_operand, operand_at
from .order_stores import is_note
from .ownership import in_blocks

__all__ = ["Repair"]


class Repair:
    """Finds the values that are read after their memory was written to, and copies them."""

    def __init__(self, function: Function, shares: Shares, time: Timeline) -> None:
        self.function, self.shares, self.time = function, shares, time
        self.bundles = {
            op.result: (block, op)
            for block, op in in_blocks(function.body)
            if isinstance(op, Apply) and op.fn is BUNDLE
        }
        time.writes += self.noted()
        self.order = {v: k for k, v in enumerate(v for v in time.made if v in time.reads)}
        self.holders: dict[Cell, list[Value]] = {}
        for v in filter(may_be_memory, self.order):
            cell = shares.memory.cells.get(v)
            if cell is not None:
                self.holders.setdefault(cell, []).append(v)

    def noted(self) -> list[Write]:
        """Final writes to the user's arrays, of content that was computed elsewhere."""
        cells = self.shares.memory.cells
        notes = [op for op in self.function.body.ops if isinstance(op, Apply) and is_note(op)]
        moved = [op for op in notes if cells.get(op.args[1]) is not cells.get(op.args[0])]
        return [Write(op, op.args[0], self.time.ends[op], ()) for op in moved]

    def run(self) -> bool:
        """One round; whether anything was copied."""
        late: dict[Value, list[tuple[Write, Read, bool]]] = {}
        for write in self.time.writes:
            for v, read, again in self.spoilt(write):
                late.setdefault(v, []).append((write, read, again))
        if any(isinstance(v.type, Stack) for v in late) and self.collected():
            return True  # what is copied for a tape shares no more with what the loop leaves
        # A copied part shares no more with the whole, which then may need none.
        parts = {v: uses for v, uses in late.items() if self.is_part(v)}
        # Nor does a tape within a tape, once what it holds is copied.
        parts = parts or {v: uses for v, uses in late.items() if not self.holds_tapes(v)}
        for v, uses in (parts or late).items():
            self.save(v, uses)
        return bool(late) or self.collected()

    def holds_tapes(self, v: Value) -> bool:
        items = self.shares.contents.get(v, ())
        return any(isinstance(item, Value) and item in self.shares.contents for item in items)

    def is_part(self, v: Value) -> bool:
        maker = self.time.place[v][1]
        return isinstance(maker, Apply) and is_view(maker)

    def spoilt(self, write: Write) -> Iterator[tuple[Value, Read, bool]]:
        """Values that share memory with what is written, and are read afterwards as they were."""
        for v in self.sharing(write.base):
            born, around = self.time.made[v]
            if born >= write.clock or (write.op is None and v not in self.shares.contents):
                continue
            for read in self.time.reads[v]:
                if read.op is write.op is not None and not self.again(read, write, around):
                    continue
                later = read.clock > write.clock and not exclusive(read.path, write.path)
                if (later or self.again(read, write, around)) and not shape_only(read):
                    yield v, read, not later

    def sharing(self, base: Value) -> list[Value]:
        """The values that are read somewhere and may be the memory of ``base``, in the order they are made."""
        cell = self.shares.memory.cells.get(base)
        if cell is None:
            return [base] if base in self.order and may_be_memory(base) else []
        near = [v for c in (cell, *cell.near) for v in self.holders.get(c, ())]
        return sorted(filter(partial(may_change, base), near), key=self.order.__getitem__)

    def again(self, read: Read, write: Write, around: Path) -> bool:
        """True if a read comes before the write, but after it in the next iteration."""
        if read.clock > write.clock:
            return False
        loops = [pair for pair in write.path if isinstance(pair[0], Loop)]
        return any(pair in read.path and pair not in around for pair in loops)

    def save(self, v: Value, uses: list[tuple[Write, Read, bool]]) -> None:
        """Let the late reads of ``v`` read a copy of it."""
        passed = [r for w, r, _ in uses if self.is_passed_on(r, w, v)]
        for read in passed:
            self.break_chain(read, v)
        if passed:
            return  # that may be all there was to it
        edges = [(w, r) for w, r, again in uses if again and self.is_edge(r, v)]
        for _, read in edges:
            self.break_chain(read, v)
        reads = [r for _, r, again in uses if not (again and self.is_edge(r, v))]
        if not reads:
            return
        block, op = self.time.place[v]
        if isinstance(op, Loop) and v in op.stacks and self.save_stack(block, op, v, uses):
            return
        if v in self.shares.contents:
            return self.save_items(v, [w.base for w, _, _ in uses])
        if isinstance(op, Call) and not (plain_array(v) or holds_argument(op, v)):
            return self.save_arguments(block, op, uses)
        made = copy_of(v, op)
        block.ops.insert(0 if op is None else block.ops.index(op) + 1, made)
        if isinstance(op, Apply) and is_view(op):  # a view is copied for good: `x[1:].copy()`
            others = [r for r in self.time.reads[v] if not self.is_edge(r, v) and keeps_bits(r)]
            reads = [r for r in self.time.reads[v] if r in others or r in reads]
        for read in reads:
            replace_read(read, v, made.result)

    def is_passed_on(self, read: Read, write: Write, v: Value) -> bool:
        """True if the read hands ``v``, from outside a loop, to the next iteration, which writes."""
        pair = read.path[-1] if read.op is None and read.path else None
        if pair is None or not isinstance(pair[0], Loop) or pair[1] is not pair[0].body:
            return False
        carried = read.block.yields[: len(pair[0].inits)]
        return (
            pair in write.path and pair not in self.time.made[v][1] and any(y is v for y in carried)
        )

    def save_stack(self, block: Block, op: Loop, v: Value, uses: list[Any]) -> bool:
        """Give what a loop leaves, and is written to after it, memory of its own: not all of a tape."""
        may = self.shares.memory.may_share
        late = [w.base for w, _, _ in uses]
        found = False
        for r in op.results[: len(op.inits)]:
            reads = [x for x in self.time.reads.get(r, ()) if not is_copying(x.op)]
            if reads and may_be_memory(r) and may(r, v) and any(may(r, base) for base in late):
                made = copy_of(r)
                block.ops.insert(block.ops.index(op) + 1, made)
                for read in reads:
                    replace_read(read, r, made.result)
                found = True
        return found

    def is_edge(self, read: Read, v: Value) -> bool:
        """True if a read hands memory on to be written to."""
        if read.op is None:
            return True
        if isinstance(read.op, Loop):
            return any(i is v for i in read.op.inits)
        return any(operand_at(read.op, k) is v for k in base_index(read.op))

    def break_chain(self, read: Read, v: Value) -> None:
        op: Op = read.op if read.op is not None else Yield([], None, read.block)
        count = (
            len(read.block.yields) if read.op is None
            else len(op.inits) if isinstance(op, Loop) else len(op.args)  # type: ignore[attr-defined]
        )  # fmt: skip
        for k in range(count):
            if operand_at(op, k) is v:
                copy_operand(read.block, op, k)

    def save_items(self, v: Value, bases: list[Value]) -> None:
        """Copy what a tuple or a tape holds of the memory, where it is put there."""
        may = self.shares.memory.may_share
        for block, op in self.bundles.values():
            items = op.args[0].values() if isinstance(op.args[0], dict) else op.args[0]
            if list(items) != list(self.shares.contents[v]):
                continue
            for item in list(values_in(op.args[0])):
                if may_be_memory(item) and any(may(item, base) for base in bases):
                    self.keep_copy(block, op, item)

    def keep_copy(self, block: Block, op: Apply, item: Value) -> None:
        home, maker = self.time.place[item]
        made = copy_of(item)
        home.ops.insert(0 if maker is None else home.ops.index(maker) + 1, made)
        set_operands(op, lambda x: made.result if x is item else x)

    def save_arguments(self, block: Block, op: Call, uses: list[Any]) -> None:
        """A callee kept an argument: give it a copy."""
        may = self.shares.memory.may_share
        mutated = {k for k, j in op.callee.facts.writes if j is not None}
        for k, a in enumerate(op.args):
            kept = isinstance(a, Value) and may_be_memory(a) and k not in mutated
            if kept and any(may(a, write.base) for write, _, _ in uses):
                copy_operand(block, op, k)

    def is_kept(self, v: Value) -> bool:
        """True if a tape may hold the memory of ``v``."""
        may = self.shares.memory.may_share
        for _, op in in_blocks(self.function.body):
            if isinstance(op, Loop):
                for value in op.collected():
                    items = values_in(self.shares.contents.get(value, [value]))  # type: ignore[arg-type]
                    if any(may(item, v) for item in items):
                        return True
        return False

    # -- tapes -------------------------------------------------------------------------

    def collected(self) -> bool:
        """Copy what a loop puts on a tape and a later iteration writes over."""
        loops = [op for op in walk(self.function.body) if isinstance(op, Loop) and op.collects]
        return any(self.tape(op) for op in reversed(loops))  # those inside first

    def tape(self, op: Loop) -> bool:
        inside = {r for inner in walk(op.body) for r in inner.results}
        writes = [w for w in self.time.writes if any(pair[0] is op for pair in w.path)]
        found = False
        for k, value in enumerate(op.collected()):
            if not isinstance(value, Value):
                continue
            items = list(values_in(self.shares.contents.get(value, [value])))
            for item in items:
                if not may_be_memory(item) or self.only_kept(item):
                    continue
                if any(self.later_iteration(op, item, w, inside) for w in writes):
                    found = True
                    self.put_copy(op, k, value, item)
        return found

    def only_kept(self, item: Value) -> bool:
        """True if a value is a copy that nobody but a tape has: it is written to by no iteration."""
        maker = self.time.place[item][1]
        return is_copying(maker) and all(self.is_keeping(read) for read in self.time.reads[item])

    def is_keeping(self, read: Read) -> bool:
        if isinstance(read.op, Apply) and read.op.fn is BUNDLE:
            return all(self.is_keeping(r) for r in self.time.reads.get(read.op.result, ()))
        loop = read.path[-1][0] if read.op is None and read.path else None
        return isinstance(loop, Loop) and all(
            y is not read.value for y in read.block.yields[: len(loop.inits)]
        )

    def later_iteration(self, op: Loop, item: Value, write: Write, inside: set[Value]) -> bool:
        """True if an iteration after the one that gave ``item`` may write to its memory."""
        if not may_change(write.base, item):
            return False
        memory = self.shares.memory
        mine, target = memory.of(item), memory.of(write.base)
        # What is made inside is new in each iteration, and reached only if it is passed on.
        lasting = {c for c in (target, *target.near) if c.first not in inside}
        if memory.may_share(item, write.base) and not lasting.isdisjoint((mine, *mine.near)):
            return True
        carried = {memory.of(p) for p in op.carried if may_be_memory(p)}
        passed: set[Cell] = set()
        left = carried & {target, *target.near}
        while left:
            more = self.shares.passed_on.get(left.pop(), set()) - passed
            passed |= more
            left |= more & carried
        return mine in passed

    def put_copy(self, op: Loop, k: int, value: Value, item: Value) -> None:
        home, maker = self.time.place[item]
        made = copy_of(item, maker)
        home.ops.insert(0 if maker is None else home.ops.index(maker) + 1, made)
        if isinstance(maker, Apply) and is_view(maker):
            for read in self.time.reads[item]:
                if not self.is_edge(read, item) and keeps_bits(read):
                    replace_read(read, item, made.result)
        if item is value:
            op.body.yields[len(op.inits) + k] = made.result
            return
        for _, bundle in self.bundles.values():  # of this loop, or of one inside it
            if any(v is item for v in values_in(bundle.args[0])):
                set_operands(bundle, lambda x: made.result if x is item else x)


def may_change(base: Value, v: Value) -> bool:
    """True if a write to ``base`` may change ``v``: what is put into a list changes no array or number that was in it."""
    return not (is_listed(base) and is_numeric(v.type))


def keeps_bits(read: Read) -> bool:
    """True if an operation gives the same to the last bit for a copy, which lies otherwise in memory.

    Products of matrices and sums may not; what is computed for a derivative need not.
    """
    op = read.op
    if op is None or all(r.made for r in op.results):
        return True
    if not isinstance(op, Apply):
        return False
    return traits_of(op.fn).elementwise is True or is_version(op) or op.fn is BUNDLE


def shape_only(read: Read) -> bool:
    if read.op is None:
        return False
    shapes = sum(read.value is o for o in shapes_read(read.op))
    return shapes == sum(read.value is v for v in values_in(operands_of(read.op)))


def is_copying(op: Op | None) -> bool:
    return isinstance(op, Apply) and op.fn in (linear.copy, np.ndarray.copy, np.copy)


def holds_argument(op: Call, v: Value) -> bool:
    """True if a result is what an argument holds after the call: an array, whatever is known of it."""
    return any(j is not None and op.results[j] is v for _, j in op.callee.facts.writes)


def plain_array(v: Value) -> bool:
    return isinstance(v.type, Array)


def replace_read(read: Read, old: Value, new: Value) -> None:
    def change(x: Any) -> Any:
        return new if x is old else x

    if read.op is None:
        read.block.yields = [map_operand(y, change) for y in read.block.yields]
    else:
        set_operands(read.op, change)
