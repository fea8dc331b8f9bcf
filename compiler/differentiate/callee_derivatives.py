"""Derivatives of callees: one per use, declared before they are built.

A callee differentiated in reverse becomes a pair: ``f_fwd`` returns the results and what the
other half needs, ``f_rev`` takes that and the adjoints of the results.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.runtime.helpers import linear
from retrograd.runtime.records import dataclass, field
from retrograd.runtime.traits.lookup import traits_of

from ..analyses.activity import may_carry
from ..analyses.aliasing.read_write_order import is_store
from ..analyses.shapes.infer import type_of
from ..ir.operations import (
    Apply,
    Block,
    Function,
    Operand,
    Value,
    read_in,
    replace_values,
    values_in,
    walk,
)
from ..ir.primitives import BUNDLE, SET_CONTENT, UNPACK
from ..ir.types import Tree
from ..ir.value_names import spoken
from ..passes.in_place.unbound_paths import partial_in
from ..passes.redundancy.common_subexpressions import share
from ..passes.redundancy.dead_code import eliminate
from ..passes.redundancy.polish import polish
from ..simplify.builder import Builder
from .forward import push_forward
from .outputs import gradient_results
from .residuals.residuals import keep, run_again
from .reverse import Reversed, reverse

__all__ = ["Derivatives", "Pair", "finished", "joint"]


@dataclass(eq=False)
class Pair:
    """``forward`` returns results and ``saved``; ``backward(saved, *bars)`` the adjoints."""

    forward: Function
    backward: Function
    saved: list[Value] = field(default_factory=list)

    def saved_type(self) -> Any:
        if not self.saved:
            return None
        return saved_type(self.saved)


@dataclass(eq=False)
class Derivatives:
    """The table of derived callees; one for each compilation."""

    may_be_complex: bool = False
    tape: bool = True  # calls that were not compiled run on the tape
    apart: bool = False  # their results may not share the memory of their arguments
    refused: dict[Any, Any] = field(default_factory=dict)  # and why they were not
    program: list[Apply] = field(default_factory=list)  # all operations of what is differentiated
    revolving: bool = True  # whether loops that ask for it keep some of their states only
    one_run: bool = False  # whether a second run finds changed what the first has written to
    adjoints: dict[Any, Function] = field(default_factory=dict)
    pairs: dict[Any, Pair] = field(default_factory=dict)
    pushes: dict[Any, Function] = field(default_factory=dict)
    seen_writers: set[Any] = field(default_factory=set)  # callees, with what they were given

    def pair(
        self,
        callee: Function,
        active: tuple[bool, ...],
        seeded: tuple[bool, ...],
        own: bool = False,
        holed: tuple[bool, ...] = (),
        missing: tuple[bool, ...] | None = None,
    ) -> Pair:
        """The forward and backward halves of ``callee``; recursion finds them unfinished.

        ``own``: the adjoints are for the user: of the arguments' types, and theirs to keep.
        ``holed``: which results' adjoints may hold zeros that a choice put there.
        ``missing``: which arguments the caller expects nan in.
        """
        holed = holed if any(holed) else ()
        key = (callee, active, seeded, own, holed, missing)
        if key not in self.pairs:
            blank = Block()
            forward = Function(f"{callee.name}_fwd", blank, None, callee.source)
            backward = Function(f"{callee.name}_rev", Block(), None, callee.source)
            forward.facts.writes = callee.facts.writes
            backward.facts.backward = True
            self.pairs[key] = pair = Pair(forward, backward)
            self.fill(pair, callee, active, seeded, own, holed, missing)
        return self.pairs[key]

    def adjoint(
        self, callee: Function, active: tuple[bool, ...], seeded: tuple[bool, ...]
    ) -> Function:
        """The function that runs ``callee`` again, and backwards: arguments and adjoints to adjoints."""
        key = (callee, active, seeded, self.revolving)
        if key not in self.adjoints:
            made = Function(f"{callee.name}_adjoint", Block(), None, callee.source)
            made.facts.checkpoint = made.facts.sweeps = True
            self.adjoints[key] = made
            wrt = [p for p, on in zip(callee.body.params, active, strict=True) if on]
            found = reverse(callee, wrt, self, list(seeded))
            keep(found.backward, found.mirrors, found.bars, found.forward.body, found.frugal)
            bars = returned_bars(found, wrt, callee.body.params, False)
            body = found.forward.body
            body.params = [*body.params, *seeds_of(found, seeded)]
            body.ops, body.yields = body.ops + found.backward.ops, bars
            made.body = body
            polish(made)
        return self.adjoints[key]

    def push(
        self,
        callee: Function,
        active: tuple[bool, ...],
        holed: tuple[bool, ...] = (),
        missing: tuple[bool, ...] | None = None,
    ) -> tuple[Function, list[bool]]:
        """The tangent function of ``callee``, and which results have a tangent."""
        dotted = [may_carry(type_of(y)) for y in callee.body.yields]
        holed = holed if any(holed) else ()
        key = (callee, active, holed, missing)
        if key not in self.pushes:
            self.pushes[key] = made = Function(f"{callee.name}_jvp", Block(), None, callee.source)
            wrt = [p for p, on in zip(callee.body.params, active, strict=True) if on]
            custom = callee.facts.custom
            if custom is None:
                pushed = push_forward(callee, wrt, self, holed, missing)
            else:
                pushed = custom.tangents(callee, wrt, self, self.may_be_complex)
                made.facts.inline = True
            inner = pushed.function.body
            b = Builder(inner, shown=inner.params)
            tangents = [
                b.apply(linear.zeros_like, y) if t is None else t
                for y, t, on in zip(inner.yields, pushed.tangents, dotted, strict=True)
                if on
            ]
            inner.params = inner.params + pushed.dots
            inner.yields = inner.yields + tangents
            made.body = inner
            made.facts.checkpoint = callee.facts.checkpoint
            made.facts.writes = list(callee.facts.writes)
            n = len(callee.body.params), len(callee.body.yields)
            made.facts.writes += [
                (n[0] + sum(active[:k]), n[1] + sum(dotted[:j]))
                for k, j in callee.facts.writes if j is not None and active[k] and dotted[j]
            ]  # fmt: skip
        return self.pushes[key], dotted

    def fill(
        self,
        pair: Pair,
        callee: Function,
        active: tuple[bool, ...],
        seeded: tuple[bool, ...],
        own: bool,
        holed: tuple[bool, ...],
        missing: tuple[bool, ...] | None,
    ) -> None:
        wrt = [p for p, on in zip(callee.body.params, active, strict=True) if on]
        custom = callee.facts.custom
        if custom is None:
            made = reverse(callee, wrt, self, list(seeded), holed=holed, missing=missing)
        else:
            made = custom.reverse(callee, wrt, self, list(seeded), self.may_be_complex)
        keep(made.backward, made.mirrors, made.bars, made.forward.body, made.frugal)
        split(pair, made, wrt, list(seeded), callee.body.params, own)
        if custom is not None:
            pair.forward.facts.inline = pair.backward.facts.inline = True


def split(
    pair: Pair, made: Reversed, wrt: list[Value], seeded: list[bool], params: list[Value], own: bool
) -> None:
    """Cut a joint program in two: the values that cross are what is saved."""
    bars = returned_bars(made, wrt, params, own)
    share_across(made, bars)
    back = Function(pair.backward.name, Block([], made.backward.ops, bars), None)
    defs = {r: op for op in walk(made.forward.body) for r in op.results}
    eliminate(back)
    share(back)
    inside = {r for op in walk(back.body) for r in op.results}
    inside |= {p for op in walk(back.body) for block in op.blocks for p in block.params}
    seeds = [s for s in made.seeds if s is not None]
    outside = [v for v in reads(back.body) if v not in inside and v not in seeds]
    if made.frugal:
        outside = run_again(back.body, outside, made.forward.body)
    whole = Function(pair.backward.name, Block([], [*made.forward.body.ops, *back.body.ops]), None)
    for v in partial_in(whole):
        v.partial = True  # the halves do not show it
    saved, copies = unpacked(back.body, outside)
    pair.backward.facts.kept = {
        copy: spoken(defs[v], v) for v, copy in zip(outside, copies, strict=True) if v in defs
    }
    back.body.params = [saved, *seeds_of(made, seeded)]
    for half in (pair.forward, pair.backward):
        half.facts.versions = made.forward.facts.versions
    pair.backward.facts.writes = consumed(pair.forward.facts.writes, seeded, params, wrt)
    pair.backward.body = back.body
    pair.saved = outside
    forward = made.forward
    held = as_they_were(forward.body, outside)
    bundle = Apply([Value("saved", saved.type)], None, BUNDLE, (held,))
    forward.body.ops.append(bundle)
    forward.body.yields = [*forward.body.yields, bundle.result]
    eliminate(forward)
    pair.forward.body = forward.body
    pair.forward.names, pair.forward.defaults = forward.names, forward.defaults


def as_they_were(body: Block, outside: list[Value]) -> tuple[Value, ...]:
    """The values to save: of a container of the caller's that is written to, a copy from before."""
    stores = [op for op in walk(body) if isinstance(op, Apply) and is_store(op)]
    written = {v for op in stores if op.fn is not SET_CONTENT for v in values_in(op.args[0])}
    around = {v for v in outside if isinstance(v.type, Tree) and holds_one(body, v, written)}
    return tuple(copied(body, v) if v in around else v for v in outside)


