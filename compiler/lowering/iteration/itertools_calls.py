"""``itertools``, ``np.ndindex``, ``np.ndenumerate`` and ``np.nditer``: what they iterate over.

What is known item by item is taken apart.  What can be had by an index is an `Iteration`; the
rest is lowered as the loop that makes the list.
"""

from __future__ import annotations

import itertools
import operator
from typing import Any

import gast
import numpy as np

from retrograd.runtime.errors import UnsupportedSyntax
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import own_attribute

from ...ir.containers import Pack
from ...ir.operations import Const, Value
from ...ir.plain_values import is_literal
from ...ir.types import Array, Tree
from ..interface.lowerer import Lowerer
from ..nodes import Listed, Node
from .iterables import Filtered, Iteration, Product, Range, Sequence
from .unbounded_iterables import (
    Count,
    Cycle,
    Endless,
    Enumerated,
    Repeat,
    Rest,
    Selected,
    Sliced,
    counted,
)

__all__ = ["ItertoolsCalls"]

LONGEST = 12  # a range of constant bounds that is not longer may be combined
KNOWN = {
    itertools.chain, itertools.product, itertools.combinations, itertools.permutations,
    itertools.combinations_with_replacement, itertools.zip_longest, itertools.islice,
    itertools.pairwise,
}  # fmt: skip
KNOWN_IDS = {id(fn) for fn in KNOWN}  # of objects that are asked for again and again
CHOICES = {
    itertools.combinations: linear.combinations,
    itertools.permutations: linear.permutations,
    itertools.combinations_with_replacement: linear.multisets,
}

TAKE = (
    "made = []\nfor value in items:\n    if not f(value):\n        break\n    made.append(value)\n"
)
DROP = (
    "made = []\ndropping = True\nfor value in items:\n    if dropping:\n"
    "        dropping = bool(f(value))\n    if not dropping:\n        made.append(value)\n"
)
ACCUMULATE = (
    "made = [total]\nfor value in items:\n    total = f(total, value)\n    made.append(total)\n"
)
ACCUMULATE_ALL = (
    "made = []\nif len(items):\n    total = items[0]\n    made = [total]\n"
    "    for value in items[1:]:\n        total = f(total, value)\n        made.append(total)\n"
)
COMPRESS = "made = []\nfor value, keep in items:\n    if keep:\n        made.append(value)\n"


