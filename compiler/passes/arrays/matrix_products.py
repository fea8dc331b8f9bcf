"""Sums of scaled rows as matrix products.

>>> from tests.before_after import after
>>> from ..redundancy.dead_code import eliminate
>>> after('''
... def f(c, p, x, y):
...     a = np.add.reduce(c[:, None] * x)
...     b = np.add.reduce(p[:, :, None] * y)
...     return a, b
... ''', "c: f8[n], p: f8[n, k], x: f8[n, m], y: f8[n, k, m]", contract, eliminate, derivative=True)
def f(c, p, x, y):
    a = c @ x
    b = np.einsum("nk,nkm->km", p, y)
    return a, b

The scaled rows are never written to memory, which would cost more than adding them up: NumPy broadcasts a
last axis of length one in short steps.  Other factors that do not vary along the axis, and divisors, are
applied to the sum.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from retrograd.runtime.records import dataclass, field

from ...analyses.aliasing.buffers import buffers_of
from ...analyses.shapes.infer import type_of
from ...ir.operations import (
    Apply,
    Block,
    Const,
    Function,
    Op,
    Operand,
    Value,
    replace_values,
    set_operands,
    values_in,
)
from ...ir.types import Array, Number, Type, broadcast, same_shape
from ...simplify.builder import Builder
from ...simplify.operands import is_literal, made_by, number, only_adds_axes, rank
from .regroup_sums import named

__all__ = ["contract"]

ALL = slice(Const(None), Const(None), Const(None))


def contract(function: Function) -> Function:
    """Rewrite, in place, the sums along an axis but the last that a derivative takes."""
    table: dict[Value, Operand] = {}
    visit(function.body, table, buffers_of(function.body))
    replace_values(function.body, lambda v: table.get(v, v) if isinstance(v, Value) else v)
    return function


def visit(block: Block, table: dict[Value, Operand], buffers: set[Value]) -> None:
    b = Builder(Block(), may_be_complex=True)  # knows this region only: no product goes into a loop
    for op in block.ops:
        set_operands(op, lambda v: table.get(v, v) if isinstance(v, Value) else v)
        for inner in op.blocks:
            visit(inner, table, buffers)
        b.loc = op.loc
        if isinstance(op, Apply) and (product := contracted(op, b, buffers)) is not None:
            table[op.result] = named(product, op.result)
            continue
        b.append(op)
        if isinstance(op, Apply):
            b.defs[op.result] = op
    block.ops = b.block.ops


def contracted(op: Op, b: Builder, buffers: set[Value]) -> Operand | None:
    """The product of matrices that a sum of scaled rows equals, or None."""
    if not isinstance(op, Apply) or op.fn != np.add.reduce or not op.result.made:
        return None
    n, (axis, kept) = rank(op.args[0]), summed(op)
    found = unscaled(op.args[0], n, b) if len(op.args) == 1 and n in (2, 3) else None
    if found is None or axis is None or not found.fits(type_of(op.args[0]), op.result.type):
        return None
    if axis == 1 and (n == 2 or any(rank(operand) != 0 for _, operand in found.after)):
        return None
    sign = made_by(b, found.weights, operator.neg)
    read = values_in([*found.operands(), *(sign.args if sign else ())])
    if buffers.intersection(read):  # they may be written to between the product and the sum
        return None
    rows = found.factors[-1]
    for factor in found.factors[-2::-1]:
        rows = square(rows, b, buffers) if factor is rows else b.apply(operator.mul, factor, rows)
    weights = sign.args[0] if sign else found.weights
    if axis == 0:
        total: Operand = product(weights, rows, b)
        total = b.emit(operator.getitem, total, Const(None)) if kept else total
    else:
        total = b.emit(operator.matmul, b.emit(operator.getitem, weights, (ALL, Const(None))), rows)
        total = total if kept else b.emit(operator.getitem, total, (ALL, Const(0)))
    for fn, operand in found.after:
        first = fn is operator.mul and rank(operand) == 0
        total = b.apply(fn, operand, total) if first else b.apply(fn, total, operand)
    return b.apply(operator.neg, total) if sign else total


def summed(op: Apply) -> tuple[int | None, bool]:
    """The axis of a sum along the first or the second, None for others; and whether it is kept."""
    said = {name: getattr(value, "value", None) for name, value in op.kwargs.items()}
    axis, kept = said.pop("axis", 0), said.pop("keepdims", False)
    known = not said and axis in (0, 1) and type(axis) is int and kept in (True, False)
    return (axis if known else None), bool(kept)


@dataclass
class Scaled:
    """``weights[..., None]`` times ``factors``, and what does not vary along the first axis."""

    weights: Operand
    factors: list[Operand] = field(default_factory=list)  # from the outermost
    after: list[tuple[Any, Operand]] = field(default_factory=list)  # multiply or divide by it

    def operands(self) -> list[Operand]:
        return [self.weights, *self.factors, *(operand for _, operand in self.after)]

    def fits(self, whole: Type, total: Type) -> bool:
        """True if nothing but the weights and what comes after is stretched, all in float64."""
        kinds = [type_of(x) for x in self.factors]
        weights = type_of(self.weights)
        arrays = [whole, weights, *kinds]
        if not kinds or not all(isinstance(k, Array) and k.dtype == "float64" for k in arrays):
            return False
        if weights.dims != whole.dims[:-1]:  # type: ignore[union-attr, index]
            return False
        later = [type_of(x) for _, x in self.after]
        real = all(isinstance(k, Number) or k.dtype == "float64" for k in later)  # type: ignore[union-attr]
        stays = real and broadcast(total, *later) == total
        return stays and same_shape(broadcast(*kinds), whole)

    def place(self, x: Operand, fn: Any, n: int, b: Builder) -> None:
        """Enter a factor or divisor, taken apart into what varies and what does not."""
        small = rank(x)
        if small is not None and small < n:
            self.after.append((fn, x))
            return
        op = scaling(x, b)
        for part, other in turns(op) if op is not None else ():
            size = rank(other)
            if size is not None and size < n and rank(part) == n:
                self.after.append((op.fn, other))  # type: ignore[union-attr]
                return self.place(part, fn, n, b)
        self.factors.insert(0, x)


def unscaled(x: Operand, n: int, b: Builder) -> Scaled | None:
    """A product with ``p[..., None]`` in it, taken apart."""
    op = scaling(x, b)
    if op is None:
        return None
    for one, other in turns(op):
        weights = column(one, n, b)
        found = Scaled(weights) if weights is not None else unscaled(one, n, b)
        if found is None:
            continue
        varies = rank(other) is None or rank(other) == n
        if op.fn is operator.truediv and varies:
            return None
        found.place(other, op.fn, n, b)
        return found
    return None


def scaling(x: Operand, b: Builder) -> Apply | None:
    """The multiplication or division that computed ``x`` for a derivative."""
    op = made_by(b, x, operator.mul) or made_by(b, x, operator.truediv)
    return op if op is not None and op.result.made and not op.result.exact else None


def turns(op: Apply) -> list[tuple[Operand, Operand]]:
    """The ways to see an operation as something scaled by something."""
    x, y = op.args
    return [(x, y), (y, x)] if op.fn is operator.mul else [(x, y)]


def square(x: Operand, b: Builder, buffers: set[Value]) -> Operand:
    """The square, as the function computed it if it did."""
    for op in b.block.ops:
        if isinstance(op, Apply) and op.fn is operator.pow and op.result not in buffers:
            base, exponent = op.args
            if base is x and is_literal(exponent, 2):
                return op.result
    return b.apply(operator.mul, x, x)


def product(weights: Operand, rows: Operand, b: Builder) -> Operand:
    """The sum of ``weights[..., None] * rows`` along the first axis."""
    if rank(weights) == 1:
        return b.apply(operator.matmul, weights, rows)
    scaled = made_by(b, weights, operator.mul)
    if scaled is not None and scaled.result.made and number(scaled.args[0]) is not None:
        total = product(scaled.args[1], rows, b)
        return b.apply(operator.mul, scaled.args[0], total)
    return b.emit(np.einsum, Const(subscripts(type_of(rows))), weights, rows)


def subscripts(kind: Any) -> str:
    """``ijk`` with the names of the sizes where they are letters: ``nk,nkm->km``."""
    letters = [str(n) for n in kind.dims]
    plain = all(len(n) == 1 and n.isalpha() for n in letters) and len(set(letters)) == 3
    i, j, k = letters if plain else "ijk"
    return f"{i}{j},{i}{j}{k}->{j}{k}"


def column(x: Operand, n: int | None, b: Builder) -> Operand | None:
    """``p``, if ``x`` is ``p[:, None]`` or ``p[:, :, None]`` and has ``n`` dimensions."""
    op = made_by(b, x, operator.getitem)
    if op is None or n not in (2, 3) or not isinstance(op.args[1], tuple):
        return None
    p, key = op.args
    news = [isinstance(part, Const) for part in key]
    last = only_adds_axes(key) and news == [*[False] * (n - 1), True]
    return p if last and rank(p) == n - 1 else None
