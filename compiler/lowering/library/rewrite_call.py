"""Calls that another operation says better, as operations: see ``runtime/rules/better_calls.py``."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.rules.better_calls import FORMS, formed
from retrograd.runtime.rules.book import book
from retrograd.runtime.rules.rewrites import UNKNOWN
from retrograd.runtime.rules.unspoken_options import spoken

from ...analyses.shapes.infer import type_of
from ...ir.operations import Const, Operand, Value
from ...ir.types import Array, Number, Opaque, Stack, Tree
from ..interface.lowerer import Lowerer

__all__ = ["formed_operation", "is_listed", "told", "value_of"]

Call = tuple[Any, tuple[Operand, ...], dict[str, Operand]]


def formed_operation(fn: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> Call:
    """The call as it stands, or the one that says it better."""
    args, kwargs = spoken(fn, args, kwargs, value_of)
    try:
        if fn not in FORMS:
            return fn, args, kwargs
    except TypeError:  # not hashable
        return fn, args, kwargs
    fn, args, kwargs = formed(fn, args, kwargs, value_of, rank_of)
    return fn, tuple(map(operand, args)), {k: operand(v) for k, v in kwargs.items()}


def told(lowerer: Lowerer, fn: Any, kwargs: dict[str, Operand]) -> dict[str, Operand]:
    """The keywords; those that the rule does not have as the caller of the program gave them, since they may say nothing."""
    try:
        rule = book.rules.get(fn)
    except TypeError:  # not hashable
        return kwargs
    if rule is None:
        return kwargs
    own = rule.own
    return {
        k: lowerer.known.key(v) if isinstance(v, Value) and k not in own else v
        for k, v in kwargs.items()
    }


def is_listed(given: Any) -> bool:
    """True if an operand is a list or a tuple."""
    if isinstance(given, Const):
        return type(given.value) in (list, tuple)
    kind = given.type if isinstance(given, Value) else None
    if isinstance(kind, Tree):
        return kind.container in ("list", "tuple") and kind.cls is None
    return isinstance(kind, Stack) or isinstance(given, (tuple, list))


def value_of(given: Any) -> Any:
    """The value of an operand, where the text says it."""
    if isinstance(given, Const):
        return given.value
    if isinstance(given, (tuple, list)):
        items = [value_of(item) for item in given]
        return UNKNOWN if UNKNOWN in items else type(given)(items)
    kind = type_of(given)
    if isinstance(kind, Tree) and kind.cls is type(None):
        return None
    return np.dtype(kind.dtype) if isinstance(kind, Opaque) and kind.dtype else UNKNOWN


def rank_of(given: Any) -> int | None:
    kind = type_of(given)
    return kind.rank if isinstance(kind, (Array, Number)) else None


def operand(given: Any) -> Operand:
    """A part that a form put into a call, as an operand."""
    if isinstance(given, (tuple, list)):
        return type(given)(operand(item) for item in given)
    return given if isinstance(given, (Value, Const, slice, dict)) else Const(given)
