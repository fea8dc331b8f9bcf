"""`rg.scipy`: SciPy's searches, fits and solvers, with the derivatives they ask for.

Everything here has the name and the parameters of SciPy's function, without ``jac``, ``hess`` and ``hessp``, which
are found in the program::

    result = rg.scipy.minimize(loss, {"w": w, "b": 0.0}, args=(x, y))
    result.params["w"]

`problem` is what they share: a function as these solvers want to see it, whose parts can be handed to any of them.
"""

from __future__ import annotations

from .constraints import Constraint, constraint
from .fits import curve_fit
from .initial_values import solve_ivp
from .problem import Problem, least_squares, minimize, problem, root

__all__ = [
    "Constraint", "Problem", "constraint", "curve_fit", "least_squares", "minimize", "problem", "root",
    "solve_ivp",
]  # fmt: skip
