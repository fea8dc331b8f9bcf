"""Dead code elimination.

>>> from tests.before_after import after
>>> after('''
... def f(x):
...     y = np.exp(x)
...     z = x * 2
...     return z
... ''', "x: float", eliminate)
def f(x):
    z = x * 2
    return z
"""

from __future__ import annotations

from collections.abc import Iterable

from ...analyses.control_flow.execution_order import keeps
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
    operands_of,
    values_in,
    walk,
)

__all__ = ["eliminate"]


def eliminate(function: Function) -> Function:
    """Remove, in place, the operations and results that no effect or result depends on."""
    needs = Needs()
    sweep(function.body, needs.live(function.body), needs)
    return function


class Needs:
    """Dependences of each value and reads of effects: one walk, then everything reachable."""

    def __init__(self) -> None:
        self.of: dict[Value, list[Operand]] = {}
        self.roots: list[Operand] = []
        self.effects: dict[Op, bool] = {}
        self.acting: dict[Function, bool] = {}

    def live(self, body: Block) -> set[Value]:
        """The values that effects and results depend on."""
        self.roots.append(body.yields)
        self.block(body)
        found: set[Value] = set()
        todo = values_in(self.roots)
        while todo:
            v = todo.pop()
            if v not in found:
                found.add(v)
                todo += values_in(self.of.get(v, ()))
        return found

    def need(self, values: Iterable[Value], operand: Operand) -> None:
        """Whoever reads one of ``values`` reads ``operand``."""
        for v in values:
            self.of.setdefault(v, []).append(operand)

    def block(self, block: Block) -> None:
        for op in block.ops:
            if isinstance(op, Loop):
                self.loop(op)
            elif isinstance(op, If):
                self.branch(op)
            else:
                self.uses(op, operands_of(op))

    def uses(self, op: Op, operands: list[Operand]) -> None:
        """An operation reads ``operands`` if anything it does or gives is needed."""
        self.need(op.results, operands)
        if self.has_effect(op):
            self.roots.append(operands)

    def branch(self, op: If) -> None:
        for result, a, b in zip(op.results, op.then.yields, op.orelse.yields, strict=True):
            self.need([result], [a, b])
        self.uses(op, [op.cond, *(all_of(op.body) if isinstance(op, Try) else ())])
        self.block(op.then)
        self.block(op.orelse)

    def loop(self, op: Loop) -> None:
        always = [*(op.bounds or ()), *([op.stop] if op.stops else [])]
        if op.cond is not None:
            always += op.cond.yields
            for inner, param in zip(op.cond.params, op.carried, strict=True):
                self.need([inner], param)
        for k, (param, init) in enumerate(zip(op.carried, op.inits, strict=True)):
            self.need([op.results[k]], param)
            self.need([param], [init, op.body.yields[k]])
        for stack, value in zip(op.stacks, op.collected(), strict=True):
            self.need([stack], value)
        for (stack, _), element in zip(op.feeds, op.elements, strict=True):
            self.need([element], stack)
            if ends_with_feeds(op):
                always.append(element)
        self.uses(op, always)
        for block in op.blocks:
            self.block(block)

    def has_effect(self, op: Op) -> bool:
        """True if an operation does more than compute, itself or in its regions."""
        if isinstance(op, Apply):
            return op.effect and keeps(op)
        if op not in self.effects:
            inner = (o for block in op.blocks for o in block.ops)
            self.effects[op] = self.keeps(op) or any(self.has_effect(o) for o in inner)
        return self.effects[op]

    def keeps(self, op: Op) -> bool:
        if not isinstance(op, Call):
            return keeps(op)
        if op.callee not in self.acting:
            self.acting[op.callee] = keeps(op)
        return self.acting[op.callee]


def all_of(body: Block) -> list[Operand]:
    """Whatever may raise decides which side of a ``try`` runs."""
    found: list[Operand] = []
    for op in walk(body):
        found += [op.results, operands_of(op)]
        for block in op.blocks:
            found += [block.params, block.yields]
    return found


def ends_with_feeds(op: Loop) -> bool:
    """True if what a loop iterates over says when it ends (see `iterate_sequences`), read or not."""
    return op.asks or (op.bounds is not None and getattr(op.bounds[1], "value", 0) is None)


def sweep(block: Block, live: set[Value], needs: Needs) -> None:
    """Drop dead operations and dead results."""
    block.ops = [op for op in block.ops if not live.isdisjoint(op.results) or needs.has_effect(op)]
    for op in block.ops:
        if isinstance(op, If):
            trim_branch(op, live)
        elif isinstance(op, Loop):
            trim_loop(op, live)
        for inner in op.blocks:
            sweep(inner, live, needs)


def trim_branch(op: If, live: set[Value]) -> None:
    dead = [k for k, r in enumerate(op.results) if r not in live]
    if isinstance(op, Try) and op.caught not in live:
        op.caught = None
    for values in (op.results, op.then.yields, op.orelse.yields):
        for k in reversed(dead):
            del values[k]


def trim_loop(op: Loop, live: set[Value]) -> None:
    for k in reversed(range(len(op.inits))):
        if op.results[k] not in live and op.carried[k] not in live:
            drop_carried(op, k)
    for k in reversed(range(op.collects)):
        if op.stacks[k] not in live:
            at = len(op.inits) + k
            del op.results[at], op.body.yields[at]
            op.collects -= 1
    for k in reversed(range(len(op.feeds))):
        if op.elements[k] not in live:
            del op.body.params[int(op.bounds is not None) + len(op.inits) + k], op.feeds[k]
    if op.counts and op.results[-1] not in live:
        op.results.pop()
        op.counts = False


def drop_carried(op: Loop, k: int) -> None:
    del (
        op.body.params[k + int(op.bounds is not None)],
        op.body.yields[k],
        op.results[k],
        op.inits[k],
    )
    if op.cond is not None:
        del op.cond.params[k]
