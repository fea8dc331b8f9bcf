"""Operations whose order is kept, and those that are kept though nobody reads them."""

from __future__ import annotations

from retrograd.runtime.traits.lookup import traits_of

from ...ir.operations import Apply, Call, Function, Loop, Op, With, walk
from ...ir.types import Opaque

__all__ = ["is_ordered", "keeps"]


def keeps(op: Op) -> bool:
    return acts(op, set())


def is_ordered(op: Op) -> bool:
    """True if an operation keeps its place among the effects, even if it only reads."""
    return acts(op, set(), reads=True)


def acts(op: Op, seen: set[Function], reads: bool = False) -> bool:
    """True if an operation does more than compute: itself, or in a function it calls.

    ``reads``: reads of parts, which are in order with writes, too.
    """
    if isinstance(op, Loop):
        return op.asks
    if isinstance(op, With):
        return isinstance(getattr(op.cond, "type", None), Opaque)  # it is entered, and left
    if isinstance(op, Apply):
        return op.effect and (reads or traits_of(op.fn).reads != "part")
    if not isinstance(op, Call) or op.callee in seen:
        return False
    seen.add(op.callee)
    return any(acts(inner, seen, reads) for inner in walk(op.callee.body))
