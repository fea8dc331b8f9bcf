"""``itertools``, ``np.ndindex``, ``np.ndenumerate`` and ``np.nditer``: what they iterate over.

What is known item by item is taken apart.  What can be had by an index is an `Iteration`; the
rest is lowered as the loop that makes the list.
"""

from __future__ import annotations

import itertools
import operator
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from retrograd.runtime.errors import UnsupportedSyntax
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.traits.lookup import traits_of

from ...ir.containers import Pack
from ...ir.operations import Apply, Const, Value
from ...ir.plain_values import is_literal
from ...ir.types import Array, Tree
from ..memory.container_identity import Listed
from .iterables import Filtered, Iteration, Product, Range, Sequence
from .unbounded_iterables import (
    Count,
    Cycle,
    Endless,
    Enumerated,
    Flat,
    Repeat,
    Rest,
    Selected,
    Sliced,
    counted,
)

__all__ = ["Iterators"]

Node = Any
LONGEST = 12  # a range of constant bounds that is not longer may be combined
KNOWN = {
    itertools.chain, itertools.product, itertools.combinations, itertools.permutations,
    itertools.combinations_with_replacement, itertools.zip_longest, itertools.islice,
    itertools.pairwise,
}  # fmt: skip
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


class Iterators:
    """Lowers calls of functions that make iterators."""

    if TYPE_CHECKING:
        apply: Any
        block: Any
        builtin_zip: Any
        call: Any
        iteration: Any
        listing: Any
        live: Any
        map_over: Any
        first: Any
        gone_over_by: Any
        place: Any
        refreshed: Any
        steady: Any
        rest: Any
        run: Any
        unpack: Any

    def call_constant(self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        args = self.gone_over_by(fn, args, node)
        made = self.iterator(fn, args, kwargs, node)
        if made is not None and fn is not np.ndindex and fn is not np.ndenumerate:
            made = self.steady(made, [*args, *kwargs.values()], node)
        return super().call_constant(fn, args, kwargs, node) if made is None else made  # type: ignore[misc]

    def iterator(self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        if fn is np.ndindex:
            sizes = self.unpack(args[0], None, node) if is_shape(args) else args
            return counted(sizes)
        if fn is np.ndenumerate:
            shape = self.shape_of(args[0], node)
            return Enumerated(value=args[0], places=counted(shape))
        if fn is np.nditer and len(args) == 1 and not kwargs and isinstance(args[0], Value):
            places = self.apply(linear.visits, (args[0],), {})
            flat = self.apply(np.ravel, (args[0],), {})
            return Filtered(value=places, inner=Sequence(value=flat, hint="k"), hint="k")
        special = getattr(self, f"make_{own_attribute(fn, '__name__', '')}", None)
        if special is not None and getattr(itertools, fn.__name__, None) is fn:
            return special(args, kwargs, node)
        if fn == itertools.chain.from_iterable and len(args) == 1:
            return self.chained(self.unpack(args[0], None, node), node)
        if not any(fn is known for known in KNOWN):
            return None
        options = {k: v.value for k, v in kwargs.items() if isinstance(v, Const)}
        lists = [listed(a) for a in args]
        if None not in lists and len(options) == len(kwargs):
            return packed(fn(*[as_argument(x) for x in lists], **options))
        return self.by_index(fn, args, kwargs, options, node)

    def by_index(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], options: Any, node: Any
    ) -> Node:
        """The same where the lengths are not known."""
        if fn is itertools.pairwise:
            ends = (slice(None, Const(-1), None), slice(Const(1), None, None))
            whole = self.sequence_of(args[0], node)
            return self.builtin_zip([self.getitem(whole, full(part)) for part in ends], {}, node)
        if fn is itertools.product and len(options) == len(kwargs):
            parts = [self.iteration(a, node) for a in args] * options.get("repeat", 1)
            return Product(parts=parts)
        if fn in CHOICES and len(args) == 2 and is_integer(args[1]):
            inner = self.iteration(args[0], node)
            n = inner.length(self)
            places = self.apply(CHOICES[fn], (n, args[1]), {})
            return Selected(value=places, inner=inner, width=args[1].value, hint="k")
        if fn is itertools.islice and all(is_bound(a) for a in args[1:]):
            part = slice(*[a.value for a in args[1:]])
            inner = self.iteration(args[0], node)
            endless = part.stop is None and isinstance(inner, Endless)
            return (Rest if endless else Sliced)(inner=inner, part=part, hint="k")
        if fn is itertools.zip_longest and len(args) == 2:
            return self.longest(args, kwargs.get("fillvalue", Const(None)), node)
        if fn is itertools.chain:
            return self.chained(args, node)
        raise UnsupportedSyntax(
            f"itertools.{fn.__name__} of something of unknown length is not supported",
            place=self.place(node), fix="write the loops, with range and an index",
        )  # fmt: skip

    def sequence_of(self, items: Node, node: Any) -> Any:
        """Something iterable as a value with indices."""
        items = self.listing(items, node) if isinstance(items, Iteration) else items
        if isinstance(items, Pack) and items.kind is Listed:
            return items.items[0]
        return items if isinstance(items, Value) else self.operand(items)

    def chained(self, parts: list[Node], node: Any) -> Node:
        """One list of all the parts."""
        lists = [listed(p) for p in parts]
        if None not in lists and not any(isinstance(x, Const) for x in lists):
            return packed([item for items in lists for item in items])
        text = "made = []\n" + "".join(
            f"for value in part_{k}:\n    made.append(value)\n" for k in range(len(parts))
        )
        return self.run(text, {f"part_{k}": part for k, part in enumerate(parts)}, node)

    def longest(self, args: list[Node], fill: Node, node: Any) -> Node:
        names = {f"part_{k}": self.sequence_of(a, node) for k, a in enumerate(args)}
        lengths = ", ".join(f"len({name})" for name in names)
        items = ", ".join(f"{name}[k] if k < len({name}) else fill" for name in names)
        text = f"made = []\nfor k in range(max({lengths})):\n    made.append(({items}))\n"
        return self.run(text, names | {"fill": fill}, node)

    # -- by name: make_count(itertools.count) and so on --------------------------------

    def make_count(self, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        named = [kwargs.get("start", Const(0)), kwargs.get("step", Const(1))]
        start, step = map(self.operand, [*args, *named[len(args) :]])
        return Count(start=start, step=step, hint="k")

    def make_repeat(self, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        times = kwargs.get("times", args[1] if len(args) > 1 else None)
        if isinstance(times, Const) and times.text is None:
            return packed([args[0]] * max(times.value, 0))
        if times is None:
            return Repeat(item=args[0], hint="k")
        bounds = (Const(0), self.operand(times), Const(1))
        return Repeat(item=args[0], hint="k", times=Range(bounds=bounds))

    def make_cycle(self, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        return Cycle(inner=self.iteration(args[0], node), hint="k")

    def make_starmap(self, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        fn, rows = args
        if isinstance(rows, Pack) and rows.kind in (tuple, list):
            return packed([self.call(fn, self.unpack(r, None, node), {}, node) for r in rows.items])
        text = "made = []\nfor row in items:\n    made.append(f(*row))\n"
        return self.run(text, {"f": fn, "items": rows}, node)

    def make_takewhile(self, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        return self.run(TAKE, {"f": args[0], "items": args[1]}, node)

    def make_dropwhile(self, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        return self.run(DROP, {"f": args[0], "items": args[1]}, node)

    def make_compress(self, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        return self.run(COMPRESS, {"items": self.builtin_zip(args, {}, node)}, node)

    def make_accumulate(self, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        items, start = args[0], kwargs.get("initial", Const(None))
        fn = args[1] if len(args) > 1 else kwargs.get("func", Const(None))
        fn = Const(operator.add, "add") if is_none(fn) else fn
        known = listed(items)
        if isinstance(known, list):
            found = known if is_none(start) else [start, *known]
            return packed(itertools.accumulate(found, lambda a, b: self.call(fn, [a, b], {}, node)))
        if is_none(start):
            items = self.listing(items, node) if isinstance(items, Iteration) else items
            return self.run(ACCUMULATE_ALL, {"f": fn, "items": items}, node)
        return self.run(ACCUMULATE, {"f": fn, "items": items, "total": start}, node)

    # -- whole numbers ------------------------------------------------------------------

    def on_BinOp(self, node: Any) -> Node:
        """Integers of a loop that is written out: ``k + 1`` is 2 where ``k`` is 1."""
        made = super().on_BinOp(node)  # type: ignore[misc]
        last = self.block.ops[-1] if self.block.ops else None
        written = isinstance(node.left, gast.Constant) and isinstance(node.right, gast.Constant)
        if written or not isinstance(last, Apply) or made not in last.results:
            return made
        if traits_of(last.fn).sign not in ("+", "-", "*") or not all(
            is_integer(a) for a in last.args
        ):
            return made
        self.block.ops.pop()
        return Const(last.fn(*[a.value for a in last.args]))

    # -- a.flat -------------------------------------------------------------------------

    def attribute(self, base: Node, name: str, node: Any) -> Node:
        if name == "flat" and isinstance(base, Value) and is_array(base):
            return Flat(value=base, places=counted(self.shape_of(base, node)), hint="k")
        return super().attribute(base, name, node)  # type: ignore[misc]

    def operand(self, node: Node) -> Any:
        if isinstance(node, Flat):  # outside of loops: a copy
            return self.apply(np.ndarray.flatten, (node.value,), {})
        return super().operand(node)  # type: ignore[misc]

    def getitem(self, base: Node, index: Node) -> Node:
        if isinstance(base, Flat):
            base = self.apply(np.ndarray.flatten, (base.value,), {})
        return super().getitem(base, index)  # type: ignore[misc]

    def shape_of(self, value: Node, node: Any) -> list[Node]:
        kind = getattr(value, "type", None)
        if not isinstance(kind, Array) or not kind.dims:
            raise UnsupportedSyntax(
                "np.ndenumerate of something whose rank is not known is not supported",
                place=self.place(node), fix="loop over range(...) in every dimension",
            )  # fmt: skip
        shape = self.apply(np.ndarray.shape, (value,), {})
        return [self.getitem(shape, Const(k)) for k in range(len(kind.dims))]


def is_array(node: Value) -> bool:
    return isinstance(node.type, Array) and bool(node.type.dims)


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
    """Whether ``np.ndindex`` is given one tuple."""
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
    """What an iterator gives, as a list of what the compiler takes apart."""
    items = [wrapped(item) for item in made]
    return Pack(list, list(range(len(items))), items)


def wrapped(item: Any) -> Node:
    if isinstance(item, tuple):
        return Pack(tuple, list(range(len(item))), [wrapped(i) for i in item])
    return Const(item) if is_literal(item) else item
