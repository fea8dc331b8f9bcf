"""The one table of calls that are computed from several operations; the compiler and the tape read it.

They are computed in `Terms` that both can evaluate: operations of the program that is being written, or values in
boxes.  What needs more than that is the compiler's alone, in ``compiler/lowering/library``: calls that call functions
(`np.piecewise`, `np.apply_along_axis`) and series and periods are text that is lowered in place; margins (`np.pad`)
are cut by constants; the order of ``reshape`` and the strides of ``as_strided`` ask how an array lies in memory
before anything has copied it.
"""

from __future__ import annotations

import cmath
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..helpers import linear
from ..objects.own_attributes import home_of, own_attribute
from .asked_types import cast, filtered, in_type, real_type
from .better_calls import FORMS, signature
from .terms import UNKNOWN, Terms, options
from .unspoken_options import given

__all__ = [
    "COMPUTED",
    "UNKNOWN",
    "Terms",
    "computed",
    "computes",
    "fits",
    "is_rewritten",
    "options",
]

COMPUTED: dict[Any, Callable[..., Any]] = {}
WITH_OPTION: dict[tuple[Any, str], Callable[..., Any]] = {}


def computes(*ops: Any) -> Callable[[Any], Any]:
    """Register how calls are computed; a rewrite that gives None leaves its call as it is."""

    def register(function: Any) -> Any:
        COMPUTED.update(dict.fromkeys(ops, function))
        return function

    return register


def with_option(name: str, *ops: Any) -> Callable[[Any], Any]:
    """Register how calls that name an option are computed; all others are the operation itself."""

    def register(function: Any) -> Any:
        WITH_OPTION.update(dict.fromkeys(((op, name) for op in ops), function))
        return function

    return register


