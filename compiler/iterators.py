"""``itertools``, ``np.ndindex`` and ``np.ndenumerate``: what they iterate over, known or by index."""

from __future__ import annotations

import itertools
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from retrograd.runtime.errors import UnsupportedSyntax

from .ir import Apply, Const, Operand, Value
from .iterables import Iteration, Product, Range
from .structure import Pack
from .types import Array, Tree

__all__ = ["Iterators"]

Node = Any
LONGEST = 12  # a range of constant bounds that is not longer may be combined
KNOWN = {
    itertools.chain, itertools.product, itertools.combinations, itertools.permutations,
    itertools.combinations_with_replacement, itertools.zip_longest, itertools.islice,
    itertools.pairwise, itertools.repeat,
}  # fmt: skip


WHOLE = (operator.add, operator.sub, operator.mul)


@dataclass(eq=False)
class Enumerated(Iteration):
    """``np.ndenumerate(a)``: every index with its element."""

    hint: str | None = "k"
    value: Value | Const | None = None
    places: Product | None = None

    def length(self, lowerer: Any) -> Operand:
        assert self.places is not None
        return self.places.length(lowerer)

    def element(self, lowerer: Any, index: Any) -> Any:
        assert self.places is not None
        place = self.places.element(lowerer, index)
        item = lowerer.apply(operator.getitem, (self.value, tuple(place.items)), {})
        return Pack(tuple, [0, 1], [place, item])


class Iterators:
    """Lowers calls of functions that make iterators."""

    if TYPE_CHECKING:
        block: Any
        getitem: Any
        iteration: Any
        live: Any
        place: Any
        refreshed: Any
        unpack: Any

    def call_constant(self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        made = self.iterator(fn, args, kwargs, node)
        return super().call_constant(fn, args, kwargs, node) if made is None else made  # type: ignore[misc]

    def iterator(self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        if fn is np.ndindex:
            sizes = self.unpack(args[0], None, node) if is_shape(args) else args
            return counted(sizes)
        if fn is np.ndenumerate:
            shape = self.shape_of(args[0], node)
            return Enumerated(value=args[0], places=counted(shape))
        if fn is itertools.pairwise and isinstance(args[0], Value):
            ends = (slice(None, Const(-1), None), slice(Const(1), None, None))
            parts = [self.getitem(args[0], whole(part)) for part in ends]
            return self.zipped(parts, node)
        if not any(fn is known for known in KNOWN):
            return None
        options = {k: v.value for k, v in kwargs.items() if isinstance(v, Const)}
        lists = [listed(a) for a in args]
        if None not in lists and len(options) == len(kwargs):
            made = packed(fn(*[as_argument(x) for x in lists], **options))
            return self.live(
                made, lambda: self.iterator(fn, [self.refreshed(a) for a in args], kwargs, node)
            )
        if fn is itertools.product:
            parts = [self.iteration(a, node) for a in args] * options.get("repeat", 1)
            return Product(parts=parts)
        raise UnsupportedSyntax(
            f"itertools.{fn.__name__} of something of unknown length is not supported",
            place=self.place(node), fix="write the loops, with range and an index",
        )  # fmt: skip

    def on_BinOp(self, node: Any) -> Node:
        """Integers of a loop that is written out: ``k + 1`` is 2 where ``k`` is 1."""
        made = super().on_BinOp(node)  # type: ignore[misc]
        last = self.block.ops[-1] if self.block.ops else None
        written = isinstance(node.left, gast.Constant) and isinstance(node.right, gast.Constant)
        if written or not isinstance(last, Apply) or made not in last.results:
            return made
        if last.fn not in WHOLE or not all(is_integer(a) for a in last.args):
            return made
        self.block.ops.pop()
        return Const(last.fn(*[a.value for a in last.args]))

    def zipped(self, parts: list[Node], node: Any) -> Node:
        return self.builtin_zip(parts, {}, node)  # type: ignore[attr-defined]

    def shape_of(self, value: Node, node: Any) -> list[Node]:
        kind = getattr(value, "type", None)
        if not isinstance(kind, Array) or not kind.dims:
            raise UnsupportedSyntax(
                "np.ndenumerate of something whose rank is not known is not supported",
                place=self.place(node), fix="loop over range(...) in every dimension",
            )  # fmt: skip
        shape = self.apply(np.ndarray.shape, (value,), {})  # type: ignore[attr-defined]
        return [self.getitem(shape, Const(k)) for k in range(len(kind.dims))]


def whole(part: slice) -> slice:
    """A slice of constants, the ends that are left out included."""
    return slice(*[Const(None) if p is None else p for p in (part.start, part.stop, part.step)])


def is_integer(node: Node) -> bool:
    return isinstance(node, Const) and node.text is None and type(node.value) is int


def is_shape(args: list[Node]) -> bool:
    """Whether ``np.ndindex`` is given one tuple."""
    kind = getattr(args[0], "type", None) if len(args) == 1 else None
    return len(args) == 1 and (isinstance(args[0], Pack) or isinstance(kind, Tree))


class Indices(Range):
    """``range(n)`` of a size."""

    def length(self, lowerer: Any) -> Operand:
        assert self.bounds is not None
        return self.bounds[1]


def counted(sizes: list[Node]) -> Product:
    return Product(parts=[Indices(bounds=(Const(0), n, Const(1))) for n in sizes])


def listed(node: Node) -> Any:
    """The items of something of known length, or a constant."""
    if isinstance(node, Pack) and node.kind in (tuple, list):
        return list(node.items)
    if isinstance(node, Pack) and node.kind is dict:
        return [Const(k) for k in node.keys]
    if isinstance(node, Const) and node.text is None:
        return node
    if isinstance(node, Range) and node.bounds is not None:
        bounds = node.bounds
        if all(isinstance(b, Const) and b.text is None for b in bounds):
            numbers = range(*[b.value for b in bounds])
            return [Const(n) for n in numbers] if len(numbers) <= LONGEST else None
    return None


def as_argument(found: Any) -> Any:
    return found.value if isinstance(found, Const) else found


def packed(made: Any) -> Pack:
    """What an iterator gives, as a list of what the compiler takes apart."""
    items = [
        Pack(tuple, list(range(len(item))), list(item)) if isinstance(item, tuple) else item
        for item in made
    ]
    items = [item if isinstance(item, (Pack, Const, Value)) else Const(item) for item in items]
    return Pack(list, list(range(len(items))), items)
