"""Which values of a program vary from example to example, and what runs for one example after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from retrograd.runtime.traits.lookup import traits_of

from ...analyses.random_numbers import is_draw
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
    values_in,
    walk,
)
from ...ir.primitives import BUNDLE, UNPACK, WRITTEN, Store
from ...passes.in_place.unbound_paths import origins_of, unbound
from . import example_rules as forms
from .batch import Flow
from .choices import chosen
from .example_types import may_differ
from .operation_rules import NotBatched

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

    def block(self, block: Block) -> None:
        known = (-1, -1, -1)
        while known != (len(self.on), len(self.alone), len(self.listed)):
            known = (len(self.on), len(self.alone), len(self.listed))
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
            elif self.has(operands_of(op)):
                assert isinstance(op, Apply)
                self.apply(op)
            inner = [y for region in op.blocks for y in region.yields]
            if not self.listed.isdisjoint(values_in(inner)):
                self.by_itself(op)

    def by_itself(self, op: Op) -> None:
        self.alone.add(op)
        self.on.update(op.results)
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
            return self.has(op.cond) and not self.may_choose(op)
        if isinstance(op, Loop):
            if self.has(list(op.bounds or ())):
                return True
            return op.asks and self.has(values_inside(op))
        return False

    def may_choose(self, op: If) -> bool:
        return chosen(op, self.has, self.listed)

    def call(self, op: Call) -> None:
        if not self.has(list(op.args)):
            return
        try:
            super().call(op)
        except NotBatched:
            self.by_itself(op)

    def apply(self, op: Apply) -> None:
        if not forms.asks_of_one(op, self.has):
            self.on.update(op.results)

    def branch(self, op: If) -> None:
        self.block(op.then)
        self.block(op.orelse)
        on = self.has(op.cond)
        for result, a, b in zip(op.results, op.then.yields, op.orelse.yields, strict=True):
            if self.has([a, b]) or (on and not same(a, b)):
                self.on.add(result)

    def loop(self, op: Loop) -> None:
        try:
            super().loop(op)
        except NotBatched:  # it ends where an example says
            self.by_itself(op)


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
