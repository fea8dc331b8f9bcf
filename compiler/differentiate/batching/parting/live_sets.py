"""Loops that go on with those examples that are not done.

::

    live = np.flatnonzero(x > 1.0)
    while len(live) > 0:
        part = x[live] / 2
        x[live] = part
        live = live[part > 1.0]

What is carried lies in arrays of all examples; an iteration reads and writes the places of those that are live.  So an
example that is done does not change, and nothing is computed of it.  They are loops and writes as any others:
they are differentiated and compiled as those of the user.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from retrograd.runtime.helpers import linear

from ....analyses.shapes.infer import type_of
from ....ir.operations import (
    UNDEFINED,
    Apply,
    Block,
    Const,
    Loop,
    Op,
    Operand,
    Value,
    walk,
)
from ....ir.primitives import BUNDLE
from ....ir.types import Array, Dim, Number, Stack, Tree, dtype_of
from ....simplify.builder import clone_op
from ..one_by_one import of_none
from .live_choices import is_missing, stands_still, values_read

if TYPE_CHECKING:
    from ..examples import ExampleWalker

__all__ = ["among", "are_any", "length", "live_loop", "places", "put", "room", "take"]

ITEM = operator.getitem
PLAIN: dict[str, Any] = {"int64": int, "float64": float, "bool": bool, "complex128": complex}


@contextmanager
def among(m: ExampleWalker, live: Operand) -> Iterator[None]:
    """What is written in between is of the examples ``live``."""
    outer = m.table, m.size, m.count, m.sweeps.size
    m.sweeps.sets += 1
    m.size = Dim(f"live_{m.sweeps.sets}")
    m.sweeps.size = Dim("live")
    live.distinct = True
    live.type = Array("int64", (m.size,), "i")
    m.table, m.count = dict(m.table), m.b.emit(builtins.len, live)
    m.count.type = Number("i", size=m.size)
    try:
        yield
    finally:
        m.table, m.size, m.count, m.sweeps.size = outer


def take(m: ExampleWalker, op: Op, live: Operand) -> None:
    """Read what the regions of an operation read, of the examples that are live."""
    for v in values_read(op):
        if v in m.on and v in m.table:
            m.table[v] = taken(m, m.table[v], v.type, live, v.hint)


def taken(m: ExampleWalker, x: Operand, kind: Any, live: Operand, hint: Any = None) -> Operand:
    if isinstance(kind, Tree):
        parts = [
            taken(m, m.b.part(x, key), item, live)
            for key, item in zip(kind.keys, kind.items, strict=True)
        ]
        keyed = dict(zip(kind.keys, parts, strict=True))
        return m.b.emit(
            BUNDLE, {"tuple": tuple(parts), "list": parts, "dict": keyed}[kind.container]
        )
    made = m.b.emit(ITEM, x, live)
    made.type, made.hint = m.wider(kind), hint
    return made


def put(m: ExampleWalker, whole: Value, live: Operand, value: Operand) -> Value:
    """The array of all examples with those that are live written anew."""
    made = m.b.emit(linear.write, whole, ((Const(ITEM), live),), value)
    made.type, made.hint = whole.type, whole.hint
    return made


def room(m: ExampleWalker, init: Operand, kind: Any) -> Value:
    """An array of all examples, with what they begin with."""
    kind = m.flow.exact(kind)
    dtype = PLAIN.get(str(dtype_of(kind))) or np.dtype(dtype_of(kind)).type
    if is_missing(init):
        sizes = (m.k(), *map(Const, kind.dims or ()))
        shape = sizes[0] if len(sizes) == 1 else sizes
        made = m.b.emit(np.zeros, shape, *([] if dtype is float else [Const(dtype)]))
    else:
        made = m.read(init) if m.has(init) else m.repeated(init, type_of(init), kind)
        if dtype_of(type_of(made)) not in (None, dtype_of(kind)):
            made = m.b.emit(np.ndarray.astype, made, Const(dtype))
    made.type = array_of(m, kind)
    return made


def array_of(m: ExampleWalker, kind: Any) -> Any:
    kind = m.flow.exact(kind)
    whole = m.wider(kind)
    return whole.with_dtype(dtype_of(kind)) if isinstance(whole, Array) else whole


def places(m: ExampleWalker, fn: Any, *args: Operand) -> Value:
    """Where examples lie: no two at one place."""
    made = m.b.emit(fn, *args)
    made.distinct = True
    return made


def are_any(m: ExampleWalker, live: Operand, sign: Any = operator.gt) -> Value:
    """True if there are examples among these; with ``==``, if there are none."""
    made = m.b.emit(sign, m.b.emit(builtins.len, live), Const(0))
    made.type = Number("b")
    return made


def copied(
    m: ExampleWalker, block: Block | None, given: list[Operand], wide: list[Operand]
) -> Operand:
    """Write a region once more, of these operands; what it yields.

    ``given`` is what its parameters are in the program of one example, ``wide`` what they are of many.
    """
    assert block is not None
    table: dict[Value, Operand] = {}
    for p, x, batch in zip(block.params, given, wide, strict=True):
        table[p] = x
        if p in m.on:
            table[p] = twin = p.twin()
            m.table[twin] = batch
    made = [clone_op(op, table) for op in block.ops]
    for old, new in list(table.items()):
        for known in (m.on, m.flow.listed, m.reads):
            if isinstance(new, Value) and old in known:
                known.add(new)
    for op, copy in zip(walk(block), walk(Block([], made)), strict=True):
        m.sweeps.places[copy] = m.sweeps.places[op]
        for kept in m.flow.kinds:
            if op in kept:
                kept.add(copy)
    for inner in m.block(Block([], made)):
        m.b.append(inner)
    (test,) = block.yields
    return m.read(table.get(test, test) if isinstance(test, Value) else test)


# -- loops -------------------------------------------------------------------------------------


def live_loop(m: ExampleWalker, op: Loop) -> None:
    """Append a loop that goes on with those examples that are not done; its results are batches."""
    if m.size == 0:
        return of_none(m, op)
    return LiveLoop(m, op).write()


def length(m: ExampleWalker, op: Apply) -> None:
    """How many elements of a stack each example has; and how many there are."""
    (stack,) = op.args
    m.lengths[op.result] = m.b.emit(builtins.len, m.read(stack))
    if stack in m.counts:
        m.set_value(op.result, m.counts[stack])


class Slot:
    """One carried value of the new loop."""

    def __init__(self, init: Operand, param: Value, result: Value, value: Operand = None) -> None:
        self.init, self.param, self.result, self.value = init, param, result, value


class LiveLoop:
    """One loop of examples that end at several iterations."""

    def __init__(self, m: ExampleWalker, op: Loop) -> None:
        self.m, self.op = m, op
        self.asks = op.cond is not None and m.has(op.cond.yields)
        self.breaks = m.has(op.stop)
        self.far = op.bounds is not None and m.has(op.bounds[1])
        self.sources = [s for s, _ in op.feeds if s in m.flow.ragged]
        self.slots: list[Slot] = []
        self.own: dict[int, Slot] = {}  # of the values that the loop carries
        self.kept: dict[int, Slot] = {}  # of what is the same for all that are live: what each has
        self.begun: Slot | None = None
        self.counted: Slot | None = None
        self.going: Slot | None = None
        self.collected: list[tuple[Operand, Value]] = []

    def write(self) -> None:
        m, op = self.m, self.op
        made = Loop([], op.loc, [], Block(), self.bounds(), op.backwards)
        made.header = None if self.far or self.sources else op.header
        for k in range(len(op.inits)):
            self.carry(k)
        self.carry_counts()
        if self.asks or self.breaks:
            live = Value("live", Array("int64", (None,), "i"))
            live.distinct = True
            self.going = self.slot(self.first(), live)
        index = [] if op.index is None else [op.index]
        made.body.params = [*index, *(s.param for s in self.slots)]
        made.inits = [s.init for s in self.slots]
        made.results = [s.result for s in self.slots]
        outer, m.b = m.b, m.b.within(made.body)
        self.fill(made)
        m.b = outer
        made.cond = self.cond()
        m.b.append(made)

    def bounds(self) -> Any:
        if self.op.bounds is None:
            return None
        low, high, step = map(self.m.read, self.op.bounds)
        if not self.far:
            return low, high, step
        high = self.op.bounds[1]
        last = self.m.lengths.get(high) if isinstance(high, Value) else None
        return low, last or self.m.b.emit(np.max, self.m.read(high)), step

    # -- what is carried -----------------------------------------------------------------

    def slot(self, init: Operand, param: Value, result: Value | None = None) -> Slot:
        made = Slot(init, param, param.twin() if result is None else result)
        param.made = param.made or param.hint in (None, "live")
        self.slots.append(made)
        return made

    def carry(self, k: int) -> None:
        m, op = self.m, self.op
        p, result = op.carried[k], op.results[k]
        if p in m.on and stands_still(op, k):
            m.table[p] = m.table[result] = m.read(op.inits[k])
            return
        if p not in m.on:
            self.own[k] = self.slot(m.read(op.inits[k]), p, None if result in m.on else result)
            if result not in m.on or not m.is_read(result):
                return
        kind = result.type if is_missing(op.inits[k]) else p.type
        param = p.twin()
        param.type = array_of(m, kind)
        if p not in m.on:
            param.hint = f"{p.hint}_each" if p.hint else None
        m.table[result] = after = param.twin()
        made = self.slot(room(m, op.inits[k], kind), param, after)
        if p in m.on:
            m.table[p] = param
        (self.own if p in m.on else self.kept)[k] = made

    def carry_counts(self) -> None:
        """How many iterations each example has begun, if anything asks."""
        m, count = self.m, self.op.count
        if self.op not in m.flow.counted and (count is None or not m.is_read(count)):
            return
        if self.op not in m.flow.late:
            begun = Value("begun", Number("i"))
            begun.made = True
            self.begun = self.slot(Const(0), begun)
        whole = Value("n", m.wider(Number("i")))
        whole.made = True
        self.counted = made = self.slot(room(m, UNDEFINED, Number("i")), whole)
        if count is not None:
            m.table[count] = made.result
        m.counts.update(dict.fromkeys(self.op.stacks, made.result))

    # -- which examples are live -----------------------------------------------------------

    def first(self) -> Operand:
        """The examples that begin."""
        m, op = self.m, self.op
        if not self.asks:
            return places(m, np.arange, m.k())
        wide = [
            self.own[k].init if k in self.own else m.table.get(p) for k, p in enumerate(op.carried)
        ]
        return places(m, np.flatnonzero, copied(m, op.cond, op.inits, wide))

    def here(self, made: Loop) -> Operand:
        """The examples of this iteration."""
        m, op = self.m, self.op
        live = self.going.param if self.going is not None else None
        if self.far and not self.sources:
            assert op.bounds is not None
            high, index = m.read(op.bounds[1]), op.index
            if live is None:
                live = places(m, np.flatnonzero, m.b.emit(operator.gt, high, index))
                live.hint = "live"
                return live
            return places(m, ITEM, live, m.b.emit(operator.gt, m.b.emit(ITEM, high, live), index))
        if self.sources and live is None:
            live = Value("live", Array("int64", (None,), "i"))
            live.made = True
            made.feed(m.lives[self.sources[0]], op.feeds[0][1], live)
        return live

    def fill(self, made: Loop) -> None:
        m, op = self.m, self.op
        live = self.here(made)
        with among(m, live):
            take(m, op, live)
            self.elements(made, live)
            for inner in m.block(op.body):
                m.b.append(inner)
            self.write_back(live)
            self.collect(made, live)
            after = live
            if self.breaks:
                going = m.b.emit(np.logical_not, m.read(op.stop))
                after = places(m, ITEM, live, going)
            elif self.asks:
                after = self.asked(live)
        if self.breaks and self.asks:
            with among(m, after):
                after = self.asked_again(after)
        self.end(made, after)

    # -- one iteration -----------------------------------------------------------------------

    def elements(self, made: Loop, live: Operand) -> None:
        """What the loop reads of stacks: of those of live examples each element has what is live."""
        m = self.m
        for (stack, flip), element in zip(self.op.feeds, self.op.elements, strict=True):
            new = element.twin() if element in m.on else element
            made.feed(m.read(stack), flip, new)
            if new is not element and stack in m.flow.ragged:
                new.type = m.wider(element.type)
                m.table[element] = new
            elif new is not element:
                whole = type_of(m.read(stack))
                new.type = whole.item if isinstance(whole, Stack) else None
                m.table[element] = taken(m, new, element.type, live, element.hint)

    def write_back(self, live: Operand) -> None:
        m, op = self.m, self.op
        for k, value in enumerate(op.body.yields[: len(op.inits)]):
            own, kept = self.own.get(k), self.kept.get(k)
            if own is not None:
                shared = op.carried[k] not in m.on
                own.value = m.read(value) if shared else self.written(own, live, value)
            if kept is not None:
                kept.value = self.written(kept, live, value)
        if self.begun is not None:
            self.begun.value = m.b.emit(operator.add, self.begun.param, Const(1))
        if self.counted is not None:
            n = self.begun and self.begun.value
            if n is None:
                before = taken(m, self.counted.param, Number("i"), live)
                n = m.b.emit(operator.add, before, Const(1))
            self.counted.value = put(m, self.counted.param, live, n)

    def written(self, slot: Slot, live: Operand, value: Operand) -> Value:
        if is_missing(value):
            return slot.param
        return put(self.m, slot.param, live, self.m.read(value))

    def collect(self, made: Loop, live: Operand) -> None:
        m, op = self.m, self.op
        if not op.collects:
            return
        for stack, value in zip(op.stacks, op.collected(), strict=True):
            new = stack
            if stack in m.on:
                value = m.wide(value)
                new = stack.twin()
                new.type = Stack(type_of(value))
            self.collected.append((m.read(value) if new is stack else value, new))
        lives = Value("lives", Stack(live.type))
        lives.made = True
        self.collected.append((live, lives))
        m.lives.update(dict.fromkeys(op.stacks, lives))

    def asked(self, live: Operand) -> Operand:
        """Those that go on."""
        m, op = self.m, self.op
        wide = [
            m.wide(op.body.yields[k]) if p in m.on and not is_missing(op.body.yields[k]) else None
            for k, p in enumerate(op.carried)
        ]
        return places(m, ITEM, live, copied(m, op.cond, op.body.yields[: len(wide)], wide))

    def asked_again(self, live: Operand) -> Operand:
        """Those that go on, of those that have not left the loop in the middle."""
        m, op = self.m, self.op
        take(m, op, live)
        wide = [
            taken(m, self.own[k].value, p.type, live)
            if p in m.on and k in self.own
            else m.table.get(p)
            for k, p in enumerate(op.carried)
        ]
        return places(m, ITEM, live, copied(m, op.cond, op.body.yields[: len(wide)], wide))

    def end(self, made: Loop, after: Operand) -> None:
        m, op = self.m, self.op
        if self.going is not None:
            self.going.value = after
        made.body.yields = [s.value for s in self.slots]
        for value, stack in self.collected:
            made.collect(value, stack)
        m.table.update(
            (s, new) for s, new in zip(op.stacks, made.stacks, strict=False) if s in m.on
        )
        if self.breaks and not self.asks:
            made.stops = True
            made.body.yields.append(are_any(m, after, operator.eq))
        elif op.stops and not self.breaks:
            made.stops = True
            made.body.yields.append(m.read(op.stop))

    def cond(self) -> Block | None:
        """Whether the loop goes on at all."""
        m, op = self.m, self.op
        if op.cond is None:
            return None
        block = Block([s.param.twin() for s in self.slots])
        at = {id(s): p for s, p in zip(self.slots, block.params, strict=True)}
        outer, m.b = m.b, m.b.within(block)
        if self.asks:
            block.yields = [are_any(m, at[id(self.going)])]
        else:
            wide = [
                at[id(self.own[k])] if k in self.own else m.table.get(p)
                for k, p in enumerate(op.carried)
            ]
            given = [w if p not in m.on else p for w, p in zip(wide, op.carried, strict=True)]
            block.yields = [copied(m, op.cond, given, wide)]
        m.b = outer
        return block
