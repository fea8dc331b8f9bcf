"""Dtypes of arrays that are written to, where they follow an argument's.

With an argument of integers, what is written would be truncated, and its derivative lost.
"""

from __future__ import annotations

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
    Operand,
    Value,
    values_in,
    walk,
)
from ..ir.types import Number, kind_of
from .shapes.infer import type_of

__all__ = ["lenders"]


def lenders(function: Function, under: tuple[Function, ...] = ()) -> frozenset[int]:
    """The parameters, by number, of which an array that is written to may have its unknown kind.

    ``under``: the functions that are being looked at, which may call each other.
    """
    sources: dict[Value, list[Operand]] = {}
    wanted: list[Value] = []
    for op in walk(function.body):
        if isinstance(op, Loop):
            add_loop(sources, op)
        elif isinstance(op, If):
            add(sources, op.results, op.then.yields)
            add(sources, op.results, op.orelse.yields)
        elif isinstance(op, Call):
            sources.update((result, list(op.args)) for result in op.results)
            if not any(op.callee is one for one in (function, *under)):
                inner = lenders(op.callee, (*under, function))
                wanted += [v for k in inner for v in values_in(op.args[k])]
        elif isinstance(op, Apply):
            if op.fn in (linear.write, linear.increase):
                sources[op.result] = [op.args[0]]
                wanted += values_in(op.args[0]) if may_be_cut(op.args[2]) else []
            elif op.results:
                args = [*op.args, *op.kwargs.values()]
                sources[op.result] = args[:1] if traits_of(op.fn).kind_of == "first" else args
    reached = closure(wanted, sources)
    return frozenset(k for k, v in enumerate(function.body.params) if v in reached)


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