def computed(terms: Terms, op: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """The result of a call that is computed from other operations; None where it is an operation itself."""
    owner = own_attribute(op, "__self__")
    if isinstance(owner, np.ufunc):
        plain = op.__name__ == "outer" and len(args) == 2 and not kwargs
        return outer(terms, owner, *args) if plain else None
    if isinstance(op, np.ufunc) and "dtype" in kwargs:
        return in_type(terms, op, *args, **kwargs) if len(args) == op.nin else None
    if home_of(op).startswith("scipy.ndimage"):
        return filtered(terms, op, args, kwargs)
    try:
        asked = (WITH_OPTION.get((op, name)) for name in kwargs)
        rewrite = COMPUTED.get(op) or next(filter(None, asked), None)
    except TypeError:
        return None
    if rewrite is None:
        return None
    args, kwargs = given(op, tuple(args), kwargs, terms.value)
    if not fits(rewrite, terms, op, *args, **kwargs):
        return None
    return rewrite(terms, op, *args, **kwargs)


def fits(function: Any, *args: Any, **kwargs: Any) -> bool:
    """True if a rewrite takes these arguments; if not, the call itself will say what is wrong with them."""
    try:
        signature(function).bind(*args, **kwargs)
    except TypeError:
        return False
    return True


def is_rewritten(op: Any) -> bool:
    """True if some calls of an operation are written as others."""
    outer = isinstance(own_attribute(op, "__self__"), np.ufunc) and op.__name__ == "outer"
    return outer or op in FORMS or op in COMPUTED


def outer(terms: Terms, ufunc: Any, a: Any, b: Any) -> Any:
    """``np.add.outer(a, b)``: the operation on ``a`` with new axes behind, and ``b``."""
    left, right = terms.rank(a), terms.rank(b)
    if terms.items(a) is not None or terms.items(b) is not None:
        a, b = (terms.see(np.asarray, (x,)) for x in (a, b))
    if left and right:
        a = terms.see(operator.getitem, (a, (*[slice(None)] * left, *[None] * right)))
    elif right != 0:
        a = terms.see(linear.beside, (a, b))
    return terms.see(ufunc, (a, b))


@with_option("ndmin", np.array)
def array(
    terms: Terms, op: Any, object: Any, dtype: Any = None, ndmin: Any = None, **given: Any
) -> Any:
    """With axes before its own, of one entry each."""
    least = 0 if ndmin is None else terms.value(ndmin)
    if least == 0 or not isinstance(least, int):
        return None
    made = terms.see(np.array, (object,), options(dtype=dtype) | given)
    rank = terms.rank(made)
    if rank is None:
        return None
    more = least - rank
    return (
        terms.see(operator.getitem, (made, (*[None] * more, *[slice(None)] * rank)))
        if more > 0
        else made
    )


@with_option("dtype", np.arange)
def arange(terms: Terms, op: Any, *limits: Any, dtype: Any = None) -> Any:
    """Limits of that type are what an array of it is made of."""
    if dtype is None or real_type(terms, limits, dtype, None) != "d":
        return None
    return terms.see(np.arange, [terms.see(np.float64, (x,)) for x in limits])


@with_option("dtype", np.concatenate, np.stack, np.vstack, np.hstack)
def joined(
    terms: Terms, op: Any, arrays: Any, *axis: Any, dtype: Any = None, casting: Any = None,
    **given: Any,
) -> Any:  # fmt: skip
    """Arrays of another type are cast before they are joined."""
    items = terms.items(arrays)
    if items is None or dtype is None or real_type(terms, items, dtype, casting) is None:
        return None
    return terms.see(op, (cast(terms, items, dtype), *axis), given)


@with_option("dtype", np.trace, np.linalg.trace)
def trace(terms: Terms, op: Any, a: Any, *axes: Any, dtype: Any = None, **given: Any) -> Any:
    if dtype is None or real_type(terms, [a], dtype, None) is None:
        return None
    return terms.see(op, (*cast(terms, [a], dtype), *axes), given)


@computes(np.meshgrid)
def meshgrid(terms: Terms, op: Any, *items: Any, **given: Any) -> Any:
    return terms.see(linear.meshgrid, (items,), given)


@computes(np.atleast_1d, np.atleast_2d, np.atleast_3d)
def atleast(terms: Terms, op: Any, *arrays: Any) -> Any:
    if len(arrays) == 1:
        return None
    return terms.several([terms.see(op, (a,)) for a in arrays])


@computes(np.trapezoid)
def trapezoid(
    terms: Terms, op: Any, y: Any, x: Any = None, dx: Any = None, axis: Any = None
) -> Any:
    """Abscissae that may carry a derivative have parameters of other names: `dx` is one of NumPy's."""
    if terms.value(x) is not UNKNOWN and terms.value(dx) is not UNKNOWN:
        return None
    return terms.see(linear.trapezoid, (y,), options(at=x, step=dx, axis=axis))


@computes(np.gradient)
def gradient(
    terms: Terms, op: Any, f: Any, *spacing: Any, axis: Any = None, edge_order: Any = None
) -> Any:
    """One operation for each axis, with the distance or the coordinates along it."""
    axes = axes_of(terms, f, axis)
    if axes is None or len(spacing) not in (0, 1, len(axes)):
        return None
    steps = list(spacing) * (len(axes) if len(spacing) == 1 else 1) or [1.0] * len(axes)
    made = []
    for k, step in zip(axes, steps, strict=True):
        h = step if terms.items(step) is None else terms.see(np.asarray, (step,))
        rank = terms.rank(h)
        if rank is None:
            return None  # a distance or coordinates: the rules differ
        slope = linear.slope_at if rank else linear.slope
        made.append(terms.see(slope, (f, h), {"axis": k, **options(edge_order=edge_order)}))
    single = axis is None or isinstance(terms.value(axis), int)
    return made[0] if len(made) == 1 and single else terms.several(made)


def axes_of(terms: Terms, f: Any, axis: Any) -> list[int] | None:
    """The axes a keyword names; those of the whole rank if it is not given."""
    if axis is None or terms.value(axis) is None:
        rank = terms.rank(f)
        return list(range(rank)) if rank else None
    found: list[int] = []
    for one in terms.items(axis) or [axis]:
        known = terms.value(one)
        if not isinstance(known, (int, tuple)):
            return None
        found += [int(k) for k in known] if isinstance(known, tuple) else [int(known)]
    return found


@computes(np.cov, np.corrcoef)
def two_samples(
    terms: Terms, op: Any, m: Any, y: Any = None, rowvar: Any = None, *rest: Any, **given: Any
) -> Any:
    """Two sets of variables are one: their rows, below one another."""
    if y is None or terms.value(y) is None or rest:
        return None
    rows = True if rowvar is None else terms.value(rowvar)
    if rows is UNKNOWN:
        return None
    parts = []
    for part in (m, y):
        x = terms.see(np.atleast_2d, (part,))
        if not rows and (terms.rank(part) or 1) > 1:
            x = terms.see(np.ndarray.T, (x,))
        parts.append(x)
    return terms.see(op, (terms.see(np.concatenate, (tuple(parts),)),), given)


@computes(math.hypot)
def hypot(terms: Terms, op: Any, *coordinates: Any) -> Any:
    """The length of a vector of more than two numbers is its distance from the origin."""
    if len(coordinates) in (0, 2):
        return None
    return terms.see(math.dist, (coordinates, (0.0,) * len(coordinates)))


@computes(cmath.phase)
def phase(terms: Terms, op: Any, x: Any) -> Any:
    return python_float(terms, np.angle, x)


@computes(cmath.polar)
def polar(terms: Terms, op: Any, x: Any) -> Any:
    return terms.several([python_float(terms, abs, x), python_float(terms, np.angle, x)])


def python_float(terms: Terms, op: Any, z: Any) -> Any:
    """Python's float, where NumPy computes it: no NumPy scalar."""
    made = terms.see(op, (z,))
    return made if terms.is_python(made) else terms.see(float, (made,))


@computes(np.linspace)
def linspace(
    terms: Terms, op: Any, start: Any, stop: Any, num: Any = None, endpoint: Any = None,
    retstep: Any = None, **given: Any,
) -> Any:  # fmt: skip
    """The step is the difference over the number of steps, as NumPy computes it."""
    count, whole = terms.value(num), terms.value(endpoint)
    if terms.value(retstep) is not True or count is UNKNOWN or whole is UNKNOWN:
        return None
    given = options(num=num, endpoint=endpoint) | given
    made = terms.see(np.linspace, (start, stop), given)
    steps = (50 if num is None else count) - (endpoint is None or bool(whole))
    width = terms.see(operator.sub, (stop, start))
    return terms.several([made, terms.see(operator.truediv, (width, steps))])


@computes(np.average)
def average(
    terms: Terms, op: Any, a: Any, axis: Any = None, weights: Any = None, returned: Any = None,
    **given: Any,
) -> Any:  # fmt: skip
    """With the sum of the weights, in the shape of the average."""
    if terms.value(returned) is not True:
        return None
    given = options(axis=axis) | given
    made = terms.see(np.average, (a,), options(axis=axis, weights=weights) | given)
    aligned = terms.see(linear.align, (weights, a, axis))
    return terms.several([made, terms.see(np.sum, (aligned,), given)])


@computes(np.diff)
def diff(
    terms: Terms, op: Any, a: Any, n: Any = None, axis: Any = None, prepend: Any = None,
    append: Any = None,
) -> Any:  # fmt: skip
    """Joins what is put before and behind first, as NumPy does it where there is something to subtract."""
    if prepend is None and append is None:
        return None
    if n is not None and terms.value(n) == 0:
        return terms.see(np.diff, (a,), options(n=n))
    along = -1 if axis is None else axis
    before, behind = (
        () if end is None else (terms.see(linear.edge, (end, a, along)),)
        for end in (prepend, append)
    )
    whole = terms.see(np.concatenate, ((*before, a, *behind),), {"axis": along})
    return terms.see(np.diff, (whole,), {**options(n=n), "axis": along})


@computes(np.ediff1d)
def ediff1d(terms: Terms, op: Any, ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    if to_end is None and to_begin is None:
        return None
    made = terms.see(np.diff, (terms.see(np.ravel, (ary,)),))
    before, behind = (
        ()
        if end is None
        else (
            terms.see(linear.convert, (terms.see(np.ravel, (end,)), made)),
        )  # of the dtype of the array
        for end in (to_begin, to_end)
    )
    return terms.see(np.concatenate, ((*before, made, *behind),))


def cumulative(
    terms: Terms, op: Any, x: Any, axis: Any = None, dtype: Any = None, include_initial: Any = None
) -> Any:
    """A running sum or product, which may begin with the sum or product of nothing."""
    first = terms.value(include_initial)
    if first is UNKNOWN:
        return None
    along, sums = 0 if axis is None else axis, op is np.cumulative_sum
    given = {"axis": along, **options(dtype=dtype)}
    made = terms.see(np.cumsum if sums else np.cumprod, (x,), given)
    if not first:
        return made
    start = terms.see(linear.edge, (0.0 if sums else 1.0, made, along))
    start = terms.see(linear.convert, (start, made))
    return terms.see(np.concatenate, ((start, made),), {"axis": along})


if hasattr(np, "cumulative_sum"):  # NumPy 2.1
    computes(np.cumulative_sum, np.cumulative_prod)(cumulative)
