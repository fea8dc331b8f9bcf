"""SciPy's functions that take functions: roots and minima, integrals, initial value problems.

A solution is differentiated through its equation, as ``rg.root`` is.  Of an integral and of a trajectory
SciPy chooses the places, and the sum over them or the steps between them become part of the program.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from retrograd.runtime.objects.own_attributes import own_attribute

from ..lowering.nodes import Node
from .scipy_integrals import lower_odeint, lower_quad, lower_solve_ivp
from .scipy_minima import (
    lower_curve_fit,
    lower_fmin,
    lower_fminbound,
    lower_least_squares,
    lower_leastsq,
    lower_minimize,
    lower_minimize_scalar,
)
from .scipy_roots import (
    BRACKETED,
    lower_bracketed,
    lower_fixed_point,
    lower_fsolve,
    lower_newton,
    lower_root,
    lower_root_scalar,
)

__all__ = ["lowering_of"]

FROM_A_POINT = ("fmin", "fmin_powell", "fmin_cg", "fmin_bfgs", "fmin_ncg", "fmin_l_bfgs_b")
TABLE: dict[str, Callable[..., Node]] = {
    "fsolve": lower_fsolve, "root": lower_root, "newton": lower_newton, "fixed_point": lower_fixed_point,
    "root_scalar": lower_root_scalar, **dict.fromkeys(BRACKETED, lower_bracketed),
    "minimize": lower_minimize, "minimize_scalar": lower_minimize_scalar,
    **dict.fromkeys(FROM_A_POINT, lower_fmin),
    **dict.fromkeys(("fminbound", "brent", "golden"), lower_fminbound),
    "least_squares": lower_least_squares, "leastsq": lower_leastsq, "curve_fit": lower_curve_fit,
    "quad": lower_quad, "quad_vec": lower_quad, "odeint": lower_odeint, "solve_ivp": lower_solve_ivp,
}  # fmt: skip


def lowering_of(fn: Any) -> Callable[..., Node] | None:
    """How a call of a solver of SciPy's is lowered."""
    home, name = fn.__module__, own_attribute(fn, "__name__", "")
    found = TABLE.get(name)
    return found if getattr(sys.modules[".".join(home.split(".")[:2])], name, None) is fn else None
