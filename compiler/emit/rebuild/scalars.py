"""Values that are numbers for certain, Python's or NumPy's: no array, of which another name could see a change."""

from __future__ import annotations

from retrograd.runtime.traits.lookup import traits_of

from ...ir.operations import Apply, Const, Function, Loop, Operand, Value, walk
from ...ir.types import Array, Number

__all__ = ["Scalars"]


class Scalars:
    """``scalars(v)``: a number of Python's, or what arithmetic or a sum makes of numbers."""

    def __init__(self, function: Function) -> None:
        ops = walk(function.body)
        self.made = {r: op for op in ops for r in op.results}
        self.loops = {
            p: (op.inits[k], op.body.yields[k])
            for op in ops
            if isinstance(op, Loop)
            for k, p in enumerate(op.carried)
        }
        self.known: dict[Value, bool] = {}

    def __call__(self, operand: Operand) -> bool:
        if isinstance(operand, Const):
            return type(operand.value) in (int, float, complex)
        if not isinstance(operand, Value):
            return False
        if operand not in self.known:
            self.known[operand] = True  # as long as nothing else is found, of a loop
            self.known[operand] = self.is_scalar(operand)
        return self.known[operand]

    def is_scalar(self, v: Value) -> bool:
        if isinstance(v.type, Number):
            return True
        if not isinstance(v.type, Array) or v.type.dims != ():
            return False
        if v in self.loops:
            return all(map(self, self.loops[v]))
        op = self.made.get(v)
        return isinstance(op, Apply) and bool(traits_of(op.fn).sign or traits_of(op.fn).ufunc)
