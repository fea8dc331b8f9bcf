"""A function and its derivatives, as SciPy's searches want them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import optimize

from ..remembered import Remembered
from .constraints import of_method
from .derivatives import Derivatives
from .methods import MINIMIZE, ROOT, asked
from .parameters import Parameters, parameters_of

__all__ = ["Problem", "least_squares", "minimize", "problem", "root"]

MANY = 200  # parameters: from here on products with the Hessian, instead of the matrix


class Problem:
    """What `problem` makes: see there.

    Of a scalar function ``fun``, ``jac``, ``hess`` and ``hessp``; of one that returns an array ``values`` and
    ``jacobian``.  All take the solver's vector.
    """

    def __init__(
        self,
        f: Callable[..., Any],
        x0: Any = None,
        *,
        args: tuple[Any, ...] = (),
        bounds: Any = None,
        constraints: Any = (),
        backend: str | None = None,
        sparse: bool | None = None,
    ) -> None:
        self.f, self.args = f, args if isinstance(args, tuple) else (args,)
        self.constraints, self.options = constraints, (backend, sparse)
        self.parameters = parameters_of(x0) if x0 is not None else None
        self.given_bounds = bounds
        self.derivatives: Derivatives | None = None
        self.remembered: Remembered | None = None

    # -- of the solver's vector ----------------------------------------------------------

    def of(self, x: Any) -> Derivatives:
        if self.derivatives is None:
            if self.parameters is None:
                self.parameters = parameters_of(x)
            made = self.derivatives = Derivatives(self.f, self.parameters, *self.options)
            self.remembered = Remembered(made.value, made.value_and_gradient, made.gradient)
        return self.derivatives

    def fun(self, x: np.ndarray, *args: Any) -> Any:
        """The value; the gradient is found on the way, and is kept for the next question."""
        self.of(x)
        assert self.remembered is not None
        return self.remembered.value(x, *(args or self.args))

    def jac(self, x: np.ndarray, *args: Any) -> np.ndarray:
        """The gradient."""
        self.of(x)
        assert self.remembered is not None
        found: np.ndarray = self.remembered.gradient(x, *(args or self.args))
        return found

    def value_and_grad(self, x: np.ndarray, *args: Any) -> tuple[Any, np.ndarray]:
        """Both: for ``minimize(..., jac=True)``."""
        return self.of(x).value_and_gradient(x, *(args or self.args))

    def hess(self, x: np.ndarray, *args: Any) -> Any:
        """The Hessian matrix."""
        return self.of(x).hessian(x, *(args or self.args))

    def hessp(self, x: np.ndarray, v: np.ndarray, *args: Any) -> np.ndarray:
        """The Hessian matrix times ``v``, without the matrix."""
        return self.of(x).hessian_product(x, v, *(args or self.args))

    def values(self, x: np.ndarray, *args: Any) -> np.ndarray:
        """The results as one vector."""
        return self.of(x).values(x, *(args or self.args))

    def jacobian(self, x: np.ndarray, *args: Any) -> Any:
        """Their derivatives: a row for each."""
        return self.of(x).jacobian(x, *(args or self.args))

    # -- the structure -------------------------------------------------------------------

    @property
    def x0(self) -> np.ndarray:
        """The start as the solver's vector."""
        return self.start().flat

    @property
    def bounds(self) -> Any:
        """The bounds as SciPy takes them."""
        return self.start().bounds(self.given_bounds)

    def params(self, x: np.ndarray) -> Any:
        """The solver's vector as the function takes it."""
        return self.of(x).parameters.tree(x)

    def start(self) -> Parameters:
        if self.parameters is None:
            raise TypeError("the problem was made without `x0`: rg.scipy.problem(f, x0)")
        return self.parameters

    # -- searches ------------------------------------------------------------------------

    def minimize(self, method: Any = None, **options: Any) -> Any:
        """`scipy.optimize.minimize`, with whatever derivatives the method takes."""
        start = self.start()
        default = "slsqp" if self.constraints else "bfgs" if self.bounds is None else "l-bfgs-b"
        taken = asked(MINIMIZE, method, default)
        given: dict[str, Any] = {"jac": self.jac} if "jac" in taken else {}
        if "hessp" in taken and start.size >= MANY:
            given["hessp"] = self.hessp
        elif "hess" in taken:
            given["hess"] = self.hess
        if self.constraints:
            given["constraints"] = of_method(self.constraints, start, "hess" in taken)
        found = optimize.minimize(
            self.fun, start.flat, method=method, bounds=self.bounds, **{**given, **options}
        )
        return self.with_params(found)

    def least_squares(self, **options: Any) -> Any:
        """`scipy.optimize.least_squares` of the residuals."""
        bounds = self.bounds
        if isinstance(bounds, list) and bounds and isinstance(bounds[0], tuple):
            options.setdefault("bounds", tuple(np.array(bounds, float).T))
        elif bounds is not None:
            options.setdefault("bounds", bounds)
        options.setdefault("jac", self.jacobian)
        return self.with_params(optimize.least_squares(self.values, self.x0, **options))

    def root(self, method: str = "hybr", **options: Any) -> Any:
        """`scipy.optimize.root`: where all results are zero."""
        if "jac" in asked(ROOT, method, "hybr"):
            options.setdefault("jac", self.dense_jacobian)
        found = optimize.root(self.values, self.x0, method=method, **options)
        return self.with_params(found)

    def dense_jacobian(self, x: np.ndarray, *args: Any) -> np.ndarray:
        found = self.jacobian(x, *args)
        return found.toarray() if hasattr(found, "toarray") else found

    def with_params(self, found: Any) -> Any:
        found.params = self.start().tree(found.x)
        return found


