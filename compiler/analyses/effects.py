"""Calls of unknown functions: refused where they could change a value that is being differentiated."""

from __future__ import annotations

import builtins
import operator
import warnings
from collections.abc import Callable
from typing import Any

from ..ir import Apply, Block, Operand, values_in, walk

__all__ = ["unknown_writers"]

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


def is_harmless(fn: Any) -> bool:
    """Statements, exceptions, printing and logging only look at their arguments."""
    if isinstance(fn, str) or (isinstance(fn, type) and issubclass(fn, BaseException)):
        return True
    module = getattr(fn, "__module__", None) or ""
    owner = type(getattr(fn, "__self__", None)).__module__
    if module.startswith("retrograd.") or module.partition(".")[0] in HARMLESS_MODULES:
        return True
    return fn in HARMLESS or owner.partition(".")[0] in HARMLESS_MODULES
