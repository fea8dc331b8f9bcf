"""Factors moved back into a sum, where the product with them is already known.

>>> from tests.before_after import after
>>> from ..redundancy.dead_code import eliminate
>>> after('''
... def f(d, e, c):
...     r = d * e
...     e_bar = e * np.add.reduce(d * c)
...     return r, e_bar
... ''', "d: f8[n, m], e: f8[m], c: f8[n, m]", regroup, eliminate, derivative=True)
def f(d, e, c):
    r = d * e
    e_bar = np.add.reduce(r * c)
    return r, e_bar

This saves a multiplication, and ``d`` need not be kept.  The factor must not vary along the axis that is
summed.
"""

from __future__ import annotations

import operator
from collections import Counter

import numpy as np

from ...analyses.aliasing.buffers import buffers_of
from ...ir.operations import (
    Apply,
    Block,
    Function,
    Op,
    Operand,
    Value,
    replace_values,
    values_in,
)
from ...ir.types import Array, same_shape
from ...ir.uses import counted
from ...simplify.builder import Builder
from ...simplify.operands import made_by

__all__ = ["regroup"]

Products = dict[tuple[Value, Value], Value]


def regroup(function: Function) -> Function:
    """Rewrite, in place, the products of a derivative with a sum."""
    body = function.body
    uses = counted(body)
    table: dict[Value, Operand] = {}
    visit(body, {}, uses, table, buffers_of(body))
    replace_values(body, lambda v: table.get(v, v) if isinstance(v, Value) else v)
    return function


def visit(
    block: Block,
    known: Products,
    uses: Counter[Value],
    table: dict[Value, Operand],
    buffers: set[Value],
) -> None:
    b = Builder(Block(), may_be_complex=True)  # knows this region only: no sum goes into a loop
    for op in block.ops:
        for inner in op.blocks:
            visit(inner, dict(known), uses, table, buffers)
        if (found := parts(op, b, known, uses)) is not None and not buffers.intersection(
            values_in(found)
        ):
            assert isinstance(op, Apply)
            b.loc = op.loc
            total = b.apply(np.add.reduce, b.apply(operator.mul, *found))
            table[op.result] = named(total, op.result)
            continue
        b.append(op)
        if isinstance(op, Apply):
            b.defs[op.result] = op
            learn(op, known, buffers)
    block.ops = b.block.ops


def learn(op: Apply, known: Products, buffers: set[Value]) -> None:
    """Enter a product under its factors, in both orders."""
    if op.fn is not operator.mul or op.result in buffers:
        return
    x, y = op.args
    if isinstance(x, Value) and isinstance(y, Value):
        known.setdefault((x, y), op.result)
        known.setdefault((y, x), op.result)


def parts(
    op: Op, b: Builder, known: Products, uses: Counter[Value]
) -> tuple[Value, Operand] | None:
    """``d * e`` and ``c``, if the operation is ``e * sum(d * c)`` and ``d * e`` is known."""
    if (
        not isinstance(op, Apply)
        or op.fn is not operator.mul
        or not op.result.made
        or op.result.exact
    ):
        return None
    for e, total in (op.args, op.args[::-1]):
        if not isinstance(total, Value) or uses[total] != 1:
            continue
        product = summed(total, b)
        if product is None or not same_shape(total.type, op.result.type):
            continue
        for d, c in (product.args, product.args[::-1]):
            z = known.get((d, e)) if isinstance(d, Value) and isinstance(e, Value) else None
            kind = product.result.type
            if z is not None and z.type == kind and same_shape(z.type, kind):
                return z, c
    return None


def summed(total: Value, b: Builder) -> Apply | None:
    """The product under a sum along the first axis, both made by the transformation."""
    op = b.defs.get(total)
    if op is None or op.fn != np.add.reduce or op.kwargs or len(op.args) != 1:
        return None
    product = made_by(b, op.args[0], operator.mul)
    if product is None or not (op.result.made and product.result.made):
        return None
    kind = product.result.type
    floats = isinstance(kind, Array) and kind.dtype in ("float64", "float32")
    return product if floats else None


def named(made: Operand, old: Value) -> Operand:
    """The new value under the name of the one it stands for."""
    if isinstance(made, Value) and made.made and made.hint is None and made.bar is None:
        made.hint, made.bar, made.soft = old.hint, old.bar, old.soft
    return made
