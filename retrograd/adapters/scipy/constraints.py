"""Constraints with their derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import BFGS, NonlinearConstraint

from .derivatives import Derivatives
from .parameters import Parameters, parameters_of

__all__ = ["Constraint", "constraint", "of_method"]


class Constraint(NonlinearConstraint):
    """``lb <= g(x) <= ub``, with its Jacobian and the Hessians of its components."""

    def __init__(
        self,
        g: Callable[..., Any],
        lb: Any,
        ub: Any,
        args: tuple[Any, ...] = (),
        backend: str | None = None,
        sparse: bool | None = None,
        keep_feasible: Any = False,
        parameters: Parameters | None = None,
    ) -> None:
        self.made_of = (g, lb, ub, args, backend, sparse, keep_feasible)
        self.parameters = parameters
        super().__init__(
            self.values, lb, ub, jac=self.jacobian, hess=self.hessian, keep_feasible=keep_feasible
        )

        def along(p: Any, v: Any, *args: Any) -> Any:
            return np.sum(np.ravel(g(p, *args)) * v)

        self.along, self.args = along, args
        self.derivatives: tuple[Derivatives, Derivatives] | None = None

    def of(self, parameters: Parameters) -> Constraint:
        """The same of a solver's vector that stands for these parameters."""
        return Constraint(*self.made_of, parameters=parameters)

    def at(self, x: np.ndarray) -> tuple[Derivatives, Derivatives]:
        if self.derivatives is None:
            g, _, _, _, backend, sparse, _ = self.made_of
            parameters = self.parameters or parameters_of(x)
            self.derivatives = (
                Derivatives(g, parameters, backend, sparse),
                Derivatives(self.along, parameters, backend, sparse),
            )
        return self.derivatives

    def values(self, x: np.ndarray) -> np.ndarray:
        return self.at(x)[0].values(x, *self.args)

    def jacobian(self, x: np.ndarray) -> Any:
        return self.at(x)[0].jacobian(x, *self.args)

    def hessian(self, x: np.ndarray, v: np.ndarray) -> Any:
        """Of the components' sum, weighed by the multipliers."""
        return self.at(x)[1].hessian(x, v, *self.args)


def constraint(
    g: Callable[..., Any],
    lb: Any = -np.inf,
    ub: Any = np.inf,
    *,
    args: tuple[Any, ...] = (),
    keep_feasible: Any = False,
    backend: str | None = None,
    sparse: bool | None = None,
) -> Constraint:
    """``lb <= g(parameters, *args) <= ub``; with ``lb == ub``, an equation.

    It is a `scipy.optimize.NonlinearConstraint`, for ``constraints=`` of `minimize` here and there.

    >>> def circle(x):
    ...     return x[0] ** 2 + x[1] ** 2
    >>> constraint(circle, 1, 1).jacobian(np.array([0.5, 2.0]))
    array([[1., 4.]])
    """
    return Constraint(g, lb, ub, args, backend, sparse, keep_feasible)


def of_method(constraints: Any, parameters: Parameters, takes_hessians: bool) -> Any:
    """Constraints as a method takes them: of the solver's vector, and with Hessians where they are used."""
    alone = not isinstance(constraints, (list, tuple))
    found = [
        adapted(c, parameters, takes_hessians) for c in ([constraints] if alone else constraints)
    ]
    return found[0] if alone else found


def adapted(given: Any, parameters: Parameters, takes_hessians: bool) -> Any:
    if not isinstance(given, Constraint):
        return given
    made = given.of(parameters)
    if not takes_hessians:
        made.hess = BFGS()  # SciPy warns of any other that it does not use
    return made
