"""Triangular systems of a derivative solved by SciPy, if the function uses SciPy anyway.

>>> from tests.before_after import in_gradient
>>> in_gradient('''
... from scipy import linalg
...
... def f(a, b):
...     low = np.linalg.cholesky(a)
...     return linalg.solve_triangular(low, b, lower=True)
... ''', "a: f8[n, n], b: f8[n]", triangular, kind="tangent")
def f_tangent(a, b, a_dot):
    low = np.linalg.cholesky(a)
    phi = rt.phi(rt.solve_lower(low, rt.solve_lower(low, rt.hermitian(a_dot)).T))
    low_dot = low @ phi
    solve_triangular = linalg.solve_triangular(low, b, lower=True)
    product = rt.triangle_of(low_dot, 0, True, False) @ solve_triangular
    return linalg.solve_triangular(low, -product, lower=True)
# becomes
def f_tangent(a, b, a_dot):
    low = np.linalg.cholesky(a)
    solve_triangular = linalg.solve_triangular(
        low, rt.hermitian(a_dot), lower=True, check_finite=False
    )
    T = solve_triangular.T
    phi = rt.phi(linalg.solve_triangular(low, T, lower=True, check_finite=False))
    low_dot = low @ phi
    solve_triangular_2 = linalg.solve_triangular(low, b, lower=True)
    product = rt.triangle_of(low_dot, 0, True, False) @ solve_triangular_2
    return linalg.solve_triangular(low, -product, lower=True)

NumPy has no triangular solver, and LAPACK's is faster than anything written with NumPy.
"""

from __future__ import annotations

import sys

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import own_attribute

from ...ir.operations import Apply, Block, Const, Function, Operand, Value, walk
from ...ir.types import Array
from ...simplify.builder import Builder

__all__ = ["triangular"]

HOME = "scipy.linalg"


def triangular(function: Function) -> Function:
    """Rewrite, in place, such systems of matrices of floats."""
    homes = [
        own_attribute(op.fn, "__module__") for op in walk(function.body) if isinstance(op, Apply)
    ]
    if any((home or "").startswith(HOME) for home in homes):
        visit(function.body)
    return function


def visit(block: Block) -> None:
    b = Builder(Block())
    for op in block.ops:
        for inner in op.blocks:
            visit(inner)
        if isinstance(op, Apply) and op.fn is linear.solve_lower and all(map(is_real, op.args[:2])):
            b.loc = op.loc
            solved(op, b)
        b.append(op)
    block.ops = b.block.ops


def solved(op: Apply, b: Builder) -> None:
    """Say ``op``, in place, with SciPy's solver."""
    low, right, *rest = op.args
    adjoint = rest[0] if rest else op.kwargs.get("adjoint", Const(False))
    if not isinstance(adjoint, Const):
        return
    op.fn = sys.modules[HOME].solve_triangular
    op.args = (b.apply(np.ndarray.T, low) if adjoint.value else low, right)
    op.kwargs = {} if adjoint.value else {"lower": Const(True)}
    op.kwargs["check_finite"] = Const(False)  # NumPy does not check


def is_real(x: Operand) -> bool:
    """True if an operand is a matrix of floats."""
    kind = x.type if isinstance(x, Value) else None
    plain = isinstance(kind, Array) and kind.dtype in ("float64", "float32")
    return plain and kind.dims is not None and len(kind.dims) == 2  # type: ignore[union-attr]
