"""Branches and loops backwards: the adjoint of a region is a region."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from retrograd.runtime.helpers import linear

from ..analyses.activity import may_carry
from ..analyses.shapes.infer import type_of
from ..analyses.shapes.number_lists import is_nest
from ..ir.lattice import join
from ..ir.operations import (
    UNDEFINED,
    Apply,
    Block,
    Const,
    If,
    Loop,
    Operand,
    Value,
    replace_values,
    values_in,
    walk,
)
from ..ir.primitives import UNPACK
from ..ir.types import Array, Number, Stack, kind_of, may_turn_complex, of_any_kind, same_shape
from ..simplify.builder import Builder
from .adjoint_table import Adjoints, Key, described
from .loop_numbering import numbered

__all__ = ["Regions", "bar_type", "sums_anew"]


class Uniform:
    """The adjoint of a list whose items all have this one."""

    def __init__(self, c: Any) -> None:
        self.c = c


class Regions(Adjoints):
    """The adjoints of ``If`` and ``Loop``."""

    def branch(self, op: If) -> None:
        """``if``: the adjoint of either side, and a zero where a side does not contribute.

        What one side alone reads has its adjoint there: elsewhere nobody asks for it, and a zero that is
        handed on may meet an infinite slope.
        """
        bars = [self.take_whole(r) for r in op.results]
        if all(c is None for c in bars):
            return
        self.gather_kept()
        outer, before, owned = self.b, dict(self.bars), set(self.owned)
        self.visible = set(values_in([*before.values(), *(c for c in bars if c is not None)]))
        visible = self.visible
        sides, buffers, absent = [], [], []
        for k, block in enumerate((op.then, op.orelse)):
            self.bars, self.owned = dict(before), set(owned)
            self.b = outer.within(Block())
            for y, c in zip(block.yields, bars, strict=True):
                if c is not None:
                    self.contribute(y, c)
            self.block(block, self.owed.get((op, k), ()))
            self.gather_kept()
            sides.append((self.b, self.bars))
            buffers.append(self.owned)
            absent.append([c for y, c in zip(block.yields, bars, strict=True) if is_none(y)])
        made = If([], op.loc, op.cond, sides[0][0].block, sides[1][0].block)
        owned &= buffers[0] & buffers[1]
        self.b, self.bars, self.owned, self.visible = outer, before, owned, visible
        returned = [c for r, c in zip(op.results, bars, strict=True) if r.hidden]
        self.join(
            made, sides, buffers, returned, absent, (taken_apart(op.orelse), taken_apart(op.then))
        )
        if made.results or made.then.ops or made.orelse.ops:
            self.b.append(made)
            self.mirrors[made] = op

    def gather_kept(self) -> None:
        """What is kept of a branch has its parts on one side alone: there, their adjoints become one."""
        for v in dict.fromkeys(v for v, path in self.bars if path and v.absent):
            whole = self.take(v)
            assert whole is not None
            self.bars[v, ()] = whole

    def join(
        self,
        made: If,
        sides: Any,
        buffers: list[set[Value]],
        returned: list[Any],
        absent: Any,
        elsewhere: Any,
    ) -> None:
        """Joins the adjoints of both sides.

        ``absent``: the adjoints of what is None on a side; ``elsewhere``: what the other side takes apart, each time.
        """
        keys = dict.fromkeys(k for _, bars in sides for k in bars)
        for key in keys:
            ends = [bars.get(key) for _, bars in sides]
            if ends[0] is ends[1]:
                self.bars[key] = ends[0]
                continue
            seen = [c for c in ends if not isinstance(c, Value) or c in self.visible]
            # Nothing was returned before, where something is returned: any zero will do.
            seen += returned if key[0].hidden else []
            values = [
                c if c is not None
                else Const(None) if key[0].absent and key[0] in other
                else self.blank_bar(b, key, [x for x in seen if x not in none])
                for (b, _), c, none, other in zip(sides, ends, absent, elsewhere, strict=True)
            ]  # fmt: skip
            written = any(c in self.rank0 for c in values if isinstance(c, Value))
            if written:  # so may the other one be
                values = [self.as_rank0(b, c) for (b, _), c in zip(sides, values, strict=True)]
            result = Value(None, adjoint_type(key, values), made.loc)
            self.rank0 |= {result} if written else set()
            result.bar = self.label(key)
            made.results.append(result)
            made.then.yields.append(values[0])
            made.orelse.yields.append(values[1])
            self.b.marks.merge(result, values)
            self.bars[key] = result
            if all(
                c in own for c, own in zip(values, buffers, strict=True) if not isinstance(c, Const)
            ):
                self.own(result)

    def blank_bar(self, b: Builder, key: Key, seen: list[Any]) -> Operand:
        """A zero adjoint: like the other side's, if that stands outside, else like the value."""
        other = next((c for c in seen if c is not None), None)
        value = key[0]
        alike = value.hidden or same_shape(type_of(other), value.type)
        if other is None or not alike or self.is_certain(value):
            return self.zero(b, key)
        return b.apply(linear.zeros_like, other)

    def is_certain(self, value: Value) -> bool:
        """True if the value is there on every path: not the result of a branch or a loop."""
        return value in self.b.shown or value in self.b.defs

    # -- loops -----------------------------------------------------------------------

    def loop(self, op: Loop) -> None:
        carried = [
            k for k, p in enumerate(op.carried) if self.activity(p) or self.activity(op.results[k])
        ]
        ends = {k: self.take_whole(op.results[k]) for k in carried}
        stacks = self.stack_bars(op)
        if not stacks and all(c is None for c in ends.values()):
            return
        reached, kinds = self.trial(op, carried, stacks, [bar_type(op, k) for k in carried])
        holed = self.loop_holes  # by one iteration for the one before it
        made = self.empty_loop(op)
        outer = self.b
        lent = [*ends.values(), *(c.c if isinstance(c, Uniform) else c for _, c in stacks)]
        self.owned -= {*values_in(lent)}
        for key in reached:
            self.accumulator(key, lent)
        inits = [self.end_bar(op, k, ends[k]) for k in carried]
        inits += [self.bars[key] for key in reached]
        self.b = outer.within(Block())
        names = [op.carried[k].hint or described(outer, op.carried[k]) for k in carried]
        params = [self.param(name, t) for name, t in zip(names, kinds, strict=True)]
        params += [
            self.param(self.label(key), self.accumulated_type(key), own=not sums_anew(key))
            for key in reached
        ]
        for param, init, hole in zip(params, inits, holed, strict=False):
            self.b.marks.merge(param, [init], hole)
        for param, init in zip(params, inits, strict=True):
            self.b.marks.accumulated(param, [init])
        self.whole.update(params)
        outside, self.bars = self.bars, dict(zip(reached, params[len(carried) :], strict=True))
        feeds = self.run_body(op, carried, params, stacks, made)
        yields = [self.carried_bar(op, k, params[i]) for i, k in enumerate(carried)]
        yields += [self.bars[key] for key in reached]
        collected = [
            (s, self.take(e))
            for (s, _), e in zip(op.feeds, op.elements, strict=True)
            if self.activity(e)
        ]
        self.finish(op, made, inits, params, yields, feeds, collected, carried)
        self.b, self.bars = outer, outside
        outer.append(made)
        self.whole.update(made.results)
        self.mirrors[made] = op
        for key, result in zip(reached, made.results[len(carried) :], strict=False):
            self.bars[key] = result if sums_anew(key) else self.own(result)
            result.bar = self.label(key)
        for result, *both in zip(made.results, params, yields, strict=False):
            outer.marks.accumulated(result, both)
        for i, k in enumerate(carried):
            outer.marks.merge(made.results[i], [params[i], yields[i]])
            made.results[i].bar = op.carried[k].hint
            self.contribute(op.inits[k], made.results[i])
        self.to_feeds(op, [stack for stack, bar in collected if bar is not None], made)

    def stack_bars(self, op: Loop) -> list[tuple[int, Any]]:
        """The cotangents of what the loop collected."""
        taken = [(k, self.take(s)) for k, s in enumerate(op.stacks) if self.activity(s)]
        alike = [(k, Uniform(c)) for k, s in enumerate(op.stacks) for c in self.uniform.pop(s, [])]
        return [(k, c) for k, c in taken if c is not None] + alike

    def to_feeds(self, op: Loop, fed: list[Any], made: Loop) -> None:
        """Sends what the backward loop collected to the stacks that the loop read, in their order."""
        flips = {id(stack): flip for stack, flip in op.feeds}
        for stack, result in zip(fed, made.stacks, strict=True):
            straight = result if flips[id(stack)] else self.b.emit(linear.flipped, result)
            self.contribute(stack, straight)

    def param(self, name: str | None, kind: Any, own: bool = False) -> Value:
        value = Value(None, kind)
        value.bar = name
        return self.own(value) if own else value

    def empty_loop(self, op: Loop) -> Loop:
        """The loop that runs backwards over the iterations ``op`` made."""
        plain = op.bounds is not None and not op.stops
        if not plain and not op.counts:
            op.counts = True
            count = Value("n", Number("i"), op.loc)
            count.made = True
            op.results.append(count)
        bounds = op.bounds if plain else (Const(0), op.count, Const(1))
        made = Loop([], op.loc, [], Block(), bounds, backwards=not op.backwards)
        hint = op.index.hint if op.index is not None else "k"
        made.body.params = [Value(hint, Number("i"))]
        return made

    def run_body(
        self, op: Loop, carried: list[int], params: list[Value], stacks: Any, made: Loop
    ) -> list[Value]:
        """The adjoint of one iteration; the elements it reads of the adjoint stacks."""
        for i, k in enumerate(carried):
            self.contribute(op.body.yields[k], params[i])
        feeds = []
        for k, bar in stacks:
            if isinstance(bar, Uniform):
                self.contribute(op.collected()[k], bar.c)
                continue
            kind = type_of(bar)
            element = Value(None, kind.item if isinstance(kind, Stack) else None)
            element.bar = hint_of(op.collected()[k])
            self.b.marks.merge(element, [bar])
            feeds.append((bar, True, element))
            self.contribute(op.collected()[k], element)
        self.block(op.body)
        return feeds  # type: ignore[return-value]

    def trial(
        self, op: Loop, carried: list[int], stacks: Any, kinds: list[Any]
    ) -> tuple[list[Key], list[Any]]:
        """Which values defined outside the loop get contributions from its body, and the kinds of
        adjoint that the carried values settle on.

        What reads no stack is asked once: the trials of the loops around would ask it twice as often for each.
        """
        asked = [] if stacks else self.trials.setdefault(op, [])
        for given, found, holes in asked:
            if given == (carried, kinds):
                self.loop_holes = list(holes)
                return list(found[0]), list(found[1])
        made = self.tried(op, carried, stacks, kinds)
        if not stacks:
            asked.append(((list(carried), list(kinds)), made, list(self.loop_holes)))
        return list(made[0]), list(made[1])

    def tried(
        self, op: Loop, carried: list[int], stacks: Any, kinds: list[Any]
    ) -> tuple[list[Key], list[Any]]:
        state = self.b, self.bars, self.owned, dict(self.mirrors)
        inside = set(op.body.params) | {r for inner in walk(op.body) for r in inner.results}
        inside |= {p for inner in walk(op.body) for block in inner.blocks for p in block.params}
        self.b, self.bars, self.owned = self.b.within(Block()), {}, set()
        params = [self.param(None, kind) for kind in kinds]
        self.whole.update(params)
        self.run_body(op, carried, params, stacks, self.blank(op))
        self.loop_holes = [
            self.b.marks.is_holed(self.bars.get((op.carried[k], ()))) for k in carried
        ]
        ends = [self.carried_bar(op, k, params[i]) for i, k in enumerate(carried)]
        settled = [
            join(kind, type_of(end)) if isinstance(kind, Number) else kind
            for kind, end in zip(kinds, ends, strict=True)
        ]
        found = [key for key in self.bars if key[0] not in inside]
        self.b, self.bars, self.owned, self.mirrors = state
        return (found, kinds) if settled == kinds else self.tried(op, carried, stacks, settled)

    def blank(self, op: Loop) -> Loop:
        return Loop([], op.loc, [], Block())

    def accumulator(self, key: Key, lent: list[Any]) -> None:
        """Before the loop: an owned adjoint to add to, zero if there is none yet.

        ``lent``: other adjoints that the loop begins with, or reads.
        """
        bar = self.widened(key)
        shared = any(bar is c for c in lent)
        if bar is None:
            self.bars[key] = self.zero(self.b, key)
            self.typed_as_nest(key)
        elif sums_anew(key):
            pass
        elif self.versions and not shared:
            pass  # `place` copies what is not ours
        elif not shared and self.is_private(key, bar) and not self.is_viewed(bar):
            self.owned.add(bar)  # type: ignore[arg-type]
        elif isinstance(bar, Value) and bar not in self.owned and needs_memory(bar.type):
            self.bars[key] = self.b.emit(linear.copy, bar)
            self.bars[key].type = bar.type
        self.name(key)

    def accumulated_type(self, key: Key) -> Any:
        """The type of an adjoint that a loop adds to: real before it, it may be complex later."""
        known = type_of(self.bars[key])
        real = key[1] == () and kind_of(key[0].type) in ("f", "i", "b")
        turns = self.b.may_be_complex and kind_of(known) == "f" and not real
        return of_any_kind(known) if turns else known

    def end_bar(self, op: Loop, k: int, bar: Operand | None) -> Operand:
        """The adjoint a carried value has after the loop."""
        if bar is not None:
            return bar
        return self.b.apply(linear.zeros_like, op.results[k])

    def carried_bar(self, op: Loop, k: int, param: Value) -> Operand:
        """The adjoint a carried value has before the iteration."""
        bar = self.take_whole(op.carried[k])
        if bar is not None:
            return bar
        turns = self.b.may_be_complex and may_turn_complex(op.carried[k].type)
        if keeps_shape(op, k) and not turns:
            return self.b.apply(linear.zeros_like, param)
        return self.b.emit(linear.zeros_like, op.carried[k])  # None, if it was not bound yet

    def finish(
        self, op: Loop, made: Loop, inits: Any, params: Any, yields: Any, feeds: Any, collected: Any,
        carried: Sequence[int] = (),
    ) -> None:  # fmt: skip
        made.inits = list(inits)
        made.body.params += params
        made.body.ops = self.b.block.ops
        made.body.yields = list(yields)
        made.results = [Value(None, p.type, op.loc) for p in params]
        for result, k in zip(made.results, carried, strict=False):
            if isinstance(result.type, Array):
                result.type = before(op, k)
        for stack, flip, element in feeds:
            made.feed(stack, flip, element)
        for _, bar in [c for c in collected if c[1] is not None]:
            made.collect(bar, Value(None, Stack(type_of(bar)), op.loc))
            self.b.marks.merge(made.stacks[-1], [bar])
        if op.index is not None:
            self.rebuild_index(op, made)

    def rebuild_index(self, op: Loop, made: Loop) -> None:
        """The forward index in the backward body: the same, or computed from the iteration."""
        assert op.index is not None and op.bounds is not None and made.index is not None
        index: Operand = made.index
        if made.bounds is not op.bounds:
            index, ops = numbered(op, made.index)
            made.body.ops[:0] = ops
        old = op.index
        replace_values(made.body, lambda v: index if v is old else v)


