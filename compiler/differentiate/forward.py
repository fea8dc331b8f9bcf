"""Forward mode: the tangent of each result, computed beside the operation by the rule as written."""

from __future__ import annotations

import builtins
import operator
from typing import Any

import numpy as np

from retrograd.runtime.checkpointing import revolve
from retrograd.runtime.helpers import linear
from retrograd.runtime.records import dataclass
from retrograd.runtime.tape import calls

from ..analyses.activity import Activity, may_carry
from ..analyses.aliasing.buffers import buffers_of, written_over
from ..analyses.aliasing.memory_facts import adds_to_first, is_buffer, is_number_read, is_version
from ..analyses.aliasing.views_and_copies import is_reshaped
from ..analyses.opaque_operations import is_opaque
from ..analyses.shapes.infer import type_of
from ..ir.operations import (
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
    Try,
    Value,
    values_in,
    walk,
)
from ..ir.primitives import BUNDLE, UNPACK
from ..ir.types import Array, Number, Stack, is_surely_complex, may_have_complex_parts
from ..ir.value_names import spoken
from ..simplify.builder import Builder, clone_function
from .adjoint_table import check_fields
from .lost_derivatives import refuse_losses
from .opaque_calls import (
    active_arguments,
    asked_of,
    forget_strangers,
    name_result,
    refuse_calls,
    taped_call,
)
from .rule_instance import instantiate, read, refuse_writers, rule_of
from .stable_compositions import softplus, softplus_slope
from .transpose import is_number
from .try_with import GuardedForward
from .zero_times_inf import Marks, multiplies, quotient, scaled

__all__ = ["Pushed", "push_forward"]

SNAPSHOTS = (revolve.snapshots, revolve.rewind, revolve.restore)  # they hold tangents like states


@dataclass
class Pushed:
    """A function that computes results and tangents; ``dots`` are the tangent parameters."""

    function: Function
    dots: list[Value]
    tangents: list[Operand | None]


def push_forward(
    function: Function,
    wrt: list[Value],
    derive: Any,
    holed: tuple[bool, ...] = (),
    missing: tuple[bool, ...] | None = None,
    count: int | None = None,
) -> Pushed:
    """The tangent program of ``function`` with respect to some of its parameters: of its first ``count`` results."""
    table: dict[Value, Operand] = {}
    copy = clone_function(function, table)
    forget_strangers(copy)
    asked = [table[v] for v in wrt]
    ends = copy.body.yields[:count]
    activity = Activity(copy, asked, ends)  # type: ignore[arg-type]
    refuse_writers(copy, activity, derive)
    refuse_losses(copy, activity, ends)
    if not derive.tape:
        refuse_calls(copy, activity, derive.refused)
    b = Builder(Block(), derive.may_be_complex, shown=copy.body.params)
    b.learn(copy.body)
    b.marks = Marks(copy.body, forward=True, missing=missing)
    machine = Forward(b, activity, derive, function, copy.body)
    dots = machine.given
    for v in asked:
        assert isinstance(v, Value)
        dot = Value(f"{v.hint}_dot", v.type)
        dots.append(dot)
        if activity(v):
            machine.dots[v] = dot
    b.marks.holed.update(dot for dot, on in zip(dots, holed, strict=False) if on)
    copy.body.ops = machine.block(copy.body)
    tangents = [machine.dot(y) for y in ends]
    return Pushed(copy, dots, tangents)


def rank_of(x: Operand) -> int | None:
    dims = getattr(type_of(x), "dims", None)
    return None if dims is None else len(dims)


