"""Checkpointed loops: the backward sweep runs them again from the nearest state that was kept.

::

    for i in range(n):           kept = rt.snapshots(n, 32)
        x = f(x)            ->   for i in range(n):
                                     rt.keep_state(kept, x)
                                     x = f(x)
                                 kept = rt.rewind(kept)
                                 for i in reversed(range(n)):
                                     start, x = rt.restore(kept, i)
                                     for j in range(start, i):  # recomputed
                                         rt.keep_state(kept, x)
                                         x = f(x)
                                     ...  # the iteration once more, and its adjoint

The adjoint of an iteration stands behind a copy of it, in the same region, so nothing of the loop
itself is read: there is no tape.
"""

from __future__ import annotations

import builtins
import operator
from typing import Any

from retrograd.runtime.checkpointing import revolve
from retrograd.runtime.errors import UnsupportedOperation
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.records import dataclass

from ...analyses.aliasing.buffers import buffers_of
from ...ir.operations import (
    Apply,
    Block,
    Call,
    Const,
    Function,
    Loop,
    Op,
    Operand,
    Value,
    read_in,
    replace_values,
    values_in,
    walk,
)
from ...ir.primitives import UNPACK, Primitive
from ...ir.types import Number
from ...passes.redundancy.dead_code import eliminate
from ...simplify.builder import clone_block, clone_op
from ..adjoint_table import described
from ..control_flow import Regions, bar_type, sums_anew
from ..loop_numbering import is_literal, numbered
from .residuals import keep

__all__ = ["RECOMPUTED", "Checkpoints", "refuse_effects"]

RECOMPUTED = "recomputed"  # the comment of a loop that runs again


@dataclass
class Plan:
    """The part of the forward program for one loop: the snapshots, and the operation that fills them."""

    kept: Value
    n: Operand
    keep: Apply


