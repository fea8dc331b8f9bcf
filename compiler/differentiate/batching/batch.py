"""Many directions in one sweep: a program that is linear in some of its arguments, for k of each.

::

    f_jvp(x, x_dot):                      f_jvp(x, x_dot):         # x_dot has one more axis
        y = x * w                             y = x * w
        y_dot = x_dot * w         ->          y_dot = x_dot * w[..., None]
        yield y, np.sum(y_dot)                yield y, np.add.reduce(y_dot, axis=0)

Values that depend on a direction get one more axis, the last; the others stay as they are.  An
operation without a rule in `operation_rules` is called once for each direction by ``rt.each``.
"""

from __future__ import annotations

import builtins
import operator
from typing import Any

import numpy as np

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.checkpointing import revolve
from retrograd.runtime.records import dataclass, field, replace
from retrograd.runtime.rules.book import book, is_constant
from retrograd.runtime.tape import calls
from retrograd.runtime.user import batched as runtime

from ...analyses.activity import may_carry
from ...analyses.aliasing.memory_facts import is_written
from ...analyses.library_names import name_of
from ...analyses.shapes.infer import type_of
from ...ir.operations import (
    UNDEFINED,
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
    map_operand,
    operands_of,
    set_operands,
    values_in,
    walk,
)
from ...ir.primitives import BUNDLE, UNPACK, Primitive
from ...ir.types import Array, Dim, Number, Numeric, Tree
from ...simplify.builder import Builder, clone_function
from . import container_rules  # noqa: F401  (it and those it imports enter their forms)
from . import operation_rules as forms
from .operation_rules import NotBatched

__all__ = ["Flow", "Sweeps", "Walker", "in_directions", "quicker_alone"]

COUNT = Dim("directions")
STATES = {
    *(v for v in vars(revolve).values() if callable(v)),
    *(v for v in vars(calls).values() if callable(v)),
}


def quicker_alone(body: Block, again: bool) -> int:
    """Up to how many directions are quicker one after the other; ``again``: with the values each time.

    On a number an operation takes a tenth of what it takes on an array, however short; in k directions
    numbers are arrays, and arrays a little slower.
    """
    numbers = arrays = 0
    for op in walk(body):
        if isinstance(op, Apply) and not is_written(op):
            kind = type_of(op.result) if op.results else Number("b")
            is_number = isinstance(kind, Number) or (isinstance(kind, Array) and kind.dims == ())
            numbers, arrays = numbers + is_number, arrays + (not is_number)
    alone, together = numbers + 10 * arrays, 4 * numbers + 13 * arrays
    return int(together / (2 * alone if again else alone)) if alone else 1


def in_directions(function: Function, wrt: list[Value]) -> Function:
    """``function`` with some parameters in k directions, and all of its results."""
    copy = clone_function(function)
    mask = tuple(p in wrt for p in function.body.params)
    Sweeps().fill(copy, mask, all_results=True)
    return copy


@dataclass(eq=False)
class Sweeps:
    """The functions that a program calls, in k directions: one for each set of arguments."""

    made: dict[Any, tuple[Function, tuple[bool, ...]]] = field(default_factory=dict)
    begun: set[Any] = field(default_factory=set)

    def flow(self, function: Function, on: set[Value]) -> Flow:
        return Flow(on, self)

    def walker(self, function: Function, on: set[Value], flow: Flow) -> Walker:
        return Walker(function, on, self)

    def settled(self, function: Function, flow: Flow, all_results: bool) -> None:
        """Refuse what a caller could not go on with."""

    def of(self, callee: Function, mask: tuple[bool, ...]) -> tuple[Function, tuple[bool, ...]]:
        """The callee for arguments in k directions, and which results are."""
        key = (callee, mask)
        if key not in self.made:
            if key in self.begun:
                raise NotBatched(None, f"`{callee.name}` calls itself")
            if callee.facts.writes:
                raise NotBatched(None, f"`{callee.name}` writes into its arguments")
            self.begun.add(key)
            copy = clone_function(callee)
            copy.name = f"{callee.name}_each"
            self.made[key] = copy, self.fill(copy, mask)
        return self.made[key]

    def fill(
        self, function: Function, mask: tuple[bool, ...], all_results: bool = False
    ) -> tuple[bool, ...]:
        """Rewrite a function of our own; which of its results are in k directions."""
        on = {p for p, yes in zip(function.body.params, mask, strict=True) if yes}
        flow = self.flow(function, on)
        flow.block(function.body)
        self.settled(function, flow, all_results)
        results = tuple(any(v in on for v in values_in(y)) for y in function.body.yields)
        if all_results:
            results = (True,) * len(results)
        self.walker(function, on, flow).whole(function.body, results)
        return results


