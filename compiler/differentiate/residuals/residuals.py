"""Residuals of loops and branches: kept, or recomputed.

The adjoint of a region may read any value of that region.  Inside a branch such a value becomes
one more result of the ``if``; inside a loop it is collected, one per iteration, and read again
by iteration number.  What is kept of a loop is a minimum cut (see `min_cut`) among what may be
computed again: subscripts and one step of arithmetic on what is at hand anyway or, where the user
asked for it, whatever is elementwise.  A predicate that ends the loop is kept once: it can only be
true in the last iteration.
"""

from __future__ import annotations

import builtins
import operator
from typing import Any

from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import home_of
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.aliasing.buffers import written_over
from ...analyses.aliasing.memory_facts import may_view
from ...ir.operations import (
    Apply,
    Block,
    Const,
    If,
    Loop,
    Op,
    Operand,
    Value,
    operands_of,
    read_in,
    values_in,
    values_read,
)
from ...ir.operations import replace_values as replace
from ...ir.primitives import BUNDLE, UNPACK, Primitive
from ...ir.types import Array, Number, Stack, Tree
from ...ir.value_names import spoken
from ...simplify.builder import clone_op
from ..loop_numbering import numbered
from .min_cut import choose, weight

__all__ = ["expose_branch", "keep", "run_again"]

FEW = 8  # values of one side of a branch that are kept by themselves


def keep(
    backward: Block, mirrors: dict[Op, Op], bars: dict[Any, Operand], forward: Block,
    frugal: bool = False,
) -> None:  # fmt: skip
    """Make every read of a forward region legal, innermost regions first.

    ``frugal``: elementwise operations may be computed again.
    """
    over = written_over(forward)
    for made in list(backward.ops):
        expose(made, mirrors, over, frugal)
    spliced(backward, bars)
    measure(backward, {})


def measure(block: Block, table: dict[Value, Operand]) -> None:
    """The number of iterations is the length of the tape, where there is one."""
    kept: list[Op] = []
    for op in block.ops:
        hi = op.bounds[1] if isinstance(op, Loop) and op.bounds is not None else None
        if (
            isinstance(op, Loop)
            and op.feeds
            and isinstance(hi, Value)
            and hi.hint == "n"
            and hi.made
        ):
            length = Apply([Value(None, Number("i"))], None, builtins.len, (op.feeds[0][0],))
            length.result.made = True
            kept.append(length)
            op.bounds = (op.bounds[0], length.result, op.bounds[2])  # type: ignore[index]
            substitute(op.body, {hi: length.result})
        for inner in op.blocks:
            measure(inner, table)
        kept.append(op)
    block.ops = kept


def expose(made: Op, mirrors: dict[Op, Op], over: set[Value], frugal: bool) -> None:
    op = mirrors.get(made)
    for inner in [o for block in made.blocks for o in block.ops]:
        expose(inner, mirrors, over, frugal)
    if isinstance(made, If) and isinstance(op, If):
        expose_branch(made, op)
    elif isinstance(made, Loop) and isinstance(op, Loop):
        Exposure(made, op, over, frugal).run()


def spliced(block: Block, bars: dict[Value, Operand]) -> None:
    """Put the side that runs in place of a branch on a constant (see `try_with`)."""
    table: dict[Value, Operand] = {}
    splice(block, table)
    if table:
        replace(block, lambda v: settled(v, table))
        bars.update({v: settled(bar, table) for v, bar in bars.items()})


def settled(operand: Operand, table: dict[Value, Operand]) -> Operand:
    while isinstance(operand, Value) and operand in table:
        operand = table[operand]
    return operand


def splice(block: Block, table: dict[Value, Operand]) -> None:
    kept: list[Op] = []
    for op in block.ops:
        for inner in op.blocks:
            splice(inner, table)
        if type(op) is If and isinstance(op.cond, Const) and op.cond.text is None:
            side = op.then if op.cond.value else op.orelse
            kept += side.ops
            table.update(zip(op.results, side.yields, strict=True))
        else:
            kept.append(op)
    block.ops = kept


