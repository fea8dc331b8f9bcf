"""A list that is collected from its end begins with what stands there.

    layers_bar = [(w_bar, b_bar)]
    for ...:
        layers_bar.append(...)
    return layers_bar[::-1]

in place of ``[*layers_bar[::-1], (w_bar, b_bar)]``, where that is known before the loop runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from retrograd.runtime.helpers import linear

from ...ir.operations import Apply, Block, Function, Loop, Op, Value, values_in, values_read
from ...ir.primitives import BUNDLE, STAR
from ...ir.uses import counted

__all__ = ["started_lists"]


@contextmanager
def started_lists(function: Function) -> Iterator[None]:
    """The function with loops that begin such lists, as long as its text is written: nobody else knows of it."""
    body, begun = function.body, []
    before = list(body.ops)
    for op in before:
        if isinstance(op, Apply) and op.fn is BUNDLE and isinstance(op.args[0], list):
            args, loop = op.args, started(body, op, {r: o for o in body.ops for r in o.results})
            begun += [(op, args, loop)] if loop is not None else []
    try:
        yield
    finally:
        body.ops[:] = before
        for op, args, loop in begun:
            op.fn, op.args = BUNDLE, args
            loop.starts.clear()


def started(body: Block, whole: Apply, defs: dict[Value, Op]) -> Loop | None:
    """The loop that begins the list that ``whole`` makes of all its items, if one can."""
    if not whole.args[0]:
        return None
    uses = counted(body)
    spread, *items = whole.args[0]  # type: ignore[misc, union-attr]
    chain: list[Apply] = []
    for fn in (STAR, linear.flipped):
        op = defs.get(spread) if isinstance(spread, Value) else None
        if not isinstance(op, Apply) or op.fn is not fn or uses[spread] != 1:
            return None
        chain.append(op)
        spread = op.args[0]  # type: ignore[assignment]
    loop = defs.get(spread) if isinstance(spread, Value) else None
    if not isinstance(loop, Loop) or spread not in loop.stacks or uses[spread] != 1 or not items:
        return None
    later = body.ops[body.ops.index(loop) :]
    late = {r for op in later for r in op.results}
    moved = [op for op in later if op.results and op.results[0] in values_in(items)]
    if any(not isinstance(op, Apply) or op.fn is not BUNDLE for op in moved):
        return None
    if any(v in late for op in moved for v in values_read(op)):
        return None
    loop.starts[spread] = items[::-1]
    whole.fn, whole.args = linear.flipped, (spread,)
    rest = [op for op in body.ops if op not in chain and op not in moved]
    at = rest.index(loop)
    body.ops[:] = [*rest[:at], *moved, *rest[at:]]
    return loop
