"""Reverse mode on structured SSA: the adjoint of a region is a region.

``reverse`` returns the forward program (a copy of the function) and the backward operations,
which may read any value of the forward program, whatever region it stands in; ``store.keep``
then makes those reads legal.  ``bars`` maps (value, path) to an adjoint: a path is the keys that
lead into a container, so that no container of zeros is ever built.
"""

from __future__ import annotations

import builtins
import operator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from retrograd.runtime import linear
from retrograd.runtime.errors import CompileError, NotDifferentiable, Place
from retrograd.runtime.rules.book import book

from ..analyses.activity import Activity, may_carry
from ..build import Builder, clone_function
from ..infer import type_of
from ..ir import (
    Apply, Block, Call, Const, Function, If, Location, Loop, Op, Operand, Value, replace_values,
    values_in, walk,
)  # fmt: skip
from ..structure import LEAF
from ..types import Array, Number, Stack, Tree, kind_of
from .templates import unsupported
from .transpose import pull_back

__all__ = ["Reversed", "check_result", "reverse"]

Key = tuple[Value, tuple[Any, ...]]
VIEWING = {operator.getitem, np.ndarray.T, np.reshape, np.ndarray.reshape, np.transpose, builtins.getattr}
FRESH = {
    operator.add, operator.sub, operator.mul, operator.truediv, operator.neg, operator.matmul,
    np.zeros, np.zeros_like, linear.index_add, operator.iadd, np.outer, np.add.reduce,
}  # fmt: skip


@dataclass
class Reversed:
    """A forward program, the backward one, its seeds, and the adjoints it ends with."""

    forward: Function
    backward: Block
    seeds: list[Value | None]
    bars: dict[Value, Operand]
    mirrors: dict[Op, Op] = field(default_factory=dict)
    table: dict[Value, Operand] = field(default_factory=dict)


def reverse(
    function: Function, wrt: list[Value], derive: Any, seeded: list[bool] | None = None, may_be_complex: bool = False, unit: bool = False
) -> Reversed:
    """Differentiate ``function`` with respect to ``wrt`` (some of its parameters)."""
    table: dict[Value, Operand] = {}
    forward = clone_function(function, table)
    asked = [table[v] for v in wrt]
    results = forward.body.yields
    seeded = [True] * len(results) if seeded is None else seeded
    ends = [y for y, s in zip(results, seeded, strict=True) if s]
    activity = Activity(forward, asked, ends)
    block = Block()
    b = Builder(block, may_be_complex, shown=forward.body.params)
    b.learn(forward.body)
    machine = Reverse(b, activity, derive, function)
    seeds: list[Value | None] = []
    for y, wanted in zip(results, seeded, strict=True):
        seed = Value("result", type_of(y)) if wanted and activity(y) else None
        seeds.append(seed)
        if unit and seed is not None:
            check_scalar(y, forward)
        if seed is not None:
            seed.bar = y.hint or "result"
            machine.contribute(y, Const(1.0) if unit else seed)
    machine.block(forward.body)
    b.loc = None
    bars = {v: machine.gathered(t) for v, t in zip(wrt, asked, strict=True)}
    return Reversed(forward, block, seeds, bars, machine.mirrors, table)


def check_result(function: Function) -> None:
    """The gradient of a function is that of a number; anything else wants ``vjp`` or ``jacobian``."""
    y = function.body.yields[0] if function.body.yields else Const(None)
    dims = getattr(type_of(y), "dims", None)
    what = ""
    if function.tree != LEAF or isinstance(type_of(y), (Tree, Stack)):
        what = "a container"
    elif dims:
        what = f"an array of {len(dims)} dimension{'s' * (len(dims) > 1)}"
    elif isinstance(y, Const) and y.text is None and not isinstance(y.value, (int, float, complex)):
        what = repr(y.value)
    if what:
        source = function.source
        raise NotDifferentiable(
            f"`{function.name}` returns {what}, and a gradient is that of one number",
            place=source.place(source.tree) if source is not None else None,
            fix="return a scalar (np.sum, np.mean), or use rg.vjp or rg.jacobian",
        )  # fmt: skip


