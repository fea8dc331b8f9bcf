"""What the backward program reads of the forward loops and branches: kept, or computed again.

The adjoint of a region may read any value of that region.  Inside a branch such a value becomes
one more result of the ``if``; inside a loop it is collected, one per iteration, and read again
by iteration number.  Subscripts of what is at hand anyway are computed again, and a predicate
that ends the loop is kept once: it can only be true in the last iteration.
"""

from __future__ import annotations

import builtins
import operator

from ..ir import (
    Apply,
    Block,
    Const,
    If,
    Loop,
    Op,
    Operand,
    Value,
    blocks_of,
    operands_of,
    values_in,
    walk,
)
from ..ir import replace_values as replace
from ..names import spoken
from ..passes.common import written_over
from ..types import Array, Number, Stack, Tree

__all__ = ["expose_branch", "keep"]

CHEAP = {operator.getitem, builtins.getattr, operator.add, operator.sub, operator.mul}


def keep(
    backward: Block, mirrors: dict[Op, Op], bars: dict[Value, Operand], forward: Block
) -> None:
    """Make every read of a forward region legal, innermost regions first."""
    over = written_over(forward)
    for made in list(backward.ops):
        expose(made, mirrors, over)
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
            substitute(op.body, hi, length.result)
        for inner in blocks_of(op):
            measure(inner, table)
        kept.append(op)
    block.ops = kept


def expose(made: Op, mirrors: dict[Op, Op], over: set[Value]) -> None:
    op = mirrors.get(made)
    for inner in [o for block in blocks_of(made) for o in block.ops]:
        expose(inner, mirrors, over)
    if isinstance(made, If) and isinstance(op, If):
        expose_branch(made, op)
    elif isinstance(made, Loop) and isinstance(op, Loop):
        Exposure(made, op, over).run()


def spliced(block: Block, bars: dict[Value, Operand]) -> None:
    """Put the side that runs in place of a branch on a constant (see ``guarded``)."""
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
        for inner in blocks_of(op):
            splice(inner, table)
        if type(op) is If and isinstance(op.cond, Const) and op.cond.text is None:
            side = op.then if op.cond.value else op.orelse
            kept += side.ops
            table.update(zip(op.results, side.yields, strict=True))
        else:
            kept.append(op)
    block.ops = kept


def read_in(block: Block) -> list[Value]:
    """Every value that a block and its regions read, once each, in order."""
    found: dict[Value, None] = {}
    for op in walk(block):
        found.update(dict.fromkeys(values_in(operands_of(op))))
        for inner in blocks_of(op):
            found.update(dict.fromkeys(values_in(inner.yields)))
    found.update(dict.fromkeys(values_in(block.yields)))
    return list(found)


def expose_branch(made: If, op: If) -> None:
    sides = [(made.then, op.then, op.orelse), (made.orelse, op.orelse, op.then)]
    for reader, writer, other in sides:
        defined = {r for o in writer.ops for r in o.results} | set(writer.params)
        for value in [v for v in read_in(reader) if v in defined]:
            if value in writer.yields:  # it is a result already
                substitute(reader, value, op.results[writer.yields.index(value)])
                continue
            # None on the other side: nobody may ask it for a shape.
            result = Value(
                value.hint, None if isinstance(value.type, Array) else value.type, value.loc
            )
            result.bar = value.bar
            op.results.append(result)
            writer.yields.append(value)
            other.yields.append(Const(None))
            substitute(reader, value, result)


def substitute(block: Block, old: Value, new: Operand) -> None:
    replace(block, lambda v: new if v is old else v)


