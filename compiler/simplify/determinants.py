"""Local algebra of determinants: the adjoint of ``np.sum(np.log(np.diag(L)))`` of a Cholesky factor, and traces.

rt.hermitian(rt.solve_lower(L, rt.solve_lower(L, rt.phi(L.T @ np.diag(c / np.diag(L))), True).T, True))
                                ->  c / 2 * inv(L).T @ inv(L)
np.add.reduce(x * np.eye(n), axis=None)  ->  np.trace(x)
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from ..analyses.shapes.infer import type_of
from ..ir.operations import Const, Operand
from ..ir.types import kind_of, same_shape
from .operands import has_dtype, is_ours, made_by, rank

__all__ = ["of_log_determinant", "trace"]


def of_log_determinant(b: Any, x: Operand) -> Operand | None:
    """``c / 2 * inv(L).T @ inv(L)``: it reads the triangle that the factorisation reads."""
    outer = solved(b, x)
    turned = made_by(b, outer[1], np.ndarray.T) if outer else None
    inner = solved(b, turned.args[0]) if turned else None
    if outer is None or inner is None or inner[0] is not outer[0]:
        return None
    low = outer[0]
    c = slope_of_log_diagonal(b, inner[1], low)
    factor = made_by(b, low, np.linalg.cholesky)
    if c is None or factor is None or len(factor.args) != 1 or kind_of(type_of(low)) != "f":
        return None
    inverse = b.apply(np.linalg.inv, low)
    half = b.apply(operator.mul, Const(0.5), c)
    scaled = b.apply(operator.mul, half, b.apply(np.ndarray.T, inverse))
    return b.apply(operator.matmul, scaled, inverse)  # type: ignore[no-any-return]


def solved(b: Any, x: Operand) -> tuple[Operand, Operand] | None:
    """``L`` and ``y`` of ``inv(L).T @ y``."""
    op = made_by(b, x, linear.solve_lower)
    adjoint = op.args[2] if op is not None and len(op.args) == 3 else None
    known = isinstance(adjoint, Const) and adjoint.value is True
    return (op.args[0], op.args[1]) if op is not None and known and rank(op.args[0]) == 2 else None


def slope_of_log_diagonal(b: Any, x: Operand, low: Operand) -> Operand | None:
    """``c`` of ``rt.phi(L.T @ np.diag(c / np.diag(L)))``, a number."""
    phi = made_by(b, x, linear.phi)
    product = made_by(b, phi.args[0], operator.matmul) if phi else None
    left = made_by(b, product.args[0], np.ndarray.T) if product else None
    if product is None or left is None or left.args[0] is not low:
        return None
    right = product.args[1]
    spread = made_by(b, right, np.diag) or made_by(b, right, linear.undiagonal)
    if spread is None or len(spread.args) > 2:
        return None
    over = made_by(b, spread.args[0], operator.truediv)
    if over is None or rank(over.args[0]) != 0:
        return None
    diagonal = made_by(b, over.args[1], np.diag) or made_by(b, over.args[1], np.diagonal)
    diagonal = diagonal or made_by(b, over.args[1], np.ndarray.diagonal)
    main = diagonal is not None and len(diagonal.args) == 1 and diagonal.args[0] is low
    return over.args[0] if main else None


def trace(b: Any, x: Operand, kwargs: dict[str, Operand]) -> Operand | None:
    """The sum of all entries of a matrix times the identity."""
    axis = kwargs.get("axis")
    product = made_by(b, x, operator.mul)
    whole = isinstance(axis, Const) and axis.value is None and set(kwargs) == {"axis"}
    if product is None or not whole or not is_ours(product) or rank(x) != 2:
        return None
    for one, other in (product.args, product.args[::-1]):
        eye = made_by(b, one, np.eye)
        square = eye is not None and len(eye.args) == 1
        alike = same_shape(type_of(one), type_of(other)) and has_dtype(other, type_of(x))
        if square and alike:
            return b.emit(np.trace, other)  # type: ignore[no-any-return]
    return None
