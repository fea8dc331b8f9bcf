"""Integrals and initial value problems of SciPy's on the tape: it chooses the places with plain numbers."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import TapeError
from ..box import has_boxes
from ..boxed_functions import followed
from ..dispatch import apply
from .equations import Watched, on_tape, order_of, plain

__all__ = ["INTEGRALS"]

OF_QUAD = ("epsabs", "epsrel", "limit", "points", "norm", "quadrature")


def given_to(fn: Any, args: Any, kwargs: Any) -> dict[str, Any]:
    """The arguments of a call by their names, those of a star among them."""
    signature = inspect.signature(fn)
    bound = dict(signature.bind(*args, **kwargs).arguments)
    starred = [k for k, p in signature.parameters.items() if p.kind is p.VAR_KEYWORD]
    return bound | {k: v for name in starred for k, v in bound.pop(name, {}).items()}


def refused(fn: Any, reason: str) -> TapeError:
    return TapeError(f"{fn.__name__}: {reason}")


def rest_of(given: dict[str, Any]) -> tuple[Any, ...]:
    rest = given.get("args", ())
    return () if rest is None else rest if isinstance(rest, tuple) else (rest,)


def quad(fn: Any, args: Any, kwargs: Any) -> Any:
    """``quad`` and ``quad_vec``: the sum over the nodes of the parts that SciPy divides the interval into."""
    from ...replacements import solver_steps, solvers  # it imports SciPy, which few programs need

    given = given_to(fn, args, kwargs)
    name = "func" if "func" in given else "f"
    f = on_tape(given.pop(name))
    rest, a, b = rest_of(given), given.pop("a"), given.pop("b")
    watched = Watched(f)
    options = plain(given)
    found = fn(watched, plain(a), plain(b), **options)
    if not watched.carries and not has_boxes((a, b, rest)):
        return found
    for option in options.keys() - {*OF_QUAD, "args"}:
        if options[option] not in (None, 0, False):
            raise refused(fn, f"no derivative with `{option}`")
    options = {k: v for k, v in options.items() if k in OF_QUAD and v is not None}
    f, a, b, sign = finite(fn, f, a, b)
    nodes = solvers.quad_nodes if fn.__name__ == "quad" else solvers.quad_vec_nodes
    values = Watched(f)
    order = max(1, order_of((a, b, rest, f(plain(a) + 0.5 * (plain(b) - plain(a)), *rest))))
    u, w, error = nodes(values, (plain(a), plain(b)), plain(rest), order, **options)
    return sign * solver_steps.weighted_sum(f, a, b, rest, u, w), error


def finite(fn: Any, f: Any, a: Any, b: Any) -> tuple[Any, Any, Any, int]:
    """The integrand and the limits, from 0 to 1 where one is infinite, and the sign of the integral."""
    from ...replacements import solver_steps  # it imports SciPy, which few programs need

    ends = [int(np.sign(plain(v))) if np.isinf(plain(v)) else 0 for v in (a, b)]
    if ends == [0, 0]:
        return f, a, b, 1
    if 0 not in ends:
        if ends[0] == ends[1]:
            raise refused(fn, "both limits are the same infinity")
        return solver_steps.over_line(f), 0.0, 1.0, ends[1]
    way = ends[0] or ends[1]
    half = solver_steps.over_half_line(f, b if ends[0] else a, float(way))
    return half, 0.0, 1.0, way if ends[1] else -way


def odeint(fn: Any, args: Any, kwargs: Any) -> Any:
    given = given_to(fn, args, kwargs)
    tfirst = bool(given.pop("tfirst", False))
    f, y0, t = given.pop("func"), given.pop("y0"), given.pop("t")
    rows, ends, _ = integrated(fn, f, y0, t, given, tfirst, 1.49012e-8, 1.49012e-8)
    return rows[ends]


def solve_ivp(fn: Any, args: Any, kwargs: Any) -> Any:
    from ...replacements import solvers  # it imports SciPy, which few programs need

    given = given_to(fn, args, kwargs)
    if given.pop("method", "RK45") != "RK45":
        raise refused(fn, "only method='RK45' has a derivative")
    f, y0, t = given.pop("fun"), given.pop("y0"), array(given.pop("t_span"))
    at = given.pop("t_eval", None)
    if at is not None:
        at = array(at)
        t = apply(np.concatenate, ([t[:1], at],), {})
    rows, ends, times = integrated(fn, f, y0, t, given, True, 1e-3, 1e-6)
    if at is not None:
        rows, times = rows[ends[1:]], at
    return solvers.Trajectory(times, apply(np.transpose, (rows,), {}), True, 0)


def array(value: Any) -> Any:
    return apply(np.asarray, (value,), {})


def integrated(
    fn: Any,
    f: Any,
    y0: Any,
    t: Any,
    given: dict[str, Any],
    tfirst: bool,
    rtol: float,
    atol: float,
) -> tuple[Any, Any, Any]:
    """Every step of a trajectory, after how many of them the times are reached, and their times."""
    from ...replacements import solver_steps, solvers  # it imports SciPy, which few programs need

    rest = rest_of(given)
    rtol, atol = plain((given.pop("rtol", None) or rtol, given.pop("atol", None) or atol))
    for option, value in given.items():
        if option != "args" and value not in (None, False, 0):
            raise refused(fn, f"no derivative with `{option}`")
    f, y0, t = on_tape(f), array(y0), array(t)
    y0 = apply(np.ravel, (y0,), {})
    if plain(y0).dtype.kind != "f":
        y0 = apply(np.ndarray.astype, (y0, float), {})
    grid = solvers.ivp_grid(Watched(f), plain(y0), plain(rest), plain(t), rtol, atol, tfirst)
    before, shares, owners, ends = grid
    rows = followed(solver_steps.trajectory)(f, y0, t, rest, before, shares, owners, tfirst)
    return rows, ends, followed(solver_steps.times)(t, before, shares, owners)


INTEGRALS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "quad": quad, "quad_vec": quad, "odeint": odeint, "solve_ivp": solve_ivp,
}  # fmt: skip
