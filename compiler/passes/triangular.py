"""A system with a Cholesky factor is a triangular one, where the function uses SciPy anyway.

::

    np.linalg.solve(factor.T, b)    ->    linalg.solve_triangular(factor.T, b, check_finite=False)

NumPy has no solver for triangular systems: it would factor the factor.
"""

from __future__ import annotations

import sys

import numpy as np

from ..ir import Apply, Const, Function, Operand, Value, walk
from ..types import Array

__all__ = ["triangular"]

HOME = "scipy.linalg"


def triangular(function: Function) -> Function:
    """Rewrite, in place, such systems of a derivative."""
    ops = [op for op in walk(function.body) if isinstance(op, Apply)]
    if not any((getattr(op.fn, "__module__", None) or "").startswith(HOME) for op in ops):
        return function
    defs = {op.result: op for op in ops}
    for op in ops:
        if op.fn is np.linalg.solve and op.result.made and not op.kwargs and is_real(op.args[1]):
            side = shape_of(op.args[0], defs)
            if side is not None:
                op.fn = sys.modules[HOME].solve_triangular
                op.kwargs = {"lower": Const(True)} if side == "lower" else {}
                op.kwargs["check_finite"] = Const(False)  # NumPy does not check
    return function


def shape_of(x: Operand, defs: dict[Value, Apply]) -> str | None:
    """Whether a matrix is certainly ``lower`` or ``upper`` triangular."""
    op = defs.get(x) if isinstance(x, Value) else None
    if op is None or not is_real(x):
        return None
    if op.fn is np.linalg.cholesky and len(op.args) == 1 and not op.kwargs:
        return "lower"
    turned = shape_of(op.args[0], defs) if op.fn in (np.ndarray.T, np.ndarray.mT) else None
    return {"lower": "upper", "upper": "lower"}.get(turned) if turned else None


def is_real(x: Operand) -> bool:
    """Whether an operand is a vector or a matrix of floats."""
    kind = x.type if isinstance(x, Value) else None
    plain = isinstance(kind, Array) and kind.dtype in ("float64", "float32")
    return plain and kind.dims is not None and len(kind.dims) in (1, 2)  # type: ignore[union-attr]
