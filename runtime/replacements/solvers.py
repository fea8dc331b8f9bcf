"""SciPy's solvers as generated code calls them: with functions of flat arguments, solutions alone.

Of an integral and of an initial value problem SciPy chooses the places; the sums over them and the
steps between them are part of the program, and so have derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import integrate, optimize

from ..errors import ConvergenceError
from ..helpers.scipy.quadrature import smooth_nodes

__all__ = [
    "bracketed", "fmin", "fmin_alone", "fsolve", "ivp_grid", "least_squares", "leastsq", "minimize", "minimize_scalar",
    "newton", "quad_nodes", "quad_vec_nodes", "root_counts", "root_scalar", "scipy_fixed_point", "scipy_root",
]  # fmt: skip

Function = Callable[..., Any]


@dataclass
class Solution:
    """The result of ``optimize.root``, ``optimize.minimize`` and their like."""

    x: Any
    fun: Any
    success: bool


@dataclass
class Root:
    """The result of ``optimize.root_scalar``."""

    root: Any
    converged: bool
    flag: str
    iterations: int
    function_calls: int
    method: str


@dataclass
class Trajectory:
    """The result of ``integrate.solve_ivp``."""

    t: Any
    y: Any
    success: bool
    status: int


def checked(found: Any, name: str) -> Any:
    if not found.success:
        raise ConvergenceError(f"{name}: {found.message}")
    return found.x


def parts_of(given: tuple[Any, ...]) -> tuple[Function, dict[str, Function], Any, tuple[Any, ...]]:
    """The function of a search, its derivatives by their names, the start, and the other arguments."""
    whole = given if isinstance(given[-1], tuple) else (*given, ())
    *slopes, f, x0, args = whole
    return f, dict(zip(("fprime", "fprime2"), reversed(slopes), strict=False)), x0, args


def fsolve(*given: Any, **options: Any) -> Any:
    """The solution of ``optimize.fsolve``, which must be one: elsewhere nothing has a derivative.

    >>> fsolve(lambda x, a: x * x - a, np.ones(1), (4.0,)).round(9)
    array([2.])
    """
    f, slopes, x0, args = parts_of(given)
    x, _, code, message = optimize.fsolve(f, x0, args, full_output=True, **slopes, **options)
    if code != 1:
        raise ConvergenceError(f"optimize.fsolve: {message}")
    return x


def scipy_root(*given: Any, **options: Any) -> Any:
    """The solution of ``optimize.root``."""
    f, slopes, x0, args = parts_of(given)
    return checked(optimize.root(f, x0, args, jac=slopes.get("fprime"), **options), "optimize.root")


def newton_result(*given: Any, **options: Any) -> tuple[Any, Any]:
    f, slopes, x0, args = parts_of(given)
    x, *found = optimize.newton(f, x0, args=args, full_output=True, **slopes, **options)
    if not np.all(found[0].converged if len(found) == 1 else found[0]):
        raise ConvergenceError("optimize.newton: it did not converge")
    return x, found[0]


def newton(*given: Any, **options: Any) -> Any:
    """The solution of ``optimize.newton``: its derivatives, if it is given some, the last of them first, and the function.

    >>> round(float(newton(lambda x, a: 2 * x, lambda x, a: x * x - a, 1.0, (4.0,))), 9)
    2.0
    """
    return newton_result(*given, **options)[0]


def root_scalar_result(*given: Any, **options: Any) -> tuple[Any, Any]:
    f, slopes, x0, args = parts_of(given)
    found = optimize.root_scalar(f, args, x0=x0, **slopes, **options)
    if not found.converged:
        raise ConvergenceError(f"optimize.root_scalar: {found.flag}")
    return found.root, found


def root_scalar(*given: Any, **options: Any) -> Any:
    """The solution of ``optimize.root_scalar`` from a point, given the same."""
    return root_scalar_result(*given, **options)[0]


def scipy_fixed_point(f: Function, x0: Any, args: tuple[Any, ...] = (), **options: Any) -> Any:
    """The solution of ``optimize.fixed_point``."""
    return optimize.fixed_point(f, x0, args, **options)


def bracketed_result(
    f: Function,
    a: float,
    args: tuple[Any, ...] = (),
    *,
    method: str,
    b: float | None = None,
    at: int = 0,
    **options: Any,
) -> tuple[Any, Any]:
    end = args[at] if b is None else b
    x, found = getattr(optimize, method)(f, a, end, args, full_output=True, **options)
    if not found.converged:
        raise ConvergenceError(f"optimize.{method}: it did not converge")
    return x, found


def bracketed(f: Function, a: float, args: tuple[Any, ...] = (), **options: Any) -> Any:
    """The solution of ``optimize.brentq`` and its like between ``a`` and ``b``, or the argument ``at`` that place.

    >>> round(bracketed(lambda x, a: x * x - a, 0.0, (4.0,), method="brentq", b=5.0), 9)
    2.0
    """
    return bracketed_result(f, a, args, **options)[0]


SEARCHES = {
    "newton": newton_result,
    "root_scalar": root_scalar_result,
    "bracketed": bracketed_result,
}


def root_counts(*given: Any, by: str, **options: Any) -> tuple[int, int]:
    """How often one of these searches has gone on, and asked for values.

    >>> root_counts(lambda x: x - 1.0, 0.0, by="bracketed", method="bisect", b=2.0)
    (1, 3)
    """
    _, found = SEARCHES[by](*given, **options)
    return found.iterations, found.function_calls


WITHOUT_SLOPES = ("nelder-mead", "powell", "cobyla", "cobyqa")


def minimize(
    f: Function, gradient: Function, x0: Any, args: tuple[Any, ...] = (), **options: Any
) -> Any:
    """The solution of ``optimize.minimize``, given the gradient; BFGS may stop at rounding errors."""
    slopes = (
        {}
        if str(options.get("method")).lower() in WITHOUT_SLOPES
        else {"jac": lambda x: gradient(x, *args)}
    )
    found = optimize.minimize(lambda x: number(f(x, *args)), x0, **slopes, **options)
    check_level(f"minimize: {found.message}", gradient(found.x, *args), found.fun)
    check_inside("minimize", found.x, options.get("bounds"))
    return found.x


def number(y: Any) -> float:
    """A number, also where a function gives an array of one."""
    return float(np.asarray(y).item())


def check_level(said: str, slopes: Any, value: Any) -> None:
    """Elsewhere than where the gradient is zero nothing has a derivative."""
    steepest = np.max(np.abs(slopes), initial=0.0)
    if not steepest <= 1e-4 * (1 + abs(number(value))):
        raise ConvergenceError(f"optimize.{said} (the gradient is {steepest:.2g})")


def check_inside(name: str, x: Any, bounds: Any) -> None:
    """At a bound a solution stays where it is, or has a derivative on one side."""
    if bounds is None:
        return
    ends = np.array(bounds, dtype=float).reshape(-1, 2)  # None is nan, which nothing is close to
    if np.any(np.isclose(x, ends[:, 0], 1e-5, 1e-5) | np.isclose(x, ends[:, 1], 1e-5, 1e-5)):
        raise ConvergenceError(f"optimize.{name}: the solution is at a bound")


def minimize_scalar(
    f: Function, gradient: Function, x0: Any, args: tuple[Any, ...] = (), *, low: Any = None, high: Any = None,
    **options: Any,
) -> Any:  # fmt: skip
    """The solution of ``optimize.minimize_scalar``, inside its bounds, which may be computed; the start is SciPy's own.

    >>> f, slope = lambda x, a: (x - a) ** 2, lambda x, a: 2 * (x - a)
    >>> round(float(minimize_scalar(f, slope, 0.0, (3.0,))), 6)
    3.0
    """
    if low is not None:
        options["bounds"] = (float(low), float(high))
    found = optimize.minimize_scalar(f, args=args, **options)
    x = float(found.x)
    check_level(f"minimize_scalar: {found.message}", gradient(x, *args), found.fun)
    return x


def fmin_alone(
    f: Function, x0: Any, args: tuple[Any, ...] = (), *, method: str, **options: Any
) -> Any:
    """The solution of ``optimize.fmin`` and its like, of a function that nothing differentiated goes into."""
    found = getattr(optimize, method)(f, x0, args=args, **options)
    return found[0] if isinstance(found, tuple) else found


def fmin(
    f: Function, gradient: Function, x0: Any, args: tuple[Any, ...] = (), *, slope: bool = False,
    method: str, **options: Any,
) -> Any:  # fmt: skip
    """The solution of ``optimize.fmin`` and its like, where the gradient is zero; it gets that if there is a ``slope``.

    >>> f, slope = lambda x, a: float((x[0] - a) ** 2), lambda x, a: 2 * (x - a)
    >>> fmin(f, slope, np.zeros(1), (3.0,), method="fmin_bfgs", disp=False).round(4)
    array([3.])
    """
    given = {"fprime": gradient} if slope else {}
    x = fmin_alone(f, x0, args, method=method, **given, **options)
    check_level(f"{method}: it did not stop at a minimum", gradient(x, *args), f(x, *args))
    check_inside(method, x, options.get("bounds"))
    return x


def least_squares(
    f: Function, gradient: Function, x0: Any, args: tuple[Any, ...] = (), **options: Any
) -> Any:
    """The solution of ``optimize.least_squares``, inside its bounds."""
    found = optimize.least_squares(lambda x: f(x, *args), x0, **options)
    if not found.success:
        raise ConvergenceError(f"optimize.least_squares: {found.message}")
    check_level(f"least_squares: {found.message}", gradient(found.x, *args), found.cost)
    return found.x


def leastsq(
    f: Function, gradient: Function, x0: Any, args: tuple[Any, ...] = (), **options: Any
) -> Any:
    """The solution of ``optimize.leastsq``.

    >>> f, gradient = lambda x, a: x * x - a, lambda x, a: 2 * x * (x * x - a)
    >>> leastsq(f, gradient, np.ones(1), (4.0,)).round(6)
    array([2.])
    """
    x, _ = optimize.leastsq(f, x0, args, **options)
    residuals = f(x, *args)
    check_level(
        "leastsq: it did not stop at a minimum", gradient(x, *args), np.sum(residuals**2) / 2
    )
    return x


# Places


def quad_nodes(
    f: Function,
    ends: tuple[float, float],
    args: tuple[Any, ...] = (),
    order: int = 1,
    **options: Any,
) -> tuple[Any, Any, float]:
    """Where ``integrate.quad`` asks for values, from 0 to 1, and their weights; and its error.

    >>> u, w, _ = quad_nodes(lambda t: t * t, (0.0, 3.0))
    >>> round(float(np.sum(w * (3 * u) ** 2) * 3), 12)
    9.0
    """
    a, b = map(float, ends)
    value, error, info = integrate.quad(f, a, b, args, full_output=1, **options)[:3]
    last = info["last"]
    low, high = (shares(info[k][:last], a, b) for k in ("alist", "blist"))
    return (*checked_nodes("quad", f, (a, b), args, low, high, value, error, order), float(error))


def quad_vec_nodes(
    f: Function,
    ends: tuple[float, float],
    args: tuple[Any, ...] = (),
    order: int = 1,
    **options: Any,
) -> tuple[Any, Any, float]:
    """The same of ``integrate.quad_vec``, whose integrand is an array.

    >>> u, w, _ = quad_vec_nodes(lambda t: np.array([t, t * t]), (0.0, 3.0))
    >>> round(float(np.sum(w * (3 * u) ** 2) * 3), 12)
    9.0
    """
    a, b = map(float, ends)
    value, error, info = integrate.quad_vec(
        lambda t: f(t, *args), a, b, full_output=True, **options
    )
    low, high = (shares(info.intervals[:, k], a, b) for k in (0, 1))
    return (
        *checked_nodes("quad_vec", f, (a, b), args, low, high, value, error, order),
        float(error),
    )


def shares(places: Any, a: float, b: float) -> Any:
    """How far places are between two ends."""
    return (places - a) / (b - a or 1.0)


def checked_nodes(
    name: str,
    f: Function,
    ends: tuple[float, float],
    args: tuple[Any, ...],
    low: Any,
    high: Any,
    value: Any,
    error: float,
    order: int,
) -> tuple[Any, Any]:
    """Gauss's nodes and weights in intervals, by which the integral is what SciPy says."""
    a, b = ends
    low, high = np.minimum(low, high), np.maximum(low, high)  # SciPy goes from left to right
    if a == b:  # and asks nothing of the integrand then
        low, high = np.zeros(1), np.ones(1)
    found = smooth_nodes(lambda u: f(a + (b - a) * u, *args), low, high, order)
    total = np.nan if found is None else np.tensordot(found[1], found[2], 1) * (b - a)
    if not np.all(np.abs(total - value) <= 1e-7 * (1 + np.abs(value)) + 10 * error):
        derivative = "derivative" if order == 1 else "second derivative"
        raise ConvergenceError(f"integrate.{name}: an integrand without a smooth {derivative}")
    return found[0], found[1]  # type: ignore[index]


