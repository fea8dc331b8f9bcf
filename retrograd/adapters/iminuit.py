"""`rg.iminuit`: exact gradients and Hessians for Minuit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from iminuit import Minuit

import retrograd as rg

from .parameter_slopes import parameter_slopes

__all__ = ["minuit", "model_gradient"]


def minuit(
    cost: Callable[..., Any],
    *start: Any,
    name: Any = None,
    backend: str | None = None,
    **starts: Any,
) -> Minuit:
    """``Minuit(cost, ...)`` with the gradient and the Hessian of ``cost``; the start is given as there.

    >>> def cost(a, b):
    ...     return (a - 1.0) ** 2 + 10.0 * (b - a ** 2) ** 2
    >>> m = minuit(cost, a=0.0, b=0.0).migrad()
    >>> m.valid, round(m.values["b"], 3), m.ngrad > 0
    (True, 1.0, True)
    """
    plain = Minuit(
        cost, *start, grad=False, name=name, **starts
    )  # how many, and how they are given
    in_array = len(start) == 1 and np.ndim(start[0]) == 1
    wrt: Any = 0 if in_array else tuple(range(plain.npar))
    gradient, hessian = rg.grad(cost, wrt, backend=backend), rg.hessian(cost, wrt, backend=backend)

    def matrix(*args: Any) -> Any:
        found = hessian(*args)
        return found if in_array else np.array([[float(x) for x in row] for row in found])

    return Minuit(cost, *start, grad=gradient, hessian=matrix, name=name, **starts)


def model_gradient(model: Callable[..., Any], *, backend: str | None = None) -> Callable[..., Any]:
    """The gradient of ``model(x, *params)`` by its parameters: for ``grad=`` of iminuit's cost functions.

    >>> def line(x, slope, start):
    ...     return slope * x + start
    >>> model_gradient(line)(np.array([1.0, 2.0]), 3.0, 4.0)
    array([[1., 2.],
           [1., 1.]])
    """
    slopes = parameter_slopes(model, backend)
    return lambda x, *params: np.stack(slopes(x, *params))
