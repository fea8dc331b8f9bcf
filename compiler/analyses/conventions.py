"""Conventions of the operations of a program: derivatives that are a choice, values that are approximate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.traits.conventions import Note, notes_of

from ..ir.operations import Apply, Call, Const, Function, Operand, walk
from .shapes.infer import type_of

__all__ = ["Noted", "conventions_in"]


class Noted(NamedTuple):
    """A call, its line (0: unknown) and what is to be known of it."""

    name: str
    line: int
    note: Note


def conventions_in(functions: Iterable[Function]) -> list[Noted]:
    """The conventions of all that these functions call, and of what the functions they call do.

    Asked of a lowered program: ``conventions_in([function])``, ``program, function = pipeline.lower(...)``.
    """
    found: dict[Noted, None] = {}
    seen: set[int] = set()
    todo = [(function, 0) for function in functions]
    while todo:
        function, line = todo.pop(0)
        if id(function) in seen:
            continue
        seen.add(id(function))
        for op in walk(function.body):
            at = op.loc.line if op.loc is not None else line
            found.update(dict.fromkeys(noted(op, at)))
            todo += [(callee, at) for callee in functions_in(op)]
    return list(found)


def noted(op: Any, line: int) -> Iterator[Noted]:
    if isinstance(op, Apply) and callable(op.fn):
        args = [known(v) for v in op.args]
        given = {k: known(v) for k, v in op.kwargs.items()}
        for note in notes_of(op.fn, args, given):
            if note.kind != "phase" or not is_real(op.args[0]):
                yield Noted(own_attribute(op.fn, "__name__", str(op.fn)), line, note)


def is_real(operand: Operand) -> bool:
    """True if it is known to be no complex array; vectors of real ones have a sign, and no phase."""
    return getattr(type_of(operand), "kind", None) in ("f", "i", "b")


def known(operand: Operand) -> Any:
    return operand.value if isinstance(operand, Const) else operand


def functions_in(op: Any) -> Iterator[Function]:
    """The functions of the program that an operation calls, or gives to a solver."""
    if isinstance(op, Call) and isinstance(op.callee, Function):
        yield op.callee
    if isinstance(op, Apply):
        yield from (
            v.value for v in op.args if isinstance(v, Const) and isinstance(v.value, Function)
        )
