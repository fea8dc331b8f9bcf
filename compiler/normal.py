"""Forms of NumPy that have no rule, written as others that have: ``np.r_[...]``, several results.

::

    np.r_[x, 0:3]              ->    np.r_[x, np.r_[0:3]]           an operation on a tuple
    np.atleast_1d(x, y)        ->    np.atleast_1d(x), np.atleast_1d(y)
    np.interp(x, xp, fp, period=p)   the interpolation over one period and a point on either side
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.runtime import linear

from .infer import as_type, type_of
from .ir import Const, Value
from .structure import Pack
from .types import Array

__all__ = ["normal", "normal_item"]

Node = Any
FORMS: dict[Any, Callable[..., Node | None]] = {}


def form(*functions: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register what a call is written as; None leaves it as it is."""

    def register(rewrite: Callable[..., Any]) -> Callable[..., Any]:
        FORMS.update(dict.fromkeys(functions, rewrite))
        return rewrite

    return register


def normal(lowerer: Any, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> Node | None:
    """The call in the form that has a rule, or None where it is that already."""
    try:
        rewrite = FORMS.get(fn)
    except TypeError:
        return None
    if rewrite is None:
        return None
    try:
        return rewrite(lowerer, fn, *args, **kwargs)
    except TypeError:  # not its arguments: the call itself will say so
        return None


def pack(items: list[Node], kind: type = tuple) -> Pack:
    return Pack(kind, list(range(len(items))), items)


def run(lowerer: Any, text: str, names: dict[str, Node], result: str) -> Node:
    """Statements of NumPy's own, lowered as if they stood in the program."""
    return lowerer.run(text, {"np": Const(np), **names}, result, lowerer.node)


# -- subscripts that join ------------------------------------------------------------------


JOINERS = {id(np.r_): linear.r_, id(np.c_): linear.c_}


def normal_item(lowerer: Any, base: Node, index: Node) -> Node | None:
    """``np.r_[...]`` and ``np.c_[...]`` of arrays as an operation; slices are made arrays first."""
    join = JOINERS.get(id(base.value)) if isinstance(base, Const) else None
    if join is None:
        return None
    items = index.items if isinstance(index, Pack) and index.kind is tuple else [index]
    if any(isinstance(i, Const) and isinstance(i.value, str) for i in items):
        return None
    made = [range_of(lowerer, base, i) if isinstance(i, slice) else i for i in items]
    if join is linear.c_:
        made = [lowerer.apply(np.asarray, (lowerer.operand(i),), {}) if isinstance(i, Pack) else i
                for i in made]  # fmt: skip
    return lowerer.apply(join, (tuple(lowerer.operand(i) for i in made),), {})


def range_of(lowerer: Any, base: Const, part: slice) -> Value:
    made: Value = lowerer.apply(
        operator.getitem, (Const(np.r_, "np.r_"), lowerer.operand(part)), {}
    )
    return made


# -- calls ---------------------------------------------------------------------------------


@form(np.meshgrid)
def meshgrid(lowerer: Any, fn: Any, *items: Node, **options: Node) -> Node:
    operands = tuple(lowerer.operand(i) for i in items)
    return lowerer.apply(
        linear.meshgrid, (operands,), {k: lowerer.operand(v) for k, v in options.items()}
    )


@form(np.atleast_1d, np.atleast_2d, np.atleast_3d)
def atleast(lowerer: Any, fn: Any, *arrays: Node) -> Node | None:
    if len(arrays) == 1:
        return None
    return pack([lowerer.apply(fn, (lowerer.operand(a),), {}) for a in arrays])


@form(np.trapezoid)
def trapezoid(
    lowerer: Any, fn: Any, y: Node, x: Node = None, dx: Node = None, axis: Node = None
) -> Node | None:
    """Abscissae that may carry a derivative have parameters of other names: `dx` is one of NumPy's."""
    if not isinstance(x, Value | Pack) and not isinstance(dx, Value):
        return None
    named = {"at": x, "step": dx, "axis": axis}
    given = {k: lowerer.operand(v) for k, v in named.items() if v is not None}
    return lowerer.apply(linear.trapezoid, (lowerer.operand(y),), given)


@form(np.gradient)
def gradient(
    lowerer: Any, fn: Any, f: Node, *spacing: Node, axis: Node = None, edge_order: Node = None
) -> Node | None:
    """One operation for each axis, with the distance or the coordinates along it."""
    values = lowerer.operand(f)
    axes = axes_of(type_of(values), axis)
    if axes is None or len(spacing) not in (0, 1, len(axes)):
        return None
    steps = list(spacing) * (len(axes) if len(spacing) == 1 else 1) or [Const(1.0)] * len(axes)
    order = {} if edge_order is None else {"edge_order": lowerer.operand(edge_order)}
    made = []
    for k, step in zip(axes, steps, strict=True):
        h = lowerer.operand(step)
        h = h if isinstance(h, Value | Const) else lowerer.apply(np.asarray, (h,), {})
        kind = as_type(h.value) if isinstance(h, Const) else h.type
        if getattr(kind, "dims", None) is None:
            return None  # a distance or coordinates: the rules differ
        points = bool(kind.dims)
        slope = linear.slope_at if points else linear.slope
        made.append(lowerer.apply(slope, (values, h), {"axis": Const(k), **order}))
    single = isinstance(axis, Const) and isinstance(axis.value, int)
    return made[0] if len(made) == 1 and (single or axis is None) else pack(made)


def axes_of(kind: Any, axis: Node) -> list[int] | None:
    """The axes a keyword names; those of the whole rank if it is not given."""
    if axis is None or (isinstance(axis, Const) and axis.value is None):
        known = isinstance(kind, Array) and kind.dims is not None
        return list(range(len(kind.dims))) if known else None
    items = axis.items if isinstance(axis, Pack) and axis.kind in (tuple, list) else [axis]
    plain = [i.value for i in items if isinstance(i, Const) and isinstance(i.value, (int, tuple))]
    if len(plain) != len(items):
        return None
    return [int(k) for one in plain for k in (one if isinstance(one, tuple) else (one,))]


@form(np.interp)
def interp(
    lowerer: Any, fn: Any, x: Node, xp: Node, fp: Node, left: Node = None, right: Node = None,
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


@form(np.histogram)
def histogram(
    lowerer: Any, fn: Any, a: Node, bins: Node = None, range: Node = None, density: Node = None,
    weights: Node = None,
) -> Node | None:  # fmt: skip
    """A density is the counts over their widths and their sum, as NumPy computes it."""
    if density is None:
        return None
    given = {"bins": bins, "range": range, "weights": weights}
    options = {k: lowerer.operand(v) for k, v in given.items() if v is not None}
    found = lowerer.apply(np.histogram, (lowerer.operand(a),), options)
    if isinstance(density, Const) and not density.value:
        return found
    if not isinstance(density, Const):
        return None
    counts, edges = lowerer.getitem(found, Const(0)), lowerer.getitem(found, Const(1))
    widths = lowerer.apply(np.diff, (edges,), {})
    heights = lowerer.apply(operator.truediv, (counts, widths), {})
    total = lowerer.apply(np.sum, (counts,), {})
    return pack([lowerer.apply(operator.truediv, (heights, total), {}), edges])


@form(np.cov, np.corrcoef)
def two_samples(
    lowerer: Any,
    fn: Any,
    m: Node,
    y: Node = None,
    rowvar: Node = None,
    *rest: Node,
    **options: Node,
) -> Node | None:
    """Two sets of variables are one: their rows, below one another."""
    if y is None or (isinstance(y, Const) and y.value is None) or rest:
        return None
    if rowvar is not None and not isinstance(rowvar, Const):
        return None
    parts = []
    for part in (m, y):
        x = lowerer.apply(np.atleast_2d, (lowerer.operand(part),), {})
        turned = rowvar is not None and not rowvar.value
        if turned and len(getattr(type_of(lowerer.operand(part)), "dims", None) or (1,)) > 1:
            x = lowerer.apply(np.ndarray.T, (x,), {})
        parts.append(x)
    rows = lowerer.apply(np.concatenate, (tuple(parts),), {})
    return lowerer.apply(fn, (rows,), {k: lowerer.operand(v) for k, v in options.items()})
