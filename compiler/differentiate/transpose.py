"""Reverse mode of one operation: the linear part of its rule, run backwards."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.rules.book import Rule, book
from retrograd.runtime.traits.contractions import spelled
from retrograd.runtime.traits.lookup import names_with, traits_of

from ..analyses.shapes.infer import type_of
from ..ir.operations import Apply, Const, Operand, Value, values_in
from ..ir.types import Array, Number, kind_of, may_turn_complex
from ..simplify.builder import Builder
from .rule_instance import Instance, bind_operands, expand, instantiate, operand_at
from .zero_times_inf import multiplies, quotient, reached, scaled

__all__ = ["pull_back"]


Send = Callable[[Operand, Operand], None]


def pull_back(
    b: Builder,
    rule: Rule,
    op: Apply,
    bars: list[Operand | None],
    active: Callable[[Any], bool],
    send: Send,
) -> None:
    """Send the cotangents ``bars`` of the results of ``op`` back to its active arguments."""
    given = bind_operands(rule.differential, op.args, op.kwargs, 1, op.fn)
    if op.fn in book.adjoints:
        return by_hand(b, rule, op, bars, given, active, send)
    if is_square(op):
        (c,) = bars
        doubled = scaled(b, b.apply(operator.mul, Const(2), c), b.apply(np.conj, op.args[0]))
        return send(op.args[0], doubled)
    instance = instantiate(b, rule, op, active)
    for d, c in Transposition(b, instance, op.fn).run(bars).items():
        x = operand_at(given, instance.ds[d])
        send(x, b.apply(linear.unbroadcast, c, x) if may_stretch(b, rule, op, x, given) else c)


def is_square(op: Apply) -> bool:
    """``x * x``, and ``x @ x`` of a vector: the two halves of the differential are the same."""
    if op.fn in (operator.mul, np.multiply):
        return op.args[0] is op.args[1]
    if op.fn not in (operator.matmul, np.matmul, np.dot) or op.kwargs:
        return False
    x = op.args[0]
    if not isinstance(x, Value) or x is not op.args[1] or not isinstance(x.type, Array):
        return False
    return x.type.rank == 1 and x.type.dtype == "float64"


def may_stretch(b: Builder, rule: Rule, op: Apply, x: Operand, given: dict[str, Operand]) -> bool:
    """True if broadcasting may have given the result another shape than ``x`` has."""
    if not rule.broadcasts:
        return False
    if b.may_be_complex:
        return True
    if getattr(op.result.type, "dims", None) == ():
        for v in values_in(list(given.values())):
            v.type = v.type or Array(None, (), None)
        return changes_precision(op.result.type, type_of(x))
    others = [v for v in given.values() if v is not x]
    return not all(is_number(v) for v in others)


def changes_precision(result: Any, x: Any) -> bool:
    return kind_of(result) == "c" and kind_of(x) != "c"


def is_number(operand: Operand) -> bool:
    """A literal or a Python float: it stretches nothing, and changes no precision."""
    if isinstance(operand, Const):
        return type(operand.value) in (int, float, bool, type(None))
    return (
        isinstance(operand, Value) and isinstance(operand.type, Number) and operand.type.kind != "c"
    )


def by_hand(
    b: Builder,
    rule: Rule,
    op: Apply,
    bars: list[Operand | None],
    given: dict[str, Operand],
    active: Any,
    send: Send,
) -> None:
    """An adjoint somebody wrote because the transpose is not the best one."""
    pull = book.adjoints[op.fn]
    c = bars[0] if len(bars) == 1 else tuple(Const(0.0) if c is None else c for c in bars)
    own = bind_operands(pull, op.args, op.kwargs, 2, op.fn)
    names = list(inspect.signature(pull).parameters)
    result = expand(b, pull, {names[0]: c, names[1]: op.results[0], **own})
    for k, name in enumerate(rule.active):
        x = given[name]
        part = result if len(rule.active) == 1 else component(b, result, k)
        items = enumerate(x) if isinstance(x, (tuple, list)) else [(None, x)]
        for at, item in items:
            if any(active(v) for v in values_in(item)):
                send(item, part if at is None else component(b, part, at))


def casts(pull: Callable[..., Any]) -> bool:
    """True if a transpose reads the dtype of the argument it gives the cotangent of."""
    known = names_with("kind_of")
    return any(known.get(name) in ("like", "either") for name in pull.__code__.co_names)


def is_alike(x: Operand, y: Value) -> bool:
    """True if a factor is known to have the shape and dtype of the product."""
    kind = x.type if isinstance(x, Value) else None
    known = (
        isinstance(kind, Array) and kind.dtype is not None and None not in (kind.dims or (None,))
    )
    return known and kind == y.type


def component(b: Builder, result: Operand, k: int) -> Operand:
    return result[k] if isinstance(result, (tuple, list)) else b.getitem(result, k)


class Transposition:
    """The cotangents of the values of one linear program, collected from its end."""

    def __init__(self, b: Builder, instance: Instance, fn: Any) -> None:
        self.b, self.instance, self.fn = b, instance, fn
        self.linear = {op.results[0] for op in instance.ops} | set(instance.ds)
        self.real = {op.results[0] for op in instance.ops if traits_of(op.fn).complex_part}
        self.cotangents: dict[Value, Operand] = {}

    def run(self, bars: list[Operand | None]) -> dict[Value, Operand]:
        for result, c in zip(self.instance.results, bars, strict=True):
            if c is not None:
                assert isinstance(result, (Value, Const, tuple, list)), "a rule gives no operand"
                self.send(result, c)
        for op in reversed(self.instance.ops):
            c = self.cotangents.pop(op.results[0], None)
            if c is not None:
                self.transpose(op, c)
        return {d: c for d, c in self.cotangents.items() if d in self.instance.ds}

    def send(self, target: Operand, c: Operand) -> None:
        if not isinstance(target, Value) or target not in self.linear:
            return
        old = self.cotangents.get(target)
        self.cotangents[target] = c if old is None else self.b.add(old, c)

    def send_scaled(self, target: Operand, factor: Operand, c: Operand) -> None:
        """A real part that was multiplied by something complex takes the real part back."""
        if target in self.real and kind_of(type_of(factor)) not in ("b", "i", "f"):
            c = self.b.apply(np.real, c)
        self.send(target, c)

    def is_linear(self, operand: Operand) -> bool:
        return any(v in self.linear for v in values_in(operand))

    def transpose(self, op: Apply, c: Operand) -> None:
        b, fn = self.b, op.fn
        if fn is operator.neg:
            self.send(op.args[0], b.apply(operator.neg, c))
        elif fn in (operator.add, operator.sub):
            self.send(op.args[0], c)
            if self.is_linear(op.args[1]):
                self.send(op.args[1], b.apply(operator.neg, c) if fn is operator.sub else c)
        elif fn is operator.mul:
            x, y = op.args
            if self.is_linear(x):
                self.send_scaled(x, y, scaled(b, c, b.apply(np.conj, y)))
            else:
                self.send_scaled(y, x, scaled(b, c, b.apply(np.conj, x), first=False))
        elif fn is operator.truediv:
            x, y = op.args
            self.send_scaled(x, y, quotient(b, c, b.apply(np.conj, y)))
        else:
            self.by_table(op, c)

    def by_table(self, op: Apply, c: Operand) -> None:
        """A linear function of the book: look its transposes up, one per linear argument."""
        rule = book.rules[op.fn]
        given = bind_operands(rule.differential, op.args, op.kwargs, 1, op.fn)
        for name, operand in given.items():
            if not self.is_linear(operand):
                continue
            transpose = book.transposes[op.fn, name]
            own = bind_operands(transpose.pull, op.args, op.kwargs, 1, op.fn)
            exact = casts(transpose.pull)
            env = {k: self.primal(v, exact) for k, v in own.items()}
            env |= self.factors(op, rule, env, c, name)
            first = next(iter(inspect.signature(transpose.pull).parameters))
            others = [v for v in op.args if not self.is_linear(v)]
            if multiplies(self.b, op.fn, c, others):
                slope = expand(self.b, transpose.pull, env | {first: Const(1.0)})
                self.send(operand, scaled(self.b, c, slope))
            else:
                self.distribute(operand, expand(self.b, transpose.pull, env | {first: c}))

    def factors(
        self, op: Apply, rule: Rule, env: dict[str, Operand], c: Operand, name: str
    ) -> dict[str, Operand]:
        """The other factors of a product that sums, without what is not finite where ``c`` does not reach."""
        contracts = traits_of(op.fn).contracts
        if contracts is None or self.b.marks is None or not self.b.marks.missing:
            return {}
        given = {k: env[k] for k in rule.active if k in env and type_of(env[k]) is not None}
        ranks = [getattr(type_of(x), "rank", None) for x in given.values()]
        how = env.get("subscripts", env.get("axes"))
        letters = spelled(contracts, ranks, getattr(how, "value", how))
        if letters is None:
            return {}
        factors, product = letters
        return {
            k: reached(self.b, x, c, f"{mine}->{product}")
            for (k, x), mine in zip(given.items(), factors, strict=False) if k != name
        }  # fmt: skip

    def primal(self, operand: Operand, exact: bool) -> Operand:
        """A value with the shape of a differential: the argument it is the differential of."""
        if isinstance(operand, (tuple, list)):
            return type(operand)([self.primal(o, exact) for o in operand])
        if not isinstance(operand, Value) or operand not in self.linear:
            return operand
        if operand in self.instance.ds:
            return self.instance.primal[operand]
        return self.rebuilt(operand, exact)

    def rebuilt(self, operand: Value, exact: bool) -> Operand:
        """The same linear expression on primal values: read for its shape (``exact``: and dtype)."""
        op = next(o for o in self.instance.ops if o.results[0] is operand)
        if op.fn is linear.stretch:
            return op.args[1]
        for a in op.args if traits_of(op.fn).elementwise else ():
            p = self.primal(a, exact) if self.is_linear(a) else None
            if p is not None and self.stands_for(p, operand, exact):
                return p
        for a in op.args:
            if not self.is_linear(a) and is_alike(a, operand):
                return a
        args = [self.primal(a, exact) for a in op.args]
        return self.b.apply(
            op.fn, *args, **{k: self.primal(v, exact) for k, v in op.kwargs.items()}
        )

    def stands_for(self, p: Operand, operand: Value, exact: bool) -> bool:
        """True if a term has the shape of the whole: it has, where no rule stretches."""
        known = type_of(p)
        if self.b.may_be_complex and may_turn_complex(known) and len(self.sources(operand)) > 1:
            return False  # the other term may be complex where this one is real
        if known is not None and known == type_of(operand):
            return True
        return not exact and not book.rules[self.fn].broadcasts

    def sources(self, operand: Value) -> set[Value]:
        """The differentials that a linear expression depends on."""
        if operand in self.instance.ds:
            return {operand}
        op = next((o for o in self.instance.ops if o.results[0] is operand), None)
        found = values_in([*op.args, *op.kwargs.values()]) if op is not None else []
        return set().union(*(self.sources(v) for v in found if v in self.linear))

    def distribute(self, operand: Operand, result: Operand) -> None:
        if isinstance(operand, (tuple, list)):
            for k, item in enumerate(operand):
                if self.is_linear(item):
                    self.send(item, component(self.b, result, k))
        else:
            self.send(operand, result)
