"""Module objects that a function modifies: reads of them stay in order with the modifications.

::

    QUEUE.append(2.0)      # a change;
    total = sum(QUEUE)     # what is read after it
    QUEUE.pop()            # stays before the next

What was read of them while the function was compiled would not be true any more, and is refused.
"""

from __future__ import annotations

import builtins
import copy
import inspect
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from retrograd.runtime.arrays.transfers import is_ndarray, may_share_memory
from retrograd.runtime.errors import UnsupportedOperation
from retrograd.runtime.objects.held_objects import reached_from
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.records import dataclass, field
from retrograd.runtime.traits.lookup import traits_of

from ..ir.operations import (  # fmt: skip
    Apply,
    Block,
    Call,
    Const,
    Function,
    If,
    Op,
    Operand,
    Value,
    operands_of,
    values_in,
    values_read,
    walk,
)
from ..ir.primitives import Primitive
from ..ir.types import Number, Opaque
from ..ir.verify import shapes_read
from .activity import Activity
from .aliasing.memory_facts import is_fresh
from .aliasing.reading_functions import only_reads
from .container_facts import leaves_alone
from .effects import is_harmless, is_late, only_looks, owner_of
from .shapes.infer import type_of
from .visible_effects import changeable_by, is_changeable

__all__ = ["Changed", "ChangedCopy", "Taken", "keep_in_order", "keepers", "puts"]

OF_PYTHON = (types.FunctionType, types.MethodType)  # the tape sees into them
LAZY = ("iter", "reversed", "zip", "enumerate", "map", "filter", "keys", "values", "items", "__iter__", "__reversed__")  # fmt: skip


@dataclass
class Taken:
    """An object of the module whose content the compiler took for a constant, and where."""

    value: Any
    name: str
    place: Any
    copied: bool = False  # for a copy, which may as well be made when it runs


class ChangedCopy(UnsupportedOperation):
    """A container is changed whose copy was taken apart: lower it anew, the copy made when it runs."""


def keep_in_order(functions: list[Function], taken: Iterable[Taken]) -> None:
    """Mark, in place, the operations that read what the functions change."""
    applied = [op for f in functions for op in walk(f.body) if isinstance(op, Apply)]
    tied, found = owners_of(applied)
    changed = Changed([*found, *(value for op in applied for value in changed_by(op))])
    if not changed.values and not tied:
        return
    for one in taken:
        if id(one.value) in changed.values:
            raise (ChangedCopy if one.copied else UnsupportedOperation)(
                f"`{one.name}` is changed here, and read again",
                place=one.place, fix="make a copy first: list(...), dict(...)",
            )  # fmt: skip
    order = Order(changed, tied)
    while order.grows(functions):
        pass
    for function in functions:
        order.mark(function.body)


# -- what is changed ------------------------------------------------------------------------------


def changed_by(op: Apply) -> Iterator[Any]:
    """The objects of the module that an operation may change."""
    if not op.effect or isinstance(op.fn, Primitive) or is_harmless(op.fn):
        return
    owner = owner_of(op.fn)
    if owner is not None and not leaves_alone(owner, op.fn.__name__):
        yield owner
    if isinstance(op.fn, type) and op.fn.__module__ == "builtins":
        return  # `zip(a, b)` looks at them
    method = isinstance(op.fn, types.MethodDescriptorType) and op.args
    first = op.args[0].value if method and isinstance(op.args[0], Const) else None
    if method and leaves_alone(first, op.fn.__name__):
        return
    found = [*filter(is_changeable, constants(operands_of(op))), *changeable_by(op.fn)]
    if not found or is_reader(op):
        return
    yield from found


def is_reader(op: Apply) -> bool:
    """True of a function of Python's that only looks at what it can reach."""
    return isinstance(op.fn, OF_PYTHON) and only_reads(op.fn, constants(operands_of(op)))


