"""NumPy's functions that call functions, and those that are loops, as statements lowered in place.

::

    np.piecewise(x, [c, d], [f, g])    ->    y = np.zeros_like(x); y[c] = f(x[c]); y[d] = g(x[d])
"""

from __future__ import annotations

import math
import operator
from typing import Any

import gast
import numpy as np

from retrograd.runtime.helpers import linear

from ...analyses.shapes.infer import type_of
from ...ir.containers import Pack
from ...ir.operations import Const, Value
from ...ir.types import Array, kind_of
from ..interface.lowerer import Lowerer
from ..nodes import Node
from .numpy_rewrites import form, run

__all__: list[str] = []


def items_of(node: Node) -> list[Node] | None:
    """The items of a container that is written out, or is a constant."""
    if isinstance(node, Pack) and node.kind in (tuple, list):
        return list(node.items)
    if isinstance(node, Const) and isinstance(node.value, (tuple, list)):
        return [Const(item) for item in node.value]
    return None


def rank_of(lowerer: Lowerer, node: Node) -> int | None:
    dims = getattr(type_of(lowerer.operations.operand(node)), "dims", None)
    return None if dims is None else len(dims)


def is_function(node: Node) -> bool:
    return not isinstance(node, Value) and (not isinstance(node, Const) or callable(node.value))


def further(args: tuple[Node, ...], options: dict[str, Node]) -> tuple[dict[str, Node], str]:
    """More arguments of a function that is called: names for them, and how they are written."""
    names = {f"more_{k}": value for k, value in enumerate(args)}
    names |= {f"given_{k}": value for k, value in options.items()}
    written = [*(f"more_{k}" for k in range(len(args))), *(f"{k}=given_{k}" for k in options)]
    return names, "".join(f", {text}" for text in written)


def is_mask(condition: Node) -> bool:
    return isinstance(condition, Value) and kind_of(condition.type) == "b"


@form(np.piecewise)
def piecewise(
    lowerer: Lowerer, fn: Any, x: Node, condlist: Node, funclist: Node, *args: Node, **kw: Node
) -> Node | None:
    """Each function is called with the entries its condition chooses; a later one wins."""
    conditions, pieces = items_of(condlist), items_of(funclist)
    rank = rank_of(lowerer, x)
    if conditions is None and rank is not None and rank_of(lowerer, condlist) == rank:
        conditions = [condlist]
    if conditions is None or pieces is None or rank is None:
        return None
    names, rest = further(args, kw)
    names |= {"x": x} | {f"c{k}": c for k, c in enumerate(conditions)}
    lines = ["y = np.zeros_like(x)" if rank else "y = 0.0"]
    lines += [f"c{k} = np.asarray(c{k}, bool)" for k, c in enumerate(conditions) if not is_mask(c)]
    if len(pieces) == len(conditions) + 1:
        some = " | ".join(f"c{k}" for k in range(len(conditions)))
        lines.append(f"c{len(conditions)} = np.logical_not({some})")
    for k, piece in enumerate(pieces):
        names[f"f{k}"] = piece
        part = f"x[c{k}]" if rank else "x"
        value = f"f{k}({part}{rest})" if is_function(piece) else f"f{k}"
        lines.append(f"y[c{k}] = {value}" if rank else f"if c{k}:\n    y = {value}")
    return run(lowerer, "\n".join(lines), names, "y")


@form(np.apply_along_axis)
def apply_along_axis(
    lowerer: Lowerer, fn: Any, func1d: Node, axis: Node, arr: Node, *args: Node, **kwargs: Node
) -> Node:
    """A loop over the lines along the axis; what the function gives takes its place."""
    names, rest = further(args, kwargs)
    names |= {"f": func1d, "axis": axis, "arr": arr}
    names |= {"back": Const(linear.axes_back), "prod": Const(math.prod)}
    return run(lowerer, ALONG.replace("MORE", rest), names, "result")


ALONG = """
moved = np.moveaxis(arr, axis, -1)
lines = np.reshape(moved, (int(prod(np.shape(moved)[:-1])), np.shape(moved)[-1]))
made = []
for line in lines:
    made.append(f(lineMORE))
whole = np.array(made)
out = np.reshape(whole, np.shape(moved)[:-1] + np.shape(whole)[1:])
result = np.transpose(out, back(out, moved, axis))
"""


