"""Iterables of a ``for``: ranges, sequences, and zip, enumerate and reversed of them."""

from __future__ import annotations

import builtins
import operator
import sys
from collections.abc import Iterator
from typing import Any

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.errors import UnsupportedSyntax
from retrograd.runtime.records import dataclass, field

from ...analyses.shapes.infer import type_of
from ...ir.containers import Pack
from ...ir.operations import Apply, Const, Operand, Value
from ...ir.plain_values import is_literal
from ...ir.types import Array, Number, Numeric, Stack, Tree
from ..interface.lowerer import Lowerer
from ..known_arguments import told_apart
from ..nodes import Node

__all__ = [
    "Behind", "Entries", "Enumerate", "Filtered", "Iteration", "Late", "Product", "Range", "Reversed", "Sequence", "Zip",
    "fixed_range", "goes_on", "is_strict", "sequences",
]  # fmt: skip

Bounds = tuple[Operand, Operand, Operand]


@dataclass(eq=False)
class Iteration:
    """A counted loop: its bounds, and the element that the target gets at an index."""

    bounds: Bounds | None = None
    hint: str | None = "i"
    index_type: Any = field(default_factory=lambda: Number("i"))
    steady: Any = ()  # what it was computed of, as `LiveIterators.steady` says

    def element(self, lowerer: Lowerer, index: Operand) -> Node:
        return index

    def measure(self, lowerer: Lowerer) -> None:
        """Emit what computes the bounds, once, before the loop."""
        self.bounds = (Const(0), self.length(lowerer), Const(1))

    def length(self, lowerer: Lowerer) -> Operand:
        assert self.bounds is not None
        lo, hi, step = self.bounds
        plain = is_const(lo, 0) and is_const(step, 1)
        if plain and is_length(lowerer, hi):
            return hi
        counted = lowerer.operations.apply(builtins.range, (hi,) if plain else self.bounds, {})
        return lowerer.operations.apply(builtins.len, (counted,), {})


@dataclass(eq=False)
class Range(Iteration):
    """``range(lo, hi, step)``: the index is the element."""

    hint: str | None = None


@dataclass(eq=False)
class Sequence(Iteration):
    """The rows of an array or the items of a list: ``value[k]`` at index k."""

    value: Value | Const | None = None
    read: Value | None = None
    cell: int | None = None  # of a list that may be written to meanwhile
    began: Any = None  # what it holds before the loop
    head: Any = None  # and where an iteration begins
    item: Any = None  # the type of the items of a container of the module

    def length(self, lowerer: Lowerer) -> Operand:
        lowerer.iterators.check_unchanged(self)
        return lowerer.operations.apply(builtins.len, (self.value,), {})

    def element(self, lowerer: Lowerer, index: Operand) -> Node:
        self.read = lowerer.operations.apply(
            operator.getitem, (lowerer.iterators.sequence_now(self), index), {}
        )
        self.read.type = self.item or self.read.type
        return lowerer.items.of_cell(self.cell, index, self.read)


@dataclass(eq=False)
class Late(Iteration):
    """What an object gives when it is gone over, one after the other, when it runs: ``for v in value``."""

    value: Value | Const | None = None

    def length(self, lowerer: Lowerer) -> Operand:
        raise UnsupportedSyntax(
            "the length of what this goes over is known when it has been gone over",
            place=lowerer.scope.place(lowerer.scope.node),
            fix="make an array or a list of it before: np.array(...)",
        )


@dataclass(eq=False)
class Zip(Iteration):
    """``zip(a, b)``: as long as the shortest."""

    parts: list[Iteration] = field(default_factory=list)
    strict: bool = False  # all have one length, once it has been gone through

    def length(self, lowerer: Lowerer) -> Operand:
        lengths = [part.length(lowerer) for part in self.parts]
        ends = [n for n in lengths if not is_const(n, sys.maxsize)]  # those that have one
        lengths = ends or lengths[:1]
        if self.strict or len(lengths) == 1:
            return lengths[0]
        return lowerer.operations.apply(builtins.min, tuple(lengths), {})

    def element(self, lowerer: Lowerer, index: Operand) -> Node:
        items = [part.element(lowerer, shifted(lowerer, part, index)) for part in self.parts]
        return Pack(tuple, list(range(len(items))), items)