def owners_of(applied: list[Apply]) -> tuple[set[Value], list[Any]]:
    """What calls that are looked up when they run may change: values, and the objects of the module they come from.

    What is read of an `Opaque` value is copied where it is computed with (`late_objects`).
    """
    defs = {result: op for op in applied for result in op.results}
    values: set[Value] = set()
    found: list[Any] = []
    for op in applied:
        if not is_late(op.fn) or only_looks(op):
            continue
        owner = op.args[0]
        read = defs.get(owner) if isinstance(owner, Value) else None
        owner = read.args[0] if read is not None and read.fn is builtins.getattr else owner
        while isinstance(owner, Value) and not isinstance(owner.type, Opaque):
            values.add(owner)
            made = defs.get(owner)
            owner = (
                made.args[0] if made is not None and traits_of(made.fn).reads == "part" else None
            )
        if values and isinstance(owner, Const) and is_changeable(owner.value):
            found.append(owner.value)
    return values, found


def constants(operand: Operand) -> Iterator[Any]:
    """The objects of the module in an operand."""
    if isinstance(operand, Const):
        yield operand.value
    elif isinstance(operand, dict):
        yield from constants(list(operand.values()))
    elif isinstance(operand, slice):
        yield from constants([operand.start, operand.stop, operand.step])
    elif isinstance(operand, (tuple, list)):
        for item in operand:
            yield from constants(item)


def keepers(
    block: Block, active: Callable[[Operand], bool], program: Iterable[Apply]
) -> list[tuple[Apply, Op]]:
    """The calls that put an active value into an object of the module, which the program asks for it again.

    With the operations of the block that they are, or that lead to them.
    """
    if not any(map(puts, program)):
        return []
    keeping = putting(block, active, set())
    return [(op, at) for op, at in keeping if any(asks(other, op) for other in program)]


def puts(op: Apply) -> bool:
    """True if an operation changes an object of the module."""
    return any(True for _ in changed_by(op))


def putting(
    block: Block, active: Callable[[Operand], bool], seen: set[Any]
) -> Iterator[tuple[Apply, Op]]:
    """The calls, here and in functions that are called, that hand an active value to an object of the module."""
    for op in walk(block):
        if isinstance(op, Call):
            given = tuple(active(a) for a in op.args)
            if any(given) and (op.callee, given) not in seen:
                seen.add((op.callee, given))
                params = [p for p, g in zip(op.callee.body.params, given, strict=False) if g]
                inside = Activity(op.callee, params).varied.__contains__
                for found, _ in putting(op.callee.body, inside, seen):
                    yield found, op
        elif isinstance(op, Apply) and hands_over(op, active):
            yield op, op


def hands_over(op: Apply, active: Callable[[Operand], bool]) -> bool:
    """True if a function of C gets an active value, and an object of the module to put it in."""
    given = any(map(active, values_read(op)))
    return given and not isinstance(op.fn, OF_PYTHON) and puts(op)


def asks(other: Apply, keeping: Apply) -> bool:
    """True if an operation is given the object that keeps, or calls another of its methods."""
    kept = Changed(list(changed_by(keeping)))
    owner = owner_of(other.fn)
    if owner is not None and owner is owner_of(keeping.fn):
        return bool(other.fn.__name__ != keeping.fn.__name__)
    given = [a for k, a in enumerate(other.args) if not keeps_more(other, keeping, k)]
    return any(map(kept.reach, [owner, *constants([*given, *other.kwargs.values()])]))


def keeps_more(other: Apply, keeping: Apply, k: int) -> bool:
    """True if argument ``k`` is what the same function was given there: ``heappush(H, a)``, ``heappush(H, b)``."""
    if other.fn is not keeping.fn or k >= len(keeping.args):
        return False
    a, b = other.args[k], keeping.args[k]
    return isinstance(a, Const) and isinstance(b, Const) and a.value is b.value


class Changed:
    """Objects that are changed."""

    def __init__(self, values: list[Any]) -> None:
        self.values = {id(value): value for value in values}
        self.arrays = [value for value in values if is_ndarray(value)]
        self.seen: dict[int, tuple[Any, bool]] = {}

    def reach(self, value: Any) -> bool:
        """True if one of them is ``value``, or in it."""
        return id(value) in self.values or self.inside(value)

    def inside(self, value: Any) -> bool:
        """True if one of them is in ``value``: in what it contains, or an attribute of it."""
        if id(value) not in self.seen:
            self.seen[id(value)] = value, self.look_inside(value)
        return self.seen[id(value)][1]

    def look_inside(self, value: Any) -> bool:
        return any(
            self.shows(one) or (one is not value and id(one) in self.values)
            for one in reached_from([value])
        )

    def shows(self, value: Any) -> bool:
        """True of an array in the memory of one of them."""
        return is_ndarray(value) and any(may_share_memory(value, x) for x in self.arrays)


