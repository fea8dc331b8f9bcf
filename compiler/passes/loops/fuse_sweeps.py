"""Fusion of a loop with the backward loop over it.

>>> from tests.before_after import in_gradient
>>> from ..redundancy.dead_code import eliminate
>>> in_gradient('''
... def f(x):
...     total = 0.0
...     for i in range(len(x)):
...         total = total + np.exp(x[i])
...     return total
... ''', "x: f8[n]", weave, eliminate)
def f_grad(x):
    # forward
    tape = []
    for i in range(len(x)):
        tape.append(np.exp(x[i]))
    # backward
    x_bar = np.zeros(x.shape)
    for i, exp in zip(reversed(range(len(x))), reversed(tape)):
        # `total = total + np.exp(x[i])`
        x_bar[i] += exp
    return x_bar
# becomes
def f_grad(x):
    x_bar = np.zeros(x.shape)
    for i in range(len(x)):
        # `total = total + np.exp(x[i])`
        x_bar[i] += np.exp(x[i])
    return x_bar

The adjoint of a sum over iterations only accumulates: its iterations may run in any order, so also in
that of the function, and nothing needs to be kept.  Where the adjoint needs a value that is known only after
the loop, it still runs over the tape from its start.
"""

from __future__ import annotations

import operator

from retrograd.runtime.records import dataclass

from ...analyses.aliasing.memory_facts import adds_part, is_version
from ...analyses.control_flow.execution_order import keeps
from ...ir.operand_key import key
from ...ir.operations import (
    Apply,
    Block,
    Call,
    Const,
    Function,
    If,
    Loop,
    Op,
    Operand,
    Value,
    operands_of,
    replace_values,
    values_in,
    walk,
)
from ...ir.primitives import BUNDLE, UNPACK
from ..redundancy.tuple_unpacking import is_count

__all__ = ["weave"]


def weave(function: Function) -> Function:
    """Join, in place, loops with the loops backwards over them, the outermost first."""
    woven: set[Loop] = set()
    visit(function.body, woven)
    function.facts.woven = woven
    return function


def visit(block: Block, woven: set[Loop]) -> None:
    for pair in pairs(block):
        if pair.fits():
            pair.join()
            woven.add(pair.there)
    for op in block.ops:
        if isinstance(op, Loop) and op.backwards and goes_either_way(op):
            turn_around(op)
        for inner in op.blocks:
            visit(inner, woven)


def goes_either_way(loop: Loop) -> bool:
    """True if the order of the iterations does not matter."""
    free = is_counted(loop) and not loop.collects and all(flip for _, flip in loop.feeds)
    return free and all(only_adds(loop, k) for k in range(len(loop.inits)))


def turn_around(loop: Loop) -> None:
    """Let, in place, a loop begin with the first iteration: the head is shorter."""
    loop.backwards = False
    loop.feeds = [(stack, False) for stack, _ in loop.feeds]
    lo, _, step = loop.bounds or (None, None, None)
    if len(loop.feeds) == 1 and key((lo, step)) == key((Const(0), Const(1))):
        loop.bounds = (Const(0), Const(None), Const(1))  # ``enumerate``: there is one for each


def pairs(block: Block) -> list[Pair]:
    """The loops of a region, each with the one that reads its stacks from their ends."""
    makers = {stack: op for op in block.ops if isinstance(op, Loop) for stack in op.stacks}
    found = []
    for op in block.ops:
        if isinstance(op, Loop) and op.feeds and op.backwards:
            sources = {makers.get(stack) for stack, flip in op.feeds if flip}
            if len(sources) == 1 and all(flip for _, flip in op.feeds):
                there = sources.pop()
                found += [Pair(block, there, op)] if there is not None else []
    return found


