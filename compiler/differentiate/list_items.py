"""The adjoints of lists of numbers: parts are added where the path leads that they were read by."""

from __future__ import annotations

import operator

from retrograd.runtime.helpers import linear

from ..analyses.aliasing.memory_facts import is_whole
from ..analyses.shapes.helpers import zero_type
from ..analyses.shapes.infer import type_of
from ..analyses.shapes.number_lists import is_nest
from ..ir.lattice import as_stack
from ..ir.operations import Apply, Const, Operand, Value, values_in
from ..ir.types import Tree
from .adjoint_table import Adjoints

__all__ = ["Items"]


FEW_ITEMS = 16  # of a list that is sliced: more are added as a list


class Items(Adjoints):
    """The adjoints of what is read from lists at places that are computed, and of what is put there.

    Each gives a container of its own; which of them are writes in place is found out at the end
    (``passes/in_place/item_writes.py``).
    """

    def slice_of_items(self, base: Value, index: slice, c: Operand) -> None:
        """``layers[:-1]``: each item is added where it was read, if there are few."""
        kind = base.type
        assert isinstance(kind, Tree)
        bounds = [getattr(part, "value", part) for part in (index.start, index.stop, index.step)]
        known = all(part is None or type(part) is int for part in bounds)
        few = known and kind.container in ("list", "tuple") and len(kind.items) <= FEW_ITEMS
        if not few or is_nest(kind):
            return self.contribute(base, self.b.apply(linear.scatter, c, base, index))
        for at, key in enumerate(range(len(kind.items))[slice(*bounds)]):
            self.accumulate((base, (key,)), self.b.part(c, at))

    def takes_number(self, op: Apply) -> bool:
        """True if an operation reads what stands in a list of numbers at the end of a path."""
        if op.fn is not linear.taken_at:
            return False
        whole = op.args[0]
        return isinstance(whole, Value) and is_nest(whole.type)

    def increase_item(self, base: Value, path: tuple[Operand, ...], c: Operand) -> None:
        """Add ``c`` at the end of the path that leads to it: no container of zeros is made on the way."""
        while (outer := self.read_from(base)) is not None:
            base, key = outer
            path = (key, *path)
        if len(path) > 1 and is_whole(path[-1]):
            path = path[:-1]  # what is added to all of a row is added to it
        key = (base, ())
        old = self.widened(key)
        if old is None:
            old = self.b.emit(linear.zeros_like, self.b.representative(base))
            old.type, old.bar = zero_type(as_stack(base.type)), self.label(key)
        made = self.b.emit(linear.increased_at, old, path, c)
        made.type = type_of(old)
        self.bars[key] = made
        self.name(key)

    def read_from(self, item: Value) -> tuple[Value, Operand] | None:
        """The container that an item was read from in this region, and its key."""
        op = self.b.defs.get(item)
        if op is None or op.fn is not operator.getitem or op not in self.here.ops:
            return None
        base, key = op.args
        known = isinstance(base, Value) and self.activity(base) and is_nest(base.type)
        return (base, key) if known and not isinstance(key, slice) else None

    def put(self, op: Apply) -> None:
        """A number put over another one: it has the adjoint of its place, where there is a zero then."""
        items, where, item = op.args
        c = self.take(op.result)
        if isinstance(item, Value) and self.activity(item):
            part = c
            for key in where if op.fn is linear.put_at else (where,):
                part = self.b.getitem(part, key)
            self.contribute(item, part)
        if any(map(self.activity, values_in(items))):
            self.contribute(items, self.b.apply(op.fn, c, where, Const(0.0)))