def expose_branch(made: If, op: If) -> None:
    """Make what one side of the adjoint reads of the same side of the branch a result of that; many as one tuple."""
    sides = [(made.then, op.then, op.orelse), (made.orelse, op.orelse, op.then)]
    for reader, writer, other in sides:
        defined = {r for o in writer.ops for r in o.results} | set(writer.params)
        table: dict[Value, Operand] = {}
        wanted: list[Value] = []
        for value in [v for v in read_in(reader) if v in defined]:
            if value in writer.yields:  # it is a result already
                table[value] = op.results[writer.yields.index(value)]
            else:
                wanted.append(value)
        if len(wanted) > FEW:
            wanted = [bundled(wanted, reader, writer, table)]
        for value in wanted:
            # None on the other side: nobody may ask it for a shape.
            result = Value(
                value.hint, None if isinstance(value.type, Array) else value.type, value.loc
            )
            result.bar, result.absent, result.distinct = value.bar, True, value.distinct
            op.results.append(result)
            writer.yields.append(value)
            other.yields.append(Const(None))
            table.setdefault(value, result)
        substitute(reader, table)


def bundled(
    values: list[Value], reader: Block, writer: Block, table: dict[Value, Operand]
) -> Value:
    """One tuple of these values of ``writer``, which ``reader`` takes apart."""
    whole = Value("kept", tuple_of(values), None)
    writer.ops.append(Apply([whole], None, BUNDLE, (tuple(values),)))
    makers = makers_in(writer)
    items = [element_of(v, makers.get(v)) for v in values]
    reader.ops.insert(0, Apply(items, None, UNPACK, (whole,)))
    table.update(zip(values, items, strict=True))
    return whole


def makers_in(block: Block) -> dict[Value, Op]:
    """The operations that give the values of a region; for a branch's, that of the side that computes it."""
    found: dict[Value, Op] = {}
    for op in block.ops:
        if not isinstance(op, If):
            found.update(dict.fromkeys(op.results, op))
            continue
        inner = makers_in(op.orelse) | makers_in(op.then)
        for k, result in enumerate(op.results):
            made = (inner.get(side.yields[k]) for side in op.blocks)
            if (maker := next(filter(None, made), None)) is not None:
                found[result] = maker
    return found


def element_of(value: Value, made_by: Op | None) -> Value:
    """What a value is when it is read from a tuple of what was kept, by a name that says what it was."""
    element = Value(value.hint, value.type, value.loc)
    element.bar, element.made, element.absent = value.bar, value.made, value.absent
    element.distinct = value.distinct
    if value.hint is None and value.bar is None:
        element.hint = spoken(made_by, value)
    return element


def substitute(block: Block, table: dict[Value, Operand]) -> None:
    if table:
        replace(block, lambda v: table.get(v, v))


