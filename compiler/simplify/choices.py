"""Local algebra of choices: ``np.where``, and what fills an array with one number.

    np.where(c, rt.stretch(1.0, x), 0.0)       ->  np.where(c, 1.0, 0.0)      where c has the shape of x
    np.where(c, 1.0, 0.0) * y                  ->  np.where(c, y, 0.0)        of the same shape
    np.where(c, y, 0.0) + np.where(c, 0.0, z)  ->  np.where(c, y, z)
    np.add.reduce(rt.stretch(a, x))            ->  x.size * a
    rt.share(x, 0.0)                           ->  rt.sigmoid(x)

`rules` asks for them.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from ..analyses.shapes.infer import type_of
from ..ir.operations import Apply, Const, Operand
from ..ir.types import Array, Number, kind_of, same_shape
from .operands import is_literal, is_ours, made_by, rank

__all__ = ["chosen_product", "chosen_sum", "filled", "size_times"]


def filled(b: Any, x: Operand) -> Operand | None:
    """The number that an array is filled with."""
    op = made_by(b, x, linear.stretch)
    return op.args[0] if op is not None and rank(op.args[0]) == 0 else None


def choice(b: Any, x: Operand) -> Apply | None:
    """A choice between a number and zero, or zero and a number, that a derivative makes."""
    op = made_by(b, x, np.where)
    return op if op is not None and len(op.args) == 3 and is_ours(op) else None


def zero_at(op: Apply) -> int | None:
    return next((k for k in (1, 2) if is_literal(op.args[k], 0)), None)


def chosen_product(b: Any, x: Operand, y: Operand) -> Operand | None:
    """The factor goes into the choice: where that is zero, so is the product, whatever the factor is."""
    for one, other in ((x, y), (y, x)):
        op = choice(b, one)
        at = zero_at(op) if op is not None else None
        if op is None or at is None or rank(op.args[3 - at]) != 0:
            continue
        scalar = isinstance(type_of(other), Number)
        if (
            not (scalar or same_shape(type_of(one), type_of(other)))
            or kind_of(type_of(other)) != "f"
        ):
            continue
        if not scalar and getattr(type_of(one), "dtype", None) != getattr(
            type_of(other), "dtype", ""
        ):
            continue
        args = [*op.args]
        args[3 - at] = b.apply(operator.mul, op.args[3 - at], other)
        return b.apply(np.where, *args)  # type: ignore[no-any-return]
    return None


def chosen_sum(b: Any, x: Operand, y: Operand) -> Operand | None:
    """Two halves of one choice are the whole of it."""
    one, two = choice(b, x), choice(b, y)
    if one is None or two is None or one.args[0] is not two.args[0]:
        return None
    if not same_shape(type_of(x), type_of(y)):
        return None
    first, second = zero_at(one), zero_at(two)
    if first is None or second is None or first == second:
        return None
    args = [one.args[0], None, None]
    args[3 - first], args[3 - second] = one.args[3 - first], two.args[3 - second]
    return b.apply(np.where, *args)  # type: ignore[no-any-return]


def size_times(b: Any, c: Operand, kwargs: dict[str, Operand]) -> Operand | None:
    """The sum of all entries of an array that is filled with a number."""
    op = made_by(b, c, linear.stretch)
    number = filled(b, c)
    axis = kwargs.get("axis", Const(None if rank(c) == 1 else 0))
    whole = isinstance(axis, Const) and axis.value is None and set(kwargs) <= {"axis"}
    if op is None or number is None or not whole or kind_of(type_of(number)) != "f":
        return None
    kind = type_of(op.args[1])
    if not isinstance(kind, Array) or kind.dtype != "float64" or not kind.dims:
        return None
    return b.apply(operator.mul, b.size(op.args[1]), number)  # type: ignore[no-any-return]
