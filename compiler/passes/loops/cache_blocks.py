"""Blocking of long elementwise arithmetic for the cache (``optimize=2``).

>>> from tests.before_after import in_gradient
>>> in_gradient('''
... def f(x):
...     return np.sum(np.exp(-x) ** 2)
... ''', "x: f8[n]", in_blocks, kind="value_and_grad")
def f_value_and_grad(x):
    # forward
    exp = np.exp(-x)
    # backward
    # `return np.sum(np.exp(-x) ** 2)`
    x_bar = -(exp * (2.0 * exp))
    return np.sum(exp**2), x_bar
# becomes
def f_value_and_grad(x):
    x_bar = np.empty(x.shape)
    total = 0.0
    for i in range(0, len(x), 8192):
        stop = i + 8192
        exp = np.exp(-x[i:stop])
        # `return np.sum(np.exp(-x) ** 2)`
        np.negative(exp * (2.0 * exp), out=x_bar[i:stop])
        total += np.sum(exp**2)
    return total, x_bar

Operations on vectors of one length are taken together, as long as none needs a complete sum of the others.
Results that are read afterwards are written to an array; sums are added up block by block.
"""

from __future__ import annotations

import builtins
import operator
from collections import Counter
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.records import dataclass, field
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.aliasing.memory_facts import adds_to_first
from ...analyses.control_flow.execution_order import keeps
from ...ir.operations import (
    Apply,
    Block,
    Const,
    Function,
    Loop,
    Op,
    Operand,
    Value,
    replace_values,
    values_in,
    walk,
)
from ...ir.types import Array, Dim, Number
from ...ir.value_names import spoken
from ..in_place.writes_in_place import writes_arrays
from .fuse_sweeps import read_by

__all__ = ["LENGTH", "in_blocks"]

LENGTH = 8192  # elements: 64 kB of each array
LEAST = 4  # operations that a loop over blocks must be worth
NONE = Const(None)


def in_blocks(function: Function) -> Function:
    """Gather, in place, what is done with vectors of one length in loops over blocks."""
    function.facts.stored = stored = set[Value]()
    woven = function.facts.woven
    if not writes_arrays(function):
        visit(function.body, stored, woven)
    return function


def visit(block: Block, stored: set[Value], woven: set[Loop]) -> None:
    for op in block.ops:
        for inner in op.blocks:
            visit(inner, stored, woven)
    lengths = Counter(n for op in block.ops if (n := length_of(op)) is not None)
    for n, count in lengths.most_common():
        if count >= LEAST:
            made = Schedule(block, n).run()
            stored.update(v for loop in made for v in written_in(loop))
            woven.update(made)


def length_of(op: Op) -> Dim | int | None:
    """The length of the vectors that an elementwise operation takes and gives; None for others."""
    if not isinstance(op, Apply) or op.kwargs or op.effect or not is_elementwise(op.fn):
        return None
    n, kind = vector(op.result), op.result.type
    if n is None or not isinstance(kind, Array) or kind.dtype not in ("float64", "bool"):
        return None
    return n if all(fits(x, n) for x in op.args) else None


def is_elementwise(fn: Any) -> bool:
    several = isinstance(fn, np.ufunc) and fn.nout > 1
    return traits_of(fn).elementwise is True and not several


def vector(x: Operand) -> Dim | int | None:
    """The length of a vector, where it is known by name."""
    kind = x.type if isinstance(x, Value) else None
    return kind.dims[0] if isinstance(kind, Array) and kind.dims and len(kind.dims) == 1 else None


def fits(x: Operand, n: Dim | int | None) -> bool:
    """True if an operand is a number, or a vector of this length."""
    if isinstance(x, Const):
        return x.text is None and isinstance(x.value, (bool, int, float))
    kind = x.type if isinstance(x, Value) else None
    number = isinstance(kind, Number) or (isinstance(kind, Array) and kind.dims == ())
    return number or vector(x) == n is not None