class ItertoolsCalls:
    """Lowers calls of functions that make iterators."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def call_iterator(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node:
        """The iterator that a function makes; None if it makes none."""
        made = self.iterator(fn, args, kwargs, node)
        if made is not None and fn is not np.ndindex and fn is not np.ndenumerate:
            made = self.lowerer.iterators.steady(made, [*args, *kwargs.values()], node)
        return made

    def iterator(self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        if fn is np.ndindex:
            sizes = self.lowerer.subscripts.unpack(args[0], None, node) if is_shape(args) else args
            return counted(sizes)
        if fn is np.ndenumerate:
            shape = self.shape_of(args[0], node)
            return Enumerated(value=args[0], places=counted(shape))
        if fn is np.nditer and len(args) == 1 and not kwargs and isinstance(args[0], Value):
            places = self.lowerer.operations.apply(linear.visits, (args[0],), {})
            flat = self.lowerer.operations.apply(np.ravel, (args[0],), {})
            return Filtered(value=places, inner=Sequence(value=flat, hint="k"), hint="k")
        special = getattr(self, f"make_{own_attribute(fn, '__name__', '')}", None)
        if special is not None and getattr(itertools, fn.__name__, None) is fn:
            return special(args, kwargs, node)
        if fn == itertools.chain.from_iterable and len(args) == 1:
            return self.chained(self.lowerer.subscripts.unpack(args[0], None, node), node)
        if id(fn) not in KNOWN_IDS:
            return None
        options = {k: v.value for k, v in kwargs.items() if isinstance(v, Const)}
        lists = [listed(a) for a in args]
        if None not in lists and len(options) == len(kwargs):
            return packed(fn(*[as_argument(x) for x in lists], **options))
        return self.by_index(fn, args, kwargs, options, node)

    def by_index(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], options: Any, node: gast.AST
    ) -> Node:
        """The same where the lengths are not known."""
        if fn is itertools.pairwise:
            ends = (slice(None, Const(-1), None), slice(Const(1), None, None))
            whole = self.sequence_of(args[0], node)
            return self.lowerer.containers.builtin_zip(
                [self.lowerer.subscripts.getitem(whole, full(part)) for part in ends], {}, node
            )
        if fn is itertools.product and len(options) == len(kwargs):
            parts = [self.lowerer.containers.iteration(a, node) for a in args] * options.get(
                "repeat", 1
            )
            return Product(parts=parts)
        if fn in CHOICES and len(args) == 2 and is_integer(args[1]):
            inner = self.lowerer.containers.iteration(args[0], node)
            n = inner.length(self.lowerer)
            places = self.lowerer.operations.apply(CHOICES[fn], (n, args[1]), {})
            return Selected(value=places, inner=inner, width=args[1].value, hint="k")
        if fn is itertools.islice and all(is_bound(a) for a in args[1:]):
            part = slice(*[a.value for a in args[1:]])
            inner = self.lowerer.containers.iteration(args[0], node)
            endless = part.stop is None and isinstance(inner, Endless)
            return (Rest if endless else Sliced)(inner=inner, part=part, hint="k")
        if fn is itertools.zip_longest and len(args) == 2:
            return self.longest(args, kwargs.get("fillvalue", Const(None)), node)
        if fn is itertools.chain:
            return self.chained(args, node)
        raise UnsupportedSyntax(
            f"itertools.{fn.__name__} of something of unknown length is not supported",
            place=self.scope.place(node), fix="write the loops, with range and an index",
        )  # fmt: skip

    def sequence_of(self, items: Node, node: gast.AST) -> Node:
        """Something iterable as a value with indices."""
        items = (
            self.lowerer.higher_order.listing(items, node)
            if isinstance(items, Iteration)
            else items
        )
        if isinstance(items, Pack) and items.kind is Listed:
            return items.items[0]
        return items if isinstance(items, Value) else self.lowerer.operations.operand(items)

    def chained(self, parts: list[Node], node: gast.AST) -> Node:
        """One list of all the parts."""
        lists = [listed(p) for p in parts]
        if None not in lists and not any(isinstance(x, Const) for x in lists):
            return packed([item for items in lists for item in items])
        text = "made = []\n" + "".join(
            f"for value in part_{k}:\n    made.append(value)\n" for k in range(len(parts))
        )
        return self.lowerer.higher_order.run(
            text, {f"part_{k}": part for k, part in enumerate(parts)}, node
        )

    def longest(self, args: list[Node], fill: Node, node: gast.AST) -> Node:
        names = {f"part_{k}": self.sequence_of(a, node) for k, a in enumerate(args)}
        lengths = ", ".join(f"len({name})" for name in names)
        items = ", ".join(f"{name}[k] if k < len({name}) else fill" for name in names)
        text = f"made = []\nfor k in range(max({lengths})):\n    made.append(({items}))\n"
        return self.lowerer.higher_order.run(text, names | {"fill": fill}, node)

    # -- by name: make_count(itertools.count) and so on --------------------------------

    def make_count(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        named = [kwargs.get("start", Const(0)), kwargs.get("step", Const(1))]
        start, step = map(self.lowerer.operations.operand, [*args, *named[len(args) :]])
        return Count(start=start, step=step, hint="k")

    def make_repeat(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        times = kwargs.get("times", args[1] if len(args) > 1 else None)
        if isinstance(times, Const) and times.text is None:
            return packed([args[0]] * max(times.value, 0))
        if times is None:
            return Repeat(item=args[0], hint="k")
        bounds = (Const(0), self.lowerer.operations.operand(times), Const(1))
        return Repeat(item=args[0], hint="k", times=Range(bounds=bounds))

    def make_cycle(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        return Cycle(inner=self.lowerer.containers.iteration(args[0], node), hint="k")

    def make_starmap(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        fn, rows = args
        if isinstance(rows, Pack) and rows.kind in (tuple, list):
            return packed(
                [
                    self.lowerer.calls.call(
                        fn, self.lowerer.subscripts.unpack(r, None, node), {}, node
                    )
                    for r in rows.items
                ]
            )
        text = "made = []\nfor row in items:\n    made.append(f(*row))\n"
        return self.lowerer.higher_order.run(text, {"f": fn, "items": rows}, node)

    def make_takewhile(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        return self.lowerer.higher_order.run(TAKE, {"f": args[0], "items": args[1]}, node)

    def make_dropwhile(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        return self.lowerer.higher_order.run(DROP, {"f": args[0], "items": args[1]}, node)

    def make_compress(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        return self.lowerer.higher_order.run(
            COMPRESS, {"items": self.lowerer.containers.builtin_zip(args, {}, node)}, node
        )

    def make_accumulate(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        items, start = args[0], kwargs.get("initial", Const(None))
        fn = args[1] if len(args) > 1 else kwargs.get("func", Const(None))
        fn = Const(operator.add, "add") if is_none(fn) else fn
        known = listed(items)
        if isinstance(known, list):
            found = known if is_none(start) else [start, *known]
            return packed(
                itertools.accumulate(
                    found, lambda a, b: self.lowerer.calls.call(fn, [a, b], {}, node)
                )
            )
        if is_none(start):
            items = (
                self.lowerer.higher_order.listing(items, node)
                if isinstance(items, Iteration)
                else items
            )
            return self.lowerer.higher_order.run(ACCUMULATE_ALL, {"f": fn, "items": items}, node)
        return self.lowerer.higher_order.run(
            ACCUMULATE, {"f": fn, "items": items, "total": start}, node
        )

    def shape_of(self, value: Node, node: gast.AST) -> list[Node]:
        kind = getattr(value, "type", None)
        if not isinstance(kind, Array) or kind.dims is None:
            raise UnsupportedSyntax(
                "np.ndenumerate of something whose rank is not known is not supported",
                place=self.scope.place(node), fix="loop over range(...) in every dimension",
            )  # fmt: skip
        shape = self.lowerer.operations.apply(np.ndarray.shape, (value,), {})
        return [self.lowerer.subscripts.getitem(shape, Const(k)) for k in range(len(kind.dims))]


def is_array(node: Value) -> bool:
    return isinstance(node.type, Array) and node.type.dims is not None


def full(part: slice) -> slice:
    """A slice of constants, the ends that are left out included."""
    return slice(*[Const(None) if p is None else p for p in (part.start, part.stop, part.step)])


def is_integer(node: Node) -> bool:
    return isinstance(node, Const) and node.text is None and type(node.value) is int


def is_none(node: Node) -> bool:
    return isinstance(node, Const) and node.value is None


def is_bound(node: Node) -> bool:
    """A constant that ``islice`` takes: not below zero."""
    return is_none(node) or (is_integer(node) and node.value >= 0)


def is_shape(args: list[Node]) -> bool:
    """True if ``np.ndindex`` is given one tuple."""
    kind = getattr(args[0], "type", None) if len(args) == 1 else None
    return len(args) == 1 and (isinstance(args[0], Pack) or isinstance(kind, Tree))


def listed(node: Node) -> Any:
    """The items of something of known length, or a constant."""
    if isinstance(node, Pack) and node.kind in (tuple, list):
        return list(node.items)
    if isinstance(node, Pack) and node.kind is dict:
        return [Const(k) for k in node.keys]
    if isinstance(node, Const) and node.text is None:
        return node
    if isinstance(node, Range) and node.bounds is not None and not isinstance(node, Endless):
        bounds = node.bounds
        if all(isinstance(b, Const) and b.text is None for b in bounds):
            numbers = range(*[b.value for b in bounds])
            return [Const(n) for n in numbers] if len(numbers) <= LONGEST else None
    return None


def as_argument(found: Any) -> Any:
    return found.value if isinstance(found, Const) else found


def packed(made: Any) -> Pack:
    """The items of an iterator, as a list that the compiler takes apart."""
    items = [wrapped(item) for item in made]
    return Pack(list, list(range(len(items))), items)


def wrapped(item: Any) -> Node:
    if isinstance(item, tuple):
        return Pack(tuple, list(range(len(item))), [wrapped(i) for i in item])
    return Const(item) if is_literal(item) else item
