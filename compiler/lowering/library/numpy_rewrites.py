"""Calls of NumPy that have no rule, written as others that have: those of the table, and the compiler's own.

The table that the tape shares is ``runtime/rules/rewrites.py``; here is what takes more than its `Terms`::

    np.r_[x, 0:3]              ->    np.r_[x, np.r_[0:3]]           an operation on a tuple
    np.interp(x, xp, fp, period=p)   the interpolation over one period and a point on either side
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import home_of
from retrograd.runtime.records import dataclass
from retrograd.runtime.rules.book import book
from retrograd.runtime.rules.rewrites import COMPUTED, computed, fits
from retrograd.runtime.rules.unspoken_options import given

from ...analyses.shapes.infer import type_of
from ...ir.containers import Pack
from ...ir.operations import Const, Value
from ...ir.types import Number, Tree, kind_of
from ..interface.lowerer import Lowerer
from ..nodes import Node
from .rewrite_call import value_of

__all__ = ["arrays_of", "has_form", "normal", "normal_item"]

FORMS: dict[Any, Callable[..., Node | None]] = {}


def form(*functions: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register what a call is written as; None leaves it as it is."""

    def register(rewrite: Callable[..., Any]) -> Callable[..., Any]:
        FORMS.update(dict.fromkeys(functions, rewrite))
        return rewrite

    return register


