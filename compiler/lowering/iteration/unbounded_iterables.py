"""Iterators of ``itertools`` as iterations by index; some of them have no end."""

from __future__ import annotations

import operator
import sys
from typing import Any

from retrograd.runtime.records import dataclass, field

from ...ir.containers import Pack
from ...ir.operations import Const, Operand, Value
from ..interface.lowerer import Lowerer
from ..nodes import Node
from .iterables import Iteration, Product, Range, shifted

__all__ = [
    "Count",
    "Cycle",
    "Endless",
    "Enumerated",
    "Flat",
    "Repeat",
    "Rest",
    "Selected",
    "Sliced",
    "counted",
]


@dataclass(eq=False)
class Enumerated(Iteration):
    """``np.ndenumerate(a)``: every index with its element."""

    hint: str | None = "k"
    value: Value | Const | None = None
    places: Product | None = None

    def length(self, lowerer: Lowerer) -> Operand:
        assert self.places is not None
        return self.places.length(lowerer)

    def element(self, lowerer: Lowerer, index: Operand) -> Node:
        assert self.places is not None
        place = self.places.element(lowerer, index)
        item = lowerer.operations.apply(operator.getitem, (self.value, tuple(place.items)), {})
        return Pack(tuple, [0, 1], [place, item])


@dataclass(eq=False)
class Flat(Enumerated):
    """``a.flat``: the elements as they are when the loop comes to them."""

    def element(self, lowerer: Lowerer, index: Operand) -> Node:
        return super().element(lowerer, index).items[1]


@dataclass(eq=False)
class Selected(Iteration):
    """Groups of items of another iteration: ``value`` is a table of their numbers."""

    value: Value | None = None
    inner: Iteration | None = None
    width: int = 0

    def length(self, lowerer: Lowerer) -> Operand:
        return lowerer.operations.apply(len, (self.value,), {})

    def element(self, lowerer: Lowerer, index: Operand) -> Node:
        assert self.inner is not None
        items = []
        for k in range(self.width):
            place = lowerer.operations.apply(operator.getitem, (self.value, (index, Const(k))), {})
            items.append(self.inner.element(lowerer, shifted(lowerer, self.inner, place)))
        return Pack(tuple, list(range(self.width)), items)


@dataclass(eq=False)
class Sliced(Iteration):
    """``itertools.islice``: the items of another iteration at ``range(n)[part]``."""

    inner: Iteration | None = None
    part: slice = field(default_factory=lambda: slice(None))

    def length(self, lowerer: Lowerer) -> Operand:
        assert self.inner is not None
        start, stop, step = self.part.start or 0, self.part.stop, self.part.step or 1
        n = self.inner.length(lowerer)  # a cycle counts its items here
        n = Const(stop) if isinstance(self.inner, Endless) else n
        if stop is not None and not isinstance(self.inner, Endless):
            n = lowerer.operations.apply(min, (n, Const(stop)), {})
        numbers = lowerer.operations.apply(range, (Const(start), n, Const(step)), {})
        return lowerer.operations.apply(len, (numbers,), {})

    def element(self, lowerer: Lowerer, index: Operand) -> Node:
        assert self.inner is not None
        start, step = self.part.start or 0, self.part.step or 1
        if step != 1:
            index = lowerer.operations.apply(operator.mul, (index, Const(step)), {})
        if start:
            index = lowerer.operations.apply(operator.add, (index, Const(start)), {})
        return self.inner.element(lowerer, shifted(lowerer, self.inner, index))


@dataclass(eq=False)
class Endless(Iteration):
    """An iteration that is left by ``break``, or ends where what it is zipped with ends."""

    def length(self, lowerer: Lowerer) -> Operand:
        return Const(sys.maxsize)


class Rest(Sliced, Endless):
    """``itertools.islice(items, start, None, step)`` of what does not end."""

    def length(self, lowerer: Lowerer) -> Operand:
        assert self.inner is not None
        return self.inner.length(lowerer)  # a cycle counts its items here


@dataclass(eq=False)
class Count(Endless):
    """``itertools.count(start, step)``."""

    start: Any = None
    step: Any = None

    def element(self, lowerer: Lowerer, index: Operand) -> Node:
        if not is_number(self.step, 1):
            index = lowerer.operations.apply(operator.mul, (index, self.step), {})
        if not is_number(self.start, 0):
            index = lowerer.operations.apply(operator.add, (self.start, index), {})
        return index


@dataclass(eq=False)
class Repeat(Endless):
    """``itertools.repeat(item)``, perhaps ``times`` times."""

    item: Any = None
    times: Range | None = None

    def length(self, lowerer: Lowerer) -> Operand:
        return super().length(lowerer) if self.times is None else self.times.length(lowerer)

    def element(self, lowerer: Lowerer, index: Operand) -> Node:
        return self.item


@dataclass(eq=False)
class Cycle(Endless):
    """``itertools.cycle(items)``."""

    inner: Iteration | None = None
    n: Any = None

    def length(self, lowerer: Lowerer) -> Operand:
        assert self.inner is not None
        self.n = self.inner.length(lowerer)
        return super().length(lowerer)

    def element(self, lowerer: Lowerer, index: Operand) -> Node:
        assert self.inner is not None
        place = lowerer.operations.apply(operator.mod, (index, self.n), {})
        return self.inner.element(lowerer, shifted(lowerer, self.inner, place))


class Indices(Range):
    """``range(n)`` of a size."""

    def length(self, lowerer: Lowerer) -> Operand:
        assert self.bounds is not None
        return self.bounds[1]


def counted(sizes: list[Any]) -> Product:
    return Product(parts=[Indices(bounds=(Const(0), n, Const(1))) for n in sizes])


def is_number(node: Node, value: int) -> bool:
    return isinstance(node, Const) and node.text is None and node.value == value
