"""The ranks of all values of a function: forwards from its arguments, backwards from what is done with them.

>>> from tests.before_after import lowered
>>> function = lowered("def f(q, w, x): return q * np.linalg.det(x) + w @ w", "")
>>> from .rank_sets import ranks_in
>>> ranks = Inference(presume=True, scalar=True).of(function)
>>> [list(ranks_in(ranks[p])) for p in function.body.params]
[[0], [1], [2]]

An operation is certain to run if those beside it do: what it demands holds in its block, and in those in it.
Beyond that, ``presume`` takes loops to run, conditions to be numbers, and subscripts that name all dimensions
to do so: that is for somebody who checks the arguments.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...ir.operations import (
    Apply,
    Block,
    Call,
    Function,
    If,
    Loop,
    Op,
    Operand,
    Try,
    Value,
    With,
    walk,
)
from .rank_sets import ANY, Items, only, set_of, unknown_rank
from .relations import Relation, relation
from .sequences import Sequences

__all__ = ["Inference", "TooLong"]

Ranks = dict[Value, int]
Given = int | Items
ROUNDS, DEEP, STEPS = 6, 2, 100_000


class TooLong(Exception):
    """A program of which nothing is found out in a reasonable time."""


class Inference:
    """``scalar``: the result is one number."""

    def __init__(self, presume: bool = False, scalar: bool = False) -> None:
        self.presume, self.scalar = presume, scalar
        self.relations: dict[Op, Relation | None] = {}
        self.defs: dict[Value, Op] = {}
        self.calls: dict[tuple[Call, ...], Ranks] = {}  # by the way that leads there
        self.way: tuple[Call, ...] = ()
        self.given: Ranks = {}  # of items of arguments, wherever they are read
        self.around: list[Function] = []
        self.steps = 0

    def of(self, function: Function, known: dict[Value, Given] | None = None) -> Ranks:
        """``known``: the ranks of parameters, or of their items."""
        self.sequences = Sequences(function)
        for v, given in (known or {}).items():
            self.give(v, given)
        ranks = dict(self.given)
        if self.scalar:
            for y in function.body.yields:
                self.narrow(y, only(0), ranks)
        self.enter(function, ranks)
        return ranks

    def give(self, v: Value, given: Given) -> None:
        if not isinstance(given, Items):
            return self.narrow(v, given, self.given)
        for item in self.sequences.items(v):
            self.give(item, given.each)

    def in_callees(self) -> dict[Function, Ranks]:
        """The ranks in functions that are called, such as hold in all calls."""
        found: dict[Function, Ranks] = {}
        for way, ranks in self.calls.items():
            callee = way[-1].callee
            found[callee] = together(found.get(callee), ranks)
        return found

    def enter(self, function: Function, ranks: Ranks) -> None:
        self.defs.update((r, op) for op in walk(function.body) for r in op.results)
        self.around.append(function)
        self.block(function.body, ranks)
        self.around.pop()

    def block(self, block: Block, ranks: Ranks) -> None:
        for _ in range(ROUNDS):
            before = dict(ranks)
            for op in (*block.ops, *reversed(block.ops)):
                self.step(op, ranks)
            if ranks == before:
                return

    def step(self, op: Op, ranks: Ranks) -> None:
        self.steps += 1
        if self.steps > STEPS:
            raise TooLong
        if isinstance(op, Apply):
            self.apply(op, ranks)
        elif isinstance(op, Call):
            self.call(op, ranks)
        elif isinstance(op, If):
            self.branch(op, ranks)
        elif isinstance(op, Loop):
            self.loop(op, ranks)

    def narrow(self, operand: Operand, to: int, ranks: Ranks) -> None:
        """What is found out of an operand, unless it contradicts what is known: then the program fails there."""
        if isinstance(operand, Value) and unknown_rank(operand.type):
            found = set_of(operand, ranks) & to
            if found:
                ranks[operand] = found

    def apply(self, op: Apply, ranks: Ranks) -> None:
        if op not in self.relations:
            self.relations[op] = relation(op, self.defs, self.presume)
        found = self.relations[op]
        if found is None:
            return
        given = [set_of(v, ranks) for v in found.values]
        result = set_of(op.result, ranks)
        left = [
            (row, gives)
            for row, gives in found.rows
            if gives & result and all(g >> k & 1 for g, k in zip(given, row, strict=True))
        ]
        if not left:
            return
        if not self.sequences.is_item(op):  # of a list, which may hold others
            for i, v in enumerate(found.values):
                ranks[v] = union(only(row[i]) for row, _ in left)
        self.narrow(op.result, union(gives for _, gives in left), ranks)

    def call(self, op: Call, ranks: Ranks) -> None:
        callee = op.callee
        if callee in self.around or len(self.around) > DEEP:
            return
        inner = dict(self.given)
        params = list(zip(callee.body.params, op.args, strict=False))
        for p, a in params:
            self.narrow(p, set_of(a, ranks), inner)
        for y, r in zip(callee.body.yields, op.results, strict=False):
            self.narrow(y, set_of(r, ranks), inner)
        self.way += (op,)
        self.enter(callee, inner)
        self.calls[self.way] = inner
        self.way = self.way[:-1]
        for p, a in params:
            self.narrow(a, set_of(p, inner), ranks)
        for y, r in zip(callee.body.yields, op.results, strict=False):
            self.narrow(r, set_of(y, inner), ranks)

    def branch(self, op: If, ranks: Ranks) -> None:
        certain = not isinstance(op, (Try, With))
        if self.presume and certain:
            self.narrow(op.cond, only(0), ranks)
        sides = []
        for block in op.blocks:
            inner = dict(ranks)
            for y, r in zip(block.yields, op.results, strict=False):
                self.narrow(y, set_of(r, ranks), inner)
            self.block(block, inner)
            sides.append(inner)
        for v in {**sides[0], **sides[1]}:
            either = union(set_of(v, side) for side in sides if certain or v not in ranks)
            self.narrow(v, either, ranks) if v in ranks or all(v in s for s in sides) else None
        for side in sides:
            ranks.update((v, s) for v, s in side.items() if v not in ranks)
        for r, *ends in zip(op.results, *(b.yields for b in op.blocks), strict=False):
            self.narrow(r, union(set_of(y, s) for y, s in zip(ends, sides, strict=True)), ranks)

    def loop(self, op: Loop, ranks: Ranks) -> None:
        for bound in (op.bounds or ()) if self.presume else ():
            self.narrow(bound, only(0), ranks)
        carried = self.ascending(op, ranks)
        for p, found in zip(op.carried, carried, strict=True):
            self.narrow(p, found, ranks)
        inner = ranks if self.presume else dict(ranks)
        if self.presume:
            for y, r in zip(op.body.yields, op.results, strict=False):
                self.narrow(y, set_of(r, ranks), inner)
        self.conditions(op, inner)
        self.block(op.body, inner)
        if self.presume:
            for p, init in zip(op.carried, op.inits, strict=True):
                self.narrow(init, set_of(p, inner), ranks)
        ranks.update((v, s) for v, s in inner.items() if v not in ranks)
        ends = zip(op.results, op.inits, op.body.yields, strict=False)
        for r, init, y in list(ends)[: len(op.inits)]:
            self.narrow(r, set_of(init, ranks) | set_of(y, inner), ranks)

    def ascending(self, op: Loop, ranks: Ranks) -> list[int]:
        """The ranks that carried values have in any iteration, from those that they begin with."""
        carried = [set_of(init, ranks) for init in op.inits]
        for _ in range(ROUNDS + 2):
            inner = dict(ranks)
            inner.update(zip(op.carried, carried, strict=True))
            self.conditions(op, inner)
            self.block(op.body, inner)
            more = [s | set_of(y, inner) for s, y in zip(carried, op.body.yields, strict=False)]
            if more == carried:
                return carried
            carried = more
        return [ANY] * len(carried)

    def conditions(self, op: Loop, ranks: Ranks) -> None:
        if op.cond is None:
            return
        both = list(zip(op.cond.params, op.carried, strict=False))
        for p, v in both:
            self.narrow(p, set_of(v, ranks), ranks)
        if self.presume:
            for y in op.cond.yields:
                self.narrow(y, only(0), ranks)
        self.block(op.cond, ranks)
        for p, v in both:
            self.narrow(v, set_of(p, ranks), ranks)


def together(known: Ranks | None, more: Ranks) -> Ranks:
    """What holds in both of two calls."""
    if known is None:
        return dict(more)
    return {v: known[v] | s for v, s in more.items() if v in known}


def union(sets: Iterable[int]) -> int:
    found = 0
    for s in sets:
        found |= s
    return found
