"""Smaller tapes: entries that nobody reads, or that stand there twice, are left out.

>>> from tests.before_after import in_gradient
>>> in_gradient('''
... def f(w, x):
...     h = 0.0
...     for i in range(len(x)):
...         h = math.tanh(w * h + x[i])
...     return h
... ''', "w: float, x: f8[n]", lighten)
def f_grad(w, x):
    # forward
    h = 0.0
    tape = []
    for i in range(len(x)):
        h_prev = h
        h = math.tanh(w * h + x[i])
        tape.append((h_prev, h))
    # backward
    h_bar = 1.0
    w_bar = 0.0
    for h_prev, h in reversed(tape):
        # `h = math.tanh(w * h + x[i])`
        add_bar = (1 - h * h) * h_bar
        h_bar = w * add_bar
        w_bar += add_bar * h_prev
    return w_bar
# becomes
def f_grad(w, x):
    # forward
    h = 0.0
    tape = []
    for i in range(len(x)):
        tape.append(h)
        h = math.tanh(w * h + x[i])
    # backward
    h_bar = 1.0
    w_bar = 0.0
    for h_2 in reversed(tape):
        # `h = math.tanh(w * h + x[i])`
        add_bar = (1 - h * h) * h_bar
        h_bar = w * add_bar
        w_bar += add_bar * h_2
        h = h_2
    return w_bar

The state at the end of an iteration is the state at the beginning of the next: the backward loop carries it.
"""

from __future__ import annotations

from collections import Counter

from retrograd.runtime.records import dataclass

from ...ir.operations import (
    Apply,
    Block,
    Function,
    Loop,
    Value,
    replace_values,
    walk,
)
from ...ir.primitives import BUNDLE, UNPACK, Primitive
from ...ir.types import Stack, Tree
from ...ir.uses import counted

__all__ = ["lighten"]


def lighten(function: Function) -> Function:
    """Drop, in place, what need not be on the tapes of loops."""
    visit(function.body)
    slim(function.body)
    return function


def visit(block: Block) -> None:
    makers = {stack: op for op in block.ops if isinstance(op, Loop) for stack in op.stacks}
    for op in block.ops:
        for inner in op.blocks:
            visit(inner)
        if isinstance(op, Loop) and op.backwards:
            for there in {
                makers[stack]: None for stack, flip in op.feeds if flip and stack in makers
            }:
                carry_once(there, op)


def carry_once(there: Loop, back: Loop) -> None:
    """Carry, in place, backwards what is on the tape as the start of the iteration after."""
    known: dict[Value, Value] = {}
    for tape in tapes(there, back):
        known.update((v, r) for v, r in tape.pairs() if isinstance(v, Value))
    table: dict[Value, Value] = {}
    for k, (param, value) in enumerate(zip(list(there.carried), there.body.yields, strict=False)):
        if param in known and value in known and value is not param and value not in table:
            table[value] = after = like(known[value])
            back.carry(there.results[k], after, known[param], like(known[value]))
    renamed = {known[v]: after for v, after in table.items()}
    if renamed:
        kept = list(back.body.params)
        replace_values(back.body, lambda v: renamed.get(v, v) if isinstance(v, Value) else v)
        back.body.params = kept


def like(v: Value) -> Value:
    made = Value(v.hint, v.type, v.loc)
    made.bar, made.made, made.hidden, made.distinct = v.bar, True, v.hidden, v.distinct
    return made


@dataclass
class Tape:
    """One stack between two loops: what is collected, and as what it is read."""

    there: Loop
    stack: Value
    whole: Value  # collected
    element: Value
    bundle: Apply | None = None
    taken: Apply | None = None

    def pairs(self) -> list[tuple[object, Value]]:
        if self.bundle is None or self.taken is None:
            return [(self.whole, self.element)]
        return list(zip(self.bundle.args[0], self.taken.results, strict=True))


def tapes(there: Loop, back: Loop) -> list[Tape]:
    """The stacks that the second loop reads from their ends."""
    collected = dict(zip(there.stacks, there.collected(), strict=True))
    bundles = {op.result: op for op in calls(there.body, BUNDLE)}
    unpacks = {op.args[0]: op for op in calls(back.body, UNPACK)}
    return [
        Tape(there, stack, collected[stack], element, bundles.get(collected[stack]), unpacks.get(element))
        for (stack, flip), element in zip(back.feeds, back.elements, strict=True)
        if flip and stack in collected and isinstance(collected[stack], Value)
    ]  # fmt: skip


def calls(block: Block, fn: Primitive) -> list[Apply]:
    return [op for op in block.ops if isinstance(op, Apply) and op.fn is fn]


def slim(body: Block) -> None:
    """Take, in place, out of the tuples on tapes what nobody reads."""
    uses = counted(body)
    changed = True
    while changed:
        changed = False
        for block in [body, *(inner for op in walk(body) for inner in op.blocks)]:
            loops = [op for op in block.ops if isinstance(op, Loop)]
            homes = {stack: there for there in loops for stack in there.stacks}
            for back in loops:
                fed = (homes[stack] for stack, flip in back.feeds if flip and stack in homes)
                for there in sorted(set(fed), key=loops.index):
                    changed |= any(narrow(tape, back, uses) for tape in tapes(there, back))
        uses = counted(body)


def narrow(tape: Tape, back: Loop, uses: Counter[Value]) -> bool:
    """Drop the items of a tuple that are not read; one item needs no tuple."""
    bundle, taken = tape.bundle, tape.taken
    alone = (
        bundle is not None and taken is not None and not isinstance(bundle.args[0], (list, dict))
    )
    if not alone or not uses[tape.stack] == uses[tape.whole] == uses[tape.element] == 1:
        return False
    assert bundle is not None and taken is not None
    kept = [(v, r) for v, r in zip(bundle.args[0], taken.results, strict=True) if uses[r]]
    if len(kept) == len(taken.results) or not kept:
        return False
    items, results = [v for v, _ in kept], [r for _, r in kept]
    if len(kept) == 1 and isinstance(items[0], Value):
        at = tape.there.collected().index(tape.whole) + len(tape.there.inits)
        tape.there.body.yields[at] = items[0]
        tape.there.body.ops.remove(bundle)
        back.body.params[back.body.params.index(tape.element)] = results[0]
        back.body.ops.remove(taken)
        tape.stack.type = Stack(results[0].type)
        return True
    bundle.args, taken.results = (tuple(items),), results
    kind = Tree("tuple", tuple(range(len(kept))), tuple(r.type for r in results))
    tape.whole.type = tape.element.type = kind
    tape.stack.type = Stack(kind)
    return True
