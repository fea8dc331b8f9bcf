"""Roots that stay on one side of a branch cut: simplified for real numbers."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from ..ir.operations import Const, Operand
from .operands import is_real
from .rules import simplifies


@simplifies(linear.circle)
def circle(b: Any, x: Operand) -> Operand | None:
    """Real numbers are on no cut."""
    if not is_real(b, x):
        return None
    one = Const(1)
    less, more = b.apply(operator.sub, one, x), b.apply(operator.add, one, x)
    return b.apply(np.sqrt, b.apply(operator.mul, less, more))  # type: ignore[no-any-return]


@simplifies(linear.hyperbola)
def hyperbola(b: Any, x: Operand) -> Operand | None:
    if not is_real(b, x):
        return None
    return b.apply(np.sqrt, b.apply(operator.add, Const(1), b.apply(operator.mul, x, x)))  # type: ignore[no-any-return]


@simplifies(linear.hyperbola_above)
def hyperbola_above(b: Any, x: Operand) -> Operand | None:
    if not is_real(b, x):
        return None
    roots = [b.apply(np.sqrt, b.apply(fn, x, Const(1))) for fn in (operator.sub, operator.add)]
    return b.apply(operator.mul, *roots)  # type: ignore[no-any-return]