class Flow:
    """Which values depend on a direction: grows ``on`` until nothing is added."""

    def __init__(self, on: set[Value], sweeps: Sweeps) -> None:
        self.on, self.sweeps = on, sweeps

    def has(self, operand: Operand) -> bool:
        return any(v in self.on for v in values_in(operand))

    def block(self, block: Block) -> None:
        for op in block.ops:
            if isinstance(op, Loop):
                self.loop(op)
            elif isinstance(op, If):
                self.branch(op)
            elif isinstance(op, Call):
                self.call(op)
            elif self.has(operands_of(op)):
                assert isinstance(op, Apply)
                self.apply(op)

    def call(self, op: Call) -> None:
        if self.has(list(op.args)):
            _, results = self.sweeps.of(op.callee, tuple(map(self.has, op.args)))
            self.on.update(r for r, yes in zip(op.results, results, strict=True) if yes)

    def apply(self, op: Apply) -> None:
        if not forms.reads_shape(op):
            self.on.update(r for r in op.results if may_carry(r.type))

    def branch(self, op: If) -> None:
        if self.has(op.cond):
            raise NotBatched(op, "decides by a direction")
        self.block(op.then)
        self.block(op.orelse)
        for result, a, b in zip(op.results, op.then.yields, op.orelse.yields, strict=True):
            if self.has([a, b]):
                self.on.add(result)

    def loop(self, op: Loop) -> None:
        if self.has(list(op.bounds or ())):
            raise NotBatched(op, "runs as often as a direction says")
        n, known = len(op.inits), -1
        while known != len(self.on):
            known = len(self.on)
            for k in range(n):
                if self.has([op.inits[k], op.body.yields[k]]) or op.results[k] in self.on:
                    self.on.update([op.carried[k], op.results[k]])
                    if op.cond is not None:
                        self.on.add(op.cond.params[k])
            for (stack, _), element in zip(op.feeds, op.elements, strict=True):
                if self.has(stack):
                    self.on.add(element)
            self.block(op.body)
            for value, stack in zip(op.collected(), op.stacks, strict=True):
                if self.has(value):
                    self.on.add(stack)
        if op.cond is not None:
            self.block(op.cond)
        ends = [op.stop, *(op.cond.yields if op.cond is not None else [])]
        if self.has(ends):
            raise NotBatched(op, "ends where a direction says")


