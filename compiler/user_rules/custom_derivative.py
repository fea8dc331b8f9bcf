"""Custom derivatives: a call of the user's vjp or jvp in place of the transformation.

Both are functions of the program, so what calls them can be differentiated again; the one that is
missing is the transpose of the other, as long as that is linear.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.runtime.errors import UnsupportedOperation
from retrograd.runtime.helpers import linear
from retrograd.runtime.records import dataclass, field, replace

from ..analyses.activity import Activity, may_carry
from ..analyses.shapes.infer import type_of
from ..differentiate.forward import Pushed
from ..differentiate.reverse import Reversed
from ..ir.containers import LEAF
from ..ir.operations import (
    Block,
    Call,
    Const,
    Function,
    Op,
    Operand,
    Value,
    operands_of,
    values_in,
    walk,
)
from ..ir.primitives import UNPACK
from ..ir.verify import shapes_read
from ..simplify.builder import Builder

__all__ = ["Copy", "Custom", "Hook", "Rule", "reads_active", "seed_of"]


@dataclass(eq=False)
class Rule:
    """A vjp or jvp: its function, and where its arguments come from: ("own", k), ("z", k), ..."""

    function: Function
    sources: list[Any]
    tree: Any
    kinds: list[Any]
    compiled: bool


@dataclass(eq=False)
class Copy:
    """A copy of a function with a derivative of its own, that only calls it."""

    function: Function
    results: list[Value]

    @staticmethod
    def of(callee: Function) -> Copy:
        params = [Value(p.hint, p.type) for p in callee.body.params]
        results = [Value(hint_of(y) or "z", type_of(y)) for y in callee.body.yields]
        call = Call(list(results), None, callee, tuple(params))
        body = Block(params, [call], list(results))
        names = tuple(str(p.hint) for p in params)
        return Copy(Function(callee.name, body, callee.tree, callee.source, names), results)


def hint_of(operand: Operand) -> str | None:
    return operand.hint if isinstance(operand, Value) else None


@dataclass(eq=False)
class Custom:
    """The rules of one function for one kind of arguments."""

    name: str
    pull: Rule | None = None
    push: Rule | None = None
    bars: list[int | None] = field(default_factory=list)
    names: tuple[str, ...] = ()
    silent: frozenset[int] = frozenset()

    def of_examples(
        self, batched: Callable[[Function, tuple[bool, ...]], Function], mask: tuple[bool, ...]
    ) -> Custom | None:
        """The rules of a batch of examples, of which some arguments vary; None where the compiler takes no text."""
        rules = [rule for rule in (self.pull, self.push) if rule is not None]
        if not all(rule.compiled for rule in rules):
            return None

        def varies(s: Any) -> bool:
            return not isinstance(s, Const) and (s[0] in ("z", "c") or mask[s[1]])

        def of(rule: Rule | None) -> Rule | None:
            if rule is None:
                return None
            function = batched(rule.function, tuple(map(varies, rule.sources)))
            return replace(
                rule, function=function, kinds=[type_of(y) for y in function.body.yields]
            )

        return replace(self, pull=of(self.pull), push=of(self.push))

    # -- reverse -----------------------------------------------------------------------

    def reverse(
        self, callee: Function, wrt: list[Value], derive: Any, seeded: list[bool], complex_: bool
    ) -> Reversed:
        positions = [callee.body.params.index(v) for v in wrt]
        self.check_silent(positions)
        copy, b, seeds, cs = backwards(callee, seeded, complex_)
        params = copy.function.body.params
        given = {"own": params, "z": copy.results, "c": cs}
        if self.pull is not None:
            found = self.pulled(b, given, positions)
        else:
            found = self.transposed_push(b, given, positions, derive)
        bars = {}
        for v, k in zip(wrt, positions, strict=True):
            bar = b.apply(linear.unbroadcast, found[k], params[k])
            if isinstance(bar, Value) and bar.bar is None:
                bar.bar = v.hint
            bars[v] = bar
        return Reversed(copy.function, b.block, seeds, bars)

    def check_silent(self, positions: list[int]) -> None:
        for k in positions:
            if k in self.silent:
                raise self.refused(f"`{self.names[k]}` was said to be constant")

    def refused(self, why: str) -> UnsupportedOperation:
        return UnsupportedOperation(
            f"{self.name}: {why}, and is being differentiated",
            fix="give its derivative in @rg.custom_gradient, or wrap the argument in rg.stop_gradient",
        )  # fmt: skip

    def pulled(self, b: Builder, given: Any, positions: list[int]) -> dict[int, Operand]:
        assert self.pull is not None
        for k in positions:
            if self.bars[k] is None:
                raise self.refused(f"its vjp returns None for `{self.names[k]}`")
        results = call_rule(b, self.pull, given)
        return {k: results[self.bars[k]] for k in positions}  # type: ignore[index]

    def transposed_push(
        self, b: Builder, given: Any, positions: list[int], derive: Any
    ) -> dict[int, Operand]:
        """The cotangents by the transpose of the jvp."""
        if self.push is None or not self.push.compiled:
            raise self.missing("vjp", "jvp", self.push)
        zero = {("d", k): b.apply(linear.zeros_like, p) for k, p in enumerate(given["own"])}
        return self.transpose(b, self.push, zero, given, "d", positions, given["c"], derive)

    # -- forward -----------------------------------------------------------------------

    def tangents(self, callee: Function, wrt: list[Value], derive: Any, complex_: bool) -> Pushed:
        positions = [callee.body.params.index(v) for v in wrt]
        self.check_silent(positions)
        copy = Copy.of(callee)
        body = copy.function.body
        b = Builder(body, complex_, shown=body.params)
        b.learn(body)
        dots = [Value(f"{v.hint}_dot", v.type) for v in wrt]
        all_dots = [b.apply(linear.zeros_like, p) for p in body.params]
        for k, dot in zip(positions, dots, strict=True):
            all_dots[k] = dot
        given = {"own": body.params, "z": copy.results, "d": all_dots}
        if self.push is not None:
            found: list[Operand] = list(call_rule(b, self.push, given))
        else:
            found = self.transposed_pull(b, given, positions, dots, derive)
        return Pushed(copy.function, dots, [
            t if may_carry(type_of(y)) else None for t, y in zip(found, copy.results, strict=True)
        ])  # fmt: skip

    def transposed_pull(
        self, b: Builder, given: Any, positions: list[int], dots: list[Value], derive: Any
    ) -> list[Operand]:
        """The tangents by the transpose of the vjp."""
        if self.pull is None or not self.pull.compiled:
            raise self.missing("jvp", "vjp", self.pull)
        for k in positions:
            if self.bars[k] is None:
                raise self.refused(f"its vjp returns None for `{self.names[k]}`")
        zs = given["z"]
        zero = {("c", k): b.apply(linear.zeros_like, z) for k, z in enumerate(zs)}
        at = {self.bars[k]: dot for k, dot in zip(positions, dots, strict=True)}
        yields = self.pull.function.body.yields
        seeds = [at.get(k) for k in range(len(yields))]
        found = self.transpose(b, self.pull, zero, given, "c", list(range(len(zs))), seeds, derive)
        return [found[k] for k in range(len(zs))]

    # -- both --------------------------------------------------------------------------

    def transpose(
        self, b: Builder, rule: Rule, zero: Any, given: Any, what: str, positions: list[int],
        seeds: list[Operand | None], derive: Any,
    ) -> dict[int, Operand]:  # fmt: skip
        """The adjoints that a linear rule sends to its arguments of one sort."""
        wanted = {(what, k) for k in positions}
        sources = rule.sources
        active = tuple(not isinstance(s, Const) and s in wanted for s in sources)
        seeded = tuple(s is not None for s in seeds)
        pair = derive.pair(rule.function, active, seeded)
        self.check_linear(pair, active, what)
        args = tuple(zero[s] if s in zero else source(s, given) for s in sources)
        results = [Value(None, type_of(y)) for y in rule.function.body.yields]
        saved = Value("saved", pair.saved_type())
        b.append(Call([*results, saved], None, pair.forward, args))
        order = [s[1] for s, on in zip(sources, active, strict=True) if on]
        bars = [Value(None, type_of(zero[what, k])) for k in order]
        b.append(
            Call(list(bars), None, pair.backward, (saved, *[s for s in seeds if s is not None]))
        )
        found: dict[int, Operand] = dict(zip(order, bars, strict=True))
        return {k: found.get(k, zero[what, k]) for k in positions}

    def check_linear(self, pair: Any, active: tuple[bool, ...], what: str) -> None:
        if reads_active(pair, active):
            given, wanted = ("vjp", "jvp") if what == "c" else ("jvp", "vjp")
            raise UnsupportedOperation(
                f"{self.name}: its {given} is not linear, so that no {wanted} follows from it",
                fix=f"give the {wanted} in @rg.custom_gradient, too, or use the other mode",
            )

    def missing(self, wanted: str, given: str, rule: Rule | None) -> UnsupportedOperation:
        why = f"it has no {wanted}"
        if rule is not None:
            why += f", and the compiler does not take the text of its {given} to transpose it"
        mode = "forward" if wanted == "jvp" else "reverse"
        return UnsupportedOperation(
            f"{self.name}: {why}",
            fix=f"give a {wanted} in @rg.custom_gradient, or do without {mode} mode",
        )


def reads_active(pair: Any, active: tuple[bool, ...]) -> bool:
    """True if a transpose reads what depends on its argument: of a linear function it does not."""
    params = pair.forward.body.params
    varied = Activity(pair.forward, [p for p, on in zip(params, active, strict=True) if on]).varied
    read = values_read(pair.backward)
    return any(v in varied and k in read for k, v in enumerate(pair.saved))


def values_read(backward: Function) -> set[int]:
    """Which of the saved values a backward half reads for more than their shapes."""
    unpacking = [op for op in backward.body.ops if getattr(op, "fn", None) is UNPACK]
    copies = {r: k for op in unpacking[:1] for k, r in enumerate(op.results)}
    found: set[Value] = set(values_in(backward.body.yields))
    for op in walk(backward.body):
        if op not in unpacking[:1]:
            found.update(read_by(op))
    return {copies[v] for v in found if v in copies}


def read_by(op: Op) -> set[Value]:
    shapes = shapes_read(op)
    read = [o for o in operands_of(op) if not any(o is s for s in shapes)]
    return set(values_in(read))


def source(where: Any, given: dict[str, Any]) -> Operand:
    if isinstance(where, Const):
        return where
    sort, k = where
    found: Operand = given[sort][k]
    return found


def call_rule(b: Builder, rule: Rule, given: dict[str, Any]) -> list[Value]:
    args = tuple(source(s, given) for s in rule.sources)
    results = [Value(None, k) for k in rule.kinds] if rule.compiled else [
        Value(None) for _ in rule.function.body.yields
    ]  # fmt: skip
    for result in results:
        result.made = True
    b.append(Call(list(results), None, rule.function, args))
    return results


def backwards(
    callee: Function, seeded: list[bool], complex_: bool
) -> tuple[Copy, Builder, list[Value | None], list[Operand]]:
    """A copy of a function, a builder of what follows it, its seeds and adjoints (zero if unseeded)."""
    copy = Copy.of(callee)
    b = Builder(Block(), complex_, shown=copy.function.body.params)
    b.learn(copy.function.body)
    seeds = [seed_of(y, on) for y, on in zip(copy.results, seeded, strict=True)]
    cs: list[Operand] = [
        b.apply(linear.zeros_like, y) if seed is None else seed
        for y, seed in zip(copy.results, seeds, strict=True)
    ]
    return copy, b, seeds, cs


def seed_of(y: Value, on: bool) -> Value | None:
    if not on or not may_carry(y.type):
        return None
    seed = Value("result", y.type)
    seed.bar = y.hint or "result"
    return seed


@dataclass(eq=False)
class Hook:
    """``rg.on_gradient``: the identity, whose cotangent a hook may look at or change."""

    function: Function
    count: int
    looks: bool

    def reverse(
        self, callee: Function, wrt: list[Value], derive: Any, seeded: list[bool], complex_: bool
    ) -> Reversed:
        params = [Value(p.hint, p.type) for p in callee.body.params]
        own = params[: self.count]
        names = tuple(str(p.hint) for p in params)
        forward = Function("on_gradient", Block(params, [], list(own)), LEAF, callee.source, names)
        block = Block()
        b = Builder(block, complex_, shown=params)
        seeds = [seed_of(y, on) for y, on in zip(own, seeded, strict=True)]
        cs = [
            b.apply(linear.zeros_like, y) if seed is None else seed
            for y, seed in zip(own, seeds, strict=True)
        ]
        yields = self.function.body.yields
        results = [Value(None, own[k].type if not self.looks else None) for k in range(len(yields))]
        for result in results:
            result.made = True
        b.append(Call(list(results), None, self.function, (*cs, *params[self.count :])))
        changed: list[Operand] = cs if self.looks else list(results)
        bars: dict[Value, Operand] = {}
        for v in wrt:
            k = callee.body.params.index(v)
            bars[v] = (
                b.apply(linear.unbroadcast, changed[k], params[k])
                if k < self.count
                else b.apply(linear.zeros_like, params[k])
            )
        return Reversed(forward, block, seeds, bars)

    def tangents(self, callee: Function, wrt: list[Value], derive: Any, complex_: bool) -> Pushed:
        if not self.looks:
            raise UnsupportedOperation(
                "on_gradient: a hook that changes the cotangent has no forward mode",
                fix='use reverse mode (rg.grad, rg.vjp, mode="reverse"), or return None from a hook '
                "that only looks",
            )
        params = [Value(p.hint, p.type) for p in callee.body.params]
        own = params[: self.count]
        names = tuple(str(p.hint) for p in params)
        function = Function("on_gradient", Block(params, [], list(own)), LEAF, callee.source, names)
        dots = [Value(f"{v.hint}_dot", v.type) for v in wrt]
        at = {callee.body.params.index(v): dot for v, dot in zip(wrt, dots, strict=True)}
        return Pushed(function, dots, [at.get(k) for k in range(self.count)])
