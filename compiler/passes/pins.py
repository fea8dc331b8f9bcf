"""Checks of shared memory look at what the program reads now, the copies included that a pass has made.

::

    y_2 = y.copy()                            y_2 = y.copy()
    z = either(y_2, x)                 ->     z = either(y_2, x)
    rt.check_unshared(z, y, text)             rt.check_unshared(z, (y, y_2), text)
"""

from __future__ import annotations

import numpy as np

from retrograd.runtime import linear
from retrograd.runtime.errors import MutationError

from ..ir import Apply, Block, Function, Op, Operand, Value, blocks_of, walk

__all__ = ["checks_of", "pin"]

COPIES = (np.ndarray.copy, np.copy, np.array, linear.copy)


def checks_of(function: Function) -> list[Op]:
    """The operations that look whether arrays share memory."""
    return [
        op for op in walk(function.body) if isinstance(op, Apply) and op.fn is linear.check_unshared
    ]


def pin(function: Function, known: set[Op]) -> None:
    """Let every check see the copies that were made since ``known`` was the whole program."""
    Pins(known).visit(function.body, set(function.body.params))


class Pins:
    """Walks a program in order."""

    def __init__(self, known: set[Op]) -> None:
        self.known = known
        self.source: dict[Value, Operand] = {}  # of each copy

    def visit(self, block: Block, visible: set[Value]) -> None:
        here = visible | set(block.params)
        for op in block.ops:
            for inner in blocks_of(op):
                self.visit(inner, here)
            if op not in self.known and isinstance(op, Apply) and op.fn in COPIES:
                self.source[op.result] = op.args[0]
            if isinstance(op, Apply) and op.fn is linear.check_unshared:
                self.settle(op, here)
            here |= set(op.results)

    def origin(self, v: Operand) -> Operand:
        while v in self.source:
            v = self.source[v]
        return v

    def settle(self, op: Apply, visible: set[Value]) -> None:
        x, y, text = op.args
        x, y = self.origin(x), self.origin(y)
        copies = [c for c in self.source if self.origin(c) is y]
        if not visible.issuperset(copies):
            raise MutationError(
                f"{text.value}, perhaps: this cannot be looked at here",
                fix="copy the array before the write (`.copy()`)",
            )
        op.args = (x, (y, *copies) if copies else y, text)