def problem(
    f: Callable[..., Any],
    x0: Any = None,
    *,
    args: tuple[Any, ...] = (),
    bounds: Any = None,
    constraints: Any = (),
    backend: str | None = None,
    sparse: bool | None = None,
) -> Problem:
    """A function of parameters, as SciPy's searches want to see it.

    ``x0`` may be what SciPy takes, an array of any shape, or a dict, list or class of such: the function gets its own
    structure, SciPy one vector, and results have both (``result.x``, ``result.params``).  ``bounds`` may be SciPy's, or
    pairs in the same structure, which may leave parameters out.  ``constraints`` are those of `constraint`, or SciPy's.
    ``backend`` is as in `retrograd.grad`; ``sparse`` makes Jacobians and Hessians sparse matrices: by default those that
    are large and are found to have few entries.

    >>> def rosenbrock(x):
    ...     return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)
    >>> p = problem(rosenbrock, [0.0, 0.0, 0.0])
    >>> optimize.minimize(p.fun, p.x0, jac=p.jac, hess=p.hess, method="trust-exact").x.round(3)
    array([1., 1., 1.])
    >>> p.minimize(method="Newton-CG").params.round(4)
    array([1., 1., 1.])
    """
    return Problem(
        f, x0, args=args, bounds=bounds, constraints=constraints, backend=backend, sparse=sparse
    )


def minimize(
    fun: Callable[..., Any],
    x0: Any,
    args: tuple[Any, ...] = (),
    method: Any = None,
    bounds: Any = None,
    constraints: Any = (),
    *,
    backend: str | None = None,
    sparse: bool | None = None,
    **options: Any,
) -> Any:
    """`scipy.optimize.minimize` with exact derivatives; ``x0`` and ``bounds`` are as in `problem`.

    >>> def cost(p, t):
    ...     return np.sum((p["slope"] * t + p["start"] - (2.0 * t + 1.0)) ** 2)
    >>> found = minimize(cost, {"slope": 0.0, "start": 0.0}, args=(np.arange(4.0),))
    >>> round(found.params["slope"], 6), round(found.params["start"], 6)
    (np.float64(2.0), np.float64(1.0))
    """
    posed = problem(
        fun, x0, args=args, bounds=bounds, constraints=constraints, backend=backend, sparse=sparse
    )
    return posed.minimize(method, **options)


def least_squares(
    fun: Callable[..., Any],
    x0: Any,
    bounds: Any = None,
    args: tuple[Any, ...] = (),
    *,
    backend: str | None = None,
    sparse: bool | None = None,
    **options: Any,
) -> Any:
    """`scipy.optimize.least_squares` with the exact Jacobian, a sparse one where it is found to be.

    >>> def residuals(p, t, y):
    ...     return p[0] * np.exp(-p[1] * t) - y
    >>> t = np.linspace(0.0, 2.0, 5)
    >>> least_squares(residuals, [1.0, 1.0], args=(t, 3.0 * np.exp(-0.5 * t))).x.round(6)
    array([3. , 0.5])
    """
    posed = problem(fun, x0, args=args, bounds=bounds, backend=backend, sparse=sparse)
    return posed.least_squares(**options)


def root(
    fun: Callable[..., Any],
    x0: Any,
    args: tuple[Any, ...] = (),
    method: str = "hybr",
    *,
    backend: str | None = None,
    **options: Any,
) -> Any:
    """`scipy.optimize.root` with the exact Jacobian.

    >>> def system(x):
    ...     return [x[0] + x[1] - 3.0, x[0] * x[1] - 2.0]
    >>> root(system, [0.0, 5.0]).x.round(6)
    array([1., 2.])
    """
    return problem(fun, x0, args=args, backend=backend).root(method, **options)