class Exposure:
    """One loop and its adjoint."""

    def __init__(self, made: Loop, op: Loop, over: set[Value], frugal: bool = False) -> None:
        self.made, self.op, self.over, self.frugal = made, op, over, frugal
        self.defined = {r: o for o in op.body.ops for r in o.results}
        self.local = set(op.body.params) | set(self.defined)
        self.front: list[Op] = []
        self.done: dict[Value, Operand] = {}
        self.pending: dict[Value, Value] = {}  # collected together: value -> element
        self.wanted: set[Value] = set()
        self.kept: set[Value] = set()

    def run(self) -> None:
        wanted = [v for v in read_in(self.made.body) if v in self.local]
        order = {r: k for k, o in enumerate(self.op.body.ops) for r in o.results}
        wanted.sort(key=lambda v: order.get(v, -1))
        self.wanted = set(wanted)
        self.kept = choose(self.defined, wanted, self.may_run_again, self.costs)
        substitute(self.made.body, {v: self.available(v) for v in wanted})
        self.made.body.ops[:0] = self.front
        self.collect_pending()
        if self.frugal:
            sink(self.made.body, self.front)

    def available(self, value: Value) -> Operand:
        """The value in the backward body: computed again, or read from the tape."""
        if value not in self.done:
            if value not in self.kept and self.may_run_again(value):
                self.done[value] = self.again(value)
            elif self.ends_loop(value):
                self.done[value] = self.last_only(value)
            else:
                self.done[value] = self.collected(value)
        return self.done[value]

    def may_run_again(self, value: Value) -> bool:
        """True if computing a value again is allowed, given its operands."""
        op = self.defined.get(value)
        if self.is_cheap(value) or self.is_one_step(value):
            return True
        return self.frugal and op is not None and is_light(op) and not self.ends_loop(value)

    def costs(self, value: Value) -> int:
        """The weight of keeping a value of every iteration: nothing for what is at hand anyway."""
        if value not in self.local or value is self.op.index or self.ends_loop(value):
            return 0
        return weight(value.type)

    def is_cheap(self, value: Value) -> bool:
        """True if the value can be had again from the index and what is outside the loop."""
        if value is self.op.index:
            return True
        op = self.defined.get(value)
        if not isinstance(op, Apply) or op.effect:
            return False
        known = traits_of(op.fn)
        if known.reads != "part" and not (known.sign in ("+", "-", "*") and is_integer(value)):
            return False
        if (
            op.args[0] in self.over
        ):  # an array that will hold something else: its part is less to keep
            return False
        return all(v not in self.local or self.is_cheap(v) for v in values_read(op))

    def is_one_step(self, value: Value) -> bool:
        """True if one addition or multiplication of numbers at hand gives the value again."""
        op = self.defined.get(value)
        if not isinstance(op, Apply) or op.fn not in (
            operator.add,
            operator.sub,
            operator.mul,
            operator.neg,
        ):
            return False
        if not isinstance(value.type, Number):
            return False
        return all(
            v not in self.local or v in self.wanted or self.is_cheap(v) for v in values_read(op)
        )

    def again(self, value: Value) -> Operand:
        if value is self.op.index:
            return self.index()
        op = self.defined[value]
        table = {v: self.available(v) for v in values_read(op) if v in self.local}
        copy = clone_op(op, table)  # type: ignore[arg-type]
        copy.loc = None
        copy.results[0].again = not (self.is_cheap(value) or self.is_one_step(value))
        self.front.append(copy)
        return copy.results[0]

    def index(self) -> Operand:
        """The forward index: a loop that may stop is gone back over by the numbers of its iterations."""
        assert self.made.index is not None
        if not self.op.stops:
            return self.made.index
        index, ops = numbered(self.op, self.made.index)
        self.front += ops
        return index

    def ends_loop(self, value: Value) -> bool:
        """True if the value is a flag that, if true, makes this iteration the last one."""
        if not self.op.stops or not isinstance(self.op.stop, Value) or not self.is_flag(value):
            return False
        return implies(value, self.op.stop, self.op.body)

    def is_flag(self, value: Value) -> bool:
        """True if a value is True or False: a number that is asked for its truth (``if t:``) is more."""
        if isinstance(value.type, (Number, Array)):
            return value.type.kind == "b"
        op = self.defined.get(value)
        return isinstance(op, Apply) and traits_of(op.fn).gives == "truth"

    def last_only(self, value: Value) -> Operand:
        """``left and k == n - 1``, where ``left`` says how the loop ended."""
        name = value.hint or "left"
        param, result = Value(name, Number("b")), Value(name, Number("b"), value.loc)
        self.op.carry(Const(False), param, value, result)
        assert self.made.index is not None and self.op.count is not None
        bounds = self.made.bounds
        assert bounds is not None
        last = Apply([Value(None, Number("i"))], None, operator.sub, (bounds[1], Const(1)))
        same = Apply([Value(None, Number("b"))], None, operator.eq, (self.made.index, last.result))
        both = If(
            [Value(name, Number("b"))], None, result,
            Block([], [last, same], [same.result]), Block([], [], [result]), True,
        )  # fmt: skip
        self.front.append(both)
        return both.results[0]

    def collected(self, value: Value) -> Operand:
        """The element of a tape; a loop that cannot stop early keeps one tuple per iteration."""
        if self.op.stops:
            return self.collected_alone(value)
        self.pending[value] = element_of(value, self.defined.get(value))
        return self.pending[value]

    def collect_pending(self) -> None:
        if len(self.pending) == 1:
            ((value, element),) = self.pending.items()
            self.op.collect(value, self.stack_of(value))
            self.made.feed(self.op.stacks[-1], True, element)
        elif self.pending:
            self.collect_together()

    def collect_together(self) -> None:
        """One list of tuples for all the values."""
        values = list(self.pending)
        kind = tuple_of(values)
        bundle = Apply([Value(None, kind)], None, BUNDLE, (tuple(values),))
        at = max(
            (k + 1 for k, o in enumerate(self.op.body.ops) if set(o.results) & set(values)),
            default=0,
        )
        self.op.body.ops.insert(at, bundle)
        self.op.collect(bundle.result, self.stack_of(bundle.result))
        whole = Value(None, kind)
        self.made.feed(self.op.stacks[-1], True, whole)
        self.made.body.ops.insert(0, Apply(list(self.pending.values()), None, UNPACK, (whole,)))

    def stack_of(self, value: Value) -> Value:
        stack = Value(value.hint, Stack(value.type), self.op.loc)
        stack.bar = value.bar
        return stack

    def collected_alone(self, value: Value) -> Operand:
        stack = Value(value.hint, Stack(value.type), self.op.loc)
        stack.bar = value.bar
        element = Value(value.hint, value.type, value.loc)
        element.bar, element.absent, element.distinct = value.bar, value.absent, value.distinct
        self.op.collect(value, stack)
        self.made.feed(stack, True, element)
        return element