class Forward(GuardedForward):
    """Walks a function, inserting tangents after what they are tangents of."""

    def __init__(
        self, b: Builder, activity: Activity, derive: Any, function: Function, body: Block
    ) -> None:
        self.b, self.activity, self.derive, self.function = b, activity, derive, function
        self.dots: dict[Value, Operand] = {}
        self.written = buffers_of(body)
        self.over = written_over(body)
        self.buffers: set[Operand] = set()  # what loops carry of them
        self.whole: set[Operand] = set()  # and of the kind of their values
        self.partial: set[Operand] = set()
        self.given: list[Value] = []  # the tangents of the parameters

    def dot(self, x: Operand) -> Operand | None:
        """The tangent of an operand, or None where it is zero."""
        return self.dots.get(x) if isinstance(x, Value) else None

    def dot_or_zero(self, x: Operand) -> Operand:
        if isinstance(x, (tuple, list)):
            return type(x)([self.dot_or_zero(i) for i in x])
        if isinstance(x, dict):
            return {k: self.dot_or_zero(i) for k, i in x.items()}
        known = self.dot(x)
        if known is not None:
            return known
        if (isinstance(x, Const) and x.value is None) or not may_carry(type_of(x)):
            return Const(0.0)
        if isinstance(x, Value) and x in self.over and not getattr(type_of(x), "dims", None):
            return self.b.emit(np.zeros_like, x)  # of rank 0, and an array
        return UNDEFINED if x is UNDEFINED else self.b.apply(linear.zeros_like, x)

    def dot_like(self, x: Operand) -> Operand:
        """The tangent of what may be a list of floats later, or elsewhere: a list, if of whole numbers, too."""
        if isinstance(type_of(x), Stack) and self.dot(x) is None:
            empty = self.b.is_empty_list(x)
            return self.b.emit(BUNDLE, []) if empty else self.b.emit(linear.zeros_like, x)
        return self.dot_or_zero(x)

    def first_dot(self, init: Operand, kind: Any) -> Operand:
        """The tangent a loop begins with, or a branch ends with: of an array that another one replaces, an array."""
        dot = self.dot_like(init)
        grows = isinstance(type_of(init), Array) and getattr(kind, "dims", None) != ()
        if not (grows and isinstance(dot, Const)):
            return dot
        # Zeros like whole numbers would cut what is written to them.
        zeros = np.zeros_like if may_carry(type_of(init)) else linear.zeros_like
        return self.b.emit(zeros, init)

    def block(self, block: Block) -> list[Op]:
        outer = self.b
        self.b = outer.within(Block())
        for op in block.ops:
            self.b.loc = op.loc
            if (
                isinstance(op, Apply)
                and self.derive.tape
                and is_opaque(op)
                and self.activity(op.result)
            ):
                self.opaque(op)
            elif isinstance(op, Apply):
                self.b.append(op)
                self.apply(op)
            elif isinstance(op, Call):
                self.call(op)
            elif isinstance(op, Try):
                self.attempt(op)
            elif isinstance(op, If):
                self.branch(op)
            else:
                assert isinstance(op, Loop)
                self.loop(op)
        ops, self.b = self.b.block.ops, outer
        return ops

    def set(self, value: Value, tangent: Operand) -> None:
        self.dots[value] = tangent
        if isinstance(tangent, Value) and tangent.hint is None:
            tangent.hint = f"{value.hint}_dot" if value.hint else None
            tangent.dot = spoken(self.b.defs.get(value), value)

    def opaque(self, op: Apply) -> None:
        """``y, y_dot = rt.pushed(fn, (x_dot,), x)``: a call that was not compiled."""
        keys, active = active_arguments(op, self.activity)
        dots = tuple(self.dot_or_zero(x) for x in active)
        name_result(op)
        called = taped_call(calls.pushed, op, keys, dots)
        dot = Value(f"{op.result.hint}_dot", op.result.type, op.loc)
        dot.made = True
        self.b.append(called)
        self.b.append(Apply([op.result, dot], op.loc, UNPACK, (called.result,)))
        self.set(op.result, dot)

    def taped(self, op: Apply) -> None:
        """The tangent of a taped call: that of its result, and for its pullback those of its arguments."""
        asked = asked_of(op)
        dots = tuple(self.dot_or_zero(x) for x in asked)
        kwargs = op.kwargs | {"again": Const(True)}
        y_dot = self.b.getitem(
            self.b.emit(calls.pushed, op.args[0], dots, *op.args[1:], **kwargs), 1
        )
        self.set(op.result, self.b.emit(BUNDLE, (y_dot, self.b.emit(BUNDLE, dots))))

    def keep_state(self, op: Apply) -> None:
        """The tangents of a state are kept beside it: of all that may have one, on every side."""
        if self.activity(op.args[0]):
            dots = [self.dot_or_zero(v) for v in op.args[1:] if may_carry(type_of(v))]
            op.args = (*op.args, *dots)

    def restored(self, op: Apply) -> None:
        """A state and its tangents, in the order in which they were kept."""
        for result in [r for r in op.results if may_carry(r.type)]:
            dot = Value(f"{result.hint}_dot" if result.hint else None, result.type)
            op.results.append(dot)
            self.dots[result] = dot

    def unpack(self, op: Apply) -> None:
        """``a, b = saved``: the tangents out of the tuple of tangents."""
        made = self.b.defs.get(op.args[0]) if isinstance(op.args[0], Value) else None
        if made is not None and made.fn is revolve.restore:
            return self.restored(op) if self.activity(made.result) else None
        whole = self.dot(op.args[0])
        if whole is not None:
            for k, result in enumerate(op.results):
                if self.activity(result):
                    self.set(result, self.b.getitem(whole, k))

    def apply(self, op: Apply) -> None:
        if op.fn is UNPACK:
            return self.unpack(op)
        if op.fn is revolve.keep_state:
            self.b.block.ops.pop()  # what a tangent is made of stands before it
            self.keep_state(op)
            return self.b.append(op)
        if op.fn is linear.check_distinct:  # tangents are read when the array has been written to
            op.args = (*op.args, *self.given)
            return None
        if op.fn in SNAPSHOTS:
            return None
        if not self.activity(op.result):
            return
        if op.fn is calls.taped:
            return self.taped(op)
        if op.fn is BUNDLE:
            return self.set(op.result, self.b.emit(BUNDLE, self.dot_or_zero(op.args[0])))
        if op.fn is builtins.getattr:
            check_fields(type_of(op.args[0]), [op.args[1].value])
            return self.set(
                op.result, self.b.emit(builtins.getattr, self.dot_or_zero(op.args[0]), op.args[1])
            )
        if is_version(op):
            return self.write(op)
        x = softplus(self.b, op)
        if x is not None and (dot := self.dot(x)) is not None:
            slope = softplus_slope(self.b, x)
            return self.set(op.result, scaled(self.b, dot, slope, first=False))
        rule = rule_of(op, self.function, self.is_active)
        instance = instantiate(self.b, rule, op, self.activity)
        table: dict[Value, Operand] = {
            d: self.dot_or_zero(x) for d, x in instance.primal.items() if self.is_active(x)
        }
        if op.fn is linear.index_add:
            self.own_buffer(table, instance, op.args[0])
        for inner in instance.ops:
            args = tuple(read(a, table) for a in inner.args)
            kwargs = {k: read(a, table) for k, a in inner.kwargs.items()}
            table[inner.results[0]] = self.linear(inner, args, kwargs, table)
        results = [read(r, table) for r in instance.results]
        if instance.several:
            parts = [
                self.stretched(self.b.getitem(op.result, k), op, rule, t)
                for k, t in enumerate(results)
            ]
            return self.set(op.result, self.b.emit(BUNDLE, tuple(parts)))
        self.set(op.result, self.stretched(op.result, op, rule, results[0]))

    def linear(
        self, inner: Apply, args: tuple[Operand, ...], kwargs: dict[str, Operand], table: Any
    ) -> Operand:
        """One linear operation of a rule, on tangents."""
        if inner.fn is operator.mul:
            first = any(v in table for v in values_in(inner.args[0]))
            return scaled(self.b, args[not first], args[first], first)
        if inner.fn is operator.truediv:
            return quotient(self.b, *args)
        if inner.fn is operator.getitem and is_number_read(args[1]) and rank_of(args[0]) == 0:
            return args[0]  # a number has no parts
        if inner.fn is operator.getitem and isinstance(type_of(args[0]), Number):
            args = (self.b.apply(np.asarray, args[0]), *args[1:])  # one of NumPy's has axes to add
        fixed = [a for a in inner.args if not any(v in table for v in values_in(a))]
        if fixed == [*inner.args[1:]] and multiplies(self.b, inner.fn, args[0], fixed):
            return scaled(self.b, args[0], self.b.apply(inner.fn, Const(1.0), *args[1:], **kwargs))
        return self.b.apply(inner.fn, *args, **kwargs)

    def write(self, op: Apply) -> None:
        """A write to an array is a write to its tangent."""
        x, path, v = op.args
        if op.fn is linear.increase and not self.is_active(v):
            return self.set(op.result, self.dot_or_zero(x))
        dv = self.dot_or_zero(v) if self.is_active(v) else Const(0.0)
        buffer = self.wide(self.dot_or_zero(x), x)
        if is_reshaped(path):
            buffer = self.b.emit(linear.contiguous, buffer)  # so that the path leads to a view
        made = self.b.emit(op.fn, buffer, path, dv)
        made.type = made.type or op.result.type
        self.set(op.result, made)

    def own_buffer(self, table: dict[Value, Operand], instance: Any, buffer: Operand) -> None:
        """The tangent of a buffer that is written to is a buffer of its own, too."""
        for d, x in instance.primal.items():
            if x is buffer and d in table:
                table[d] = self.owned(self.wide(table[d], x))

    def wide(self, tangent: Operand, value: Operand) -> Operand:
        """The tangent of a complex array as one itself, if parts of it are written.

        A tangent's type is taken from its value, and does not tell whether it is complex.
        """
        known = type_of(value)
        if not (self.b.may_be_complex and may_have_complex_parts(known)):
            return tangent
        if isinstance(tangent, Const) or self.is_alike(tangent):
            return tangent
        if not is_surely_complex(known) or getattr(known, "dtype", None) == "complex64":
            return self.b.emit(linear.match, tangent, value)
        single = getattr(known, "dtype", None) == "complex64"
        kind = Const(np.complex64, "np.complex64") if single else Const(complex)
        made = self.b.emit(np.ndarray.astype, tangent, kind)
        made.type = known
        return made

    def is_alike(self, tangent: Operand) -> bool:
        """True if a tangent was made in the kind of its value."""
        op = self.b.defs.get(tangent) if isinstance(tangent, Value) else None
        if op is None:
            return tangent in self.whole
        return op.fn in (linear.match, linear.zeros_like, np.zeros_like, np.ndarray.astype) or (
            (is_version(op) or op.fn in (linear.copy, linear.contiguous))
            and self.is_alike(op.args[0])
        )

    def owned(self, tangent: Operand) -> Operand:
        """The tangent as memory that nobody else reads: tangents are handed on as they are."""
        made = self.b.defs.get(tangent) if isinstance(tangent, Value) else None
        if tangent in self.buffers or (
            made is not None and (adds_to_first(made) or is_buffer(made))
        ):
            return tangent
        return self.b.emit(linear.copy, tangent)

    def stretched(self, value: Operand, op: Apply, rule: Any, tangent: Operand) -> Operand:
        """A tangent has the shape of its value: broadcasting may have been lost with a zero term."""
        if not rule.broadcasts or isinstance(type_of(value), Number):
            return tangent
        silent = [
            v for v in [*op.args, *op.kwargs.values()] if not self.is_active(v) and not is_number(v)
        ]
        if not silent:
            return tangent
        return self.b.apply(linear.stretch, tangent, value)

    def is_active(self, x: Operand) -> bool:
        return any(self.activity(v) for v in values_in(x))

    def call(self, op: Call) -> None:
        active = tuple(isinstance(a, Value) and self.activity(a) for a in op.args)
        if not any(active):
            self.b.append(op)
            return
        tangents = [self.dot_or_zero(a) for a, on in zip(op.args, active, strict=True) if on]
        holed = tuple(self.b.marks.is_holed(t) for t in tangents)
        pushed, dotted = self.derive.push(op.callee, active, holed, self.b.marks.expects(op.args))
        op.callee, op.args = pushed, (*op.args, *tangents)
        self.b.append(op)
        for result in [r for r, on in zip(list(op.results), dotted, strict=True) if on]:
            made = Value(f"{result.hint}_dot" if result.hint else None, result.type, op.loc)
            op.results.append(made)
            self.dots[result] = made
        self.b.marks.called(op, tangents)

    def branch(self, op: If) -> None:
        ends = []
        for block in (op.then, op.orelse):
            block.ops = self.block(block)
            ends.append(list(block.yields))
        for k, result in enumerate(list(op.results)):
            if self.activity(result) or self.is_partial(result, [ends[0][k], ends[1][k]]):
                made = Value(f"{result.hint}_dot" if result.hint else None, result.type, op.loc)
                tangents = []
                for block, end in zip((op.then, op.orelse), ends, strict=True):
                    tangents.append(self.end(block, end[k], of=result.type))
                    block.yields.append(tangents[-1])
                constant = not all(self.activity(end[k]) for end in ends)
                self.b.marks.merge(made, tangents, holed=constant)
                op.results.append(made)
                self.dots[result] = made
        self.b.append(op)

    def is_partial(self, result: Value, ends: list[Operand]) -> bool:
        """True if a constant is returned here on some paths only: so is its tangent, zero."""
        found = result.hidden and any(e is UNDEFINED or e in self.partial for e in ends)
        if found:
            self.partial.add(result)
        return found

    def end(
        self, block: Block, value: Operand, own: bool = False, whole: bool = False, of: Any = None
    ) -> Operand:
        outer = self.b
        self.b = outer.within(block)
        tangent = self.first_dot(value, of) if of is not None else self.dot_like(value)
        tangent = self.wide(tangent, value) if whole else tangent
        tangent = self.owned(tangent) if own else tangent
        self.b = outer
        return tangent

    def loop(self, op: Loop) -> None:
        carried = [
            k
            for k, (p, result) in enumerate(zip(op.carried, op.results, strict=False))
            if self.activity(p) or self.activity(result) or self.is_partial(result, [op.inits[k]])
        ]
        params, results = list(op.carried), list(op.results)
        # Where parts are written, each iteration finds tangents of the kind of their values.
        writes = any(is_version(inner) for inner in walk(op.body))
        whole = [writes or is_surely_complex(params[k].type) for k in carried]
        inits = [self.first_dot(op.inits[k], params[k].type) for k in carried]
        inits = [
            self.wide(init, op.inits[k]) if on else init
            for init, k, on in zip(inits, carried, whole, strict=True)
        ]
        inits = [
            self.owned(init) if params[k] in self.written else init
            for init, k in zip(inits, carried, strict=True)
        ]
        for k, init in zip(carried, inits, strict=True):
            dot = Value(
                f"{params[k].hint}_dot" if params[k].hint else None, dot_type(params[k].type)
            )
            self.dots[params[k]] = dot
            self.whole |= {dot} if writes else set()
            self.b.marks.merge(dot, [init])
            if params[k] in self.written:
                self.buffers.add(dot)
        feeds = [
            (self.dots[stack], flip, e)
            for (stack, flip), e in zip(list(op.feeds), list(op.elements), strict=True)
            if self.activity(e) and isinstance(stack, Value) and stack in self.dots
        ]
        for stack, flip, e in feeds:
            dot = Value(f"{e.hint}_dot" if e.hint else None, e.type)
            self.dots[e] = dot
            op.feed(stack, flip, dot)
        op.body.ops = self.block(op.body)
        yields, collected = list(op.body.yields), list(op.collected())
        stacks = [(k, s) for k, s in enumerate(op.stacks) if self.activity(s)]
        for init, k in zip(inits, carried, strict=True):
            made = Value(
                f"{results[k].hint}_dot" if results[k].hint else None,
                dot_type(results[k].type),
                op.loc,
            )
            tangent = self.end(op.body, yields[k], params[k] in self.written, writes)
            op.carry(init, self.dots[params[k]], tangent, made)  # type: ignore[arg-type]
            self.b.marks.merge(made, [self.dots[params[k]], tangent])
            self.dots[results[k]] = made
            self.whole |= {made} if writes else set()
        for k, stack in stacks:
            tangent = self.end(op.body, collected[k])
            made = Value(stack.hint, Stack(type_of(tangent)), op.loc)
            op.collect(tangent, made)
            self.dots[stack] = made
        self.b.append(op)


def dot_type(kind: Any) -> Any:
    if not isinstance(kind, Number):
        return kind
    return Array(None, (), "c" if kind.kind == "c" else "f")
