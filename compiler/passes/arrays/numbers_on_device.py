"""Numbers that functions of whole arrays are called with, which on the device take arrays alone.

>>> from tests.before_after import after
>>> after('''
... def f(x, k):
...     return x * np.sum(k)
... ''', "x: cp f8[n], k: float", uploaded)
def f(x, k):
    return x * np.sum(np.asarray(k))

NumPy's function takes them, CuPy's does not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.rules.book import book, is_numpy

from ...analyses.shapes.infer import type_of
from ...ir.operations import Apply, Block, Function, Operand
from ...ir.target import is_on_device
from ...ir.types import Array, Number
from ...simplify.builder import Builder

__all__ = ["uploaded"]


def uploaded(function: Function) -> Function:
    """Rewrite, in place, the calls of a function for the device."""
    if is_on_device():
        visit(function.body)
    return function


def visit(block: Block) -> None:
    kept: list[Any] = []
    for op in block.ops:
        for inner in op.blocks:
            visit(inner)
        if isinstance(op, Apply) and takes_arrays(op.fn) and op.args:
            b = Builder(Block())
            b.loc = op.loc
            op.args = as_arrays(b, op.args[0]), *op.args[1:]
            kept += b.block.ops
        kept.append(op)
    block.ops = kept


def takes_arrays(fn: Any) -> bool:
    """True if the first argument of a function is an array: elementwise functions take numbers, too."""
    rule = book.rules.get(fn) if fn in book else None
    if rule is None or rule.stretches or not is_numpy(fn):
        return False
    first = rule.own[0]
    makes_one = first in ("start", "limits", "object")  # of numbers
    return first in rule.active and not makes_one


def as_arrays(b: Builder, x: Any) -> Any:
    """The same, if it is a number, or holds nothing but numbers."""
    if is_number(x):
        return b.emit(np.asarray, x)
    if isinstance(x, (list, tuple)) and x and all(map(is_number, x)):
        return type(x)(b.emit(np.asarray, item) for item in x)
    return x


def is_number(x: Operand) -> bool:
    """True of what may be a number of Python's: of what has rank 0, too, where it is one on some way."""
    kind = type_of(x)
    return isinstance(kind, Number) or (isinstance(kind, Array) and kind.dims == ())
