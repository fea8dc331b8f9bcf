"""What a program only goes over, item by item: it may be an array, a list or a tuple, and its items differ.

>>> from tests.before_after import lowered
>>> function = lowered("def f(theta, x): a, b = theta; return a * np.sum(x) + b * x[0]", "")
>>> theta, x = function.body.params
>>> whole = Sequences(function)
>>> len(whole.items(theta)), whole.items(x)
(2, [])
"""

from __future__ import annotations

import builtins
import operator
from typing import Any

from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import home_of

from ...ir.operations import (
    Apply,
    Call,
    Function,
    Op,
    Operand,
    Value,
    operands_of,
    reachable,
    values_in,
    walk,
)  # fmt: skip
from ...ir.types import Array
from .demands import is_place

__all__ = ["Sequences"]


class Sequences:
    """Of a function and those that it calls: which values are read by item alone."""

    def __init__(self, function: Function) -> None:
        self.read: dict[Value, list[Value]] = {}
        self.bases: dict[Value, Value] = {}  # of items: what they are read of
        self.places: dict[Value, set[Any]] = {}  # where they are read; None: where the run says
        self.counts: dict[Value, int] = {}  # of what is unpacked
        self.same: dict[Value, list[Value]] = {}  # parts of it, and what it is called in a callee
        self.whole: set[Value] = set()  # with which more is done
        for f in reachable(function):
            for op in walk(f.body):
                self.enter(op)
            self.whole.update(values_in(f.body.yields))

    def enter(self, op: Op) -> None:
        base = op.args[0] if isinstance(op, Apply) and op.args else None
        others = operands_of(op)
        if isinstance(op, Apply) and is_check(op.fn) and op.fn is not linear.check_count:
            return  # of any value
        if isinstance(op, Call):
            pairs = [(a, p) for a, p in zip(op.args, op.callee.body.params, strict=False)]
            for a, p in pairs:
                if isinstance(a, Value):
                    self.same.setdefault(a, []).append(p)
            others = [a for a in op.args if not isinstance(a, Value)]
        elif isinstance(op, Apply) and isinstance(base, Value):
            others = self.apply(op, base, others)
        self.whole.update(values_in(others))
        for block in op.blocks:
            self.whole.update(values_in(block.yields))

    def apply(self, op: Apply, base: Value, others: list[Operand]) -> list[Operand]:
        """The operands with which more is done than reading an item, or the length."""
        if op.fn is operator.getitem and is_place(op.args[1]):
            self.read.setdefault(base, []).append(op.result)
            place = getattr(op.args[1], "value", op.args[1])
            self.places.setdefault(base, set()).add(place if type(place) is int else None)
            self.bases[op.result] = base
            return others[1:]
        if op.fn is operator.getitem and isinstance(op.args[1], slice):
            self.same.setdefault(base, []).append(op.result)
            return others[1:]
        if op.fn is linear.check_count:
            self.counts[base] = getattr(op.args[1], "value", op.args[1]) or 0
        return others[1:] if op.fn in (builtins.len, linear.check_count) else others

    def items(self, v: Value) -> list[Value]:
        """What is read of a value that is read by item alone."""
        several = self.all_of(v)
        if any(part in self.whole or isinstance(part.type, Array) for part in several):
            return []
        return [item for part in several for item in self.read.get(part, ())]

    def are_all(self, v: Value) -> bool:
        """True if every item is read: where the run says, or one by one."""
        parts = self.all_of(v)
        if any(None in self.places.get(part, ()) for part in parts):
            return True
        counts = [self.counts[part] for part in parts if part in self.counts]
        places = set().union(*(self.places.get(part, set()) for part in parts))
        return any(places >= set(range(n)) for n in counts)

    def all_of(self, v: Value) -> list[Value]:
        """A value, its parts, and what these are called in callees."""
        found = {v: None}
        left = [v]
        while left:
            new = [part for part in self.same.get(left.pop(), ()) if part not in found]
            found |= dict.fromkeys(new)
            left += new
        return list(found)

    def is_item(self, op: Op) -> bool:
        """True of the item of something that may be a list: its rank says nothing of the others."""
        base = self.bases.get(op.results[0]) if op.results else None
        return base is not None and bool(self.items(base))

    def is_part(self, op: Op) -> bool:
        """True of a part of something that may be a list."""
        base = op.args[0] if isinstance(op, Apply) and op.args else None
        return (
            isinstance(base, Value)
            and op.results[0] in self.same.get(base, ())
            and bool(self.items(base))
        )


def is_check(fn: Any) -> bool:
    """True of the compiler's own checks of what a program is given."""
    return home_of(fn).startswith("retrograd") and fn.__name__.startswith("check_")