class Checkpoints(Regions):
    """The adjoints of loops with ``snapshots``."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.plans: dict[Loop, Plan] = {}
        self.homes: dict[Op, Block] = {}

    def loop(self, op: Loop) -> None:
        plain = op.feeds or op.collects or op.backwards
        if op.snapshots and not plain and self.derive.revolving:
            self.revolve(op)
        else:
            super().loop(op)

    def revolve(self, op: Loop) -> None:
        carried = [
            k for k, p in enumerate(op.carried) if self.activity(p) or self.activity(op.results[k])
        ]
        ends = {k: self.take_whole(op.results[k]) for k in carried}
        if all(c is None for c in ends.values()):
            return
        refuse_effects(op.body, self.function, "a loop with snapshots")
        kinds = [bar_type(op, k) for k in carried]
        reached, kinds = self.trial(self.twin(op), carried, [], kinds)
        outer, plan, twin = self.b, self.planned(op), self.twin(op)
        lent = list(ends.values())
        self.owned -= {*values_in(lent)}
        for key in reached:
            self.accumulator(key, lent)
        inits = [self.end_bar(op, k, ends[k]) for k in carried]
        inits += [self.bars[key] for key in reached]
        back, made = self.b.emit(revolve.rewind, plan.kept), self.way_back(op, plan)
        back.hint = "kept"
        self.b = outer.within(Block())
        names = [op.carried[k].hint or described(outer, op.carried[k]) for k in carried]
        params = [self.param(name, t) for name, t in zip(names, kinds, strict=True)]
        params += [
            self.param(
                self.label(key), getattr(self.bars[key], "type", None), own=not sums_anew(key)
            )
            for key in reached
        ]
        self.whole.update(params)
        outside, self.bars = self.bars, dict(zip(reached, params[len(carried) :], strict=True))
        self.run_body(twin, carried, params, [], made)
        yields = [self.carried_bar(twin, k, params[i]) for i, k in enumerate(carried)]
        yields += [self.bars[key] for key in reached]
        self.once_more(op, twin, made, back, plan, yields)
        self.finish(twin, made, inits, params, yields, [], [], carried)
        self.b, self.bars = outer, outside
        outer.append(made)
        self.whole.update(made.results)
        for key, result in zip(reached, made.results[len(carried) :], strict=False):
            self.bars[key] = result if sums_anew(key) else self.own(result)
            result.bar = self.label(key)
        for i, k in enumerate(carried):
            made.results[i].bar = op.carried[k].hint
            self.contribute(op.inits[k], made.results[i])

    # -- the forward program -----------------------------------------------------------

    def planned(self, op: Loop) -> Plan:
        """The snapshots of a loop, made before it and filled in it; the state is entered later."""
        if op not in self.plans:
            home = self.homes[op]
            n, before = iterations(op)
            kept = Value("kept")
            copies = (Const(True),) if buffers_of(op.body) else ()
            begin = Apply([kept], None, revolve.snapshots, (n, Const(op.snapshots), *copies))
            begin.effect = True
            fill = Apply([Value(None)], None, revolve.keep_state, (kept,), {}, True)
            at = home.ops.index(op)
            home.ops[at:at] = [*before, begin]
            op.body.ops.insert(leading_items(op), fill)
            self.plans[op] = Plan(kept, n, fill)
        return self.plans[op]

    # -- the way back --------------------------------------------------------------------

    def way_back(self, op: Loop, plan: Plan) -> Loop:
        """The loop backwards over the numbers of the iterations."""
        made = self.empty_loop(op)
        if op.bounds is not None and not op.stops and not counts_from_zero(op):
            made.bounds = (Const(0), plan.n, Const(1))
        hint = op.index.hint if op.index is not None and counts_from_zero(op) else None
        made.body.params[0].hint = "k" if hint in (None, "_") else hint
        return made

    def twin(self, op: Loop) -> Loop:
        """A copy of a loop, with all that is known about its values."""
        table: dict[Value, Operand] = {}
        twin = clone_op(op, table)
        assert isinstance(twin, Loop)
        for old, new in table.items():
            if self.activity(old) and isinstance(new, Value):
                self.activity.active.add(new)
        strip(twin.body)
        self.b.learn(twin.body)
        return twin

    def once_more(
        self, op: Loop, twin: Loop, made: Loop, back: Value, plan: Plan, yields: list[Operand]
    ) -> None:
        """Before the adjoint of an iteration: its state, and the iteration again."""
        block = self.b.block
        ends: dict[Any, Operand] = dict(enumerate(yields))
        keep(block, self.mirrors, ends, twin.body, bool(self.function.facts.frugal))
        yields[:] = ends.values()
        for inner in walk(block):
            self.mirrors.pop(inner, None)
        block.ops = [*twin.body.ops, *block.ops]
        block.yields = yields
        eliminate(Function("", block, None))
        read = set(read_in(block))
        state = self.state(op, [k for k, p in enumerate(twin.carried) if p in read])
        plan.keep.args = (plan.kept, *[op.carried[k] for k in state])
        assert made.index is not None
        found = Apply([Value(None)], None, revolve.restore, (back, made.index))
        start = Value("start", Number("i"))
        entries = [alike(op.carried[k]) for k in state]
        again = self.advance(op, state, (start, made.index, Const(1)), entries, back)
        table = dict(zip([twin.carried[k] for k in state], again.results, strict=True))
        replace_values(block, lambda v: table.get(v, v) if isinstance(v, Value) else v)
        yields[:] = block.yields
        first = Apply([start, *entries], None, UNPACK, (found.result,))
        block.ops = [found, first, again, *block.ops]

    def state(self, op: Loop, read: list[int]) -> list[int]:
        """Which carried values make an iteration again: those it reads, and those they come from."""
        while True:
            body = self.trimmed(op, read)
            known = set(read_in(body))
            more = [k for k, p in enumerate(carried_of(op, body)) if p in known or k in read]
            if more == read:
                return read
            read = more

    def trimmed(self, op: Loop, state: list[int]) -> Block:
        """A copy of the body of which only some carried values are wanted."""
        body = clone_block(op.body, {})
        strip(body)
        body.yields = [body.yields[k] for k in state]
        eliminate(Function("", body, None))
        return body

    def advance(
        self, op: Loop, state: list[int], bounds: Any, entries: list[Value], back: Value
    ) -> Loop:
        """The iterations from a kept state to the one that is due."""
        body = self.trimmed(op, state)
        index, params = Value("j", Number("i")), carried_of(op, body)
        if op.index is not None:
            old, (number, ops) = body.params[0], numbered(op, index)
            replace_values(body, lambda v: number if v is old else v)
            body.ops[:0] = ops
        fill = Apply([Value(None)], None, revolve.keep_state, (back,), {}, True)
        fill.args = (back, *[params[k] for k in state])
        body.ops.insert(0, fill)
        body.params = [index, *[params[k] for k in state]]
        results = [alike(op.results[k]) for k in state]
        return Loop(results, None, list(entries), body, bounds, header=RECOMPUTED)


def alike(v: Value) -> Value:
    made = Value(v.hint, v.type, v.loc)
    made.hidden, made.made = v.hidden, True
    return made


def carried_of(op: Loop, body: Block) -> list[Value]:
    """The carried values of a copy of the body."""
    first = int(op.bounds is not None)
    return body.params[first : first + len(op.inits)]


def counts_from_zero(op: Loop) -> bool:
    """True if the index is the number of the iteration."""
    if op.bounds is None:
        return False
    lo, _, step = op.bounds
    return is_literal(lo, 0) and is_literal(step, 1)


def iterations(op: Loop) -> tuple[Operand, list[Op]]:
    """How many iterations a loop will make, and what computes it; None where nobody knows yet."""
    if op.bounds is None or op.stops:
        return Const(None), []
    if counts_from_zero(op):
        return op.bounds[1], []
    counted = Apply([Value(None)], None, builtins.range, op.bounds)
    length = Apply([Value("n", Number("i"))], None, builtins.len, (counted.result,))
    return length.result, [counted, length]


def leading_items(op: Loop) -> int:
    """How many operations of a body only read items of sequences: they print in its head."""
    count = 0
    for inner in op.body.ops:
        if not (isinstance(inner, Apply) and inner.fn is operator.getitem):
            break
        if inner.args[1] is not op.index:
            break
        count += 1
    return count


def strip(block: Block) -> None:
    """Drop, in place, what a second run need not do: assertions, and keeping states."""
    block.ops = [op for op in block.ops if not (isinstance(op, Apply) and op.effect)]
    for op in block.ops:
        for inner in op.blocks:
            strip(inner)


def refuse_effects(block: Block, function: Function, what: str) -> None:
    """Refuses prints and random draws, which would happen again."""
    for op in walk(block):
        name = does_more(op, set())
        if name is not None:
            raise UnsupportedOperation(
                f"{what} is run again on the way back, and this calls {name}",
                place=function.source.place(op.loc) if function.source is not None else None,
                fix="take the call out of it, or keep everything: leave the checkpoint out",
            )


def does_more(op: Op, seen: set[Function]) -> str | None:
    """The name of what an operation calls beyond computing, if anything; assertions are fine."""
    if isinstance(op, Apply):
        ours = op.fn in (revolve.snapshots, revolve.keep_state)
        return (
            str(own_attribute(op.fn, "__name__", op.fn))
            if op.effect and not ours and called(op)
            else None
        )
    if not isinstance(op, Call) or op.callee in seen:
        return None
    seen.add(op.callee)
    return next((n for inner in walk(op.callee.body) if (n := does_more(inner, seen))), None)


def called(op: Apply) -> bool:
    """True if an effect is a call: not an exception raised, or made to be raised."""
    if isinstance(op.fn, Primitive):
        return False
    return not (isinstance(op.fn, type) and issubclass(op.fn, BaseException))
