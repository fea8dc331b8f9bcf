"""Alias checks extended to the copies that a pass has made.

>>> from tests.before_after import in_gradient
>>> from .writes_in_place import place
>>> in_gradient('''
... def f(x):
...     y = np.exp(x)
...     z = np.ascontiguousarray(y.T)
...     y[0] = 1.0
...     return np.sum(z * y)
...
... f.__alias__ = "check"
... ''', "x: f8[n, n]", place)
def f_grad(x):
    # forward
    y = np.exp(x)
    z = np.ascontiguousarray(y.T)
    rt.check_unshared(z, y, "`z` shares the memory of `y`, and line 4 writes to it")
    y[0] = 1.0
    y_2 = y
    # backward
    # `y[0] = 1.0`
    z[0] = 0.0
    return y * (z + y_2.T)
# becomes
def f_grad(x):
    # forward
    y = np.exp(x)
    y_2 = y.copy()
    z = np.ascontiguousarray(y.T)
    z_2 = z.copy()
    rt.check_unshared(
        z, (y, y_2), "`z` shares the memory of `y`, and line 4 writes to it"
    )
    y[0] = 1.0
    # backward
    y_bar = z_2.copy()
    # `y[0] = 1.0`
    y_bar[0] = 0.0
    return y_2 * (y_bar + y.T)

A check that ``z`` shares no memory with ``y`` must look at the copies of ``y``, too.
"""

from __future__ import annotations

from retrograd.runtime.errors import MutationError
from retrograd.runtime.helpers import linear
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.aliasing.views_and_copies import Memory
from ...ir.operations import Apply, Block, Function, Op, Operand, Value, walk
from ...ir.types import Array

__all__ = ["checks_of", "pin"]


def checks_of(function: Function) -> list[Op]:
    """The operations that look whether arrays share memory."""
    return [
        op for op in walk(function.body) if isinstance(op, Apply) and op.fn is linear.check_unshared
    ]


def pin(function: Function, known: set[Op], memory: Memory) -> None:
    """Let every check see the copies that were made since ``known`` was the whole program."""
    Pins(known, memory).visit(function.body, set(function.body.params))


class Pins:
    """Walks a program in order."""

    def __init__(self, known: set[Op], memory: Memory) -> None:
        self.known, self.memory = known, memory
        self.source: dict[Value, Operand] = {}  # of each copy

    def visit(self, block: Block, visible: set[Value]) -> None:
        here = visible | set(block.params)
        for op in block.ops:
            for inner in op.blocks:
                self.visit(inner, here)
            if op not in self.known and isinstance(op, Apply) and is_copy(op):
                self.source[op.result] = op.args[0]
            if isinstance(op, Apply) and op.fn is linear.check_unshared:
                self.settle(op, here)
            here |= set(op.results)

    def origin(self, v: Operand) -> Operand:
        while v in self.source:
            v = self.source[v]
        return v

    def shows(self, copied: Operand, y: Operand) -> bool:
        """True if a copy stands for memory of ``y``: it was made of ``y``, or of another view of it."""
        if copied is y or not isinstance(copied, Value) or not isinstance(y, Value):
            return copied is y
        return isinstance(copied.type, Array) and self.memory.may_share(copied, y)

    def settle(self, op: Apply, visible: set[Value]) -> None:
        x, y, text = op.args
        x, y = self.origin(x), self.origin(y)
        made_of = {c: self.origin(c) for c in self.source}
        copies = [c for c, copied in made_of.items() if copied is not x and self.shows(copied, y)]
        if not visible.issuperset(copies):
            raise MutationError(
                f"{text.value}, perhaps: this cannot be looked at here",
                fix="copy the array before the write (`.copy()`)",
            )
        op.args = (x, (y, *copies) if copies else y, text)


def is_copy(op: Apply) -> bool:
    known = traits_of(op.fn)
    return known.identity in ("copy", "packed") and known.memory == "new"
