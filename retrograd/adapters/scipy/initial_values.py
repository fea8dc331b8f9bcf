"""Initial value problems: the Jacobian that implicit methods solve with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import integrate

from .derivatives import Derivatives
from .methods import INITIAL_VALUES, asked
from .parameters import parameters_of

__all__ = ["solve_ivp"]


def solve_ivp(
    fun: Callable[..., Any],
    t_span: Any,
    y0: Any,
    method: Any = "Radau",
    t_eval: Any = None,
    *,
    args: tuple[Any, ...] = (),
    backend: str | None = None,
    sparse: bool | None = None,
    **options: Any,
) -> Any:
    """`scipy.integrate.solve_ivp` of ``fun(t, y, *args)``, with the exact Jacobian for the methods that use one.

    ``method`` is an implicit one by default.  Radau and BDF get a sparse matrix where it is found to be one.

    >>> def oscillator(t, y, mu):
    ...     return [y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]]
    >>> found = solve_ivp(oscillator, (0.0, 100.0), [2.0, 0.0], args=(50.0,), rtol=1e-6)
    >>> found.success, bool(abs(found.y[0, -1]) < 2.1)
    (True, True)
    """

    def of_state(y: Any, t: Any, *args: Any) -> Any:
        return fun(t, y, *args)

    if "jac" in asked(INITIAL_VALUES, method, "radau") and "jac" not in options:
        name = method if isinstance(method, str) else getattr(method, "__name__", "")
        takes_sparse = name.lower() != "lsoda"
        derivatives = Derivatives(
            of_state, parameters_of(y0), backend, sparse if takes_sparse else False
        )

        def jac(t: float, y: np.ndarray, *args: Any) -> Any:
            return derivatives.jacobian(y, t, *args)

        options["jac"] = jac
    return integrate.solve_ivp(fun, t_span, y0, method, t_eval, args=args or None, **options)