@dataclass
class Pair:
    """A loop, and its adjoint in the same region."""

    block: Block
    there: Loop
    back: Loop

    def fits(self) -> bool:
        """True if the second may take its steps in the iterations of the first."""
        return (
            is_counted(self.there)
            and is_counted(self.back)
            and not self.there.backwards
            and not self.back.collects
            and key(self.there.bounds) == key(self.back.bounds)
            and all(only_adds(self.back, k) for k in range(len(self.back.inits)))
            and not any(writes(op) or (keeps(op) and not is_count(op)) for op in self.between())
            and self.waiting() is not None
        )

    def between(self) -> list[Op]:
        """From the one loop to the other, and all that they do."""
        ops = self.block.ops
        part = ops[ops.index(self.there) : ops.index(self.back) + 1]
        return list(walk(Block([], part)))

    def waiting(self) -> list[Op] | None:
        """The operations that must come after the first loop; None if the second needs some of them."""
        ops = self.block.ops
        late, blocked = [], set(self.there.results)
        for op in ops[ops.index(self.there) + 1 : ops.index(self.back)]:
            if blocked.intersection(read_by(op)):
                late.append(op)
                blocked.update(op.results)
        feeds, self.back.feeds = self.back.feeds, []
        read = read_by(self.back)
        self.back.feeds = feeds
        return None if blocked.intersection(read) else late

    def join(self) -> None:
        """One loop in place of the two, where the second stood."""
        late = self.waiting() or []
        there, back, ops = self.there, self.back, self.block.ops
        self.move(back)
        at = ops.index(back)
        self.block.ops = [op for op in ops[:at] if op is not there and op not in late]
        self.block.ops += [there, *late, *ops[at + 1 :]]

    def move(self, back: Loop) -> None:
        """Append the body of the second loop to that of the first."""
        there = self.there
        collected = dict(zip(there.stacks, there.collected(), strict=True))
        table: dict[Value, Operand] = {
            element: collected[stack]
            for (stack, _), element in zip(back.feeds, back.elements, strict=True)
        }
        if back.index is not None and there.index is not None:
            table[back.index] = there.index
        body = Block([], back.body.ops, back.body.yields)
        replace_values(body, lambda v: table.get(v, v) if isinstance(v, Value) else v)
        unbundle(body, {op.results[0]: op for op in there.body.ops if is_bundle(op)})
        carried = list(zip(back.inits, back.carried, body.yields, back.results, strict=True))
        there.body.ops += body.ops
        for init, param, value, result in carried:
            there.carry(init, param, value, result)


def is_counted(loop: Loop) -> bool:
    """True if it is known before it begins how often a loop runs."""
    plain = not (loop.stops or loop.counts or loop.snapshots)
    return plain and loop.cond is None and loop.bounds is not None


def writes(op: Op) -> bool:
    if isinstance(op, Call) and op.callee.facts.writes:
        return True
    return isinstance(op, Apply) and (is_version(op) or "out" in op.kwargs)


def read_by(op: Op) -> list[Value]:
    """All that an operation and its regions read."""
    inner = [(operands_of(o), [b.yields for b in o.blocks]) for o in walk(Block([], [op]))]
    return values_in([list(pair) for pair in inner])


def only_adds(loop: Loop, k: int) -> bool:
    """True if a loop does nothing with what it carries but add to it."""
    return is_sum(loop.carried[k], loop.body.yields[k], loop.body)


def is_sum(v: Value, end: Operand, block: Block) -> bool:
    """True if ``v`` goes through sums to ``end``, and nothing else reads it or what it becomes."""
    while True:
        readers = [op for op in block.ops if v in read_by(op)]
        if not readers:
            return v is end and values_in(block.yields).count(v) == 1
        if len(readers) > 1 or v in values_in(block.yields) or read_by(readers[0]).count(v) > 2:
            return False
        step = next((r for r in readers[0].results if passes(v, readers[0], r)), None)
        if step is None:
            return False
        v = step


def passes(v: Value, op: Op, result: Value) -> bool:
    """True if ``op`` adds to ``v``, or not, and gives ``result``."""
    if isinstance(op, Apply):
        rest = values_in([*op.args, *op.kwargs.values()])
        if rest.count(v) != 1:
            return False
        if op.fn is operator.add:
            return v in op.args
        return (op.fn is operator.sub or adds_part(op)) and op.args[0] is v
    k = op.results.index(result)
    if type(op) is If:
        sides = [(side.yields[k], side) for side in (op.then, op.orelse)]
        return v not in values_in(op.cond) and all(is_sum(v, end, side) for end, side in sides)
    if isinstance(op, Loop) and k < len(op.inits) and op.cond is None and op.inits[k] is v:
        return read_by(op).count(v) == 1 and only_adds(op, k)
    return False


def is_bundle(op: Op) -> bool:
    return isinstance(op, Apply) and op.fn is BUNDLE


def unbundle(block: Block, bundles: dict[Value, Op]) -> None:
    """Read what a tuple was made of instead of taking it apart."""
    table: dict[Value, Operand] = {}
    kept = []
    for op in block.ops:
        whole = op.args[0] if isinstance(op, Apply) and op.fn is UNPACK else None
        if isinstance(whole, Value) and whole in bundles:
            made = bundles[whole]
            assert isinstance(made, Apply)
            table.update(zip(op.results, made.args[0], strict=True))
        else:
            kept.append(op)
    block.ops = kept
    replace_values(block, lambda v: table.get(v, v) if isinstance(v, Value) else v)
