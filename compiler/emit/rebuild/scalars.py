"""Values that are numbers for certain, Python's or NumPy's: no array, of which another name could see a change.

A cotangent of a number may be an array of rank 0, as ``np.where`` gives it; and so may be what a function is called with, then.
"""

from __future__ import annotations

from collections.abc import Set

from retrograd.runtime.traits.lookup import traits_of

from ...ir.operations import Apply, Call, Const, Function, If, Loop, Operand, Value, values_in, walk
from ...ir.types import Array, Number

__all__ = ["Scalars", "given_arrays"]

NOTHING: Set[Value] = frozenset()


def given_arrays(functions: list[Function]) -> set[Value]:
    """The parameters of functions that some call may give an array of rank 0."""
    found: set[Value] = set()
    while True:
        before = len(found)
        for function in functions:
            scalars = Scalars(function, found)
            for op in walk(function.body):
                if isinstance(op, Call):
                    pairs = zip(op.callee.body.params, op.args, strict=False)
                    found.update(p for p, a in pairs if has_rank_0(p) and not scalars(a))
        if len(found) == before:
            return found


def has_rank_0(v: Operand) -> bool:
    return isinstance(v, Value) and (
        isinstance(v.type, Number) or (isinstance(v.type, Array) and v.type.dims == ())
    )


class Scalars:
    """``scalars(v)``: a number of Python's, or what arithmetic or a sum makes of numbers.

    ``arrays``: parameters that may be arrays.
    """

    def __init__(self, function: Function, arrays: Set[Value] = NOTHING) -> None:
        self.arrays = arrays
        ops = walk(function.body)
        self.made = {r: op for op in ops for r in op.results}
        self.loops = {
            p: (op.inits[k], op.body.yields[k])
            for op in ops
            if isinstance(op, Loop)
            for k, p in enumerate(op.carried)
        }
        self.sides = {
            r: (op.then.yields[k], op.orelse.yields[k])
            for op in ops
            if isinstance(op, If)
            for k, r in enumerate(op.results)
            if k < min(len(op.then.yields), len(op.orelse.yields))
        }

    def __call__(self, operand: Operand) -> bool:
        """True if nothing that the operand may be is an array, however often a loop hands it on."""
        seen: set[Value] = set()
        left = [operand]
        while left:
            one = left.pop()
            if isinstance(one, Const):
                if type(one.value) not in (int, float, complex):
                    return False
            elif not isinstance(one, Value) or self.may_be_array(one):
                return False
            elif one not in seen:
                seen.add(one)
                left += self.handed_on(one)
        return True

    def may_be_array(self, v: Value) -> bool:
        if not has_rank_0(v) or v in self.arrays:
            return True
        several = v in self.loops or v in self.sides
        return not (several or isinstance(v.type, Number) or self.is_computed(v))

    def is_computed(self, v: Value) -> bool:
        """True of what arithmetic or a sum makes of numbers."""
        op = self.made.get(v)
        return isinstance(op, Apply) and bool(traits_of(op.fn).sign or traits_of(op.fn).ufunc)

    def handed_on(self, v: Value) -> list[Operand]:
        """What a value may be."""
        if v in self.loops or v in self.sides:
            return [*self.loops.get(v, ()), *self.sides.get(v, ())]
        op = self.made.get(v)
        if isinstance(op, (Apply, Call)) and not self.is_computed(v):
            return [*filter(has_rank_0, values_in(op.args))]
        return []
