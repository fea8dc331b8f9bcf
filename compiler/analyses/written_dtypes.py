"""Dtypes of arrays that are written to, where they follow an argument's.

With an argument of integers, what is written would be truncated, and its derivative lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from retrograd.runtime.helpers import linear
from retrograd.runtime.traits.lookup import traits_of

from ..ir.operations import (
    Apply,
    Block,
    Call,
    Const,
    Function,
    If,
    Loop,
    Op,
    Operand,
    Value,
    values_in,
    walk,
)
from ..ir.types import Number, kind_of
from .shapes.infer import type_of

__all__ = ["lenders", "written_by"]


def lenders(function: Function) -> frozenset[int]:
    """The parameters, by number, of which an array that is written to may have its unknown kind."""
    lent = Lent()
    while True:
        before = dict(lent.known)
        found = lent.of(function)
        if not lent.recursive or lent.known == before:
            return found
        lent.done.clear()


class Lent:
    """What each function lends; those that call each other are looked at until nothing is new."""

    def __init__(self) -> None:
        self.known: dict[Function, frozenset[int]] = {}
        self.done: set[Function] = set()
        self.under_way: set[Function] = set()
        self.recursive = False

    def of(self, function: Function) -> frozenset[int]:
        if function in self.done:
            self.recursive |= function in self.under_way
            return self.known.get(function, frozenset())
        self.done.add(function)
        self.under_way.add(function)
        self.known[function] = lent_by(function, self.of)
        self.under_way.discard(function)
        return self.known[function]


def lent_by(function: Function, of: Callable[[Function], frozenset[int]]) -> frozenset[int]:
    """The same of one function, ``of`` telling it of those that it calls."""
    sources = sources_of(function)
    wanted = [v for op in walk(function.body) for v, _ in written_by(op, of)]
    reached = closure(wanted, sources)
    return frozenset(k for k, v in enumerate(function.body.params) if v in reached)


def written_by(
    op: Op, of: Callable[[Function], frozenset[int]]
) -> Iterator[tuple[Value, Operand | None]]:
    """What an operation writes to that may cut off what is written, and that, unless a callee writes it."""
    if isinstance(op, Call):
        yield from ((v, None) for k in of(op.callee) for v in values_in(op.args[k]))
    elif (
        isinstance(op, Apply)
        and op.fn in (linear.write, linear.increase)
        and may_be_cut(op.args[2])
    ):
        yield from ((v, op.args[2]) for v in values_in(op.args[0]))


def sources_of(function: Function) -> dict[Value, list[Operand]]:
    """What each value may have its kind from."""
    sources: dict[Value, list[Operand]] = {}
    for op in walk(function.body):
        if isinstance(op, Loop):
            add_loop(sources, op)
        elif isinstance(op, If):
            add(sources, op.results, op.then.yields)
            add(sources, op.results, op.orelse.yields)
        elif isinstance(op, Call):
            sources.update((result, list(op.args)) for result in op.results)
        elif isinstance(op, Apply) and op.results:
            first = op.fn in (linear.write, linear.increase) or traits_of(op.fn).kind_of == "first"
            args = [*op.args, *op.kwargs.values()]
            sources[op.result] = args[:1] if first else args
    return sources


def add(sources: dict[Value, list[Operand]], results: Any, operands: Any) -> None:
    for result, operand in zip(results, operands, strict=False):
        sources.setdefault(result, []).append(operand)


def add_loop(sources: dict[Value, list[Operand]], loop: Loop) -> None:
    carried: Block = loop.body
    for values in (loop.carried, loop.results):
        add(sources, values, loop.inits)
        add(sources, values, carried.yields[: len(loop.inits)])
    add(sources, loop.elements, [stack for stack, _ in loop.feeds])
    add(sources, loop.stacks, loop.collected())


def may_be_cut(value: Operand) -> bool:
    """True if what is written may have a fraction."""
    if isinstance(value, Const):
        return False
    return kind_of(type_of(value)) not in ("b", "i")


def closure(wanted: list[Value], sources: dict[Value, list[Operand]]) -> set[Value]:
    """Values from which others of unknown kind may have their kind."""
    reached: set[Value] = set()
    while wanted:
        value = wanted.pop()
        known = kind_of(type_of(value)) is not None or isinstance(type_of(value), Number)
        if value not in reached and not known:
            reached.add(value)
            wanted += [v for operand in sources.get(value, []) for v in values_in(operand)]
    return reached
