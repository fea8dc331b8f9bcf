"""Arrays of rank 0 that are written to: typed as arrays, not as numbers.

>>> from retrograd.runtime.helpers import linear
>>> from ...ir.operations import Block, Const
>>> a, b = Value("a", Number("f")), Value("b", Number("f"))
>>> ops = [Apply([b], None, linear.write, (a, (), Const(1.0)))]  # a[...] = 1.0
>>> _ = retype_rank0(Function("f", Block([a], ops, [b]), None))
>>> a.type, b.type
(Array(dtype=None, dims=(), kind='f', least=None), Array(dtype=None, dims=(), kind='f', least=None))

Most results of rank 0 are numbers in NumPy, and typed as such; once written to, their memory matters.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable

from ...analyses.aliasing.memory_facts import is_fresh, is_number_read, is_version
from ...ir.operations import Apply, Call, Function, If, Loop, Op, Operand, Value, values_in, walk
from ...ir.primitives import Primitive
from ...ir.types import Array, Number

__all__ = ["retype_rank0"]


def retype_rank0(function: Function) -> Function:
    """Give them their types, in place, with everything that may show the same memory."""
    written = Written()
    while written.grows(function):
        pass
    for v in written.found:
        if isinstance(v.type, Number):
            v.type = Array(None, (), v.type.kind)
    return function


class Written:
    """The values whose memory is written to, and those that may be the same memory."""

    def __init__(self) -> None:
        self.found: set[Value] = set()

    def grows(self, function: Function) -> bool:
        before = len(self.found)
        for op in walk(function.body):
            self.follow(op)
        return len(self.found) > before

    def follow(self, op: Op) -> None:
        if is_version(op):
            self.found.update(values_in([op.args[0], op.result]))
        elif isinstance(op, Apply) and not isinstance(op.fn, Primitive):
            if op.args and not is_fresh(op) and not is_scalar_read(op):
                self.one_memory([op.result, op.args[0]])
        elif isinstance(op, Call):
            self.found.update(values_in([op.args[k] for k, _ in op.callee.facts.writes]))
        elif isinstance(op, If):
            for group in zip(op.results, op.then.yields, op.orelse.yields, strict=False):
                self.one_memory(group)
        elif isinstance(op, Loop):
            ends = zip(op.results, op.inits, op.carried, op.body.yields, strict=False)
            for several in ends:
                self.one_memory(several)

    def one_memory(self, group: Iterable[Operand]) -> None:
        values = [v for v in group if isinstance(v, Value)]
        if any(v in self.found for v in values):
            self.found.update(values)


def is_scalar_read(op: Apply) -> bool:
    return op.fn is operator.getitem and is_number_read(op.args[1])
