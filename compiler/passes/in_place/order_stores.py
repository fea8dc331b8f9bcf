"""Writes to the caller's containers come last, when nothing is read from them any more.

So do the notes of what the caller's arrays hold then: whatever is written to them must be that.

::

    p["w"] = w_2                 ->      w_bar = ...
    w_bar = ...                          p["w"] = w_2
    return w_bar                         return w_bar
"""

from __future__ import annotations

from ...analyses.aliasing.read_write_order import is_store
from ...ir.operations import Apply, Function, Op

__all__ = ["is_note", "stores_last"]


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
