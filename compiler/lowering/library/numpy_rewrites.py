"""Forms of NumPy that have no rule, written as others that have: ``np.r_[...]``, several results.

::

    np.r_[x, 0:3]              ->    np.r_[x, np.r_[0:3]]           an operation on a tuple
    np.atleast_1d(x, y)        ->    np.atleast_1d(x), np.atleast_1d(y)
    np.interp(x, xp, fp, period=p)   the interpolation over one period and a point on either side
"""

from __future__ import annotations

import cmath
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.rules.book import book

from ...analyses.shapes.infer import as_type, type_of
from ...ir.containers import Pack
from ...ir.operations import Const, Operand, Value
from ...ir.types import Array, Number
from ..interface.lowerer import Lowerer
from ..nodes import Node

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
    owner = own_attribute(fn, "__self__")
    if isinstance(owner, np.ufunc) and fn.__name__ == "outer" and len(args) == 2 and not kwargs:
        return outer(lowerer, owner, *args)
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


def has_form(fn: Any) -> bool:
    """Whether some calls of ``fn`` are written as others."""
    try:
        return fn in FORMS
    except TypeError:
        return False


def arrays_of(lowerer: Lowerer, fn: Any, args: list[Node]) -> list[Node]:
    """What a ufunc or a statistic makes of its arguments: ``np.exp([x, 2.0])`` is that of an array."""
    statistic = str(own_attribute(fn, "__module__", "")).startswith("scipy.stats.")
    if not (isinstance(fn, np.ufunc) or statistic) or fn not in book:
        return args
    listed = [lowerer.cells.seen(a) for a in args]
    return [
        lowerer.operations.apply(np.array, (lowerer.operations.operand(pack),), {})
        if isinstance(pack, Pack) and pack.kind in (list, tuple)
        else a
        for a, pack in zip(args, listed, strict=True)
    ]


def pack(items: list[Node], kind: type = tuple) -> Pack:
    return Pack(kind, list(range(len(items))), items)


def run(lowerer: Lowerer, text: str, names: dict[str, Node], result: str) -> Node:
    """Statements of NumPy's own, lowered as if they stood in the program."""
    return lowerer.higher_order.run(text, {"np": Const(np), **names}, lowerer.scope.node, result)


# -- subscripts that join ------------------------------------------------------------------


JOINERS = {id(np.r_): linear.row, id(np.c_): linear.columns}


def normal_item(lowerer: Lowerer, base: Node, index: Node) -> Node | None:
    """``np.r_[...]`` and ``np.c_[...]`` of arrays as an operation; slices are made arrays first."""
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


def range_of(lowerer: Lowerer, base: Const, part: slice) -> Value:
    made: Value = lowerer.operations.apply(
        operator.getitem, (Const(np.r_, "np.r_"), lowerer.operations.operand(part)), {}
    )
    return made


# -- calls ---------------------------------------------------------------------------------


@form(np.meshgrid)
def meshgrid(lowerer: Lowerer, fn: Any, *items: Node, **options: Node) -> Node:
    operands = tuple(lowerer.operations.operand(i) for i in items)
    return lowerer.operations.apply(
        linear.meshgrid, (operands,), {k: lowerer.operations.operand(v) for k, v in options.items()}
    )


@form(np.atleast_1d, np.atleast_2d, np.atleast_3d)
def atleast(lowerer: Lowerer, fn: Any, *arrays: Node) -> Node | None:
    if len(arrays) == 1:
        return None
    return pack(
        [lowerer.operations.apply(fn, (lowerer.operations.operand(a),), {}) for a in arrays]
    )


@form(np.trapezoid)
def trapezoid(
    lowerer: Lowerer, fn: Any, y: Node, x: Node = None, dx: Node = None, axis: Node = None
) -> Node | None:
    """Abscissae that may carry a derivative have parameters of other names: `dx` is one of NumPy's."""
    if not isinstance(x, Value | Pack) and not isinstance(dx, Value):
        return None
    named = {"at": x, "step": dx, "axis": axis}
    given = {k: lowerer.operations.operand(v) for k, v in named.items() if v is not None}
    return lowerer.operations.apply(linear.trapezoid, (lowerer.operations.operand(y),), given)


@form(np.gradient)
def gradient(
    lowerer: Lowerer, fn: Any, f: Node, *spacing: Node, axis: Node = None, edge_order: Node = None
) -> Node | None:
    """One operation for each axis, with the distance or the coordinates along it."""
    values = lowerer.operations.operand(f)
    axes = axes_of(type_of(values), axis)
    if axes is None or len(spacing) not in (0, 1, len(axes)):
        return None
    steps = list(spacing) * (len(axes) if len(spacing) == 1 else 1) or [Const(1.0)] * len(axes)
    order = {} if edge_order is None else {"edge_order": lowerer.operations.operand(edge_order)}
    made = []
    for k, step in zip(axes, steps, strict=True):
        h = lowerer.operations.operand(step)
        h = h if isinstance(h, Value | Const) else lowerer.operations.apply(np.asarray, (h,), {})
        kind = as_type(h.value) if isinstance(h, Const) else h.type
        dims = getattr(kind, "dims", None)
        if dims is None:
            return None  # a distance or coordinates: the rules differ
        points = bool(dims)
        slope = linear.slope_at if points else linear.slope
        made.append(lowerer.operations.apply(slope, (values, h), {"axis": Const(k), **order}))
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