@dataclass(eq=False)
class Enumerate(Iteration):
    """``enumerate(a, start)``."""

    inner: Iteration | None = None
    start: Any = None

    def length(self, lowerer: Lowerer) -> Operand:
        assert self.inner is not None
        return self.inner.length(lowerer)

    def element(self, lowerer: Lowerer, index: Operand) -> Node:
        assert self.inner is not None
        number = index
        if not (isinstance(self.start, Const) and self.start.value == 0):
            number = lowerer.operations.apply(operator.add, (index, self.start), {})
        item = self.inner.element(lowerer, shifted(lowerer, self.inner, index))
        return Pack(tuple, [0, 1], [number, item])


@dataclass(eq=False)
class Reversed(Iteration):
    """``reversed(a)``: element n - 1 - k at index k."""

    inner: Iteration | None = None
    n: Any = None

    def length(self, lowerer: Lowerer) -> Operand:
        assert self.inner is not None
        self.n = self.inner.length(lowerer)
        return self.n

    def element(self, lowerer: Lowerer, index: Operand) -> Node:
        assert self.inner is not None
        last = lowerer.operations.apply(operator.sub, (self.n, Const(1)), {})
        back = lowerer.operations.apply(operator.sub, (last, index), {})
        return self.inner.element(lowerer, shifted(lowerer, self.inner, back))


@dataclass(eq=False)
class Behind(Iteration):
    """What is left of an iteration when the first of its items were taken."""

    inner: Iteration | None = None
    taken: int = 1

    def length(self, lowerer: Lowerer) -> Operand:
        assert self.inner is not None
        whole = self.inner.length(lowerer)
        return lowerer.operations.apply(operator.sub, (whole, Const(self.taken)), {})

    def element(self, lowerer: Lowerer, index: Operand) -> Node:
        assert self.inner is not None
        place = lowerer.operations.apply(operator.add, (index, Const(self.taken)), {})
        return self.inner.element(lowerer, shifted(lowerer, self.inner, place))

    def first(self, lowerer: Lowerer) -> Node:
        """The next item: whoever takes it is behind it then."""
        assert self.inner is not None
        for over in sequences(self):
            lowerer.iterators.check_unchanged(over)
        return self.inner.element(lowerer, shifted(lowerer, self.inner, Const(self.taken)))


@dataclass(eq=False)
class Filtered(Iteration):
    """The items of another iteration at some places: ``value`` is an array of their numbers."""

    value: Value | None = None
    inner: Iteration | None = None

    def length(self, lowerer: Lowerer) -> Operand:
        return lowerer.operations.apply(builtins.len, (self.value,), {})

    def element(self, lowerer: Lowerer, index: Operand) -> Node:
        assert self.inner is not None
        place = lowerer.operations.apply(operator.getitem, (self.value, index), {})
        return self.inner.element(lowerer, shifted(lowerer, self.inner, place))


@dataclass(eq=False)
class Product(Iteration):
    """Every item of one iteration with every item of the next, the last one fastest; of none, one empty tuple."""

    hint: str | None = "k"
    parts: list[Iteration] = field(default_factory=list)
    lengths: list[Operand] = field(default_factory=list)

    def length(self, lowerer: Lowerer) -> Operand:
        self.lengths = [part.length(lowerer) for part in self.parts]
        total, *others = self.lengths or [Const(1)]
        for n in others:
            total = lowerer.operations.apply(operator.mul, (total, n), {})
        return total

    def element(self, lowerer: Lowerer, index: Operand) -> Node:
        items: list[Any] = []
        for at in reversed(range(len(self.parts))):
            place = index
            if at:
                place = lowerer.operations.apply(operator.mod, (index, self.lengths[at]), {})
                index = lowerer.operations.apply(operator.floordiv, (index, self.lengths[at]), {})
            part = self.parts[at]
            items.insert(0, part.element(lowerer, shifted(lowerer, part, place)))
        return Pack(tuple, list(range(len(items))), items)


