"""Which values of a program vary from example to example, and what runs for one example after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

from retrograd.runtime.traits.lookup import traits_of

from ...analyses.random_numbers import is_draw
from ...analyses.shapes.infer import type_of
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
    Try,
    Value,
    operands_of,
    reachable,
    read_in,
    values_in,
    walk,
)
from ...ir.primitives import BUNDLE, UNPACK, WRITTEN, Store
from ...ir.types import WIDEST, Array
from ...passes.in_place.unbound_paths import origins_of, unbound
from . import example_rules as forms
from .batch import Flow
from .choices import chosen
from .example_types import may_differ
from .operation_rules import NotBatched
from .parting.exact_dtypes import exact_dtypes
from .parting.live_choices import is_late, may_live, may_part, stands_still
from .parting.settled_sizes import settle
from .parting.stacks_in_order import held_stacks, read_in_order

if TYPE_CHECKING:
    from .examples import Examples

__all__ = ["ExampleFlow", "is_none"]


class ExampleFlow(Flow):
    """Which values vary, and which operations run for one example after the other: until nothing is added."""

    def __init__(
        self, function: Function, on: set[Value], sweeps: Examples, apart: set[Op]
    ) -> None:
        super().__init__(on, sweeps)
        self.alone: set[Op] = set()
        self.listed: set[Value] = set()  # lists of examples, of which no two need be alike
        self.apart = apart
        self.lacking = lacking_in(function)
        self.live: set[Op] = (
            set()
        )  # what goes on with those examples that are not done: see `live_sets`
        self.parted: set[Op] = set()
        self.ragged: dict[Value, Loop] = {}  # a stack of a loop that is live, with the loop
        self.refused: set[Op] = set()
        read_in_order(function)
        self.held = held_stacks(function)
        self.bundles = {
            o.result: o for o in walk(function.body) if isinstance(o, Apply) and o.fn is BUNDLE
        }
        self.reads = set(read_in(function.body))
        self.nonempty = {s for op in walk(function.body) if runs(op) for s in op.stacks}
        self.wide = exact_dtypes(function)
        self.settled = settle(function)
        self.filled: set[Value] = (
            set()
        )  # of what may be missing: what each example has in a batch, None or not
        self.typed: set[Value] = set()
        self.late: set[Op] = (
            set()
        )  # loops that examples enter at several iterations, and leave at one
        self.counted: set[Op] = (
            set()
        )  # loops of which something asks how often an example was in them

    def exact(self, kind: Any) -> Any:
        """A type with its dtype, where a program has none but the widest."""
        if (
            not isinstance(kind, Array)
            or kind.dtype is not None
            or kind.kind not in WIDEST
            or not self.wide
        ):
            return kind
        return kind.with_dtype(WIDEST[kind.kind])

    @property
    def kinds(self) -> tuple[set[Op], ...]:
        """The sets of operations that are rewritten in a way of their own."""
        return self.alone, self.apart, self.live, self.parted

    def block(self, block: Block) -> None:
        known: Any = None
        while known != (now := [len(s) for s in (self.on, self.alone, self.listed, self.refused)]):
            known = now
            self.once(block)

    def once(self, block: Block) -> None:
        for op in block.ops:
            if op in self.alone or self.goes_alone(op):
                self.by_itself(op)
            elif isinstance(op, Loop):
                self.loop(op)
            elif isinstance(op, If):
                self.branch(op)
            elif isinstance(op, Call):
                self.call(op)
            elif isinstance(op, Apply) and self.is_length(op):
                self.length(op)
            elif self.has(operands_of(op)):
                assert isinstance(op, Apply)
                self.apply(op)
            inner = [y for region in op.blocks for y in region.yields]
            if not self.listed.isdisjoint(values_in(inner)):
                self.by_itself(op)

    def by_itself(self, op: Op) -> None:
        self.alone.add(op)
        self.live.discard(op)
        self.parted.discard(op)
        self.refused.update(self.ragged[v] for v in values_inside(op) if v in self.ragged)
        self.ragged = {v: loop for v, loop in self.ragged.items() if loop is not op}
        self.on.update(op.results)
        for v in self.typed.intersection(results_in(op)):  # it may be missing after all
            v.type = None
            self.filled.discard(v)
            self.typed.discard(v)
        self.listed.update(r for r in op.results if self.stays_apart(op, r))

    def stays_apart(self, op: Op, result: Value) -> bool:
        """True if what an operation gives for each example makes no batch for certain: it remains a list of examples."""
        if result in self.lacking or may_differ(result.type):
            return True
        return isinstance(op, Apply) and keeps_lists(op.fn) and self.reads_list(op)

    def reads_list(self, op: Op) -> bool:
        return not self.listed.isdisjoint(values_in(operands_of(op)))

    def goes_alone(self, op: Op) -> bool:
        """True if an operation goes another way for each example."""
        if isinstance(op, Apply) and (op.fn is WRITTEN or isinstance(op.fn, Store)):
            return False
        if self.reads_list(op):
            return True
        if isinstance(op, Apply):
            return is_draw(op.fn) or (op in self.apart and self.has(operands_of(op)))
        if isinstance(op, Try):
            return self.has(values_inside(op))
        if isinstance(op, If):
            return self.has(op.cond) and not self.may_choose(op) and not self.may_part(op)
        if isinstance(op, Loop):
            if op in self.refused:
                return True
            if op.asks and not any(s in self.ragged for s, _ in op.feeds):
                return self.has(values_inside(op))
        return False

    def may_choose(self, op: If) -> bool:
        return chosen(op, self.has, self.listed, self.filled)

    def may_part(self, op: If) -> bool:
        if not may_part(self, op):
            return False
        self.parted.add(op)
        return True

    def call(self, op: Call) -> None:
        if not self.has(list(op.args)):
            if draws(op.callee):
                self.by_itself(op)
            return
        try:
            super().call(op)
        except NotBatched:
            self.by_itself(op)

    def apply(self, op: Apply) -> None:
        if not forms.asks_of_one(op, self.has):
            self.on.update(op.results)

    def fill(self, v: Value, known: Operand) -> None:
        """Note that what may be missing of one example is there in a batch."""
        self.filled.add(v)
        if v.type is None:
            v.type = type_of(known)
            self.typed.add(v)

    def is_length(self, op: Apply) -> bool:
        """True of ``len(tape)``, which is another number for each example."""
        return op.fn is len and op.args[0] in self.ragged

    def length(self, op: Apply) -> None:
        self.on.add(op.result)
        if op.result in self.held:
            self.counted.add(self.ragged[op.args[0]])

    def branch(self, op: If) -> None:
        self.block(op.then)
        self.block(op.orelse)
        on = self.has(op.cond)
        for result, a, b in zip(op.results, op.then.yields, op.orelse.yields, strict=True):
            if self.has([a, b]) or (on and not same(a, b)):
                self.on.add(result)
            if on and (is_none(a) or is_none(b)):
                self.fill(result, b if is_none(a) else a)

    def loop(self, op: Loop) -> None:
        if op not in self.live and not any(stack in self.ragged for stack, _ in op.feeds):
            try:
                return super().loop(op)
            except NotBatched:  # it ends where an example says
                pass
        self.live.add(op)
        self.parts(op)
        if not may_live(self, op):
            self.by_itself(op)

    def parts(self, op: Loop) -> None:
        """What varies in a loop that examples leave at several iterations: all that it changes, once it has ended."""
        if is_late(op, self.ragged, self.late):
            self.late.add(op)
        known = -1
        while known != len(self.on):
            known = len(self.on)
            for k, (init, p) in enumerate(zip(op.inits, op.carried, strict=True)):
                changes = op in self.late and not stands_still(op, k)
                if changes or self.has([init, op.body.yields[k]]):
                    self.on.update([p] if op.cond is None else [p, op.cond.params[k]])
            for (stack, _), element in zip(op.feeds, op.elements, strict=True):
                if self.has(stack):
                    self.on.add(element)
                if stack in self.ragged:
                    self.fed(self.ragged[stack], stack, element, op)
            for region in op.blocks:
                self.block(region)
        self.on.update(
            r for k, r in enumerate(op.results[: len(op.inits)])
            if op.carried[k] in self.on or not stands_still(op, k)
        )  # fmt: skip
        self.on.update(s for s, x in zip(op.stacks, op.collected(), strict=True) if self.has(x))
        self.on.update([] if op.count is None else [op.count])
        for k, p in enumerate(op.carried):
            if p in self.on:
                self.filled.update([p, op.results[k]])
        self.ragged.update(dict.fromkeys(op.stacks, op))

    def fed(self, loop: Loop, stack: Value, element: Value, op: Loop) -> None:
        """What an element of a stack has of each example that is live is there, if it was when it was put there."""
        value = loop.collected()[loop.stacks.index(stack)]
        if value in self.filled:
            self.fill(element, value)
        bundle = self.bundles.get(value)
        if bundle is None or not isinstance(bundle.args[0], tuple):
            return
        for inner in walk(op.body):
            if isinstance(inner, Apply) and inner.fn is UNPACK and inner.args[0] is element:
                pairs = zip(inner.results, bundle.args[0], strict=True)
                for r, part in pairs:
                    if part in self.filled:
                        self.fill(r, part)


def lacking_in(function: Function) -> set[Value]:
    """The values that may be None, or not bound, for some examples, and the tuples of them."""
    ends = origins_of(function)
    known = {v for op in walk(function.body) for v in op.results if v.absent or v.partial}
    for v, places in ends.items():
        if v.absent or v.partial or any(is_none(holder[k]) for holder, k in places):
            known.add(v)
    for op in walk(function.body):
        if isinstance(op, Apply) and op.fn is BUNDLE:
            ends[op.result] = [([v], 0) for v in values_in(op.args)]
    return unbound(ends, known)


def draws(function: Function) -> bool:
    """True if a function draws random numbers, which are other ones for each example."""
    inside = (op for f in reachable(function) for op in walk(f.body))
    return any(isinstance(op, Apply) and is_draw(op.fn) for op in inside)


def runs(op: Op) -> TypeGuard[Loop]:
    """True of a loop that certainly has an iteration, and ends none in the middle."""
    if not isinstance(op, Loop) or op.bounds is None or op.stops:
        return False
    values = [b.value if isinstance(b, Const) else None for b in op.bounds]
    return all(type(n) is int for n in values) and len(range(*values)) > 0  # type: ignore[arg-type]


def results_in(op: Op) -> list[Value]:
    inner = [v for region in op.blocks for inner in walk(region) for v in inner.results]
    return [*op.results, *inner]


def is_none(x: Operand) -> bool:
    return isinstance(x, Const) and x.value is None


def same(a: Operand, b: Operand) -> bool:
    return a is b or (isinstance(a, Const) and isinstance(b, Const) and a.key() == b.key())


def values_inside(op: Op) -> list[Value]:
    """Everything that an operation and its regions read."""
    found = values_in(operands_of(op))
    for region in op.blocks:
        for inner in walk(region):
            found += values_in(operands_of(inner))
            found += [v for r in inner.blocks for y in r.yields for v in values_in(y)]
        found += values_in(region.yields)
    return found


def keeps_lists(fn: Any) -> bool:
    """True if a result is a part of an argument, a container of them, or new memory of the same structure."""
    known = traits_of(fn)
    alike = known.gives == "container" and known.memory == "new"
    return fn in (BUNDLE, UNPACK) or known.reads == "part" or alike
