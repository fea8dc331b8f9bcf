"""Writes to items of lists turned into writes in place, where nobody reads what stood there before.

>>> from tests.before_after import after
>>> after('''
... def f(x, n):
...     table = [0.0 for _ in range(n)]
...     for i in range(n):
...         table[i] = i * x
...     return table[0]
... ''', "x: float, n: int", items_in_place)
def f(x, n):
    table = [0.0 for _ in range(n)]
    for i in range(n):
        table[i] = i * x
    return table[0]

Up to here such a write gives a new list (`replaced`, `put_at`, `increased_at`), with new ones along the path and the
others shared.  It becomes a write in place where the list was made here, and nothing that may show it is read
afterwards, in this iteration or in the next one.  Memory of the caller's is copied, if that is outside the loop that
writes.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.homes import HELPERS
from retrograd.runtime.objects.own_attributes import home_of
from retrograd.runtime.records import dataclass
from retrograd.runtime.rules.book import book
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.aliasing.may_alias import shares_of
from ...analyses.aliasing.read_write_order import Path, Read, Timeline, Write
from ...analyses.aliasing.views_and_copies import may_be_memory
from ...analyses.shapes.infer import type_of
from ...analyses.shapes.number_lists import ends_in_list, holds_numbers, is_scalar, type_at
from ...ir.operations import (
    Apply,
    Block,
    Const,
    Function,
    Loop,
    Op,
    Operand,
    Try,
    Value,
    With,
    values_in,
)
from ...ir.primitives import Primitive
from ...ir.types import kind_of
from .copy_before_overwrite import Repair
from .name_copies import copy_operand
from .ownership import Edge, Ownership

__all__ = ["items_in_place"]


def items_in_place(function: Function) -> Function:
    """Turn, in place, the writes to items into writes in place that may be."""
    found = [w for w in item_writes(function.body, ()) if w.is_typed()]
    for write in found:
        write.turn()
    while found:
        take_over(function, found)
        judge = Judge(function)
        late = [w for w in found if not judge.allows(w)]
        if not late:
            break
        for write in late:
            write.turn_back()
        found = [w for w in found if w not in late]
    return function


def take_over(function: Function, found: list[ItemWrite]) -> None:
    """Copy memory that is not ours, if it comes in outside the innermost loop around a write."""
    pending = list(found)
    ownership = Ownership(function)
    while pending:
        edge = foreign(ownership, pending[-1])
        if edge is None or not is_outside(edge, pending[-1]):
            pending.pop()
        else:
            copy_operand(*edge)
            ownership = Ownership(function)


def item_writes(block: Block, path: tuple[Op, ...]) -> Iterator[ItemWrite]:
    """The writes to items, with the operations around them; none that a ``try`` may break off."""
    for op in block.ops:
        if isinstance(op, Apply) and traits_of(op.fn).writes == "item":
            yield ItemWrite(block, op, path)
        if not isinstance(op, (Try, With)) and not getattr(op, "snapshots", 0):
            for inner in op.blocks:
                yield from item_writes(inner, (*path, op))


@dataclass(eq=False)
class ItemWrite:
    """One write to an item, and what it was before it became one in place."""

    block: Block
    op: Apply
    around: tuple[Op, ...]
    before: tuple[Any, tuple[Operand, ...]] | None = None

    @property
    def path(self) -> tuple[Operand, ...]:
        _, key, _ = self.op.args
        return (key,) if self.op.fn is linear.replaced else key

    def is_typed(self) -> bool:
        """True if the types say that a number is written over, or lists are added that nobody else has."""
        op = self.op
        if op.kwargs or len(op.args) != 3 or not isinstance(op.args[0], Value):
            return False
        base, _, value = op.args
        if not isinstance(self.path, tuple) or not ends_in_list(type_of(base), self.path):
            return False
        old, new = type_at(type_of(base), self.path), type_of(value)
        if op.fn is linear.increased_at:
            return is_scalar(old) or (holds_numbers(old) and old == new)
        turns = kind_of(old) != "c" and kind_of(new) not in ("b", "i", "f")  # so do its zeros
        return is_scalar(old) and is_scalar(new) and not turns

    def turn(self) -> None:
        op, path = self.op, self.path
        base, _, value = op.args
        self.before = op.fn, op.args
        op.fn = linear.increase if op.fn is linear.increased_at else linear.write
        op.args = (base, tuple((Const(operator.getitem), key) for key in path), value)

    def turn_back(self) -> None:
        assert self.before is not None
        self.op.fn, self.op.args = self.before


class Judge:
    """Says which writes may be in place, as the function is now."""

    def __init__(self, function: Function) -> None:
        self.function, self.shares = function, shares_of(function)
        self.time = Timeline().run(function)
        self.repair = Repair(function, self.shares, self.time)
        self.ownership = Ownership(function)
        self.by_op = {w.op: w for w in self.time.writes if w.op is not None}

    def allows(self, write: ItemWrite) -> bool:
        known = self.by_op[write.op]
        return (
            not any(self.repair.spoilt(known))
            and not any(map(self.keeps, self.readers(known)))
            and not self.is_on_tape(known)
            and foreign(self.ownership, write) is None
        )

    def readers(self, write: Write) -> Iterator[Read]:
        """What reads anything that may show what is written to."""
        for v in self.repair.sharing(write.base):
            yield from self.time.reads[v]

    def keeps(self, read: Read) -> bool:
        """True if an operation may keep what it is given, so that it is read again when nobody sees it."""
        op = read.op
        if not isinstance(op, Apply):
            return False
        return op.effect or not is_pure(op.fn)

    def is_on_tape(self, write: Write) -> bool:
        """True if a loop around a write keeps what a later iteration writes to."""
        for loop, _ in write.path:
            if not isinstance(loop, Loop):
                continue
            inside = self.made_in(loop)
            for item in self.kept_by(loop):
                if self.repair.later_iteration(loop, item, write, inside):
                    return True
        return False

    def kept_by(self, loop: Loop) -> Iterator[Value]:
        for value in loop.collected():
            held = self.shares.contents.get(value, [value]) if isinstance(value, Value) else []
            yield from filter(may_be_memory, values_in(held))

    def made_in(self, loop: Loop) -> set[Value]:
        return {v for v, (_, path) in self.time.made.items() if inside(path, loop)}


def foreign(ownership: Ownership, write: ItemWrite) -> Edge | None:
    """Where memory comes in that a write is not to change."""
    ownership.seen = set()
    return ownership.foreign(write.block, write.op, 0)


def is_outside(edge: Edge, write: ItemWrite) -> bool:
    """True if memory comes in less often than a write runs: before a loop around it."""
    loops = [op for op in write.around if isinstance(op, Loop)]
    if not loops:
        return False
    outer = write.around[: write.around.index(loops[-1]) + 1]
    return any(op in outer for op in edge[0].ops)


def inside(path: Path, loop: Loop) -> bool:
    return any(op is loop for op, _ in path)


def is_pure(fn: Any) -> bool:
    """True if an operation keeps nothing that it is given."""
    if isinstance(fn, Primitive) or fn in book or fn in book.constants:
        return True
    return home_of(fn).startswith(HELPERS)
