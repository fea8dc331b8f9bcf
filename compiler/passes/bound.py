"""Names bound on some paths only: a tangent or a tape may look at them on all, and finds None.

::

    if c:                            ->    if c:
        result = 1.0                           result = 1.0
    result_dot = rt.zeros_like(result)     else:
                                               result = None
                                           result_dot = rt.zeros_like(result)

What the user wrote is left alone: it fails on a name that is not bound, as it always did.
"""

from __future__ import annotations

from retrograd.runtime import linear, revolve

from ..ir import UNDEFINED, Apply, Const, Function, If, Loop, Operand, Value, values_in, walk

__all__ = ["bind"]

LOOKING = (linear.zeros_like, revolve.keep_state, "bundle")
Ends = list[tuple[list[Operand], int]]  # places that hold what a value may be


def bind(function: Function) -> Function:
    """Give None, in place, to names that a derivative reads where they may not be bound."""
    ends = ends_of(function)
    pending, seen = looked_at(function), set[Value]()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        for holder, k in ends.get(value, []):
            if holder[k] is UNDEFINED:
                holder[k] = Const(None)
            elif isinstance(holder[k], Value):
                pending.append(holder[k])
    return function


def ends_of(function: Function) -> dict[Value, Ends]:
    """Where the results of branches and what loops carry come from."""
    ends: dict[Value, Ends] = {}
    for op in walk(function.body):
        if isinstance(op, If):
            for k, result in enumerate(op.results):
                ends[result] = [(op.then.yields, k), (op.orelse.yields, k)]
        elif isinstance(op, Loop):
            for k, (param, result) in enumerate(zip(op.carried, op.results, strict=False)):
                ends[param] = ends[result] = [(op.inits, k), (op.body.yields, k)]
    return ends


def looked_at(function: Function) -> list[Value]:
    """What operations of a derivative read, for its shape or to keep it."""
    found: list[Value] = []
    chosen = {r for op in walk(function.body) if isinstance(op, If) for r in op.results}
    for op in walk(function.body):
        if isinstance(op, If):  # a copy of what another branch gave, if it is another variable
            found += [v for v in values_in([op.then.yields, op.orelse.yields]) if v in chosen]
        elif isinstance(op, Loop):
            found += values_in(op.collected())
        elif isinstance(op, Apply) and op.fn in LOOKING and (op.loc is None or op.result.made):
            found += values_in(op.args)
    return found