def written_in(loop: Loop) -> list[Value]:
    return [
        op.results[0] for op in loop.body.ops if isinstance(op, Apply) and op.fn is linear.index_add
    ]


@dataclass
class Group:
    """The content of one loop over blocks."""

    ops: list[Apply] = field(default_factory=list)
    sums: list[Apply] = field(default_factory=list)

    def is_worth(self, after: set[Value]) -> bool:
        """True if enough of what it computes is not read afterwards, and so never leaves the cache."""
        stored = sum(op.result in after for op in self.ops)
        return len(self.ops) - 2 * stored >= LEAST


class Schedule:
    """The operations of a region in turns: what is no part of a group, the group, and so on.

    ``turn[v]`` is the first turn in which ``v`` is there before the group.
    """

    def __init__(self, block: Block, n: Dim | int) -> None:
        self.block, self.n = block, n
        self.turn: dict[Value, int] = {}
        self.inside: dict[Value, int] = {}  # the group in which a value is computed
        self.others: dict[int, list[Op]] = {}
        self.groups: dict[int, Group] = {}
        buffers = {op.args[0] for op in block.ops if adds_to_first(op)}
        self.buffers = set(values_in(list(buffers)))

    def run(self) -> list[Loop]:
        """Write the loops, in place, where a group is worth one."""
        ordered = 0
        for op in self.block.ops:
            ordered = self.place(op, ordered)
        after = self.read_later()
        worth = {t for t, group in self.groups.items() if group.is_worth(after)}
        if not worth or self.is_shared():
            return []
        ops: list[Op] = []
        loops: list[Loop] = []
        for t in range(max([*self.others, *self.groups]) + 1):
            ops += self.others.get(t, [])
            group = self.groups.get(t)
            if group is None:
                continue
            if t in worth:
                before, loop = self.loop(group, after)
                ops += [*before, loop]
                loops.append(loop)
            else:
                ops += in_order([*group.ops, *group.sums], self.block.ops)
        self.block.ops = ops
        return loops

    def place(self, op: Op, ordered: int) -> int:
        """Give an operation its turn; effects, and writes to buffers, stay in their order."""
        reads = read_by(op)
        part = self.is_part(op)
        whole = self.is_sum(op)
        turn = 0
        for v in reads:
            turn = max(turn, self.turn.get(v, 0))
            if v in self.inside:
                turn = max(turn, self.inside[v] + (0 if part or whole else 1))
        if part or whole:
            assert isinstance(op, Apply)
            group = self.groups.setdefault(turn, Group())
            (group.ops if part else group.sums).append(op)
            if part:
                self.inside[op.result] = turn
            else:
                self.turn[op.result] = turn + 1
            return ordered
        if acts(op):
            turn = ordered = max(turn, ordered)
        self.others.setdefault(turn, []).append(op)
        self.turn.update(dict.fromkeys(op.results, turn))
        return ordered

    def is_part(self, op: Op) -> bool:
        return length_of(op) == self.n and self.buffers.isdisjoint(read_by(op))

    def is_sum(self, op: Op) -> bool:
        """A sum of a whole vector of a group, or the product of two."""
        if not isinstance(op, Apply) or op.kwargs or not values_in(op.args):
            return False
        if op.fn in (np.sum, operator.matmul):
            plain = all(
                isinstance(x, Value) and vector(x) == self.n and is_double(x) for x in op.args
            )
            return plain and any(x in self.inside for x in op.args) and is_double(op.result)
        return False

    def is_shared(self) -> bool:
        """True if a buffer is read by something else than what writes to it."""
        readers = [op for op in self.block.ops if not acts(op)]
        return any(not self.buffers.isdisjoint(read_by(op)) for op in readers)

    def read_later(self) -> set[Value]:
        """The values of groups that something else reads than their own group."""
        found = set(values_in(self.block.yields))
        for ops in self.others.values():
            found.update(v for op in ops for v in read_by(op))
        for t, group in self.groups.items():
            read = values_in([op.args for op in (*group.ops, *group.sums)])
            found.update(v for v in read if self.inside.get(v, t) != t)
        return found

    def loop(self, group: Group, after: set[Value]) -> tuple[list[Op], Loop]:
        """The loop of a group, and what it needs before it begins."""
        made = {op.result for op in group.ops}
        read = values_in([op.args for op in group.ops])
        source = next(v for v in read if v not in made and vector(v) == self.n)
        loc = group.ops[0].loc
        count = apply(builtins.len, source, kind=Number("i"))
        index, stop = named("i", Number("i")), named("stop", Number("i"))
        body = Block([index], [Apply([stop], None, operator.add, (index, Const(LENGTH)))])
        loop = Loop([], loc, [], body, (Const(0), count.result, Const(LENGTH)))
        part = slice(index, stop, NONE)
        self.read(group, body, part)
        body.ops += in_order([*group.ops, *group.sums], self.block.ops)
        before: list[Op] = [count]
        for op in group.ops:
            if op.result in after:
                before += self.keep(op, source, loop, part)
        for op in group.sums:
            self.add_up(op, loop)
        return before, loop

    def read(self, group: Group, body: Block, part: slice) -> None:
        """Let, in place, the operations read the blocks of what was there before."""
        made = {op.result for op in group.ops}
        table: dict[Value, Value] = {}
        for v in values_in([op.args for op in (*group.ops, *group.sums)]):
            if v not in made and v not in table and vector(v) is not None:
                piece = apply(operator.getitem, v, part, kind=v.type)
                body.ops.append(piece)
                table[v] = piece.result
        inner = Block([], [*group.ops, *group.sums])
        replace_values(inner, lambda v: table.get(v, v) if isinstance(v, Value) else v)

    def keep(self, op: Apply, source: Value, loop: Loop, part: slice) -> list[Op]:
        """Write the blocks of a result to an array, which takes the place of the result."""
        whole, shape = op.result, apply(np.ndarray.shape, source)
        if whole.hint is None and whole.bar is None:
            whole.hint = spoken(op, whole)
        piece, param = renamed(whole), renamed(whole)
        kind = [] if is_double(whole) else [Const("bool")]
        array = apply(np.empty, shape.result, *kind, kind=whole.type)
        op.results = [piece]
        replace_values(loop.body, lambda v: piece if v is whole else v)
        write = Apply([renamed(whole)], op.loc, linear.index_add, (param, part, piece))
        loop.body.ops.append(write)
        piece.soft = True
        loop.carry(array.result, param, write.result, whole)
        return [shape, array]

    def add_up(self, op: Apply, loop: Loop) -> None:
        whole = op.result
        if whole.hint is None and whole.bar is None:
            whole.hint, whole.soft = "total", True
        op.results = [Value(None, whole.type, whole.loc)]
        param = renamed(whole)
        total = Apply([renamed(whole)], op.loc, operator.add, (param, op.result))
        loop.body.ops.append(total)
        loop.carry(Const(0.0), param, total.result, whole)


def is_double(x: Value) -> bool:
    return isinstance(x.type, Array) and x.type.dtype == "float64"


def acts(op: Op) -> bool:
    """True if an operation, or one in its regions, has an effect or writes in place."""
    return any(
        keeps(o) or (isinstance(o, Apply) and (adds_to_first(o) or o.effect))
        for o in walk(Block([], [op]))
    )


def in_order(ops: list[Apply], order: list[Op]) -> list[Op]:
    chosen = set(ops)
    return [op for op in order if op in chosen]


def named(hint: str, kind: Any) -> Value:
    made = Value(hint, kind)
    made.soft = made.made = True
    return made


def apply(fn: Any, *args: Operand, kind: Any = None) -> Apply:
    made = Value(None, kind)
    made.made = True
    return Apply([made], None, fn, args)


def renamed(v: Value) -> Value:
    """Another value of the same name and type."""
    made = Value(v.hint, v.type, v.loc)
    made.bar, made.made, made.soft, made.exact = v.bar, v.made, v.soft, v.exact
    return made
