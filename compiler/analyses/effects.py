"""Calls of unknown functions: refused where they could change a value that is being differentiated."""

from __future__ import annotations

import builtins
import operator
import types
import warnings
from collections.abc import Callable
from typing import Any

from retrograd.runtime.objects.own_attributes import own_attribute

from ..ir.operations import Apply, Block, Operand, Value, values_in, walk
from ..ir.primitives import Primitive
from ..ir.types import Tree

__all__ = ["container_writers", "owner_of", "unknown_writers"]

HARMLESS_MODULES = ("logging", "warnings")
HARMLESS = {
    builtins.print,
    builtins.id,
    builtins.repr,
    builtins.str,
    builtins.format,
    warnings.warn,
    builtins.getattr,
    operator.getitem,
}


def unknown_writers(block: Block, active: Callable[[Operand], bool]) -> list[Apply]:
    """The calls without a rule that are given an active value: they might write into it."""
    return [
        op
        for op in walk(block)
        if isinstance(op, Apply) and op.effect and not is_harmless(op.fn)
        if any(active(v) for v in values_in([*op.args, *op.kwargs.values()]))
    ]


def container_writers(block: Block, taped: Callable[[Operand], bool]) -> list[Apply]:
    """The calls of functions that were not compiled, nor taped, and get a list or a dict: a copy."""
    return [
        op
        for op in walk(block)
        if isinstance(op, Apply) and op.effect and isinstance(op.fn, types.FunctionType)
        if not is_harmless(op.fn) and not is_library(op.fn) and not taped(op.results[0])
        if any(map(is_changeable, [*op.args, *op.kwargs.values()]))
    ]


def owner_of(fn: Any) -> Any:
    """The object whose method of C this is; None of what is no such method."""
    owner = fn.__self__ if isinstance(fn, types.BuiltinMethodType) else None
    return None if isinstance(owner, types.ModuleType) else owner


def is_library(fn: Any) -> bool:
    return (fn.__module__ or "").partition(".")[0] in ("builtins", "numpy", "math", "scipy")


def is_changeable(operand: Operand) -> bool:
    """Whether an operand is a list or a dict, or holds one."""
    if isinstance(operand, tuple):
        return any(map(is_changeable, operand))
    kind = operand.type if isinstance(operand, Value) else None
    return isinstance(operand, (list, dict)) or (
        isinstance(kind, Tree) and kind.container in ("list", "dict")
    )


def is_harmless(fn: Any) -> bool:
    """Statements, exceptions, printing and logging only look at their arguments."""
    if isinstance(fn, Primitive) or (isinstance(fn, type) and issubclass(fn, BaseException)):
        return True
    module = own_attribute(fn, "__module__") or ""
    owner = type(own_attribute(fn, "__self__")).__module__
    if module.startswith("retrograd.") or module.partition(".")[0] in HARMLESS_MODULES:
        return True
    return fn in HARMLESS or owner.partition(".")[0] in HARMLESS_MODULES