def holds_one(body: Block, v: Value, written: set[Value]) -> bool:
    """True if a container is one of those that are written to, or holds one."""
    if v in written:
        return True
    read = (op for op in body.ops if isinstance(op, Apply) and op.args and op.args[0] is v)
    return any(
        holds_one(body, r, written)
        for op in read
        if traits_of(op.fn).reads == "part"
        for r in op.results
    )


def copied(body: Block, v: Value) -> Value:
    """A copy of a container, made where it comes into being."""
    made = v.twin()
    at = next((k + 1 for k, op in enumerate(body.ops) if v in op.results), 0)
    body.ops.insert(at, Apply([made], None, linear.copy, (v,)))
    return made


def consumed(
    writes: list[tuple[int, int | None]], seeded: list[bool], params: list[Value], wrt: list[Value]
) -> list[tuple[int, int]]:
    """The adjoint of an array that was written to becomes, in place, that of the array before."""
    found = []
    for k, j in writes:
        if j is not None and seeded[j] and params[k] in wrt:
            found.append((1 + sum(seeded[:j]), wrt.index(params[k])))
    return found


def seeds_of(made: Reversed, seeded: Sequence[bool]) -> list[Value]:
    """The parameters for the adjoints of the results, whether they are needed or not."""
    return [
        s if s is not None else Value("unused")
        for s, on in zip(made.seeds, seeded, strict=True)
        if on
    ]


