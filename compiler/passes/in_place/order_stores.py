"""Writes to the caller's containers moved to the end of the function.

>>> from tests.before_after import after
>>> from ..redundancy.dead_code import eliminate
>>> after('''
... def f(p, x):
...     p["w"] = x
...     y = 2.0 * x
...     return y
... ''', "p: {'w': float}, x: float", eliminate, stores_last)
def f(p, x):
    y = 2.0 * x
    p["w"] = x
    return y

By then nothing reads them any more.  The notes of what the caller's arrays hold at the end move with them,
since every write must have happened.
"""

from __future__ import annotations

from ...analyses.aliasing.read_write_order import is_store
from ...ir.operations import Apply, Function, Op
from ...ir.primitives import WRITTEN

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
    return isinstance(op, Apply) and op.fn is WRITTEN