@form(np.histogram)
def histogram(
    lowerer: Lowerer, fn: Any, a: Node, bins: Node = None, range: Node = None, density: Node = None,
    weights: Node = None,
) -> Node | None:  # fmt: skip
    """A density is the counts over their widths and their sum, as NumPy computes it."""
    if density is None:
        return None
    given = {"bins": bins, "range": range, "weights": weights}
    options = {k: lowerer.operations.operand(v) for k, v in given.items() if v is not None}
    found = lowerer.operations.apply(np.histogram, (lowerer.operations.operand(a),), options)
    if isinstance(density, Const) and not density.value:
        return found
    if not isinstance(density, Const):
        return None
    counts, edges = (
        lowerer.subscripts.getitem(found, Const(0)),
        lowerer.subscripts.getitem(found, Const(1)),
    )
    widths = lowerer.operations.apply(np.diff, (edges,), {})
    heights = lowerer.operations.apply(operator.truediv, (counts, widths), {})
    total = lowerer.operations.apply(np.sum, (counts,), {})
    return pack([lowerer.operations.apply(operator.truediv, (heights, total), {}), edges])


@form(np.cov, np.corrcoef)
def two_samples(
    lowerer: Lowerer,
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
        x = lowerer.operations.apply(np.atleast_2d, (lowerer.operations.operand(part),), {})
        turned = rowvar is not None and not rowvar.value
        if (
            turned
            and len(getattr(type_of(lowerer.operations.operand(part)), "dims", None) or (1,)) > 1
        ):
            x = lowerer.operations.apply(np.ndarray.T, (x,), {})
        parts.append(x)
    rows = lowerer.operations.apply(np.concatenate, (tuple(parts),), {})
    return lowerer.operations.apply(
        fn, (rows,), {k: lowerer.operations.operand(v) for k, v in options.items()}
    )


@form(math.hypot)
def hypot(lowerer: Lowerer, fn: Any, *coordinates: Node) -> Node | None:
    """The length of a vector of more than two numbers is its distance from the origin."""
    if len(coordinates) in (0, 2):
        return None
    operands = tuple(lowerer.operations.operand(c) for c in coordinates)
    return lowerer.operations.apply(math.dist, (operands, (Const(0.0),) * len(operands)), {})


@form(cmath.phase)
def phase(lowerer: Lowerer, fn: Any, x: Node) -> Node:
    return python_float(lowerer, np.angle, lowerer.operations.operand(x))


@form(cmath.polar)
def polar(lowerer: Lowerer, fn: Any, x: Node) -> Node:
    z = lowerer.operations.operand(x)
    return pack([python_float(lowerer, abs, z), python_float(lowerer, np.angle, z)])


def python_float(lowerer: Lowerer, fn: Any, z: Any) -> Any:
    """What functions of Python return, where NumPy computes it: no NumPy scalar."""
    made = lowerer.operations.apply(fn, (z,), {})
    return (
        made if isinstance(type_of(made), Number) else lowerer.operations.apply(float, (made,), {})
    )


def row_stack(lowerer: Lowerer, fn: Any, tup: Node) -> Node:
    return lowerer.operations.operation(np.vstack, [tup], {})


if "row_stack" in vars(np):  # until NumPy 2.5
    form(vars(np)["row_stack"])(row_stack)


@form(np.linspace)
def linspace(
    lowerer: Lowerer, fn: Any, start: Node, stop: Node, num: Node = None, endpoint: Node = None,
    retstep: Node = None, **options: Node,
) -> Node | None:  # fmt: skip
    """The step is the difference over the number of steps, as NumPy computes it."""
    plain = not isinstance(num, Value) and not isinstance(endpoint, Value)
    if not (isinstance(retstep, Const) and retstep.value is True) or not plain:
        return None
    given = {"num": num, "endpoint": endpoint, **options}
    kwargs = {k: lowerer.operations.operand(v) for k, v in given.items() if v is not None}
    first, last = lowerer.operations.operand(start), lowerer.operations.operand(stop)
    made = lowerer.operations.apply(np.linspace, (first, last), kwargs)
    whole = endpoint is None or bool(endpoint.value)
    steps = Const((50 if num is None else num.value) - whole)
    width = lowerer.operations.apply(operator.sub, (last, first), {})
    return pack([made, lowerer.operations.apply(operator.truediv, (width, steps), {})])


@form(np.average)
def average(
    lowerer: Lowerer, fn: Any, a: Node, axis: Node = None, weights: Node = None, returned: Node = None,
    **options: Node,
) -> Node | None:  # fmt: skip
    """With the sum of the weights, in the shape of the average."""
    if not (isinstance(returned, Const) and returned.value is True):
        return None
    given = {"axis": axis, "weights": weights, **options}
    kwargs = {k: lowerer.operations.operand(v) for k, v in given.items() if v is not None}
    values = lowerer.operations.operand(a)
    made = lowerer.operations.apply(np.average, (values,), kwargs)
    whole = kwargs.pop("weights", Const(None))
    aligned = lowerer.operations.apply(
        linear.align, (whole, values, kwargs.get("axis", Const(None))), {}
    )
    return pack([made, lowerer.operations.apply(np.sum, (aligned,), kwargs)])


# -- differences and running sums ------------------------------------------------------------


@form(np.diff)
def diff(
    lowerer: Lowerer, fn: Any, a: Node, n: Node = None, axis: Node = None, prepend: Node = None,
    append: Node = None,
) -> Node | None:  # fmt: skip
    """What is put before and behind is joined first, as NumPy does it."""
    if prepend is None and append is None:
        return None
    values, along = (
        lowerer.operations.operand(a),
        Const(-1) if axis is None else lowerer.operations.operand(axis),
    )
    parts = [values]
    for end, at in ((prepend, 0), (append, len(parts))):
        if end is not None:
            edge = lowerer.operations.apply(
                linear.edge, (lowerer.operations.operand(end), values, along), {}
            )
            parts.insert(at if at == 0 else len(parts), edge)
    whole = lowerer.operations.apply(np.concatenate, (tuple(parts),), {"axis": along})
    order = {} if n is None else {"n": lowerer.operations.operand(n)}
    return lowerer.operations.apply(np.diff, (whole,), {**order, "axis": along})


@form(np.ediff1d)
def ediff1d(
    lowerer: Lowerer, fn: Any, ary: Node, to_end: Node = None, to_begin: Node = None
) -> Node | None:
    if to_end is None and to_begin is None:
        return None
    flat = lowerer.operations.apply(np.ravel, (lowerer.operations.operand(ary),), {})
    made = lowerer.operations.apply(np.diff, (flat,), {})

    def end(given: Any) -> Operand:
        there = lowerer.operations.apply(np.ravel, (lowerer.operations.operand(given),), {})
        return lowerer.operations.apply(
            linear.convert, (there, made), {}
        )  # the array's dtype is that of all

    before = () if to_begin is None else (end(to_begin),)
    parts = (*before, made) if to_end is None else (*before, made, end(to_end))
    return lowerer.operations.apply(np.concatenate, (parts,), {})


def cumulative(
    lowerer: Lowerer, fn: Any, x: Node, axis: Node = None, dtype: Node = None,
    include_initial: Node = None,
) -> Node | None:  # fmt: skip
    """A running sum or product, which may begin with the sum or product of nothing."""
    first = isinstance(include_initial, Const) and bool(include_initial.value)
    if not (first or include_initial is None or isinstance(include_initial, Const)):
        return None
    along = Const(0) if axis is None else lowerer.operations.operand(axis)
    kwargs = {"axis": along} | (
        {} if dtype is None else {"dtype": lowerer.operations.operand(dtype)}
    )
    sums = fn is np.cumulative_sum
    made = lowerer.operations.apply(
        np.cumsum if sums else np.cumprod, (lowerer.operations.operand(x),), kwargs
    )
    if not first:
        return made
    start = lowerer.operations.apply(linear.edge, (Const(0.0 if sums else 1.0), made, along), {})
    start = lowerer.operations.apply(linear.convert, (start, made), {})
    return lowerer.operations.apply(np.concatenate, ((start, made),), {"axis": along})


if hasattr(np, "cumulative_sum"):  # NumPy 2.1
    form(np.cumulative_sum, np.cumulative_prod)(cumulative)


# -- outer operations ------------------------------------------------------------------------


def outer(lowerer: Lowerer, ufunc: Any, a: Node, b: Node) -> Node:
    """``np.add.outer(a, b)``: the operation on ``a`` with new axes behind, and ``b``."""
    x, y = lowerer.operations.operand(a), lowerer.operations.operand(b)
    left, right = (getattr(type_of(v), "dims", None) for v in (x, y))
    if isinstance(x, (tuple, list)) or isinstance(y, (tuple, list)):
        x, y = (lowerer.operations.apply(np.asarray, (v,), {}) for v in (x, y))
    if left and right:
        index = (*[slice(Const(None), Const(None), Const(None))] * len(left),)
        x = lowerer.operations.apply(
            operator.getitem, (x, (*index, *[Const(None)] * len(right))), {}
        )
    elif right != ():
        x = lowerer.operations.apply(linear.beside, (x, y), {})
    return lowerer.operations.apply(ufunc, (x, y), {})


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