def check_scalar(y: Operand, forward: Function) -> None:
    """A result of unknown shape is looked at when it is there."""
    if getattr(type_of(y), "dims", None) == ():
        return
    forward.body.ops.append(Apply([Value(None)], None, linear.check_scalar, (y,), effect=True))
    if isinstance(y, Value):
        y.type = Array(None, (), None)


class Reverse:
    """Walks a function backwards, emitting adjoints into the builder's block."""

    def __init__(self, b: Builder, activity: Activity, derive: Any, function: Function) -> None:
        self.b, self.activity, self.derive, self.function = b, activity, derive, function
        self.bars: dict[Key, Operand] = {}
        self.owned: set[Value] = set()
        self.mirrors: dict[Op, Op] = {}
        self.visible: set[Value] = set()
        self.calls: dict[Op, tuple[Any, Value]] = {}

    # -- adjoints --------------------------------------------------------------------

    def contribute(self, x: Operand, c: Operand, path: tuple[Any, ...] = ()) -> None:
        """Add ``c`` to the adjoint of ``x`` (a value, or a container of values)."""
        if isinstance(x, (tuple, list)):
            for k, item in enumerate(x):
                if any(self.activity(v) for v in values_in(item)):
                    self.contribute(item, self.part(c, k))
            return
        if isinstance(x, dict):
            for k, item in x.items():
                if any(self.activity(v) for v in values_in(item)):
                    self.contribute(item, self.part(c, k))
            return
        if isinstance(x, Value) and self.activity(x):
            self.accumulate((x, path), c)

    def part(self, c: Operand, key: Any) -> Operand:
        if isinstance(c, (tuple, list, dict)):
            return c[key]
        return self.b.getitem(c, key)

    def accumulate(self, key: Key, c: Operand) -> None:
        old = self.bars.get(key)
        if old is None:
            self.bars[key] = c
        elif isinstance(type_of(old), Stack) or self.is_container(key):
            self.bars[key] = self.b.apply(linear.add, old, c)
        elif old in self.owned and self.fits(old, c):
            self.bars[key] = self.own(self.b.emit(operator.iadd, old, c))
        else:
            self.unname(old, key)
            self.bars[key] = self.b.add(old, c)
        self.name(key)

    def unname(self, old: Operand, key: Key) -> None:
        """A part of a sum need not be named after the whole: it may be printed inside it."""
        if isinstance(old, Value) and old in self.b.defs and old.bar == self.label(key):
            old.bar = f"~{old.bar}"

    def is_container(self, key: Key) -> bool:
        return not key[1] and isinstance(key[0].type, Tree)

    def fits(self, old: Operand, c: Operand) -> bool:
        """Whether ``old += c`` does what ``old + c`` does."""
        a, e = type_of(old), type_of(c)
        if not (isinstance(a, Array) and a.dims and isinstance(e, (Array, Number)) and e.dims is not None):
            return False
        if isinstance(e, Array) and (e.dtype is None or e.dtype != a.dtype):
            return False
        return e.dims == () or (e.dims == a.dims and None not in e.dims)

    def name(self, key: Key) -> None:
        """Adjoints are named after what they are adjoints of."""
        bar = self.bars[key]
        if isinstance(bar, Value) and bar.bar is None:
            bar.bar = self.label(key)

    def label(self, key: Key) -> str | None:
        value, path = key
        if path and isinstance(path[-1], str) and path[-1].isidentifier():
            return path[-1]
        hint = value.hint or described(self.b, value)
        return f"{hint}_{path[-1]}" if path and hint else hint

    def own(self, value: Value) -> Value:
        self.owned.add(value)
        return value

    def take(self, value: Value) -> Operand | None:
        """The whole adjoint of ``value``, leaving none; its parts put into a container."""
        parts = {path: c for (v, path), c in self.bars.items() if v is value}
        if not parts:
            return None
        for path in parts:
            del self.bars[value, path]
        whole = parts.pop((), None)
        if not parts:
            return whole
        built = self.container(value, parts)
        return built if whole is None else self.b.apply(linear.add, whole, built)

    def gathered(self, value: Value) -> Operand | None:
        return self.take(value)

    def container(self, value: Operand, parts: dict[tuple[Any, ...], Operand]) -> Operand:
        """A container like ``value``, with these adjoints at their paths and zeros elsewhere."""
        kind = type_of(value)
        keys = list(dict.fromkeys(path[0] for path in parts))
        if isinstance(kind, Tree) and kind.container != "object":
            keys = list(kind.keys)
            normal = {(k + len(keys) if isinstance(k, int) and k < 0 else k, *rest): c for (k, *rest), c in parts.items()}
            items = [self.entry(value, k, normal) for k in keys]
            made = dict(zip(keys, items, strict=True)) if kind.container == "dict" else items
            if kind.container == "tuple":
                made = tuple(items)
            return self.b.emit("bundle", made)
        items = [self.entry(value, k, parts) for k in keys]
        attributes = isinstance(kind, Tree) and kind.container == "object"
        return self.b.emit(linear.fill_like, value, dict(zip(keys, items, strict=True)), attributes=Const(attributes))

    def entry(self, value: Operand, key: Any, parts: dict[tuple[Any, ...], Operand]) -> Operand:
        inner = {path[1:]: c for path, c in parts.items() if path[0] == key}
        if () in inner and len(inner) == 1:
            return inner[()]
        kind = type_of(value)
        attributes = isinstance(kind, Tree) and kind.container == "object"
        read = self.b.apply(builtins.getattr, value, Const(key)) if attributes else self.b.getitem(value, key)
        if not inner:
            carries = may_carry(type_of(read))
            return self.b.apply(linear.zeros_like, read) if carries else Const(0.0)
        whole = inner.pop((), None)
        built = self.container(read, inner)
        return built if whole is None else self.b.apply(linear.add, whole, built)

    # -- operations ------------------------------------------------------------------

    def block(self, block: Block) -> None:
        for op in reversed(block.ops):
            self.b.loc = op.loc
            if isinstance(op, Apply):
                self.apply(op)
            elif isinstance(op, Call):
                self.call(op)
            elif isinstance(op, If):
                self.branch(op)
            else:
                assert isinstance(op, Loop)
                self.loop(op)

    def apply(self, op: Apply) -> None:
        result = op.result
        if op.fn == "unpack":
            return self.unpack(op)
        if not any(v is result for v, _ in self.bars):
            return
        if not self.activity(result):
            self.take(result)
            return
        if op.fn == "bundle":
            return self.bundle(op)
        if op.fn is builtins.getattr:
            return self.into_path(op, op.args[1].value)
        if op.fn is operator.getitem and self.selects(op):
            return self.into_path(op, op.args[1].value)
        if op.fn not in book:
            raise unsupported(op, "no rule for a value that is being differentiated", self.place(op.loc))
        if op.fn is operator.getitem:
            return self.getitem(op)
        self.by_rule(op)

    def by_rule(self, op: Apply) -> None:
        rule = book.rules[op.fn]
        self.check_arguments(op, rule)
        before = len(self.b.block.ops)
        pull_back(self.b, rule, op, self.result_bars(op, rule), self.activity, self.contribute)
        for made in self.b.block.ops[before:]:
            made.loc = op.loc

    def result_bars(self, op: Apply, rule: Any) -> list[Operand | None]:
        """One adjoint, or one per result where the rule returns several."""
        result = op.result
        n = several(rule)
        if n is None:
            whole = self.take(result)
            assert whole is not None
            return [whole]
        whole = self.bars.pop((result, ()), None)
        bars = [self.bars.pop((result, (k,)), self.bars.pop((result, (k - n,)), None)) for k in range(n)]
        if whole is None:
            return bars
        return [self.part(whole, k) if c is None else self.b.add(self.part(whole, k), c) for k, c in enumerate(bars)]

    def check_arguments(self, op: Apply, rule: Any) -> None:
        """An active argument the rule has no differential for is refused, never dropped."""
        from .templates import bind_operands

        try:
            given = bind_operands(rule.differential, op.args, op.kwargs, 1, op.fn)
        except TypeError as error:
            raise unsupported(op, str(error), self.place(op.loc)) from None
        for name, operand in given.items():
            if name not in {*rule.active, *rule.constant_in} and any(self.activity(v) for v in values_in(operand)):
                raise unsupported(op, f"no derivative with respect to `{name}`", self.place(op.loc))

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
        for k, result in enumerate(op.results):
            c = self.take(result) if self.activity(result) else None
            if c is not None and isinstance(base, Value) and self.activity(base):
                self.accumulate((base, (k,)), c)

    def selects(self, op: Apply) -> bool:
        """Whether a subscript is an item of a container, rather than of an array."""
        base, key = op.args
        kind = type_of(base)
        constant = isinstance(key, Const) and isinstance(key.value, (int, str)) and not isinstance(key.value, bool)
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
        if any(self.activity(v) for v in values_in(index)):
            raise unsupported(op, "an index cannot carry a derivative", self.place(op.loc))
        if isinstance(type_of(base), Tree) and isinstance(index, slice):
            return self.by_rule(op)
        c = self.take(op.result)
        if not (isinstance(base, Value) and self.activity(base)) or c is None:
            return
        buffer = self.buffer((base, ()))
        added = self.own(self.b.emit(linear.index_add, buffer, index, c))
        added.type = type_of(buffer)
        self.bars[base, ()] = added
        self.name((base, ()))

    def buffer(self, key: Key) -> Operand:
        """The adjoint of a value as memory this code owns, so that parts can be added into it."""
        bar = self.bars.get(key)
        value = key[0]
        if bar is None:
            made = self.b.emit(linear.zeros_like, self.b.representative(value)) if not self.is_float_array(value) else None
            bar = made if made is not None else self.b.apply(linear.zeros_like, value)
            if isinstance(bar, Const):
                bar = self.b.emit(linear.zeros_like, value)
        elif not (bar in self.owned or self.is_private(key, bar)) or self.is_viewed(bar):
            bar = self.b.emit(linear.copy, bar)
        if isinstance(bar, Value):
            bar.type = bar.type or value.type
            bar.bar = bar.bar or self.label(key)
            self.owned.add(bar)
        return bar

    def is_private(self, key: Key, bar: Operand) -> bool:
        """Whether a bar was just computed here, as a full array, and is nobody else's."""
        op = self.b.defs.get(bar) if isinstance(bar, Value) else None
        if op is None or op not in self.b.block.ops or op.fn not in FRESH or not has_rank(type_of(bar)):
            return False
        return not any(c is bar for k, c in self.bars.items() if k != key)

    def is_float_array(self, value: Value) -> bool:
        return isinstance(value.type, Array) and bool(value.type.dims) and kind_of(value.type) == "f"

    def is_viewed(self, bar: Operand) -> bool:
        """Whether something emitted before may still look into this buffer."""
        return any(
            isinstance(op, Apply) and op.fn in VIEWING and bar in op.args for op in self.b.block.ops
        )

    # -- calls -----------------------------------------------------------------------

    def call(self, op: Call) -> None:
        bars = [self.take(r) if self.activity(r) else None for r in self.own_results(op)]
        if all(c is None for c in bars):
            return
        active = [isinstance(a, Value) and self.activity(a) for a in op.args]
        pair, saved = self.split_call(op, tuple(active), tuple(c is not None for c in bars))
        given = [c for c in bars if c is not None]
        back = Call([], op.loc, pair.backward, (saved, *given))
        targets = [a for a, on in zip(op.args, active, strict=True) if on]
        back.results = [Value(None, a.type, op.loc) for a in targets]
        self.b.append(back)
        for a, c in zip(targets, back.results, strict=True):
            self.contribute(a, c)
            c.bar = c.bar or a.hint

    def own_results(self, op: Call) -> list[Value]:
        known = self.calls.get(op)
        return [r for r in op.results if known is None or r is not known[1]]

    def split_call(self, op: Call, active: tuple[bool, ...], seeded: tuple[bool, ...]) -> tuple[Any, Value]:
        """The call becomes one of the forward half, once; its extra result is what it saved."""
        if op not in self.calls:
            pair = self.derive.pair(op.callee, active, seeded)
            saved = Value(f"{op.callee.name}_saved", pair.saved_type())
            op.callee = pair.forward
            op.results.append(saved)
            self.calls[op] = (pair, saved)
        return self.calls[op]

    # -- branches --------------------------------------------------------------------

    def branch(self, op: If) -> None:
        """``if``: the adjoint of either side, and a zero where a side does not contribute."""
        bars = [self.take(r) for r in op.results]
        if all(c is None for c in bars):
            return
        outer, before, owned = self.b, dict(self.bars), set(self.owned)
        self.visible = set(values_in([*before.values(), *(c for c in bars if c is not None)]))
        visible = self.visible
        sides, buffers = [], []
        for block in (op.then, op.orelse):
            self.bars, self.owned = dict(before), set(owned)
            self.b = outer.within(Block())
            for y, c in zip(block.yields, bars, strict=True):
                if c is not None:
                    self.contribute(y, c)
            self.block(block)
            sides.append((self.b, self.bars))
            buffers.append(self.owned)
        made = If([], op.loc, op.cond, sides[0][0].block, sides[1][0].block)
        self.b, self.bars, self.owned, self.visible = outer, before, owned, visible
        self.join(made, sides, buffers)
        if made.results or made.then.ops or made.orelse.ops:
            self.b.append(made)
            self.mirrors[made] = op

    def join(self, made: If, sides: Any, buffers: list[set[Value]]) -> None:
        keys = dict.fromkeys(k for _, bars in sides for k in bars)
        for key in keys:
            ends = [bars.get(key) for _, bars in sides]
            if ends[0] is ends[1]:
                self.bars[key] = ends[0]
                continue
            seen = [c for c in ends if not isinstance(c, Value) or c in self.visible]
            values = [self.blank_bar(b, key, seen) if c is None else c for (b, _), c in zip(sides, ends, strict=True)]
            result = Value(None, adjoint_type(key, values), made.loc)
            result.bar = self.label(key)
            made.results.append(result)
            made.then.yields.append(values[0])
            made.orelse.yields.append(values[1])
            self.bars[key] = result
            if all(c in own for c, own in zip(values, buffers, strict=True) if not isinstance(c, Const)):
                self.own(result)

    def blank_bar(self, b: Builder, key: Key, seen: list[Any]) -> Operand:
        """A zero adjoint: like the other side's, if that stands outside, else like the value."""
        other = next((c for c in seen if c is not None), None)
        return self.zero(b, key) if other is None else b.apply(linear.zeros_like, other)

    def zero(self, b: Builder, key: Key) -> Operand:
        value: Operand = key[0]
        for k in key[1]:
            value = b.getitem(value, k)
        return b.apply(linear.zeros_like, value)

    # -- loops -----------------------------------------------------------------------

    def loop(self, op: Loop) -> None:
        carried = [k for k, p in enumerate(op.carried) if self.activity(p) or self.activity(op.results[k])]
        ends = {k: self.take(op.results[k]) for k in carried}
        stacks = [(k, self.take(s)) for k, s in enumerate(op.stacks) if self.activity(s)]
        stacks = [(k, c) for k, c in stacks if c is not None]
        if not stacks and all(c is None for c in ends.values()):
            return
        reached, kinds = self.trial(op, carried, stacks, [bar_type(op, k) for k in carried])
        made = self.empty_loop(op)
        outer = self.b
        for key in reached:
            self.accumulator(key)
        inits = [self.end_bar(op, k, ends[k]) for k in carried]
        inits += [self.bars[key] for key in reached]
        self.b = outer.within(Block())
        names = [op.carried[k].hint or described(outer, op.carried[k]) for k in carried]
        params = [self.param(name, t) for name, t in zip(names, kinds, strict=True)]
        params += [self.param(self.label(key), type_of(self.bars[key]), own=True) for key in reached]
        outside, self.bars = self.bars, dict(zip(reached, params[len(carried) :], strict=True))
        feeds = self.run_body(op, carried, params, stacks, made)
        yields = [self.carried_bar(op, k, params[i]) for i, k in enumerate(carried)]
        yields += [self.bars[key] for key in reached]
        collected = [(s, self.take(e)) for (s, _), e in zip(op.feeds, op.elements, strict=True) if self.activity(e)]
        self.finish(op, made, inits, params, yields, feeds, collected)
        self.b, self.bars = outer, outside
        outer.append(made)
        self.mirrors[made] = op
        for i, k in enumerate(carried):
            made.results[i].bar = op.carried[k].hint
            self.contribute(op.inits[k], made.results[i])
        for key, result in zip(reached, made.results[len(carried) :], strict=False):
            self.bars[key] = self.own(result)
            result.bar = self.label(key)
        flips = {id(stack): flip for stack, flip in op.feeds}
        for (stack, _), result in zip([c for c in collected if c[1] is not None], made.stacks, strict=True):
            straight = result if flips[id(stack)] else outer.emit(linear.flipped, result)
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

    def run_body(self, op: Loop, carried: list[int], params: list[Value], stacks: Any, made: Loop) -> list[Value]:
        """The adjoint of one iteration; the elements it reads of the adjoint stacks."""
        for i, k in enumerate(carried):
            self.contribute(op.body.yields[k], params[i])
        feeds = []
        for k, bar in stacks:
            kind = type_of(bar)
            element = Value(None, kind.item if isinstance(kind, Stack) else None)
            element.bar = hint_of(op.collected()[k])
            feeds.append((bar, True, element))
            self.contribute(op.collected()[k], element)
        self.block(op.body)
        return feeds  # type: ignore[return-value]

    def trial(self, op: Loop, carried: list[int], stacks: Any, kinds: list[Any]) -> tuple[list[Key], list[Any]]:
        """Which values defined outside the loop get contributions from its body, and the kinds of
        adjoint that the carried values settle on."""
        from ..infer import join

        state = self.b, self.bars, self.owned, dict(self.mirrors)
        inside = set(op.body.params) | {r for inner in walk(op.body) for r in inner.results}
        inside |= {p for inner in walk(op.body) for block in regions(inner) for p in block.params}
        self.b, self.bars, self.owned = self.b.within(Block()), {}, set()
        params = [self.param(None, kind) for kind in kinds]
        self.run_body(op, carried, params, stacks, self.blank(op))
        ends = [self.carried_bar(op, k, params[i]) for i, k in enumerate(carried)]
        settled = [join(kind, type_of(end)) if isinstance(kind, Number) else kind for kind, end in zip(kinds, ends, strict=True)]
        found = [key for key in self.bars if key[0] not in inside]
        self.b, self.bars, self.owned, self.mirrors = state
        return (found, kinds) if settled == kinds else self.trial(op, carried, stacks, settled)

    def blank(self, op: Loop) -> Loop:
        return Loop([], op.loc, [], Block())

    def accumulator(self, key: Key) -> None:
        """Before the loop: an owned adjoint to add to, zero if there is none yet."""
        bar = self.bars.get(key)
        if bar is None:
            self.bars[key] = self.zero(self.b, key)
        elif isinstance(bar, Value) and bar not in self.owned and needs_memory(bar.type):
            self.bars[key] = self.b.emit(linear.copy, bar)
            self.bars[key].type = bar.type
        self.name(key)

    def end_bar(self, op: Loop, k: int, bar: Operand | None) -> Operand:
        """The adjoint a carried value has after the loop."""
        if bar is not None:
            return bar
        return self.b.apply(linear.zeros_like, op.results[k])

    def carried_bar(self, op: Loop, k: int, param: Value) -> Operand:
        """The adjoint a carried value has before the iteration."""
        bar = self.take(op.carried[k])
        if bar is not None:
            return bar
        return self.b.apply(linear.zeros_like, param)

    def finish(self, op: Loop, made: Loop, inits: Any, params: Any, yields: Any, feeds: Any, collected: Any) -> None:
        made.inits = list(inits)
        made.body.params += params
        made.body.ops = self.b.block.ops
        made.body.yields = list(yields)
        made.results = [Value(None, p.type, op.loc) for p in params]
        for stack, flip, element in feeds:
            made.feed(stack, flip, element)
        for _, bar in [c for c in collected if c[1] is not None]:
            made.collect(bar, Value(None, Stack(type_of(bar)), op.loc))
        if op.index is not None:
            self.rebuild_index(op, made)

    def rebuild_index(self, op: Loop, made: Loop) -> None:
        """The forward index in the backward body: the same, or computed from the iteration."""
        assert op.index is not None and op.bounds is not None and made.index is not None
        index: Operand = made.index
        if made.bounds is not op.bounds:
            lo, _, step = op.bounds
            b = self.b.within(Block())
            if not (isinstance(step, Const) and step.value == 1):
                index = b.emit(operator.mul, index, step)
            if not (isinstance(lo, Const) and lo.value == 0):
                index = b.emit(operator.add, lo, index)
            made.body.ops[:0] = b.block.ops
        old = op.index
        replace_values(made.body, lambda v: index if v is old else v)

    def place(self, loc: Location | None) -> Place | None:
        source = self.function.source
        return source.place(loc) if source is not None and loc is not None else None


