"""Dead code: drop what nobody reads.

::

    y = np.exp(x)        ->
    z = x * 2                z = x * 2
    return z                 return z
"""

from __future__ import annotations

import builtins
import operator

from ..ir import (
    Apply,
    Block,
    Call,
    Function,
    If,
    Loop,
    Op,
    Try,
    Value,
    blocks_of,
    operands_of,
    values_in,
    walk,
)

__all__ = ["eliminate", "keeps"]


def eliminate(function: Function) -> Function:
    """Remove, in place, the operations and results that no effect or result depends on."""
    while True:
        live = Liveness(function.body).live
        if not sweep(function.body, live):
            return function


class Liveness:
    """The values that effects and results depend on."""

    def __init__(self, body: Block) -> None:
        self.live: set[Value] = set()
        self.use(body.yields)
        before = -1
        while before != len(self.live):
            before = len(self.live)
            self.block(body)

    def use(self, operands: object) -> None:
        self.live.update(values_in(operands))

    def block(self, block: Block) -> None:
        for op in reversed(block.ops):
            self.op(op)

    def op(self, op: Op) -> None:
        if isinstance(op, Loop):
            self.loop(op)
        elif isinstance(op, If):
            self.branch(op)
        elif keeps(op) or any(r in self.live for r in op.results):
            self.use(operands_of(op))

    def branch(self, op: If) -> None:
        for result, a, b in zip(op.results, op.then.yields, op.orelse.yields, strict=True):
            if result in self.live:
                self.use([a, b])
        needed = any(r in self.live for r in op.results) or has_effect(op)
        if needed:
            self.use(op.cond)
        if needed and isinstance(op, Try):
            self.all_of(op.body)
        self.block(op.then)
        self.block(op.orelse)

    def all_of(self, body: Block) -> None:
        """Whatever may raise decides which side of a ``try`` runs."""
        for op in walk(body):
            self.live.update(op.results)
            self.use(operands_of(op))
            for block in blocks_of(op):
                self.live.update(block.params)
                self.use(block.yields)

    def loop(self, op: Loop) -> None:
        if not (any(r in self.live for r in op.results) or has_effect(op)):
            return
        self.use(op.bounds or ())
        if op.stops:
            self.use(op.stop)
        before = -1
        while before != len(self.live):
            before = len(self.live)
            for result, param, value in zip(op.results, op.carried, op.body.yields, strict=False):
                if result in self.live or param in self.live:
                    self.live.add(param)
                    self.use(value)
            for stack, value in zip(op.stacks, op.collected(), strict=True):
                if stack in self.live:
                    self.use(value)
            self.block(op.body)
            if op.cond is not None:
                self.condition(op)
        for init, param in zip(op.inits, op.carried, strict=True):
            if param in self.live:
                self.use(init)
        for (stack, _), element in zip(op.feeds, op.elements, strict=True):
            if element in self.live or ends_with_feeds(op):
                self.live.add(element)
                self.use(stack)

    def condition(self, op: Loop) -> None:
        assert op.cond is not None
        self.use(op.cond.yields)
        self.block(op.cond)
        for inner, param in zip(op.cond.params, op.carried, strict=True):
            if inner in self.live:
                self.live.add(param)


def ends_with_feeds(op: Loop) -> bool:
    """Whether what a loop iterates over says when it ends (see ``sequences``), read or not."""
    return op.bounds is not None and getattr(op.bounds[1], "value", 0) is None


READS = (builtins.getattr, operator.getitem)  # in order with writes, but only if they are used


def keeps(op: Op) -> bool:
    return acts(op, set())


def acts(op: Op, seen: set[Function]) -> bool:
    """Whether an operation does more than compute: itself, or in a function it calls."""
    if isinstance(op, Apply):
        return op.effect and op.fn not in READS
    if not isinstance(op, Call) or op.callee in seen:
        return False
    seen.add(op.callee)
    return any(acts(inner, seen) for inner in walk(op.callee.body))


def has_effect(op: Op) -> bool:
    if isinstance(op, Loop) and op.cond is not None and op.bounds is None and not op.results:
        return any(keeps(o) for block in blocks_of(op) for o in walk(block))
    return any(keeps(o) for block in blocks_of(op) for o in walk(block))


def sweep(block: Block, live: set[Value]) -> bool:
    """Drop dead operations and dead results; whether anything changed."""
    changed, kept = False, []
    for op in block.ops:
        if not is_live(op, live):
            changed = True
            continue
        kept.append(op)
        if isinstance(op, If):
            changed |= trim_branch(op, live) | sweep(op.then, live) | sweep(op.orelse, live)
        elif isinstance(op, Loop):
            changed |= trim_loop(op, live) | sweep(op.body, live)
            if op.cond is not None:
                changed |= sweep(op.cond, live)
    block.ops = kept
    return changed


def is_live(op: Op, live: set[Value]) -> bool:
    if isinstance(op, (If, Loop)):
        return any(r in live for r in op.results) or has_effect(op)
    return keeps(op) or any(r in live for r in op.results)


def trim_branch(op: If, live: set[Value]) -> bool:
    dead = [k for k, r in enumerate(op.results) if r not in live]
    if isinstance(op, Try) and op.caught not in live:
        op.caught = None
    for values in (op.results, op.then.yields, op.orelse.yields):
        for k in reversed(dead):
            del values[k]
    return bool(dead)


def trim_loop(op: Loop, live: set[Value]) -> bool:
    changed = False
    for k in reversed(range(len(op.inits))):
        if op.results[k] not in live and op.carried[k] not in live:
            drop_carried(op, k)
            changed = True
    for k in reversed(range(op.collects)):
        if op.stacks[k] not in live:
            at = len(op.inits) + k
            del op.results[at], op.body.yields[at]
            op.collects -= 1
            changed = True
    for k in reversed(range(len(op.feeds))):
        if op.elements[k] not in live:
            del op.body.params[int(op.bounds is not None) + len(op.inits) + k], op.feeds[k]
            changed = True
    if op.counts and op.results[-1] not in live:
        op.results.pop()
        op.counts = False
        changed = True
    return changed


def drop_carried(op: Loop, k: int) -> None:
    del (
        op.body.params[k + int(op.bounds is not None)],
        op.body.yields[k],
        op.results[k],
        op.inits[k],
    )
    if op.cond is not None:
        del op.cond.params[k]