def ivp_grid(
    f: Function, y0: Any, args: tuple[Any, ...], t: Any, rtol: float, atol: Any, tfirst: bool
) -> tuple[Any, Any, Any, Any]:
    """The steps from each of the times ``t`` to the next.

    Of each step: which share of the way is behind it, which share it is, and between which times;
    and after how many steps each of the times is reached.
    """
    shares, y = [], np.array(y0, dtype=float)

    def flow(s: float, v: Any) -> Any:
        return f(s, v, *args) if tfirst else f(v, s, *args)

    for k in range(len(t) - 1):
        if t[k + 1] == t[k]:
            shares.append(np.zeros(0))
            continue
        found = integrate.solve_ivp(flow, (t[k], t[k + 1]), y, "RK45", rtol=rtol, atol=atol)
        if not found.success:
            raise ConvergenceError(f"integrate.solve_ivp: {found.message}")
        y = found.y[:, -1]
        shares.append(np.diff(found.t) / (t[k + 1] - t[k]))
    counts = [len(part) for part in shares]
    before = [np.cumsum(part) - part for part in shares]
    owners = np.repeat(np.arange(len(counts)), counts)
    ends = np.concatenate([[0], np.cumsum(counts)]).astype(int)
    return np.concatenate(before), np.concatenate(shares), owners, ends
