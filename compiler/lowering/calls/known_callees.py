"""The callee of a call for the numbers that are known, and what is known of its results."""

from __future__ import annotations

import dataclasses
from typing import Any

from retrograd.runtime.errors import CompileError, SourceUnavailable

from ...analyses.shapes.infer import type_of
from ...ir.containers import leaves
from ...ir.operations import Const, Operand, Value
from ...ir.types import STRANGER
from ..interface.lowerer import Lowerer
from ..nodes import Code, Node
from ..opaque.known_results import is_function
from ..opaque.opaque_calls import named
from .callee import Callee

__all__ = ["known_among", "known_callee"]


def known_callee(
    lowerer: Lowerer, fn: Any, params: dict[str, Node], code: Code | None = None
) -> Callee:
    """The callee for any numbers; where that is refused, or on the tape in part, for those that are known.

    What is lowered for the values of arguments begins with these.
    """
    program, number = lowerer.scope.program, lowerer.known.number
    rank_0 = lowerer.versions.rank0
    facts, before = program.known, dict(program.refused)
    first, second = (number, None) if facts.given else (None, number)
    try:
        found = program.callee(fn, params, code, first, rank_0)
    except SourceUnavailable:
        raise
    except CompileError:
        if facts.decide():
            return known_callee(lowerer, fn, params, code)
        if not is_known_of(lowerer, params):
            raise
        return program.callee(fn, params, code, second, rank_0)
    whole = len(program.refused) == len(before)
    if whole or second is None or not (facts.decide() or is_known_of(lowerer, params)):
        return found
    refused = dict(program.refused)
    program.put_refused(before)
    try:
        better = program.callee(fn, params, code, second, rank_0)
    except CompileError:
        better = found
    if len(program.refused) == len(before) and better is not found:
        return better
    program.put_refused(refused)
    return found


def is_known_of(lowerer: Lowerer, params: dict[str, Node]) -> bool:
    """True if a number is known among the arguments."""
    given = [leaf for p in params.values() for leaf in leaves(p)]
    return any(lowerer.known.number(leaf) is not None for leaf in given)


def known_among(lowerer: Lowerer, results: list[Operand], yields: list[Operand]) -> list[Operand]:
    """The results of a call; what it always returns is known to who calls it, if that may decide there."""
    facts = lowerer.scope.program.known
    for result, y in zip(results, yields, strict=False):
        found = lowerer.known.number(y)
        if isinstance(result, Value):
            lowerer.inactive.note_words(result, (y,))
            lowerer.objects_now.note(result, y)
            facts.note_choice(result, (y,))
        if found is not None and isinstance(result, Value):
            facts.note_number(result, found)
    ends = [always(lowerer, y) for y in yields] + [None] * (len(results) - len(yields))
    return [r if end is None else end for r, end in zip(results, ends, strict=False)]


def always(lowerer: Lowerer, end: Operand) -> Const | None:
    """What a callee returns, where the kinds of its arguments tell that."""
    if isinstance(end, Const) and isinstance(end.value, dataclasses.Field):
        return end
    if isinstance(end, Const):
        return named(lowerer.scope.program, end) if is_deciding(end) else None
    found = lowerer.known.number(end)
    told = found is not None and not found.roots and type(found.value) is bool
    return Const(found.value) if told and found is not None else None


def is_deciding(constant: Const) -> bool:
    """True of a text, a flag or None, and of a namespace, a function or an object that the module names."""
    if type_of(constant) == STRANGER:
        return True
    if constant.text is None:
        return type(constant.value) in (str, bool, type(None))
    return is_function(constant.value)
