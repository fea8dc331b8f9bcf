"""Liveness: which values are alive at the same time and so cannot share a name.

A walk backwards over the regions; every definition interferes with what is alive after it.
Loop results share their variable with the carried parameters: ``same`` maps one to the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

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
    operands_of,
)

__all__ = ["Interference"]


class Interference:
    """``conflicts[v]``: the values alive where ``v`` is defined (and not the other way round).

    ``expand`` replaces a value that is printed inside its only reader by what it reads.
    """

    def __init__(
        self,
        function: Function,
        expand: Callable[[Operand], Iterable[Value]],
        grouped: Callable[[Loop], bool] = lambda op: False,
    ) -> None:
        self.expand, self.grouped = expand, grouped
        self.conflicts: dict[Value, set[Value]] = defaultdict(set)
        self.same: dict[Value, Value] = {}
        self.unify(function.body)
        live = self.block(function.body, set(self.reads(function.body.yields)))
        self.define(function.body.params, live | set(function.body.params))

    def unify(self, block: Block) -> None:
        for op in block.ops:
            if isinstance(op, Loop):
                for k, param in enumerate(op.carried):
                    self.same[op.results[k]] = param
                    if op.cond is not None:
                        self.same[op.cond.params[k]] = param
                if self.grouped(op):  # one list of tuples holds all the stacks
                    self.same.update((stack, op.stacks[0]) for stack in op.stacks[1:])
                self.unify(op.body)
                if op.cond is not None:
                    self.unify(op.cond)
            elif isinstance(op, If):
                self.unify(op.then)
                self.unify(op.orelse)

    def one(self, v: Value) -> Value:
        while v in self.same:
            v = self.same[v]
        return v

    def reads(self, operand: Operand) -> list[Value]:
        return [self.one(v) for v in self.expand(operand)]

    def define(self, values: Iterable[Value], live: set[Value]) -> None:
        """``values`` are written where ``live`` is alive afterwards."""
        for v in [self.one(v) for v in values]:
            conflicts = self.conflicts[v]
            conflicts |= live
            conflicts.discard(v)

    def block(self, block: Block, live: set[Value]) -> set[Value]:
        live = set(live)
        for op in reversed(block.ops):
            live = self.op(op, live)
        return live

    def op(self, op: Op, live: set[Value]) -> set[Value]:
        """What is alive before an operation; ``live``, what is so after it, is used up."""
        if isinstance(op, (Try, With)):
            return self.guarded(op, live)
        if isinstance(op, If):
            return self.branch(op, live)
        if isinstance(op, Loop):
            return self.loop(op, live)
        results = {self.one(r) for r in op.results}
        self.define(results, live | results if len(results) > 1 else live)
        live -= results
        if self.is_printed(op):
            live.update(self.reads(operands_of(op)))
        return live

    def is_printed(self, op: Op) -> bool:
        """Operations printed inside their reader read nothing where they stand."""
        return len(op.results) != 1 or next(iter(self.expand(op.results[0])), None) is op.results[0]

    def branch(self, op: If, live: set[Value]) -> set[Value]:
        results = {self.one(r) for r in op.results}
        self.define(results, live | results)
        after = live - results
        if not self.is_printed(op):
            return after
        before: set[Value] = set()
        for block in (op.then, op.orelse):
            before |= self.block(block, after | set(self.reads(block.yields)))
        return before | set(self.reads(op.cond))

    def guarded(self, op: Try | With, live: set[Value]) -> set[Value]:
        """The exception may come at any point of the body: what the handler reads is alive there.

        Not so after the last operation of the body: what comes then does not raise.
        """
        results, params = ({self.one(v) for v in vs} for vs in (op.results, op.then.params))
        self.define(results, live | results | params)
        after = live - results
        inside = self.block(op.then, after | params | set(self.reads(op.then.yields)))
        self.define(params, inside | after)
        inside = (inside - params) | set(self.reads(op.cond))
        if isinstance(op, With):
            return inside
        first, last = op.body.ops, op.body.ops[-1:]
        if last and isinstance(last[0], (Apply, Call)):
            first = first[:-1]
        else:
            last = []
        end = self.block(Block([], last), after | set(self.reads(op.body.yields)))
        return self.block(Block([], first), end | inside) | inside

    def loop(self, op: Loop, live: set[Value]) -> set[Value]:
        params = {self.one(p) for p in op.carried}
        outputs = {self.one(s) for s in op.results[len(op.inits) :]}
        leaving = live | outputs
        head = set(leaving)
        while True:
            new = leaving | self.iteration(op, head, params)
            if op.cond is not None:
                new |= self.block(op.cond, new | set(self.reads(op.cond.yields)))
            if new == head:
                break
            head = new
        header = set(self.reads([list(op.bounds or ()), [stack for stack, _ in op.feeds]]))
        for param, init in zip(op.carried, op.inits, strict=True):
            # The header reads its bounds after the parameters are set.
            if self.one(param) in head:
                itself = {self.one(init)} if isinstance(init, Value) else set()
                self.define([param], head | (header - itself))
        self.define(outputs, head | header)
        inits = [i for i, p in zip(op.inits, op.carried, strict=True) if self.one(p) in head]
        if op.starts:  # its lists begin before the variables are set
            header |= set(self.reads([inits, list(op.starts.values())]))
            self.define(outputs, head | header)
        return (head - params - outputs) | set(self.reads(inits)) | header

    def iteration(self, op: Loop, head: set[Value], params: set[Value]) -> set[Value]:
        """Values alive at the start of an iteration, if ``head`` is at the start of the next."""
        yields = [
            y for y, p in zip(op.body.yields, op.carried, strict=False) if self.one(p) in head
        ]
        self.before_stop(op, head)
        end = (head - params) | set(self.reads([yields, op.stop]))
        end |= {v for stack, _ in op.feeds for v in self.reads(stack)}
        at = op.tape_position()
        live = self.block(Block([], op.body.ops[at:]), end)
        live = self.block(Block([], op.body.ops[:at]), live | set(self.reads(op.collected())))
        made = {self.one(v) for v in op.elements}
        if op.index is not None:
            made.add(self.one(op.index))
        heads = self.reads([list(op.bounds or ()), [stack for stack, _ in op.feeds]])
        self.define(made, live | made | set(heads))  # a head that rebinds what it reads confuses
        return live - made

    def before_stop(self, op: Loop, head: set[Value]) -> None:
        """The flag that ends the loop is read after the parameters have their next values."""
        flag = set(self.reads(op.stop))
        for param, value in zip(op.carried, op.body.yields, strict=False):
            if self.one(param) in head:
                self.define([param], flag - {self.one(v) for v in [value] if isinstance(v, Value)})
