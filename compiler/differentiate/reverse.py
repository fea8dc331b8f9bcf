"""Reverse mode on structured SSA: the adjoint of a region is a region.

``reverse`` returns the forward program (a copy of the function) and the backward operations,
which may read any value of the forward program, whatever region it stands in; `residuals.keep`
then makes those reads legal.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.records import dataclass, field
from retrograd.runtime.tape import calls
from retrograd.runtime.traits.lookup import traits_of

from ..analyses.activity import Activity
from ..analyses.aliasing.memory_facts import has_versions, is_version, may_repeat
from ..analyses.aliasing.views_and_copies import is_part, is_reshaped, is_whole
from ..analyses.control_flow.branch_sides import read_by_one_side
from ..analyses.shapes.infer import type_of
from ..analyses.shapes.number_lists import is_nest, puts_number
from ..ir.operations import (
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
    With,
    defined_in,
    values_in,
    walk,
)
from ..ir.primitives import BUNDLE, UNPACK
from ..ir.types import (
    Array,
    Number,
    Stack,
    Tree,
    kind_of,
    may_have_complex_parts,
    of_any_kind,
    same_shape,
)
from ..passes.redundancy.dead_code import eliminate
from ..simplify.builder import Builder, clone_function, products_of
from ..simplify.operands import is_real
from .buffer_copies import preserve
from .list_items import Items
from .lost_derivatives import refuse_losses
from .opaque_calls import PULL, asked_of, forget_strangers, split_calls
from .residuals.checkpointed_loops import Checkpoints, refuse_effects
from .rule_instance import number_of_results, refuse_writers, rule_of
from .scalar_check import check_scalar, unit_cotangent
from .stable_compositions import softplus, softplus_slope
from .transpose import pull_back
from .try_with import GuardedReverse
from .zero_times_inf import Marks, scaled

__all__ = ["Reversed", "reverse"]


@dataclass
class Reversed:
    """A forward program, the backward one, its seeds, and the adjoints it ends with."""

    forward: Function
    backward: Block
    seeds: list[Value | None]
    bars: dict[Value, Operand]
    mirrors: dict[Op, Op] = field(default_factory=dict)
    table: dict[Value, Operand] = field(default_factory=dict)

    @property
    def frugal(self) -> bool:
        """True if elementwise operations are rather computed again than kept."""
        return bool(self.forward.facts.frugal)


def reverse(
    function: Function,
    wrt: list[Value],
    derive: Any,
    seeded: list[bool] | None = None,
    unit: bool = False,
    holed: tuple[bool, ...] = (),
    missing: tuple[bool, ...] | None = None,
) -> Reversed:
    """Differentiate ``function`` with respect to ``wrt`` (some of its parameters).

    ``holed``: which results' adjoints may hold zeros of a choice; ``missing``: which parameters may be nan.
    """
    table: dict[Value, Operand] = {}
    forward = clone_function(function, table)
    with_values(forward.body)
    forget_strangers(forward)
    asked = [table[v] for v in wrt]
    results = forward.body.yields
    seeded = [True] * len(results) if seeded is None else seeded
    ends = [y for y, s in zip(results, seeded, strict=True) if s]
    activity = Activity(forward, asked, ends)
    refuse_writers(forward, activity, derive)
    refuse_losses(forward, activity, ends)
    if split_calls(forward, activity, derive):
        activity = Activity(forward, asked, ends)
    block = Block()
    b = Builder(block, derive.may_be_complex, shown=forward.body.params)
    b.learn(forward.body)
    b.products.update(products_of(forward.body))
    b.marks = Marks(forward.body, missing=missing)
    machine = Reverse(b, activity, derive, function)
    machine.primal = defined_in(forward.body)
    machine.versions = forward.facts.versions = has_versions(forward.body)
    seeds: list[Value | None] = []
    for y, wanted in zip(results, seeded, strict=True):
        kind = type_of(y)
        if b.may_be_complex and may_have_complex_parts(kind):
            kind = of_any_kind(kind)  # it may be given as a real one
        seed = Value("result", kind) if wanted and activity(y) else None
        seeds.append(seed)
        if unit and seed is not None:
            check_scalar(y, forward, b.may_be_complex)
        if seed is not None:
            seed.bar = y.hint or "result"
            machine.contribute(y, unit_cotangent(y, b) if unit else seed)
    b.marks.holed.update(s for s, on in zip(seeds, holed, strict=False) if on and s is not None)
    machine.block(forward.body)
    b.loc = None
    bars = {v: machine.gathered(t) for v, t in zip(wrt, asked, strict=True)}
    drop_unread(block, list(bars.values()))
    preserve(forward.body, block)
    return Reversed(forward, block, seeds, bars, machine.mirrors, table)


def drop_unread(backward: Block, bars: list[Operand]) -> None:
    """Drops operations no adjoint depends on: the forward sweep need not keep what they read."""
    whole = Block([], backward.ops, bars)
    eliminate(Function("", whole, None))
    backward.ops = whole.ops


def with_values(body: Block) -> None:
    """``x_bar += c`` makes a new array again: what stood there before may be read backwards."""
    for op in walk(body):
        if isinstance(op, Apply) and op.fn is operator.iadd:
            op.fn = operator.add


class Reverse(GuardedReverse, Checkpoints, Items):
    """Walks a function backwards, emitting adjoints into the builder's block."""

    def block(self, block: Block, before: Sequence[Op] = ()) -> None:
        self.homes.update((op, block) for op in block.ops if isinstance(op, Loop))
        whole = Block(block.params, [*before, *block.ops], block.yields) if before else block
        outer, self.here = self.here, whole
        sides = read_by_one_side(whole, self.activity)
        for op, side in reversed(sides.items()):  # as they stand in the block
            self.owed.setdefault(side, []).append(op)
        for op in reversed(whole.ops):
            if op not in sides:
                self.step(op)
        for side in sides.values():
            self.owed.pop(side, None)
        self.here = outer

    def step(self, op: Op) -> None:
        self.b.loc = op.loc
        if isinstance(op, Apply):
            self.apply(op)
        elif isinstance(op, Call):
            self.call(op)
        elif isinstance(op, Try):
            self.attempt(op)
        elif isinstance(op, With):
            self.within(op)
        elif isinstance(op, If):
            self.branch(op)
        else:
            assert isinstance(op, Loop)
            self.loop(op)

    def apply(self, op: Apply) -> None:
        result = op.result
        if op.fn is UNPACK:
            return self.unpack(op)
        if not any(v is result for v, _ in self.bars):
            return
        if op.fn is calls.taped:
            return self.taped(op)
        if not self.activity(result):
            self.take(result)
            return
        if op.fn is BUNDLE:
            return self.bundle(op)
        if op.fn is builtins.getattr:
            return self.into_path(op, op.args[1].value)
        if op.fn is operator.getitem and self.selects(op):
            return self.into_path(op, op.args[1].value)
        if op.fn is operator.getitem or self.takes_number(op):
            return self.getitem(op)
        if op.fn in (linear.put_at, linear.replaced) and puts_number(op):
            return self.put(op)
        if op.fn is builtins.sum and self.is_uniform(op):
            return self.spread(op)
        if is_version(op):
            return self.write(op)
        self.by_rule(op)

    def is_uniform(self, op: Apply) -> bool:
        """True if every item of a collected list has the adjoint of its sum."""
        kind = type_of(op.args[0])
        if not isinstance(kind, Stack) or len(op.args) > 1 or op.kwargs:
            return False
        loops = [other for other in self.here.ops if isinstance(other, Loop)]
        if not any(op.args[0] in loop.stacks for loop in loops):
            return False
        return same_shape(kind.item, op.result.type) or getattr(kind.item, "dims", None) == ()

    def spread(self, op: Apply) -> None:
        c, stack = self.take(op.result), op.args[0]
        if self.activity(stack):
            self.uniform.setdefault(stack, []).append(c)

    def by_rule(self, op: Apply) -> None:
        rule = rule_of(op, self.function, self.is_active)
        before = len(self.b.block.ops)
        self.b.parts = self.parts_taken(op) if isinstance(op.result.type, Tree) else {}
        bars = self.result_bars(op, rule)
        self.mixing = self.may_mix(op)
        if traits_of(op.fn).complex_part:
            self.halved.update(values_in(bars))
        inner = softplus(self.b, op)
        if inner is None or not self.activity(inner):
            pull_back(self.b, rule, op, bars, self.activity, self.contribute)
        else:
            (c,) = bars
            self.contribute(inner, scaled(self.b, c, softplus_slope(self.b, inner)))
        self.b.parts, self.mixing = {}, False
        for made in self.b.block.ops[before:]:
            made.loc = op.loc

    def may_mix(self, op: Apply) -> bool:
        """True if an operation takes several values that nobody knows to be real."""
        taken = dict.fromkeys(values_in([*op.args, *op.kwargs.values()]))
        return self.b.may_be_complex and sum(not is_real(self.b, v) for v in taken) > 1

    def parts_taken(self, op: Apply) -> dict[tuple[Value, Any], Value]:
        """The results of an operation that the program has names for, where it is made."""
        found: dict[tuple[Value, Any], Value] = {}
        for other in self.here.ops:
            if isinstance(other, Apply) and other.fn is operator.getitem:
                base, index = other.args
                if base is op.result and isinstance(index, Const) and type(index.value) is int:
                    found.setdefault((op.result, index.value), other.result)
        return found

    def is_active(self, operand: Operand) -> bool:
        return any(self.activity(v) for v in values_in(operand))

    def result_bars(self, op: Apply, rule: Any) -> list[Operand | None]:
        """One adjoint, or one per result where the rule returns several."""
        result = op.result
        n = number_of_results(rule)
        if n is None:
            whole = self.take(result)
            assert whole is not None
            return [whole]
        whole = self.bars.pop((result, ()), None)
        bars = [
            self.bars.pop((result, (k,)), self.bars.pop((result, (k - n,)), None)) for k in range(n)
        ]
        if whole is None:
            return bars
        return [
            self.part(whole, k) if c is None else self.b.add(self.part(whole, k), c)
            for k, c in enumerate(bars)
        ]

    def bundle(self, op: Apply) -> None:
        container = op.args[0]
        for key, item in container.items() if isinstance(container, dict) else enumerate(container):
            c = self.bars.pop((op.result, (key,)), None)
            if c is not None:
                self.contribute(item, c)
        whole = self.take(op.result)
        if whole is not None:
            self.contribute(container, whole)

    def unpack(self, op: Apply) -> None:
        """``a, b = saved``: each adjoint to its place in the tuple."""
        base = op.args[0]
        if isinstance(base, Value) and len(op.results) == 2 and op.results[1].type is PULL:
            self.pulls[base] = op.results[1]
        for k, result in enumerate(op.results):
            c = self.take(result) if self.activity(result) else None
            if c is not None and isinstance(base, Value) and self.activity(base):
                self.accumulate((base, (k,)), c)

    def taped(self, op: Apply) -> None:
        """``y, y_pull = rt.taped(fn, x)``: the pullback is called; its own adjoint is one of ``x``."""
        c = self.bars.pop((op.result, (0,)), None)
        own = self.bars.pop((op.result, (1,)), None)
        targets = asked_of(op)
        if c is not None:
            whole = self.b.emit(calls.pulled, self.pulls[op.result], c)
            for x, part in zip(targets, self.parts(whole, targets), strict=True):
                self.contribute(x, part)
        if own is not None:
            for k, x in enumerate(targets):
                self.contribute(x, self.part(own, k))

    def parts(self, whole: Value, targets: list[Operand]) -> list[Value]:
        """The results of a pullback, as values named after what they are adjoints of."""
        if len(targets) == 1:
            return [whole]
        kinds = tuple(None if type_of(x) is PULL else type_of(x) for x in targets)
        whole.type = Tree("tuple", tuple(range(len(targets))), kinds)
        parts = [Value(None, kind, self.b.loc) for kind in kinds]
        for part, x in zip(parts, targets, strict=True):
            part.made, part.bar = True, x.hint if isinstance(x, Value) else None
        self.b.append(Apply(list(parts), self.b.loc, UNPACK, (whole,)))
        return parts

    def selects(self, op: Apply) -> bool:
        """True if a subscript is an item of a container, rather than of an array."""
        base, key = op.args
        kind = type_of(base)
        constant = (
            isinstance(key, Const)
            and isinstance(key.value, (int, str))
            and not isinstance(key.value, bool)
        )
        if isinstance(kind, Tree):
            return constant
        return kind is None and constant and isinstance(key.value, str)

    def into_path(self, op: Apply, key: Any) -> None:
        base = op.args[0]
        for (value, path), c in list(self.bars.items()):
            if value is op.result:
                del self.bars[value, path]
                if isinstance(base, Value) and self.activity(base):
                    self.accumulate((base, (key, *path)), c)

    def getitem(self, op: Apply) -> None:
        """``x[i]``: added into a buffer for the whole of ``x``, at the cost of the part only."""
        base, index = op.args
        c = self.take(op.result)
        if not (isinstance(base, Value) and self.activity(base)) or c is None:
            return
        if isinstance(type_of(base), Tree) and isinstance(index, slice):
            return self.slice_of_items(base, index, c)
        if (
            self.versions and getattr(type_of(base), "dims", None) is not None
        ):  # else it may be a tuple
            return self.increase(base, index, c)
        if is_nest(base.type):
            return self.increase_item(base, index if self.takes_number(op) else (index,), c)
        buffer = self.buffer((base, ()))
        added = self.own(self.b.emit(linear.index_add, buffer, index, c))
        added.type = type_of(buffer)
        self.bars[base, ()] = added
        self.name((base, ()))

    def increase(self, base: Value, index: Operand, c: Operand) -> None:
        """Add ``c`` to a part of an adjoint, as a new version of it."""
        key = (base, ())
        old = self.widened(key)
        if old is None:
            old = self.b.emit(linear.zeros_like, self.b.representative(base))
            old.type = old.type or base.type
            self.rank0 |= {old} if isinstance(old.type, Number) else set()
        old = self.with_parts(old, base)
        step = ((Const(operator.getitem), index),)
        self.bars[key] = self.version(linear.increase, old, step, c)
        self.name(key)

    def version(self, fn: Any, old: Operand, path: Operand, c: Operand) -> Value:
        made = self.b.apply(fn, old, path, c)
        assert isinstance(made, Value)
        made.type = kind = type_of(old)
        if isinstance(kind, Number):
            made.type = Array(None, (), kind.kind)  # it is an array that is written to
        if isinstance(kind, (Array, Number)) and kind.dims == ():
            self.rank0.add(made)
        if isinstance(old, Value):
            made.bar = old.bar
        return made

    def write(self, op: Apply) -> None:
        """Gives what was written the adjoint of the part it was written to; that part's is zero then.

        ``increase`` leaves the adjoint of the array as it is.
        """
        x, path, v = op.args
        # The imaginary part of what happens to be real cannot be written to.
        c = self.take_whole(op.result) if is_part(path) else self.take(op.result)
        assert c is not None
        last = op.fn is linear.write
        # In a helper, the memory of an adjoint is the caller's: it must be handed back.
        whole = is_whole(path) and not self.function.facts.writes
        c = self.with_parts(c, op.result) if path or not whole else c
        if is_reshaped(path):
            c = self.b.emit(linear.contiguous, c)  # so that the path leads to a view
            c.type = type_of(op.result)
        if self.is_active(v):
            part = c if whole else self.read_part(c, path, last)
            self.contribute(v, self.b.apply(linear.unbroadcast, part, v))
        if last and whole:
            return  # nothing of what stood there is left
        if isinstance(x, Value) and self.activity(x):
            kept = (
                c if op.fn is linear.increase else self.version(linear.write, c, path, Const(0.0))
            )
            self.contribute(x, kept)

    def with_parts(self, c: Operand, whole: Value) -> Operand:
        """An adjoint as an array: numbers, and what NumPy computes of rank 0, have no parts."""
        if isinstance(type_of(c), Number):
            return self.as_rank0(self.b, c)
        if getattr(whole.type, "dims", None) or c in self.rank0:
            return c
        made = self.b.emit(np.asarray, c)
        made.type = type_of(c)
        return made

    def read_part(self, c: Operand, path: Any, last: bool) -> Operand:
        """The part of an adjoint that a path leads to; of what was written twice, the ``last``."""
        for fn, *args in path:
            if last and fn.value is operator.getitem and may_repeat(args[0]):
                c = self.b.apply(linear.last_written, c, args[0])
            else:
                c = self.b.apply(fn.value, c, *args)
        return c

    # -- calls -----------------------------------------------------------------------

    def call(self, op: Call) -> None:
        bars = [self.take_whole(r) if self.activity(r) else None for r in self.own_results(op)]
        if all(c is None for c in bars):
            return
        active = [isinstance(a, Value) and self.activity(a) for a in op.args]
        if op.callee.facts.checkpoint:
            return self.call_again(op, active, bars)
        pair, saved = self.split_call(op, tuple(active), bars)
        self.call_back(op, pair.backward, (saved,), active, bars)

    def call_again(self, op: Call, active: list[bool], bars: list[Operand | None]) -> None:
        """A call of which only the arguments are kept: the other half runs it again."""
        refuse_effects(op.callee.body, op.callee, "a checkpointed function")
        seeded = tuple(c is not None for c in bars)
        adjoint = self.derive.adjoint(op.callee, tuple(active), seeded)
        self.call_back(op, adjoint, op.args, active, bars)

    def call_back(
        self, op: Call, fn: Function, first: tuple[Operand, ...], active: list[bool], bars: Any
    ) -> None:
        back = Call([], op.loc, fn, (*first, *[c for c in bars if c is not None]))
        targets = [a for a, on in zip(op.args, active, strict=True) if on]
        loose = any(kind_of(type_of(c)) in ("c", None) for c in bars if c is not None)
        loose = loose and self.b.may_be_complex
        back.results = [
            Value(None, of_any_kind(a.type) if loose else a.type, op.loc) for a in targets
        ]
        self.b.append(back)
        self.b.marks.called(back)
        for a, c in zip(targets, back.results, strict=True):
            self.contribute(a, c)
            c.bar = c.bar or a.hint

    def own_results(self, op: Call) -> list[Value]:
        known = self.calls.get(op)
        return [r for r in op.results if known is None or r is not known[1]]

    def split_call(
        self, op: Call, active: tuple[bool, ...], bars: list[Operand | None]
    ) -> tuple[Any, Value]:
        """The call becomes one of the forward half, once; its extra result is what it saved."""
        if op not in self.calls:
            seeded = tuple(c is not None for c in bars)
            holed = tuple(self.b.marks.is_holed(c) for c in bars)
            nan = self.b.marks.expects(op.args)
            pair = self.derive.pair(op.callee, active, seeded, holed=holed, missing=nan)
            saved = Value(f"{op.callee.name}_saved", pair.saved_type())
            op.callee = pair.forward
            op.results.append(saved)
            self.calls[op] = (pair, saved)
        return self.calls[op]
