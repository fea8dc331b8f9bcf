"""Removal of results that no call reads: ``rg.jvp(f, (x,), (v,))[1]`` needs no value.

Of derivatives that are called inside a function; what they return is known when all of it is lowered.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...ir.operations import Apply, Call, Function, Value, callees_of, reachable, read_in, walk
from .dead_code import eliminate

__all__ = ["drop_unread_results"]


def drop_unread_results(root: Function, made: Iterable[Function]) -> None:
    """Remove, in place, the results of the functions ``made`` that nothing reads, and what computes them only."""
    candidates = set(made)
    while candidates:
        whole = list(reachable(root))
        read: set[Value] = set().union(*(read_in(part.body) for part in whole))
        ops = [op for part in whole for op in walk(part.body)]
        handed = {f for op in ops if isinstance(op, Apply) for f in callees_of(op)}
        calls: dict[Function, list[Call]] = {}
        for op in ops:
            if isinstance(op, Call) and op.callee in candidates - handed:
                calls.setdefault(op.callee, []).append(op)
        candidates = {f for f, own in calls.items() if shortened(f, own, read)}


def shortened(function: Function, calls: list[Call], read: set[Value]) -> bool:
    """True if some results were removed; one that is called for nothing is left alone."""
    count = len(function.body.yields)
    kept = [k for k in range(count) if any(op.results[k] in read for op in calls)]
    if not kept or len(kept) == count or function.facts.writes:
        return False
    function.body.yields = [function.body.yields[k] for k in kept]
    for op in calls:
        op.results = [op.results[k] for k in kept]
    eliminate(function)
    return True