@form(np.apply_over_axes)
def apply_over_axes(lowerer: Lowerer, fn: Any, func: Node, a: Node, axes: Node) -> Node | None:
    """One call for each axis; an axis that is gone comes back with length 1."""
    listed = [axes] if isinstance(axes, Const) and isinstance(axes.value, int) else items_of(axes)
    if listed is None or not all(isinstance(k, Const) and k.value >= 0 for k in listed):
        return None
    names = {"f": func, "a": a, "restored": Const(linear.restored)}
    lines = [f"a = restored(f(a, {k.value}), a, {k.value})" for k in listed]
    return run(lowerer, "\n".join(["a = np.asarray(a)", *lines]), names, "a")


@form(np.fromfunction)
def fromfunction(
    lowerer: Lowerer, fn: Any, function: Node, shape: Node, *, dtype: Node = None, **kwargs: Node
) -> Node | None:
    """The function of the grids of indices."""
    sizes = items_of(shape)
    if sizes is None:
        return None
    names, rest = further((), kwargs)
    names |= {"f": function, "shape": shape}
    names["kind"] = Const(float) if dtype is None else dtype
    grids = ", ".join(f"grids[{k}]" for k in range(len(sizes)))
    text = f"grids = np.indices(shape, dtype=kind)\nmade = f({grids}{rest})"
    return run(lowerer, text, names, "made")


@form(np.frompyfunc)
def frompyfunc(lowerer: Lowerer, fn: Any, func: Node, nin: Node, nout: Node) -> Node | None:
    """Called like a vectorized function."""
    one = isinstance(nout, Const) and nout.value == 1
    return lowerer.vectorizing.vectorized([func], {}, lowerer.scope.node) if one else None


# -- polynomials -----------------------------------------------------------------------------


@form(np.poly)
def poly(lowerer: Lowerer, fn: Any, seq_of_zeros: Node) -> Node | None:
    """The product of the factors, as NumPy multiplies them."""
    roots = lowerer.operations.operand(seq_of_zeros)
    if isinstance(roots, (tuple, list)):
        roots = lowerer.operations.apply(np.array, (roots,), {})
    kind = type_of(roots)
    if not (isinstance(kind, Array) and kind.dims is not None and len(kind.dims) == 1):
        return None
    if kind.kind != "f":
        return None
    return run(lowerer, PRODUCT, {"roots": roots}, "product")


PRODUCT = """
product = np.ones(1, roots.dtype)
for root in roots:
    product = np.convolve(product, np.array([1.0, -root], dtype=roots.dtype))
"""

# Clenshaw's recurrences, as NumPy writes them: the next two, and the value of the last two.
CLENSHAW = {
    np.polynomial.chebyshev.chebval: ("c[-k] - c1", "c0 + c1 * (2 * x)", "c0 + c1 * x"),
    np.polynomial.legendre.legval: (
        "c[-k] - c1 * ((n - 1) / n)", "c0 + c1 * x * ((2 * n - 1) / n)", "c0 + c1 * x",
    ),
    np.polynomial.hermite.hermval: (
        "c[-k] - c1 * (2 * (n - 1))", "c0 + c1 * (2 * x)", "c0 + c1 * (2 * x)",
    ),
    np.polynomial.hermite_e.hermeval: ("c[-k] - c1 * (n - 1)", "c0 + c1 * x", "c0 + c1 * x"),
    np.polynomial.laguerre.lagval: (
        "c[-k] - (c1 * (n - 1)) / n", "c0 + (c1 * ((2 * n - 1) - x)) / n", "c0 + c1 * (1 - x)",
    ),
}  # fmt: skip


@form(*CLENSHAW)
def series(lowerer: Lowerer, fn: Any, x: Node, c: Node, tensor: Node = None) -> Node | None:
    if rank_of(lowerer, c) != 1 or tensor is not None:
        return None
    first, second, value = CLENSHAW[fn]
    names = {"x": x, "c": lowerer.operations.operand(c), "first": Const(None)}
    text = SERIES.replace("FIRST", first).replace("SECOND", second).replace("VALUE", value)
    return run(lowerer, text, names, "value")


SERIES = """
count = len(c)
if count == 1:
    value = c[0] + 0.0 * x
else:
    c0 = c[-2] + 0.0 * x
    c1 = c[-1] + 0.0 * x
    for k in range(3, count + 1):
        n = count - k + 2
        c0, c1 = FIRST, SECOND
    value = VALUE
"""


