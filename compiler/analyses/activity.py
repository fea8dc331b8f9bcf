"""Activity: the values that depend on a differentiated argument, and on which a result depends."""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from typing import Any

from retrograd.runtime.checkpointing import revolve
from retrograd.runtime.objects.declared_containers import REGISTERED
from retrograd.runtime.rules.book import book, is_constant
from retrograd.runtime.tape import calls
from retrograd.runtime.traits.lookup import traits_of

from ..ir.operations import Apply, Block, Call, Function, If, Loop, Op, Operand, Value, values_in
from ..ir.primitives import BUNDLE, UNPACK, Primitive
from ..ir.types import Array, Number, Opaque, Stack, Tree, kind_of
from .shapes.infer import type_of
from .shift_invariance import cancelling

__all__ = ["Activity", "carriers", "is_word", "may_carry"]

STRUCTURAL = (BUNDLE, UNPACK)


def may_carry(kind: Any) -> bool:
    """True if a value of this type can have a derivative: not integers, booleans, texts.

    >>> may_carry(Number("i")), may_carry(Number("f")), may_carry(None)
    (False, True, True)
    """
    if isinstance(kind, (Array, Number)):
        return kind.kind not in ("b", "i", "u", "O", "U", "S", "M", "m")
    if isinstance(kind, Tree):
        if is_word(kind):
            return False
        return not kind.items or any(may_carry(item) for item in kind.items)
    if isinstance(kind, Stack):
        return may_carry(kind.item)
    return not isinstance(kind, Opaque)


def is_word(kind: Any) -> bool:
    """True for the type of a text, a function, None: of an object that is no container."""
    if not isinstance(kind, Tree) or kind.container != "object" or kind.items:
        return False
    return kind.cls not in (None, calls.Pull, *REGISTERED)


def is_differentiable(op: Apply) -> bool:
    """True if derivatives pass through this operation."""
    if isinstance(op.fn, Primitive):
        return op.fn in STRUCTURAL
    if op.fn in book and traits_of(op.fn).constant_if_real:
        return kind_of(type_of(op.args[0])) not in ("b", "i", "f")
    return op.fn is builtins.getattr or not is_constant(op.fn)


def carriers(op: Apply) -> list[Operand]:
    """The operands through which derivatives pass: not those that only decide, or give a shape."""
    if op.fn not in book:
        return [*op.args, *op.kwargs.values()]
    rule = book.rules[op.fn]
    names = [*rule.own[: len(op.args)], *rule.own[-1:] * (len(op.args) - len(rule.own)), *op.kwargs]
    operands = [*op.args, *op.kwargs.values()]
    return [v for name, v in zip(names, operands, strict=True) if name not in rule.constant_in]


class Activity:
    """``active(v)``: varied (forwards from ``wrt``) and useful (backwards from the results)."""

    def __init__(
        self, function: Function, wrt: Iterable[Value], results: Iterable[Operand] | None = None
    ) -> None:
        ends = function.body.yields if results is None else list(results)
        self.varied: set[Value] = {v for v in wrt if may_carry(v.type)}
        self.useful: set[Value] = set()
        self.cancelling = cancelling(function.body, ends)
        self.settle(lambda: self.forwards(function.body), self.varied)
        self.useful.update(v for v in values_in(ends) if may_carry(v.type))
        self.settle(lambda: self.backwards(function.body), self.useful)
        self.active = self.varied & self.useful

    def __call__(self, value: Any) -> bool:
        return value in self.active

    def settle(self, step: Any, found: set[Value]) -> None:
        before = -1
        while len(found) != before:
            before = len(found)
            step()

    def reads_varied(self, operands: Any) -> bool:
        return any(v in self.varied for v in values_in(operands))

    def vary(self, values: Iterable[Operand]) -> None:
        self.varied.update(
            v
            for v in values
            if isinstance(v, Value) and may_carry(v.type) and v not in self.cancelling
        )

    def forwards(self, block: Block) -> None:
        for op in block.ops:
            self.forward(op)

    def forward(self, op: Op) -> None:
        if isinstance(op, Apply):
            if is_differentiable(op) and self.reads_varied(carriers(op)):
                self.vary(op.results)
            if op.fn is revolve.keep_state and self.reads_varied(op.args):
                self.vary(op.args[:1])
        elif isinstance(op, Call):
            if self.reads_varied(op.args):
                self.vary(op.results)
        elif isinstance(op, If):
            for block in (op.then, op.orelse):
                self.forwards(block)
            for result, a, b in zip(op.results, op.then.yields, op.orelse.yields, strict=True):
                if self.reads_varied([a, b]):
                    self.vary([result])
        elif isinstance(op, Loop):
            self.forward_loop(op)

    def forward_loop(self, op: Loop) -> None:
        for (stack, _), element in zip(op.feeds, op.elements, strict=True):
            if self.reads_varied(stack):
                self.vary([element])
        for init, param in zip(op.inits, op.carried, strict=True):
            if self.reads_varied(init):
                self.vary([param])
        before = -1
        while before != len(self.varied):
            before = len(self.varied)
            self.forwards(op.body)
            for param, value in zip(op.carried, op.body.yields, strict=False):
                if self.reads_varied(value):
                    self.vary([param])
        for result, value, param in zip(op.results, op.body.yields, op.carried, strict=False):
            if self.reads_varied([value, param]):
                self.vary([result])
        for stack, value in zip(op.stacks, op.collected(), strict=True):
            if self.reads_varied(value):
                self.vary([stack])

    def use(self, operands: Any) -> None:
        self.useful.update(v for v in values_in(operands) if may_carry(v.type))

    def is_used(self, values: Iterable[Value]) -> bool:
        return any(v in self.useful for v in values)

    def backwards(self, block: Block) -> None:
        for op in reversed(block.ops):
            self.backward(op)

    def backward(self, op: Op) -> None:
        if isinstance(op, Apply):
            if self.is_used(op.results) and is_differentiable(op):
                self.use(carriers(op))
            if op.fn is revolve.keep_state and self.is_used(op.args[:1]):
                self.use(op.args)
        elif isinstance(op, Call):
            if self.is_used(op.results):
                self.use(op.args)
        elif isinstance(op, If):
            for result, a, b in zip(op.results, op.then.yields, op.orelse.yields, strict=True):
                if result in self.useful:
                    self.use([a, b])
            for block in (op.then, op.orelse):
                self.backwards(block)
        elif isinstance(op, Loop):
            self.backward_loop(op)

    def backward_loop(self, op: Loop) -> None:
        before = -1
        while before != len(self.useful):
            before = len(self.useful)
            for result, param, value in zip(op.results, op.carried, op.body.yields, strict=False):
                if self.is_used([result, param]):
                    self.use([value])
            for stack, value in zip(op.stacks, op.collected(), strict=True):
                if stack in self.useful:
                    self.use([value])
            self.backwards(op.body)
        for init, param, result in zip(op.inits, op.carried, op.results, strict=False):
            if self.is_used([param, result]):
                self.use([init])
        for (stack, _), element in zip(op.feeds, op.elements, strict=True):
            if element in self.useful:
                self.use([stack])