def normal(lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> Node | None:
    """The call in the form that has a rule, or None where it is that already."""
    found: Node | None = computed(Operations(lowerer), fn, args, kwargs)
    if found is not None:
        return found
    try:
        rewrite = FORMS.get(fn)
    except TypeError:
        return None
    if rewrite is None:
        return None
    said, options = given(fn, tuple(args), kwargs, Operations(lowerer).value)
    if not fits(rewrite, lowerer, fn, *said, **options):
        return None
    return rewrite(lowerer, fn, *said, **options)


def has_form(fn: Any) -> bool:
    """True if some calls of ``fn`` are written as others."""
    try:
        return fn in FORMS or fn in COMPUTED
    except TypeError:
        return False


def arrays_of(lowerer: Lowerer, fn: Any, args: list[Node]) -> list[Node]:
    """The arguments of a ufunc or a statistic as arrays: ``np.exp([x, 2.0])`` is that of an array."""
    statistic = home_of(fn).startswith("scipy.stats.")
    if not (isinstance(fn, np.ufunc) or statistic) or fn not in book:
        return args
    listed = [lowerer.cells.seen(a) for a in args]
    return [
        lowerer.operations.apply(np.array, (lowerer.operations.operand(pack),), {})
        if isinstance(pack, Pack) and pack.kind in (list, tuple)
        else a
        for a, pack in zip(args, listed, strict=True)
    ]


class Operations:
    """The table's `Terms`: operations of the program that is being lowered."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer = lowerer

    def see(self, op: Any, args: Sequence[Any], kwargs: dict[str, Any] | None = None) -> Any:
        given = {name: self.operand(x) for name, x in (kwargs or {}).items()}
        return self.lowerer.operations.apply(op, tuple(map(self.operand, args)), given)

    def operand(self, x: Any) -> Any:
        if isinstance(x, (tuple, list)):
            return type(x)([self.operand(item) for item in x])
        if isinstance(x, slice):
            return slice(*map(self.operand, (x.start, x.stop, x.step)))
        if x is None or isinstance(x, (int, float)):
            return Const(x)
        return self.lowerer.operations.operand(x)

    def several(self, items: list[Any]) -> Any:
        return pack(items)

    def item(self, of: Any, k: int) -> Any:
        return self.lowerer.subscripts.getitem(of, Const(k))

    def value(self, x: Any) -> Any:
        return None if x is None else value_of(x)

    def items(self, x: Any) -> list[Any] | None:
        seen = self.lowerer.cells.seen(x)
        kind = seen.type if isinstance(seen, Value) else None
        if isinstance(kind, Tree) and kind.container == "tuple" and kind.cls is None:
            return [self.item(seen, k) for k in kind.keys]
        return seen.items if isinstance(seen, Pack) and seen.kind in (tuple, list) else None

    def rank(self, x: Any) -> int | None:
        dims = getattr(type_of(self.operand(x)), "dims", None)
        return None if dims is None else len(dims)

    def kind(self, x: Any) -> str | None:
        return kind_of(type_of(self.operand(x)))

    def is_python(self, x: Any) -> bool:
        return isinstance(type_of(x), Number)


def pack(items: list[Node]) -> Pack:
    return Pack(tuple, list(range(len(items))), items)


def run(lowerer: Lowerer, text: str, names: dict[str, Node], result: str) -> Node:
    """Statements of NumPy's own, lowered as if they stood in the program."""
    return lowerer.higher_order.run(text, {"np": Const(np), **names}, lowerer.scope.node, result)


# -- subscripts that join ------------------------------------------------------------------


JOINERS = {id(np.r_): linear.row, id(np.c_): linear.columns}


def normal_item(lowerer: Lowerer, base: Node, index: Node) -> Node | None:
    """``np.r_[...]`` and ``np.c_[...]`` of arrays as an operation; slices are made arrays first.

    ``np.s_[1:3]`` and ``np.index_exp[1:3]`` are the subscripts themselves.
    """
    if isinstance(base, Const) and type(base.value) is type(np.s_):
        return subscript(lowerer, index, base.value.maketuple)
    join = JOINERS.get(id(base.value)) if isinstance(base, Const) else None
    if join is None:
        return None
    items = index.items if isinstance(index, Pack) and index.kind is tuple else [index]
    if any(isinstance(i, Const) and isinstance(i.value, str) for i in items):
        return None
    made = [range_of(lowerer, base, i) if isinstance(i, slice) else i for i in items]
    if join is linear.columns:
        made = [lowerer.operations.apply(np.asarray, (lowerer.operations.operand(i),), {}) if isinstance(i, Pack) else i
                for i in made]  # fmt: skip
    return lowerer.operations.apply(join, (tuple(lowerer.operations.operand(i) for i in made),), {})


def subscript(lowerer: Lowerer, index: Node, several: bool) -> Node:
    """A subscript as a value; ``several``: in a tuple, if it is none."""
    whole = isinstance(index, Pack) and index.kind is tuple
    items = [named_slice(lowerer, i) for i in (index.items if whole else [index])]
    return Pack(tuple, list(range(len(items))), items) if whole or several else items[0]


def named_slice(lowerer: Lowerer, part: Node) -> Node:
    if not isinstance(part, slice):
        return part
    operand = lowerer.operations.operand
    ends = tuple(operand(p) for p in (part.start, part.stop, part.step))
    return lowerer.operations.apply(builtins.slice, ends, {})


def range_of(lowerer: Lowerer, base: Const, part: slice) -> Value:
    made: Value = lowerer.operations.apply(
        operator.getitem, (Const(np.r_, "np.r_"), lowerer.operations.operand(part)), {}
    )
    return made


# -- calls ---------------------------------------------------------------------------------


@form(np.interp)
def interp(
    lowerer: Lowerer, fn: Any, x: Node, xp: Node, fp: Node, left: Node = None, right: Node = None,
    period: Node = None,
) -> Node | None:  # fmt: skip
    """Points of a period as NumPy puts them: in order, and one more on either side."""
    if period is None or (isinstance(period, Const) and period.value is None):
        return None
    names = {"x": x, "xp": xp, "fp": fp, "period": period}
    return run(lowerer, PERIODIC, names, "inner")


PERIODIC = """
period = abs(period)
places = np.asarray(xp) % period
order = np.argsort(places)
places = places[order]
heights = np.asarray(fp)[order]
places = np.concatenate((places[-1:] - period, places, places[0:1] + period))
heights = np.concatenate((heights[-1:], heights, heights[0:1]))
inner = np.interp(np.asarray(x) % period, places, heights)
"""


@dataclass
class Broadcast:
    """What is read of ``np.broadcast(a, b)``."""

    shape: tuple[int, ...]
    ndim: int
    nd: int
    size: int


@form(np.broadcast)
def broadcast(lowerer: Lowerer, fn: Any, *arrays: Node) -> Node:
    """What arrays have in common; their items one by one are not to be had of it."""
    sizes = [lowerer.operations.operation(np.shape, [a], {}) for a in arrays]
    shape = lowerer.operations.operation(np.broadcast_shapes, sizes, {})
    rank = lowerer.operations.apply(builtins.len, (shape,), {})
    size = lowerer.operations.apply(math.prod, (shape,), {})
    return Pack(Broadcast, ["shape", "ndim", "nd", "size"], [shape, rank, rank, size])


def row_stack(lowerer: Lowerer, fn: Any, tup: Node) -> Node:
    return lowerer.operations.operation(np.vstack, [tup], {})


if "row_stack" in vars(np):  # until NumPy 2.5
    form(vars(np)["row_stack"])(row_stack)


@form(np.ndarray)
def ndarray(lowerer: Lowerer, fn: Any, shape: Node, dtype: Node = None) -> Node:
    """``np.ndarray(shape, dtype)``, without a buffer, is ``np.empty``."""
    given = [shape] if dtype is None else [shape, dtype]
    return lowerer.operations.operation(np.empty, given, {})


# -- orders in memory ------------------------------------------------------------------------


@form(np.ndarray.reshape)
def reshape(lowerer: Lowerer, fn: Any, x: Node, *shape: Node, order: Node = None) -> Node | None:
    """``x.reshape(2, 3, order="F")`` is ``np.reshape(x, (2, 3), order="F")``."""
    if order is None:
        return None
    sizes = shape[0] if len(shape) == 1 else pack(list(shape))
    args = (lowerer.operations.operand(x), lowerer.operations.operand(sizes))
    return lowerer.operations.apply(np.reshape, args, {"order": order_of(lowerer, order, args[0])})


@form(np.reshape)
def reshape_function(
    lowerer: Lowerer, fn: Any, a: Node, shape: Node, order: Node = None
) -> Node | None:
    if order is None:
        return None
    args = (lowerer.operations.operand(a), lowerer.operations.operand(shape))
    return lowerer.operations.apply(np.reshape, args, {"order": order_of(lowerer, order, args[0])})


@form(np.ravel, np.ndarray.ravel, np.ndarray.flatten)
def ravel(lowerer: Lowerer, fn: Any, a: Node, order: Node = None) -> Node | None:
    if order is None:
        return None
    x = lowerer.operations.operand(a)
    return lowerer.operations.apply(fn, (x,), {"order": order_of(lowerer, order, x)})


def order_of(lowerer: Lowerer, order: Node, x: Any) -> Any:
    """``A`` and ``K`` ask how the array lies in memory: that is found out when the program runs."""
    if isinstance(order, Const) and order.value in ("A", "K"):
        return lowerer.operations.apply(linear.layout, (order, x), {})
    return lowerer.operations.operand(order)


@form(np.lib.stride_tricks.as_strided)
def as_strided(
    lowerer: Lowerer, fn: Any, x: Node, shape: Node = None, strides: Node = None, **options: Node
) -> Node | None:
    """The strides are looked at where the array is still the caller's, lying in memory as it does."""
    if shape is None:
        return None
    given = {k: lowerer.operations.operand(v) for k, v in options.items()}
    block, size = lowerer.operations.operand(x), lowerer.operations.operand(shape)
    steps = Const(None) if strides is None else lowerer.operations.operand(strides)
    return lowerer.operations.apply(
        fn,
        (block, size, lowerer.operations.apply(linear.block_strides, (steps, block, size), {})),
        given,
    )
