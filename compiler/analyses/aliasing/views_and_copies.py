"""Which values may be the same memory: what is new, what is a view, what may be either.

``Memory`` follows a program in the order it runs.  A *cell* is one array's memory; views of it
and what it holds after a write are in the same cell.  Two cells are ``near`` each other where
one value may be either: the result of a branch, of ``reshape``, of a function nobody knows.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Iterable
from typing import Any

from retrograd.runtime.rules.book import book
from retrograd.runtime.traits.lookup import traits_of

from ...ir.operations import Apply, Const, Operand, Value, values_in
from ...ir.types import BOTTOM, Array, Number, Tree, is_text
from ...ir.verify import shapes_read
from .memory_facts import (
    gives_array,
    is_const,
    is_fresh,
    is_version,
    is_view,
    is_view_of_second,
    needs_order,
)
from .memory_facts import is_whole as is_everything

__all__ = [
    "Cell",
    "Memory",
    "is_memory",
    "is_part",
    "is_reshaped",
    "is_whole",
    "may_be_memory",
    "relation",
    "step_of",
]


class Cell:
    """The memory of one array: the value it was first, and the cells it may be the same as."""

    __slots__ = ("first", "near")

    def __init__(self, first: Value) -> None:
        self.first = first
        self.near: set[Cell] = set()

    def __repr__(self) -> str:
        return f"<{self.first!r}>"


class Memory:
    """The cell of every value that may be an array."""

    def __init__(self) -> None:
        self.cells: dict[Value, Cell] = {}

    def of(self, v: Value) -> Cell:
        """The cell of a value: one of its own, unless something else was said before."""
        if v not in self.cells:
            self.cells[v] = Cell(v)
        return self.cells[v]

    def same(self, v: Value, base: Value) -> None:
        """``v`` is the memory of ``base``: a view of it, or what it holds after a write."""
        self.cells[v] = self.of(base)

    def either(self, v: Value, others: Iterable[Value]) -> None:
        """``v`` may be the memory of any of ``others``, or new."""
        cells = [self.of(u) for u in others if may_be_memory(u)]
        self.approach(v, {near for cell in cells for near in (cell, *cell.near)})

    def approach(self, v: Value, near: Iterable[Cell]) -> None:
        """A new cell for ``v`` beside these."""
        cell = self.cells[v] = Cell(v)
        cell.near.update(near)
        for other in cell.near:
            other.near.add(cell)

    def relate(self, a: Cell, b: Cell) -> None:
        if a is not b:
            a.near.add(b)
            b.near.add(a)

    def joined(self, v: Value, a: Operand, b: Operand) -> None:
        """``v`` is one of two operands."""
        if not may_be_memory(v):
            return
        ends = [x for x in (a, b) if isinstance(x, Value) and may_be_memory(x)]
        if len(ends) == 2 and self.of(ends[0]) is self.of(ends[1]):
            self.same(v, ends[0])
        else:
            self.either(v, ends)

    def may_share(self, a: Value, b: Value) -> bool:
        x, y = self.cells.get(a), self.cells.get(b)
        if x is None or y is None:
            return a is b
        return x is y or y in x.near

    def enter(self, op: Apply, contiguous: bool = False) -> None:
        """Values that the result of an operation may share memory with."""
        kind, bases = relation(op, contiguous)
        if kind == "view":
            self.same(op.result, bases[0])
        elif kind == "either":
            self.either(op.result, bases)


def relation(op: Apply, contiguous: bool = False, array: bool = False) -> tuple[str, list[Value]]:
    """How a result relates to other memory: ``new``, a ``view`` of one value, or ``either`` for several.

    ``contiguous``: the first argument is known to lie in C order, so that reshaping it is a view; ``array``: of
    rank 0, or of an unknown one, it is known to be no NumPy scalar.
    """
    result = op.results[0]
    if is_version(op) and isinstance(op.args[0], Value):
        return "view", [op.args[0]]
    if is_fresh(op) or not gives_array(op, result):
        return "new", []
    if is_view(op, contiguous, array):
        return "view", [op.args[0]]
    if is_view_of_second(op):
        return "view", [op.args[1]]
    shown = op.args[:1] if traits_of(op.fn).shows == "first" else [*op.args, *op.kwargs.values()]
    bases = list(values_in(shown))
    for v in values_in(shapes_read(op)):
        if v in bases:
            bases.remove(v)
    return ("either", bases) if bases else ("new", [])


def is_reshaped(path: Any) -> bool:
    """True if views that need an array in C order lead to a part of it."""
    return any(needs_order(fn.value) for fn, *_ in path)


def is_part(path: Any) -> bool:
    """True if views lead to the real or the imaginary part of an array."""
    return any(traits_of(fn.value).complex_part for fn, *_ in path)


def is_whole(path: Any) -> bool:
    """True if a path leads to the whole array: ``x += v``, ``x[...] = v``, ``x[:] = v``, ``x[:, :] = v``."""
    if not path:
        return True
    (fn, *args), *rest = path
    index = args[0] if args and fn.value is operator.getitem else None
    if rest or index is None:
        return False
    parts = index if isinstance(index, tuple) and index else (index,)
    return all(is_const(part, Ellipsis) or is_everything(part) for part in parts)


def step_of(op: Apply) -> tuple[Operand, ...] | None:
    """A view as a step of a path: what gives it, of the array that it shows, and the other arguments.

    None where that cannot be said.
    """
    if is_view_of_second(op):
        return Const(traits_of(op.fn).view_of_second), op.args[0]
    rest = in_order(op)
    return None if rest is None else (Const(op.fn), *rest[1:])


def in_order(op: Apply) -> tuple[Operand, ...] | None:
    """The arguments of a view, those given by name in their places: ``np.flip(x, axis=0)`` is ``np.flip(x, 0)``.

    None where that cannot be said.
    """
    rule = book.rules.get(op.fn) if op.kwargs else None
    if rule is None:
        return None if op.kwargs else op.args
    _, *own = inspect.signature(rule.differential).parameters.values()
    args, left = list(op.args), dict(op.kwargs)
    for parameter in own[len(args) :]:
        if left:
            args.append(left.pop(parameter.name, Const(parameter.default)))
    missing = any(isinstance(a, Const) and a.value is inspect.Parameter.empty for a in args)
    return None if left or missing else tuple(args)


def may_be_memory(v: Value) -> bool:
    """True if a value may be an array, those of rank 0 included."""
    return not isinstance(v.type, Number) and v.type is not BOTTOM and not is_text(v.type)


def is_memory(v: Value) -> bool:
    """True if a value may be an array by its type; of rank 0, it is more often a scalar."""
    kind = v.type
    return may_be_memory(v) and not (isinstance(kind, Array) and kind.dims == ())


def is_container(kind: Any) -> bool:
    return isinstance(kind, Tree)
