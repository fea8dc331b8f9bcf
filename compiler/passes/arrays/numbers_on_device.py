"""Numbers that functions of whole arrays are called with, which on the device take arrays alone.

``np.sum(2.0)`` is a number on the host; CuPy's function refuses one, and gets it as an array of the device.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.rules.book import book, is_numpy

from ...analyses.shapes.infer import type_of
from ...ir.operations import Apply, Block, Function, Operand
from ...ir.target import is_on_device
from ...ir.types import Number
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
    if rule is None or rule.stretches or not is_numpy(fn) or fn is np.asarray:
        return False
    return rule.own[0] in rule.active and rule.own[0] != "start"


def as_arrays(b: Builder, x: Any) -> Any:
    """The same, if it is a number, or holds nothing but numbers."""
    if is_number(x):
        return b.emit(np.asarray, x)
    if isinstance(x, (list, tuple)) and x and all(map(is_number, x)):
        return type(x)(b.emit(np.asarray, item) for item in x)
    return x


def is_number(x: Operand) -> bool:
    return isinstance(type_of(x), Number)