# -- margins -----------------------------------------------------------------------------------

STATISTICS = {"maximum": np.max, "minimum": np.min, "mean": np.mean, "median": np.median}


@form(np.pad)
def pad(
    lowerer: Lowerer, fn: Any, array: Node, pad_width: Node, mode: Node = None, *,
    stat_length: Node = None, end_values: Node = None, **options: Node,
) -> Node | None:  # fmt: skip
    """Margins that are computed, joined axis by axis, as NumPy does it."""
    how = mode.value if isinstance(mode, Const) else None
    kind = type_of(lowerer.operations.operand(array))
    if not (isinstance(kind, Array) and kind.dims is not None and kind.kind in ("f", "c")):
        return None
    if (how not in STATISTICS and how != "linear_ramp") or options:
        return None
    rank = len(kind.dims)
    widths = pairs(pad_width, rank)
    ends = pairs(Const(0.0) if end_values is None else end_values, rank)
    lengths = pairs(Const(None) if stat_length is None else stat_length, rank)
    plain = [n for pair in (widths or []) for n in pair]
    if widths is None or ends is None or lengths is None or not all(map(is_size, plain)):
        return None
    whole = lowerer.operations.operand(array)
    for axis in range(rank):
        parts = []
        for side in (0, 1):
            width = widths[axis][side].value
            if width:
                margin = Margin(lowerer, whole, axis, side, width)
                last, part = ends[axis][side], lengths[axis][side]
                ramp = how == "linear_ramp"
                parts.append((side, margin.ramp(last) if ramp else margin.of(how, part)))
        joined = [m for s, m in parts if s == 0] + [whole] + [m for s, m in parts if s == 1]
        if len(joined) > 1:
            whole = lowerer.operations.apply(
                np.concatenate, (tuple(joined),), {"axis": Const(axis)}
            )
    return whole


def is_size(node: Node) -> bool:
    return isinstance(node, Const) and isinstance(node.value, int)


def pairs(node: Node, rank: int) -> list[tuple[Node, Node]] | None:
    """``1``, ``(1, 2)``, ``((1, 2), (3, 4))``: what lies before and behind, for every axis."""
    items = items_of(node)
    if items is None:
        return [(node, node)] * rank
    inner = [items_of(item) for item in items]
    if all(found is None for found in inner):
        return [(items[0], items[-1])] * rank if len(items) <= 2 else None
    if any(found is None for found in inner) or len(items) not in (1, rank):
        return None
    made = [(found[0], found[-1]) for found in inner if found]
    return made * (rank if len(made) == 1 else 1)


class Margin:
    """The margin of an array on one side of one axis."""

    def __init__(self, lowerer: Lowerer, whole: gast.AST, axis: int, side: int, width: int) -> None:
        self.lowerer, self.whole = lowerer, whole
        self.axis, self.side, self.width = axis, side, width

    def part(self, length: Node) -> Any:
        """The entries at this end."""
        if isinstance(length, Const) and length.value is None:
            return self.whole
        n = length.value if isinstance(length, Const) else None
        if n is None:
            raise TypeError("a computed stat_length")
        none = Const(None)
        cut = slice(none, Const(n), none) if self.side == 0 else slice(Const(-n), none, none)
        index = (*[slice(none, none, none)] * self.axis, cut)
        return self.lowerer.operations.apply(operator.getitem, (self.whole, index), {})

    def of(self, how: str, length: Node) -> Any:
        options = {"axis": Const(self.axis), "keepdims": Const(True)}
        value = self.lowerer.operations.apply(STATISTICS[how], (self.part(length),), options)
        return self.lowerer.operations.apply(
            np.repeat, (value, Const(self.width)), {"axis": Const(self.axis)}
        )

    def ramp(self, end: Node) -> Any:
        edge = self.lowerer.operations.apply(
            np.take, (self.whole, Const(0 if self.side == 0 else -1)), {"axis": Const(self.axis)}
        )
        options = {"num": Const(self.width), "endpoint": Const(False), "axis": Const(self.axis)}
        made = self.lowerer.operations.apply(
            np.linspace, (self.lowerer.operations.operand(end), edge), options
        )
        if self.side == 0:
            return made
        return self.lowerer.operations.apply(np.flip, (made,), {"axis": Const(self.axis)})
