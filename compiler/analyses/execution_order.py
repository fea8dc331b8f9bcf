"""Operations whose order is kept, and those that are kept though nobody reads them."""

from __future__ import annotations

import builtins
import operator
from typing import Any

from ..ir.operations import Apply, Call, Function, Op, walk

__all__ = ["READS", "is_ordered", "keeps"]


READS = (builtins.getattr, operator.getitem)  # in order with writes, but only if they are used


def keeps(op: Op) -> bool:
    return acts(op, set())


def is_ordered(op: Op) -> bool:
    """Whether an operation keeps its place among the effects, even if it only reads."""
    return acts(op, set(), ())


def acts(op: Op, seen: set[Function], but: tuple[Any, ...] = READS) -> bool:
    """Whether an operation does more than compute: itself, or in a function it calls."""
    if isinstance(op, Apply):
        return op.effect and op.fn not in but
    if not isinstance(op, Call) or op.callee in seen:
        return False
    seen.add(op.callee)
    return any(acts(inner, seen, but) for inner in walk(op.callee.body))
