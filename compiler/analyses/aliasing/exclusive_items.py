"""Containers in a container that are written to: nothing else may hold one of them that is read afterwards.

A write to an item of an item gives the whole a new value (`put_at`, `renewed_at`); every value from before holds
what was there.  In Python they see the write.  So the program is refused where a value from before the write may
hold what was written to, and is read after it, or where the whole may hold one container in two places.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from retrograd.runtime.helpers import linear
from retrograd.runtime.traits.lookup import traits_of

from ...ir.operations import (
    Apply,
    Block,
    Call,
    Function,
    If,
    Loop,
    Op,
    Operand,
    Value,
    operands_of,
    values_in,
    walk,
)
from ...ir.primitives import BUNDLE
from ...ir.types import Stack, Tree, is_numeric, is_text
from .needed_values import needed_in

__all__ = ["shared_write"]


def shared_write(function: Function) -> tuple[Op, Value | None] | None:
    """A write to a container in a container that another value sees in Python, and that value, if there is one."""
    writes = [op for op in walk(function.body) if is_inside(op)]
    return Uses(function, {}).shared(writes) if writes else None


def is_inside(op: Op) -> bool:
    if isinstance(op, Call):
        return bool(op.callee.facts.updates) and any(map(holds_containers, values_in(op.args)))
    return isinstance(op, Apply) and traits_of(op.fn).inside is True


def may_hold(v: Value, op: Op | None) -> bool:
    """True if a value may be a list or a dict, or hold one."""
    kind = v.type
    if is_numeric(kind) or is_text(kind):
        return False
    if isinstance(kind, (Stack, Tree)):
        return True
    if isinstance(op, Apply):
        known = traits_of(op.fn)
        return known.gives != "text" and known.sign is None
    return True


def holds_containers(v: Value) -> bool:
    """True if an item of this may be a list or a dict."""
    kind = v.type
    items = kind.items if isinstance(kind, Tree) else (getattr(kind, "item", None),)
    return not is_numeric(kind) and not all(map(is_numeric, items))


def copies(op: Apply) -> bool:
    """True if the result is a new list or dict of things that are none."""
    new = op.fn in (linear.shallow, linear.values_of, linear.keys_of) or (
        op.fn is operator.getitem and isinstance(op.args[1], slice)
    )
    return new and not holds_containers(op.result)


class Uses:
    """When each value is computed and read, in the order the program runs."""

    def __init__(self, function: Function, mixing: dict[Function, bool]) -> None:
        self.mixing = mixing  # whether a callee puts one container into two places
        self.made: dict[Value, tuple[int, tuple[Loop, ...]]] = {}
        self.when: dict[Op, tuple[int, tuple[Any, ...]]] = {}
        self.read: dict[Value, list[tuple[int, tuple[Any, ...], Op | None]]] = defaultdict(list)
        self.ops: dict[Value, Op] = {}
        self.parent: dict[Value, Value] = {}
        self.carriers: dict[Value, tuple[Loop, int]] = {}  # of the values that loops carry
        self.clock = 0
        self.needed = needed_in(function)
        for p in function.body.params:
            self.made[p] = (0, ())
        self.visit(function.body, ())
        for v in values_in(function.body.yields):
            self.use(v, ())

    # -- the order -----------------------------------------------------------------------

    def visit(self, block: Block, path: tuple[Any, ...]) -> None:
        for op in block.ops:
            self.clock += 1
            self.when[op] = (self.clock, path)
            if not isinstance(op, Apply) or op.effect or any(r in self.needed for r in op.results):
                self.operands(op, path)
            if isinstance(op, Loop):
                self.loop(op, path)
            elif isinstance(op, If):
                self.branch(op, path)
            self.clock += 1
            for r in op.results:
                self.made[r] = (self.clock, loops_of(path))
                self.ops[r] = op
            if isinstance(op, (Apply, Call)):
                self.relate(op)

    def operands(self, op: Op, path: tuple[Any, ...]) -> None:
        if isinstance(op, Loop):
            read = [i for i, r in zip(op.inits, op.results, strict=False) if self.is_needed(op, r)]
            read += [*(op.bounds or ()), *(s for s, _ in op.feeds)]
        else:
            read = operands_of(op)
        for v in values_in(read):
            self.use(v, path, op)

    def is_needed(self, op: Loop, result: Value) -> bool:
        at = op.results.index(result)
        return result in self.needed or op.carried[at] in self.needed

    def use(self, v: Value, path: tuple[Any, ...], op: Op | None = None) -> None:
        self.read[v].append((self.clock, path, op))

    def loop(self, op: Loop, path: tuple[Any, ...]) -> None:
        inside = (*path, op)
        for p in op.body.params:
            self.made[p] = (self.clock, loops_of(inside))
        for init, p, r, end in zip(op.inits, op.carried, op.results, op.body.yields, strict=False):
            self.join(r, p, *values_in([init, end]))
        self.carriers.update((p, (op, k)) for k, p in enumerate(op.carried))
        for stack, element in zip([s for s, _ in op.feeds], op.elements, strict=True):
            self.join(element, *values_in(stack))
        for stack, end in zip(op.stacks, op.collected(), strict=True):
            self.join(stack, *values_in(end))
        if op.cond is not None:
            for p, q in zip(op.cond.params, op.carried, strict=True):
                self.made[p] = (self.clock, loops_of(inside))
                self.join(p, q)
            self.visit(op.cond, inside)
            for v in values_in(op.cond.yields):
                self.use(v, inside)
        self.visit(op.body, inside)
        self.clock += 1
        kept = [self.is_needed(op, r) for r in op.results[: len(op.inits)]]
        for k, end in enumerate(op.body.yields):
            if k >= len(kept) or kept[k]:
                for v in values_in(end):
                    self.use(v, inside)

    def branch(self, op: If, path: tuple[Any, ...]) -> None:
        for block in op.blocks:
            inside = (*path, (op, block is op.then))
            for p in block.params:
                self.made[p] = (self.clock, loops_of(inside))
            self.visit(block, inside)
            self.clock += 1
            for r, end in zip(op.results, block.yields, strict=True):
                self.join(r, *values_in(end))
                if r in self.needed:
                    for v in values_in(end):
                        self.use(v, inside)

    # -- what may hold the same containers --------------------------------------------------

    def relate(self, op: Apply | Call) -> None:
        if isinstance(op, Apply) and copies(op):
            return
        found = [r for r in op.results if may_hold(r, op)]
        read = [v for v in values_in(operands_of(op)) if may_hold(v, self.ops.get(v))]
        if found:
            self.join(found[0], *found[1:], *read)

    def join(self, first: Value, *others: Value) -> None:
        for other in others:
            if may_hold(first, self.ops.get(first)) and may_hold(other, self.ops.get(other)):
                self.parent[self.root(first)] = self.root(other)

    def root(self, v: Value) -> Value:
        while v in self.parent and self.parent[v] is not v:
            v = self.parent[v]
        return v

    # -- the question ------------------------------------------------------------------------

    def shared(self, writes: list[Op]) -> tuple[Op, Value | None] | None:
        for write in writes:
            for whole in self.wholes(write):
                family = self.root(whole)
                found = self.stale(write, family, self.beginning(whole))
                if found is not None:
                    return write, found
                twice = self.twice(family, write)
                if twice is not None:
                    return write, twice
        return writes[0], None

    def wholes(self, write: Op) -> list[Value]:
        if isinstance(write, Call):
            return [v for v in values_in(write.args) if holds_containers(v)]
        assert isinstance(write, Apply)
        return values_in(write.args[0])

    def stale(self, write: Op, family: Value, beginning: int) -> Value | None:
        """A value from before a write that is read after it, in this iteration or the next one.

        Nothing from before the ``beginning`` of what is written to holds that.
        """
        at, path = self.when[write]
        around = loops_of(path)
        for v, uses in self.read.items():
            if not may_hold(v, self.ops.get(v)) or self.root(v) is not family:
                continue
            born, inside = self.made.get(v, (0, ()))
            if born < beginning:
                continue
            for when, where, op in uses:
                if op is write:
                    continue
                if any(loop in loops_of(where) and loop not in inside for loop in around):
                    return v  # in the next iteration
                if born <= at < when and not exclusive(path, where):
                    return v
        for loop in around:
            if any(
                self.root(v) is family for v in values_in(loop.collected()) if may_hold(v, None)
            ):
                return loop.stacks[0]
        return None

    def beginning(self, whole: Value) -> int:
        """When the containers in this were made, anew in each iteration; 0 if that is not known."""
        op = self.ops.get(whole)
        carried = self.carriers.get(whole)
        if carried is not None:
            loop, k = carried
            kept = self.is_written_only(loop.body.yields[k], whole)
            return min(map(self.beginning, values_in(loop.inits[k])), default=0) if kept else 0
        if isinstance(op, Loop):
            k = op.results.index(whole)
            if k < len(op.inits):
                return self.beginning(op.carried[k])
            parts = values_in(op.collected()[k - len(op.inits)]) if whole in op.stacks else []
            inside = (*loops_of(self.when[op][1]), op)
            new = parts and all(self.is_new(v, inside) for v in parts)
            return self.when[op][0] if new else 0
        if isinstance(op, Apply) and is_inside(op):
            return min(map(self.beginning, values_in(op.args[0])), default=0)
        if isinstance(op, Apply) and op.fn is BUNDLE:
            parts, around = values_in(op.args[0]), loops_of(self.when[op][1])
            new = all(self.is_new(v, around) for v in parts if may_hold(v, self.ops.get(v)))
            return min((self.made[v][0] for v in parts), default=0) if new else 0
        return 0

    def is_written_only(self, end: Operand, param: Value) -> bool:
        """True if what a loop carries is at the end what it was at the start, written to inside."""
        v: Any = end
        while v is not param:
            op = self.ops.get(v) if isinstance(v, Value) else None
            if isinstance(op, Loop) and v in op.results[: len(op.inits)]:
                k = op.results.index(v)
                if not self.is_written_only(op.body.yields[k], op.carried[k]):
                    return False
                v = op.inits[k]
            elif isinstance(op, Apply) and is_inside(op):
                v = op.args[0]
            else:
                return False
        return True

    def twice(self, family: Value, write: Op | None = None) -> Value | None:
        """A container that may be put into another one twice, or into two, by the time of a write."""
        counts: dict[Value, int] = defaultdict(int)
        swapped = {id(op) for op in self.when if isinstance(op, Apply) for op in self.swap(op)}
        done = [op for op in self.when if write is None or not self.is_later(op, write)]
        for op in done:
            path = self.when[op][1]
            if isinstance(op, Call) and self.is_in(family, op) and self.is_mixed_by(op.callee):
                return next(iter([*op.results, *values_in(op.args)]))
            if not isinstance(op, Apply):
                continue
            if self.mixes(op) and self.root(op.result) is family:
                return op.result
            for v in self.put(op):
                if self.root(v) is not family or id(op) in swapped:
                    continue
                counts[v] += 1
                if counts[v] > 1 or not self.is_new(v, loops_of(path)):
                    return v
        for op in done:
            path = self.when[op][1]
            if isinstance(op, Loop):
                for v in values_in(op.collected()):
                    if may_hold(v, self.ops.get(v)) and self.root(v) is family:
                        counts[v] += 1
                        if counts[v] > 1 or not self.is_new(v, (*loops_of(path), op)):
                            return v
        return None

    def is_later(self, op: Op, write: Op) -> bool:
        """True if an operation is done when a write is, for the last time."""
        (when, where), (at, path) = self.when[op], self.when[write]
        return when > at and not {*loops_of(where)} & {*loops_of(path)}

    def is_in(self, family: Value, op: Call) -> bool:
        """True if a call is given, or gives, one of a family."""
        values = [*op.results, *values_in(op.args)]
        return any(may_hold(v, self.ops.get(v)) and self.root(v) is family for v in values)

    def is_mixed_by(self, callee: Function) -> bool:
        """True if a function may put one container into two places of what it is given, or gives."""
        if callee not in self.mixing:
            self.mixing[callee] = False  # while it is looked at
            inner = Uses(callee, self.mixing)
            seen = values_in([*callee.body.params, *callee.body.yields])
            roots = {inner.root(v) for v in seen if may_hold(v, inner.ops.get(v))}
            self.mixing[callee] = any(inner.twice(root) is not None for root in roots)
        return self.mixing[callee]

    def put(self, op: Apply) -> Iterator[Value]:
        """The containers that an operation puts into another one."""
        operand: Operand = ()
        if op.fn is BUNDLE:
            operand = op.args[0]
        elif (
            traits_of(op.fn).puts is not None and traits_of(op.fn).inside is None
        ) or op.fn is linear.put_at:
            operand = op.args[-1]
        for v in values_in(operand):
            if may_hold(v, self.ops.get(v)):
                yield v

    def mixes(self, op: Apply) -> bool:
        """True if what was in one container may be twice in another one."""
        if op.fn is linear.repeated_list:
            return holds_containers(op.result)
        if op.fn is not linear.joined or not holds_containers(op.result):
            return False
        return not all(map(self.is_made_of_new, values_in(op.args[1]))) or any(
            len(self.read[v]) > 1 for v in values_in(op.args[1])
        )

    def is_made_of_new(self, v: Value) -> bool:
        op = self.ops.get(v)
        return isinstance(op, Loop) or (isinstance(op, Apply) and op.fn is BUNDLE)

    def is_new(self, v: Value, loops: tuple[Loop, ...]) -> bool:
        """True if this is another container each time that it is put somewhere."""
        op = self.ops.get(v)
        if op is None or self.made[v][1] != loops:
            return False
        if isinstance(op, Loop):
            at = op.results.index(v)
            return at >= len(op.inits) or all(self.grows(op, at))
        if isinstance(op, If):
            at = op.results.index(v)
            ends = values_in([block.yields[at] for block in op.blocks])
            return all(self.is_new(end, loops) for end in ends)
        if isinstance(op, Call):
            return not any(map(holds_containers, values_in(op.args)))
        assert isinstance(op, Apply)
        if copies(op):
            return True
        if op.fn in (BUNDLE, linear.items, linear.repeated_list, linear.joined, linear.values_of):
            return True
        if op.fn in (linear.appended, linear.replaced, linear.entered, linear.inserted):
            return all(self.is_new(u, loops) for u in values_in(op.args[0]))
        return not is_inside(op) and not any(
            may_hold(u, self.ops.get(u)) for u in values_in(operands_of(op))
        )

    def grows(self, op: Loop, at: int) -> Iterator[bool]:
        """True if what a loop carries began as a new container, and is that to the end."""
        for v in values_in(op.inits[at]):
            yield self.is_new(v, self.made[op.results[at]][1])

    def swap(self, op: Apply) -> Iterator[Apply]:
        """``m[i], m[j] = m[j], m[i]``: both writes, of which the second is ``op``."""
        if op.fn is not linear.replaced or not isinstance(op.args[0], Value):
            return
        first = self.ops.get(op.args[0])
        if not (isinstance(first, Apply) and first.fn is linear.replaced):
            return
        reads = [
            self.ops.get(o.args[2]) if isinstance(o.args[2], Value) else None for o in (first, op)
        ]
        if not all(isinstance(r, Apply) and r.fn is operator.getitem for r in reads):
            return
        (base, at), (other, to) = (r.args for r in reads)  # type: ignore[union-attr]
        before = first.args[0]
        if base is before and other is before and same(at, op.args[1]) and same(to, first.args[1]):
            yield first
            yield op


def same(a: Operand, b: Operand) -> bool:
    return a is b or (not isinstance(a, Value) and getattr(a, "value", a) == getattr(b, "value", b))


def loops_of(path: tuple[Any, ...]) -> tuple[Loop, ...]:
    return tuple(step for step in path if isinstance(step, Loop))


def exclusive(a: tuple[Any, ...], b: tuple[Any, ...]) -> bool:
    """True if two places are on the two sides of one branch."""
    sides = {id(step[0]): step[1] for step in a if isinstance(step, tuple)}
    return any(isinstance(step, tuple) and sides.get(id(step[0]), step[1]) != step[1] for step in b)
