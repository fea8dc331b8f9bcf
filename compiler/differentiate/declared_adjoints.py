"""Adjoints that may not have their declared type: Python numbers, arrays in single precision.

What a region or a call hands on is declared to be what its value is: a Python float, a float32 array.  What it begins
with may be something else all the same: ``WEIGHTS[0] * y`` makes a NumPy scalar of the adjoint of a float, and an
array in double precision of that of another array.
"""

from __future__ import annotations

from typing import Any

from ..analyses.shapes.infer import type_of
from ..ir.operations import Apply, Block, Call, If, Loop, Operand, Value, values_in, walk
from ..ir.types import Array, Number

__all__ = ["is_as_declared"]


def is_as_declared(body: Block, bar: Operand) -> bool:
    """True if an adjoint has the dtype that its type says, or is a Python number, by the operations of a block."""
    known = type_of(bar)
    dtype = known.dtype if isinstance(known, Array) else None
    return Declared(body, dtype).holds(bar)


class Declared:
    """The operations of a program by their results, and loops by what they carry.

    ``dtype``: that of the arrays it is about; None: it is about Python's numbers.  ``called``: results of functions,
    and whether they are what they are declared to be, if the arguments are.
    """

    def __init__(
        self, body: Block, dtype: str | None, called: dict[Any, bool] | None = None
    ) -> None:
        self.dtype = dtype
        self.called = {} if called is None else called
        self.made: dict[Value, tuple[Any, int]] = {}
        for op in walk(body):
            self.made.update((result, (op, k)) for k, result in enumerate(op.results))
            if isinstance(op, Loop):
                self.made.update((p, (op, k)) for k, p in enumerate(op.carried))

    def holds(self, bar: Operand) -> bool:
        seen: set[Value] = set()
        left = [bar]
        while left:
            one = left.pop()
            if not self.fits(one):
                return False
            if isinstance(one, Value) and one not in seen:
                seen.add(one)
                found = self.sources(*self.made.get(one, (None, 0)))
                if found is None:
                    return False
                left += found
        return True

    def fits(self, one: Operand) -> bool:
        known = type_of(one)
        if isinstance(known, Array):
            return self.dtype is not None and known.dtype == self.dtype
        return isinstance(known, Number)

    def sources(self, op: Any, k: int) -> list[Operand] | None:
        """The operands that a value owes its type to; None if it has another one in any case."""
        if isinstance(op, Apply):
            return [v for v in values_in([*op.args, *op.kwargs.values()]) if self.fits(v)]
        if isinstance(op, If):
            return [op.then.yields[k], op.orelse.yields[k]]
        if isinstance(op, Loop):
            return [op.inits[k], op.body.yields[k]] if k < len(op.inits) else []
        if isinstance(op, Call):
            return self.of_call(op, k)
        return []  # a parameter

    def of_call(self, op: Call, k: int) -> list[Operand] | None:
        body = op.callee.body
        key = op.callee, k
        if key not in self.called:
            self.called[key] = True  # as far as it calls itself
            self.called[key] = Declared(body, self.dtype, self.called).holds(body.yields[k])
        pairs = [(p, a) for p, a in zip(body.params, op.args, strict=False) if self.fits(p)]
        return [a for _, a in pairs] if self.called[key] else None