def saved_type(values: list[Value]) -> Tree:
    """The type of what is saved: what may not be bound is of no shape that somebody may ask it for."""
    kinds = (None if v.hidden or v.partial else v.type for v in values)
    return Tree("tuple", tuple(range(len(values))), tuple(kinds))


def unpacked(body: Block, outside: list[Value]) -> tuple[Value, list[Value]]:
    """Begin ``body`` by taking the saved values out of one tuple."""
    saved = Value("saved", saved_type(outside))
    table: dict[Value, Operand] = {}
    for v in outside:
        table[v] = v.twin()
    replace_values(body, lambda v: table.get(v, v) if isinstance(v, Value) else v)
    if table:
        body.ops.insert(0, Apply(list(table.values()), None, UNPACK, (saved,)))  # type: ignore[arg-type]
    return saved, list(table.values())  # type: ignore[arg-type]


def reads(body: Block) -> list[Value]:
    return read_in(body)


def share_across(made: Reversed, bars: list[Operand]) -> None:
    """Let the backward half read what the forward half has computed already."""
    first = set(made.forward.body.ops)
    body = Block(made.forward.body.params, made.forward.body.ops + made.backward.ops)
    body.yields = [*made.forward.body.yields, *bars]
    whole = Function("", body, None)
    share(whole)
    n = len(made.forward.body.yields)
    made.forward.body.yields, bars[:] = body.yields[:n], body.yields[n:]
    made.forward.body.ops = [op for op in body.ops if op in first]
    made.backward.ops = [op for op in body.ops if op not in first]


def returned_bars(
    made: Reversed, wrt: list[Value], params: list[Value], own: bool
) -> list[Operand]:
    """The adjoints a backward half returns: zeros where nothing arrived."""
    if own:
        return gradient_results(made.backward, made, wrt, params, made.forward.body)
    b = Builder(made.backward, shown=made.forward.body.params)
    table = dict(zip(params, made.forward.body.params, strict=True))
    bars = [made.bars[v] for v in wrt]
    return [
        b.apply(linear.zeros_like, table[v]) if bar is None else bar
        for v, bar in zip(wrt, bars, strict=True)
    ]


def joint(
    made: Reversed, function: Function, results: list[Operand], tree: Any, name: str
) -> Function:
    """One function that runs the forward sweep and then the backward one."""
    body = made.forward.body
    body.ops = body.ops + made.backward.ops
    body.yields = results
    forward = made.forward
    joined = Function(
        name, body, tree, function.source, function.names, dict(function.defaults),
        dict(function.captures), function.doc, function.facts.copy(),
    )  # fmt: skip
    _ = forward
    return joined


def finished(body: Block) -> None:
    """Fix the names of adjoints, so that a further transformation sees them as the user's."""
    for op in walk(body):
        if isinstance(op, Apply):
            for v in op.results:
                v.exact = v.exact or not v.made
        for v in [*op.results, *(p for block in op.blocks for p in block.params)]:
            settle(v)
    for p in body.params:
        settle(p)


def settle(v: Value) -> None:
    if v.hint is None and v.bar is not None:
        v.soft, v.made = v.bar.startswith("~"), True
        v.hint = v.bar.lstrip("~").strip("_") + "_bar"
        v.bar = None