def regions(op: Op) -> list[Block]:
    from ..ir import blocks_of

    return blocks_of(op)


def has_rank(kind: Any) -> bool:
    return isinstance(kind, Array) and bool(kind.dims)


def needs_memory(kind: Any) -> bool:
    return not isinstance(kind, Number) and not (isinstance(kind, Array) and kind.dims == ())


def bar_type(op: Loop, k: int) -> Any:
    """An adjoint has the shape of its value; a number's may be a NumPy scalar."""
    kind = op.carried[k].type
    if isinstance(kind, Number):
        return Number("c" if kind.kind == "c" else "f")
    return kind if may_carry(kind) else None


def adjoint_type(key: Key, values: list[Operand]) -> Any:
    from ..infer import join

    return join(type_of(values[0]), type_of(values[1]))


def hint_of(operand: Operand) -> str | None:
    return operand.hint if isinstance(operand, Value) else None


def several(rule: Any) -> int | None:
    """How many results an operation has, if its rule returns a tuple."""
    import gast

    from ..source import source_of

    last = source_of(rule.differential).tree.body[-1]
    return len(last.value.elts) if isinstance(last.value, gast.Tuple) else None


def described(b: Builder, value: Value) -> str | None:
    """A name for an unnamed value: the operation that computed it."""
    op = b.defs.get(value)
    if op is None:
        return value.bar
    name = op.fn if isinstance(op.fn, str) else getattr(op.fn, "__name__", None)
    return "~" + name.strip("_") if name else None


_ = (CompileError,)