# -- what reads it -----------------------------------------------------------------------------------


@dataclass
class Order:
    """The values that may be, or hold, what is changed."""

    changed: Changed
    tied: set[Value] = field(default_factory=set)

    def reads(self, operand: Operand) -> bool:
        if isinstance(operand, Value):
            return operand in self.tied
        if isinstance(operand, Const):
            return self.changed.reach(operand.value)
        if isinstance(operand, dict):
            return any(map(self.reads, operand.values()))
        if isinstance(operand, slice):
            return any(map(self.reads, (operand.start, operand.stop, operand.step)))
        return isinstance(operand, (tuple, list)) and any(map(self.reads, operand))

    def shows(self, op: Apply) -> bool:
        """True if the result of an operation may be, or hold, what is changed."""
        if is_fresh(op):
            return False
        owner = own_attribute(op.fn, "__self__")
        owner = None if isinstance(owner, types.ModuleType) else owner
        if own_attribute(op.fn, "__name__", "") in LAZY or inspect.isgeneratorfunction(op.fn):
            return any(map(self.reads, operands_of(op))) or self.changed.reach(owner)
        given = [*constants(operands_of(op)), owner]
        told = values_in(shapes_read(op))
        tied = any(v in self.tied and v not in told for v in values_read(op))
        return tied or any(map(self.changed.inside, given))

    def tie(self, values: Iterable[Value]) -> None:
        self.tied.update(v for v in values if not isinstance(type_of(v), Number))

    def grows(self, functions: list[Function]) -> bool:
        """One pass over all functions; whether more values are tied."""
        before = len(self.tied)
        for function in functions:
            for op in walk(function.body):
                self.follow(op)
        return len(self.tied) > before

    def follow(self, op: Op) -> None:
        if isinstance(op, Apply):
            if self.shows(op):
                self.tie(op.results)
            return
        if isinstance(op, Call):
            given = zip(op.callee.body.params, op.args, strict=False)
            self.tie(p for p, a in given if self.reads(a))
            if any(map(self.reads, op.callee.body.yields)):
                self.tie(op.results)
            return
        if isinstance(op, If):
            ends = zip(op.results, op.then.yields, op.orelse.yields, strict=True)
            self.tie(result for result, a, b in ends if self.reads(a) or self.reads(b))
            if self.reads(op.cond):  # of `with`
                self.tie(p for block in op.blocks for p in block.params)
            return
        inner = [y for block in op.blocks for y in block.yields]
        if any(map(self.reads, [*operands_of(op), *inner])):
            self.tie([*op.results, *(p for block in op.blocks for p in block.params)])

    def mark(self, block: Block) -> None:
        """Make reads effects; those with a derivative read a copy, made there."""
        ops: list[Op] = []
        for op in block.ops:
            for inner in op.blocks:
                self.mark(inner)
            if isinstance(op, Apply) and not op.effect and any(map(self.reads, operands_of(op))):
                read = [v for v in values_read(op) if v in self.tied]
                if read == values_read(op) or not is_fresh(op):
                    op.effect = True
                else:
                    op.args = tuple(self.copied(a, op, ops) for a in op.args)
                    op.kwargs = {k: self.copied(a, op, ops) for k, a in op.kwargs.items()}
            ops.append(op)
        block.ops = ops

    def copied(self, operand: Operand, op: Apply, ops: list[Op]) -> Operand:
        if not self.reads(operand):
            return operand
        if isinstance(operand, (tuple, list)):
            return type(operand)(self.copied(item, op, ops) for item in operand)
        known = operand.hint if isinstance(operand, Value) else getattr(operand, "text", None)
        name = (known or "it").rpartition(".")[2].lower()
        copied = Value(f"{name}_now", type_of(operand))
        ops.append(Apply([copied], op.loc, copy.deepcopy, (operand,), effect=True))
        return copied