def tuple_of(values: list[Value]) -> Tree:
    return Tree("tuple", tuple(range(len(values))), tuple(v.type for v in values))


def sink(block: Block, moving: list[Op]) -> None:
    """Move, in place, each of these operations to where its result is read first."""
    for op in reversed(moving):
        block.ops.remove(op)
        at = next((k for k, o in enumerate(block.ops) if reads(o, op.results)), len(block.ops))
        block.ops.insert(at, op)


def reads(op: Op, values: list[Value]) -> bool:
    return not set(read_in(Block([], [op]))).isdisjoint(values)


def is_light(op: Op) -> bool:
    """True if an operation costs about what it takes to write its result down, or less."""
    if not isinstance(op, Apply) or op.effect or isinstance(op.fn, Primitive):
        return False
    known = traits_of(op.fn)
    if known.buffer is not None or known.writes == "sum":
        return False
    if may_view(op.fn) or op.fn is linear.stretch or home_of(op.fn) == "math":
        return True
    return known.reads == "part" or known.elementwise is True


def run_again(body: Block, wanted: list[Value], given: Block) -> list[Value]:
    """Let, in place, a backward half compute elementwise operations of its forward half again.

    Gives the values that it is then to be handed: of the ``wanted`` ones and of ``given``'s others.
    """
    defined = {r: op for op in given.ops for r in op.results}
    may = {v: op for v, op in defined.items() if is_light(op)}
    params = set(given.params)
    kept = choose(defined, wanted, may.__contains__, lambda v: 0 if v in params else weight(v.type))
    table: dict[Value, Operand] = {}
    front: list[Op] = []
    needed: dict[Value, None] = {}

    def reach(v: Value) -> None:
        if v in table or v in needed:
            return
        if v in kept or v not in may:
            needed[v] = None
            return
        for operand in values_in(operands_of(may[v])):
            reach(operand)
        front.append(repeated(may[v], table))

    for v in wanted:
        reach(v)
    body.ops[:0] = front
    replace(body, lambda v: table.get(v, v) if isinstance(v, Value) else v)
    sink(body, front)
    return list(needed)


def repeated(op: Op, table: dict[Value, Operand]) -> Op:
    """An operation once more, reading through ``table`` and entered there."""
    copy = clone_op(op, table)
    copy.loc, copy.results[0].again = None, True
    return copy


def is_integer(value: Value) -> bool:
    return isinstance(value.type, Number) and value.type.kind == "i"


def implies(value: Value, stop: Operand, block: Block) -> bool:
    """True if ``value`` being true makes ``stop`` true, by the shape of the branches."""
    for op in block.ops:
        if not isinstance(op, If) or stop not in op.results:
            continue
        at = op.results.index(stop)
        if op.cond is value:
            end = op.then.yields[at]
            return isinstance(end, Const) and end.value is True
    return stop is value