def taken_apart(block: Block) -> set[Value]:
    """The tuples that a region takes apart."""
    unpacks = [op for op in block.ops if isinstance(op, Apply) and op.fn is UNPACK]
    return {v for op in unpacks for v in values_in(op.args[0])}


def sums_anew(key: Key) -> bool:
    """True if what is added to a part of an adjoint gives another container (`list_items`)."""
    return is_nest(key[0].type) and not key[1]


def is_none(x: Operand) -> bool:
    return isinstance(x, Const) and x.value is None


def keeps_shape(op: Loop, k: int) -> bool:
    """True if a carried value has the same shape before and after each iteration, if it has any."""
    value, ends = op.carried[k], (op.inits[k], op.body.yields[k])
    if value.hidden:  # a result: once it is there, no iteration follows
        return True
    return all(same_shape(type_of(e), value.type) for e in ends if e is not UNDEFINED)


def needs_memory(kind: Any) -> bool:
    return not isinstance(kind, Number) and not (isinstance(kind, Array) and kind.dims == ())


def bar_type(op: Loop, k: int) -> Any:
    """An adjoint has the shape of its value, here after an iteration; a number's may be a NumPy scalar.

    Where a name is not bound before the loop it ends as a number, and nothing is known of it.
    """
    kind = op.carried[k].type
    if isinstance(kind, Number):
        return Number("c" if kind.kind == "c" else "f")
    if isinstance(kind, Array) and not keeps_shape(op, k):
        after = type_of(op.body.yields[k])
        bound = isinstance(after, Array) and op.inits[k] is not UNDEFINED
        if bound and isinstance(after, Array) and kind.rank == after.rank is not None:
            kind = kind.with_dims(after.dims)
        else:
            kind = before(op, k)
    return kind if may_carry(kind) else None


def before(op: Loop, k: int) -> Any:
    """The type of an adjoint before all iterations: of sizes that one changes nothing is known."""
    kind, ends = op.carried[k].type, (op.inits[k], op.body.yields[k])
    if isinstance(kind, Array) and not keeps_shape(op, k):
        others = [type_of(e) for e in ends if e is not UNDEFINED]
        kind = None if UNDEFINED in ends else functools.reduce(known_of_both, others, kind)
    return kind if may_carry(kind) else None


def known_of_both(a: Any, b: Any) -> Any:
    """A type with the dimensions that two types agree on."""
    if not isinstance(b, Array) or not isinstance(a, Array) or a.rank is None or a.rank != b.rank:
        return None
    same = tuple(m if m == n else None for m, n in zip(a.dims or (), b.dims or (), strict=True))
    return a.with_dims(same)


def adjoint_type(key: Key, values: list[Operand]) -> Any:
    return join(type_of(values[0]), type_of(values[1]))


def hint_of(operand: Operand) -> str | None:
    return operand.hint if isinstance(operand, Value) else None
