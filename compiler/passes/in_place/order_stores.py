"""Writes to the caller's containers come last, when nothing is read from them any more.

So do the notes of what the caller's arrays hold then: whatever is written to them must be that.

::

    p["w"] = w_2                 ->      w_bar = ...
    w_bar = ...                          p["w"] = w_2
    return w_bar                         return w_bar
"""

from __future__ import annotations

from retrograd.runtime.traits.lookup import traits_of

from ...analyses.aliasing.read_write_order import is_store
from ...ir.operations import Apply, Block, Function, Op, Value, walk

__all__ = ["is_note", "stores_last", "written_to"]


def stores_last(function: Function) -> Function:
    """Move, in place, the writes to the end of the function."""
    body = function.body
    stores = [op for op in body.ops if is_store(op) or is_note(op)]
    if stores:
        body.ops = [op for op in body.ops if op not in stores] + stores
        for op in stores:
            op.results[0].made = True
    return function


def is_note(op: Op) -> bool:
    return isinstance(op, Apply) and op.fn == "written"


def written_to(body: Block) -> set[Value]:
    """The containers that are written to, and those they were read from."""
    found = {op.args[0] for op in body.ops if isinstance(op, Apply) and is_store(op)}
    reads = [op for op in walk(body) if isinstance(op, Apply) and traits_of(op.fn).reads == "part"]
    for op in reversed(reads if found else []):
        if op.result in found and isinstance(op.args[0], Value):
            found.add(op.args[0])
    return found