@dataclass(eq=False)
class Entries(Iteration):
    """The keys, the values or the items of a dict: what it holds when the turn comes to a key."""

    hint: str | None = "k"
    keys: Any = None  # a list of them, when the loop begins
    whole: Any = None
    gives: str = "keys"

    def length(self, lowerer: Lowerer) -> Any:
        return lowerer.operations.apply(len, (self.keys,), {})

    def element(self, lowerer: Lowerer, index: Any) -> Node:
        key = lowerer.subscripts.getitem(self.keys, index)
        if self.gives == "keys":
            return key
        item = lowerer.subscripts.item(lowerer.cells.present(self.whole), key, lowerer.scope.node)
        return item if self.gives == "values" else Pack(tuple, [0, 1], [key, item])


def sequences(iteration: Node) -> Iterator[Sequence]:
    """The arrays and lists that an iteration goes over."""
    if isinstance(iteration, Sequence):
        yield iteration
    for name in ("inner", "parts"):
        inner = getattr(iteration, name, None)
        for part in inner if isinstance(inner, list) else [inner]:
            if part is not None:
                yield from sequences(part)


def is_strict(iteration: Node) -> bool:
    """True if it raises where it ends, unless it is left before that."""
    if isinstance(iteration, Zip) and iteration.strict:
        return True
    inner = [getattr(iteration, "inner", None), *getattr(iteration, "parts", ())]
    return any(is_strict(part) for part in inner if part is not None)


def is_const(bound: Operand, value: int) -> bool:
    return isinstance(bound, Const) and bound.text is None and bound.value == value


def is_length(lowerer: Lowerer, n: Operand) -> bool:
    """True if a number is what ``len`` gave in one of the open regions: not below 0."""
    ops = (op for block in lowerer.scope.blocks for op in block.ops if n in op.results)
    return any(isinstance(op, Apply) and op.fn is builtins.len for op in ops)


def shifted(lowerer: Lowerer, part: Iteration, index: Operand) -> Operand:
    """The element of a range inside zip or reversed: ``lo + k * step``."""
    if not isinstance(part, Range):
        return index
    assert part.bounds is not None
    lo, _, step = part.bounds
    value = index
    if not (isinstance(step, Const) and step.value == 1):
        value = lowerer.operations.apply(operator.mul, (value, step), {})
    if not (isinstance(lo, Const) and lo.value == 0):
        value = lowerer.operations.apply(operator.add, (lo, value), {})
    return value


def written_out(node: Node) -> Node:
    """A constant tuple of plain values, or text, as its items, so that a loop over it can be unrolled."""
    if not (isinstance(node, Const) and type(node.value) in (tuple, str) and is_plain(node.value)):
        return node
    items = [Const(item) for item in node.value]
    return Pack(tuple, list(range(len(items))), items)


def is_plain(value: Any) -> bool:
    """True if a value never changes and can be written as a literal."""
    return is_literal(value)


def iterable_of(lowerer: Lowerer, node: Node) -> Iteration | Pack:
    """An evaluated expression as something to iterate over."""
    node = told_apart(lowerer, written_out(node))
    if isinstance(node, (Iteration, Pack)):
        return node
    if isinstance(node, Const) and is_ndarray(node.value) and node.value.ndim:
        return Sequence(value=node, hint="k")
    if isinstance(node, Value):
        kind = type_of(node)
        if isinstance(kind, Tree) and kind.container == "dict":
            return Pack(dict, list(kind.keys), list(kind.keys))
        if kind is None or isinstance(kind, (Array, Numeric, Stack, Tree)):
            return Sequence(value=node, hint="k")
    raise TypeError("not iterable here")


def goes_on(iterable: Node) -> bool:
    """True if nothing is raised between iterations: whole numbers, items of containers, rows of arrays."""
    if isinstance(iterable, Zip):
        return not iterable.strict and all(map(goes_on, iterable.parts))
    if isinstance(iterable, Sequence):
        kind = type_of(iterable.value) if iterable.value is not None else None
        return isinstance(kind, Array) and bool(kind.dims)
    if isinstance(iterable, (Enumerate, Reversed)):
        return goes_on(iterable.inner)
    return isinstance(iterable, (Pack, Range))


def fixed_range(node: Node) -> Node:
    """A range of constant bounds is a constant for a callee."""
    bounds = node.bounds if type(node) is Range else None
    if bounds is None or not all(isinstance(b, Const) and b.text is None for b in bounds):
        return node
    return Const(range(*[b.value for b in bounds]))
