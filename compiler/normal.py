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

from .ir import Const, Value
from .structure import Pack

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