class Walker:
    """Rewrites a function: ``table`` has the new values of those that depend on a direction."""

    def __init__(self, function: Function, on: set[Value], sweeps: Sweeps) -> None:
        self.on, self.sweeps = on, sweeps
        self.params = [p for p in function.body.params if p in on]
        self.table: dict[Value, Operand] = {}
        self.b = Builder(Block(), True, shown=[])
        self.b.learn(function.body)
        self.count: Value | None = None

    def whole(self, body: Block, wide: tuple[bool, ...]) -> None:
        body.params = [self.widened(p) if p in self.on else p for p in body.params]
        self.b.shown = list(body.params)
        body.ops = self.block(body)
        body.yields = [self.end(body, y, on) for y, on in zip(body.yields, wide, strict=True)]
        if self.count is not None:
            of = self.table[self.counted()]
            body.ops.insert(0, Apply([self.count], None, runtime.direction_count, (of,)))

    def widened(self, v: Value) -> Value:
        """A parameter with one more axis."""
        self.table[v] = made = v.twin()
        made.type = wider(v.type)
        return made

    def k(self) -> Value:
        """The number of directions, read off a parameter when something needs it."""
        self.counted()
        if self.count is None:
            self.count = Value("k", Number("i", size=COUNT))
        return self.count

    def counted(self) -> Value:
        """The parameter that shows how many directions there are: an array rather than a list, which may be empty."""
        unsure = [p for p in self.params if p.type is None or isinstance(p.type, Numeric)]
        known = [p for p in self.params if p in unsure or shows_count(p.type)]
        if not known:
            raise NotBatched(None, "no argument that is an array has directions")
        return next((p for p in known if p not in unsure), known[0])

    # -- operands ------------------------------------------------------------------------

    def has(self, operand: Operand) -> bool:
        return any(v in self.on for v in values_in(operand))

    def read(self, operand: Operand) -> Operand:
        return map_operand(operand, lambda v: self.table.get(v, v) if isinstance(v, Value) else v)

    def wide(self, operand: Operand) -> Operand:
        """An operand in all directions, whether it depends on them or not."""
        if isinstance(operand, (tuple, list)):
            return type(operand)([self.wide(i) for i in operand])
        if isinstance(operand, dict):
            return {k: self.wide(i) for k, i in operand.items()}
        if self.has(operand) or operand is UNDEFINED or not may_carry(type_of(operand)):
            return self.read(operand)
        if isinstance(operand, Const) and not isinstance(
            operand.value, (float, complex, np.ndarray)
        ):
            return operand
        if self.b.is_empty_list(operand):
            return self.b.emit(BUNDLE, [])
        made = self.b.emit(runtime.repeated, operand, self.k())
        made.type = wider(type_of(operand))
        return made

    def beside(self, operand: Operand) -> Operand:
        """An operand of an elementwise operation: it is stretched over the directions."""
        if isinstance(operand, (tuple, list)):
            return type(operand)([self.beside(i) for i in operand])
        if self.has(operand):
            return self.read(operand)
        kind = type_of(operand)
        if isinstance(operand, Const) and not is_ndarray(operand.value):
            return operand
        if isinstance(kind, (Array, Number)) and kind.rank == 0:
            return operand
        if isinstance(kind, Array) and kind.rank:
            return self.b.apply(operator.getitem, operand, (Const(Ellipsis), Const(None)))
        return self.b.emit(runtime.trailing, operand)

    def array(self, items: Operand) -> Operand | None:
        """A list of numbers among arrays, wide."""
        return self.wide(items)

    def rank(self, operand: Operand) -> int | None:
        """The rank of one direction."""
        kind = type_of(operand)
        return kind.rank if isinstance(kind, (Array, Number)) else None

    # -- operations ----------------------------------------------------------------------

    def block(self, block: Block) -> list[Op]:
        outer = self.b
        self.b = outer.within(Block())
        for op in block.ops:
            self.b.loc = op.loc
            if isinstance(op, Loop):
                self.loop(op)
            elif isinstance(op, If):
                self.branch(op)
            elif isinstance(op, Call):
                self.call(op)
            elif self.has(operands_of(op)):
                assert isinstance(op, Apply)
                self.apply(op)
            else:
                self.b.append(op)
        ops, self.b = self.b.block.ops, outer
        return ops

    def end(self, block: Block, value: Operand, on: bool) -> Operand:
        """The yield of a region, in all directions if its result is."""
        if not on:
            return self.read(value)
        outer = self.b
        self.b = outer.within(block)
        made = self.wide(value)
        self.b = outer
        return made

    def call(self, op: Call) -> None:
        mask = tuple(map(self.has, op.args))
        if any(mask):
            op.callee, _ = self.sweeps.of(op.callee, mask)
            op.args = tuple(map(self.read, op.args))
            op.results = [self.widened(r) if r in self.on else r for r in op.results]
        self.b.append(op)

    def branch(self, op: If) -> None:
        for block in (op.then, op.orelse):
            block.ops = self.block(block)
            block.yields = [
                self.end(block, y, r in self.on)
                for y, r in zip(block.yields, op.results, strict=True)
            ]
        op.results = [self.widened(r) if r in self.on else r for r in op.results]
        self.b.append(op)

    def loop(self, op: Loop) -> None:
        n = len(op.inits)
        on = [p in self.on for p in op.carried]
        stacked = [s in self.on for s in op.stacks]
        op.inits = [
            self.wide(i) if yes else self.read(i) for i, yes in zip(op.inits, on, strict=True)
        ]
        op.feeds = [(self.read(s), flip) for s, flip in op.feeds]
        if op.cond is not None:
            op.cond.params = [self.widened(p) if p in self.on else p for p in op.cond.params]
            op.cond.ops = self.block(op.cond)
        op.body.params = [self.widened(p) if p in self.on else p for p in op.body.params]
        op.body.ops = self.block(op.body)
        wide = [*on, *stacked]
        op.body.yields = [
            self.end(op.body, y, wide[k] if k < len(wide) else False)
            for k, y in enumerate(op.body.yields)
        ]
        op.results = [self.widened(r) if r in self.on else r for r in op.results]
        assert len(op.inits) == n
        self.b.append(op)

    def apply(self, op: Apply) -> None:
        if isinstance(op.fn, Primitive) or op.fn is builtins.getattr:
            return self.structural(op)
        if op.fn in STATES or op.kwargs.get("out") is not None:
            raise NotBatched(op, "takes one direction at a time")
        if op.result not in self.on:
            if not forms.reads_shape(op):
                raise NotBatched(op, "decides by a direction")
            forms.shape_read(self, op)
            self.b.block.ops[-1].results = op.results  # it is no other value for being read here
            return None
        elif is_written(op):
            made = forms.written(self, op)
        else:
            made = forms.form_of(self, op)
        self.set(op, self.each(op) if made is None else made)

    def set(self, op: Apply, made: Operand) -> None:
        old = op.result
        if isinstance(made, Value) and made.type is None and old in self.on:
            made.type = wider(old.type)
        self.table[old] = made
        if isinstance(made, Value) and made.hint is None and made.bar is None:
            made.hint, made.bar, made.soft, made.made = old.hint, old.bar, old.soft, old.made
            made.exact, made.hidden = old.exact, old.hidden

    def structural(self, op: Apply) -> None:
        """Containers hold values in k directions."""
        if op.fn is BUNDLE:
            return self.set(op, self.b.emit(BUNDLE, self.wide(op.args[0])))
        if op.fn is builtins.getattr:
            return self.set(op, self.b.emit(builtins.getattr, self.read(op.args[0]), op.args[1]))
        if op.fn is not UNPACK:
            raise NotBatched(op, "takes one direction at a time")
        set_operands(op, lambda v: self.table.get(v, v) if isinstance(v, Value) else v)
        op.results = [self.widened(r) if r in self.on else r for r in op.results]
        self.b.append(op)

    def each(self, op: Apply) -> Operand:
        """The operation as it is, called once for each direction."""
        fn = np.transpose if op.fn is np.ndarray.T else op.fn
        known = fn in book or is_constant(fn)
        if not known or op.effect or name_of(fn) is None:
            raise NotBatched(op, "takes one direction at a time")
        on = [k for k, a in enumerate(op.args) if self.has(a)]
        named = [k for k, a in op.kwargs.items() if self.has(a)]
        sized = any(shows_count(type_of(a)) for a in [*op.args, *op.kwargs.values()] if self.has(a))
        made = self.b.emit(
            *((runtime.each,) if sized else (runtime.each_of, self.k())),
            Const(fn),
            Const((*on, *named)),
            *[self.wide(a) if k in on else a for k, a in enumerate(op.args)],
            **{k: self.wide(a) if k in named else a for k, a in op.kwargs.items()},
        )
        made.type = wider(op.result.type)
        return made


def shows_count(kind: Any) -> bool:
    """True if a value of this type has an array in it, whose last axis is the number of directions."""
    if isinstance(kind, Tree):
        return any(map(shows_count, kind.items))
    return isinstance(kind, (Array, Number)) and may_carry(kind)


def wider(kind: Any) -> Any:
    """The type of a value in k directions."""
    if isinstance(kind, Number):
        return (
            Array("complex128" if kind.kind == "c" else "float64", (COUNT,), kind.kind)
            if kind.kind in "fc"
            else kind
        )
    if isinstance(kind, Array) and may_carry(kind):
        return kind.with_dims(None if kind.dims is None else (*kind.dims, COUNT))
    if isinstance(kind, Tree):
        return replace(kind, items=tuple(map(wider, kind.items)))
    return None if not isinstance(kind, Array) else kind