class Exposure:
    """One loop and its adjoint."""

    def __init__(self, made: Loop, op: Loop, over: set[Value]) -> None:
        self.made, self.op, self.over = made, op, over
        self.defined = {r: o for o in op.body.ops for r in o.results}
        self.local = set(op.body.params) | set(self.defined)
        self.front: list[Op] = []
        self.done: dict[Value, Operand] = {}
        self.pending: dict[Value, Value] = {}  # collected together: value -> element

    def run(self) -> None:
        wanted = [v for v in read_in(self.made.body) if v in self.local]
        order = {r: k for k, o in enumerate(self.op.body.ops) for r in o.results}
        for value in sorted(wanted, key=lambda v: order.get(v, -1)):
            substitute(self.made.body, value, self.available(value))
        self.made.body.ops[:0] = self.front
        self.collect_pending()

    def available(self, value: Value) -> Operand:
        """The value in the backward body: computed again, or read from the tape."""
        if value not in self.done:
            if self.is_cheap(value) or self.is_one_step(value):
                self.done[value] = self.again(value)
            elif self.ends_loop(value):
                self.done[value] = self.last_only(value)
            else:
                self.done[value] = self.collected(value)
        return self.done[value]

    def is_cheap(self, value: Value) -> bool:
        """Whether the value can be had again from the index and what is outside the loop."""
        if value is self.op.index:
            return True
        op = self.defined.get(value)
        if not isinstance(op, Apply) or op.fn not in CHEAP or op.effect:
            return False
        if op.fn not in (operator.getitem, builtins.getattr) and not is_integer(value):
            return False
        if (
            op.args[0] in self.over
        ):  # an array that will hold something else: its part is less to keep
            return False
        return all(v not in self.local or self.is_cheap(v) for v in values_in(operands_of(op)))

    def is_one_step(self, value: Value) -> bool:
        """Whether one addition or multiplication of numbers at hand gives the value again."""
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
            v not in self.local or v in self.done or self.is_cheap(v)
            for v in values_in(operands_of(op))
        )

    def again(self, value: Value) -> Operand:
        from ..build import clone_op

        if value is self.op.index:
            assert self.made.index is not None
            return self.made.index
        op = self.defined[value]
        table = {v: self.available(v) for v in values_in(operands_of(op)) if v in self.local}
        copy = clone_op(op, table)  # type: ignore[arg-type]
        copy.loc = None
        self.front.append(copy)
        return copy.results[0]

    def ends_loop(self, value: Value) -> bool:
        """Whether the value, if true, makes this iteration the last one."""
        if not self.op.stops or not isinstance(self.op.stop, Value):
            return False
        return implies(value, self.op.stop, self.op.body)

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
        element = Value(value.hint, value.type, value.loc)
        element.bar, element.made = value.bar, value.made
        if value.hint is None and value.bar is None:
            element.hint = spoken(self.defined.get(value), value)
        self.pending[value] = element
        return element

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
        kind = Tree("tuple", tuple(range(len(values))), tuple(v.type for v in values))
        bundle = Apply([Value(None, kind)], None, "bundle", (tuple(values),))
        at = max(
            (k + 1 for k, o in enumerate(self.op.body.ops) if set(o.results) & set(values)),
            default=0,
        )
        self.op.body.ops.insert(at, bundle)
        self.op.collect(bundle.result, self.stack_of(bundle.result))
        whole = Value(None, kind)
        self.made.feed(self.op.stacks[-1], True, whole)
        self.made.body.ops.insert(0, Apply(list(self.pending.values()), None, "unpack", (whole,)))

    def stack_of(self, value: Value) -> Value:
        stack = Value(value.hint, Stack(value.type), self.op.loc)
        stack.bar = value.bar
        return stack

    def collected_alone(self, value: Value) -> Operand:
        stack = Value(value.hint, Stack(value.type), self.op.loc)
        stack.bar = value.bar
        element = Value(value.hint, value.type, value.loc)
        element.bar = value.bar
        self.op.collect(value, stack)
        self.made.feed(stack, True, element)
        return element


def is_integer(value: Value) -> bool:
    return isinstance(value.type, Number) and value.type.kind == "i"


def implies(value: Value, stop: Operand, block: Block) -> bool:
    """Whether ``value`` being true makes ``stop`` true, by the shape of the branches."""
    for op in block.ops:
        if not isinstance(op, If) or stop not in op.results:
            continue
        at = op.results.index(stop)
        if op.cond is value:
            end = op.then.yields[at]
            return isinstance(end, Const) and end.value is True
    return stop is value
