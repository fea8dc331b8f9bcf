"""SciPy's searches for roots and minima on the tape: a solution is differentiated through its equation."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from ...objects.own_attributes import own_attribute
from ..box import has_boxes
from ..boxed_functions import STAND_INS
from .equations import Watched, elementwise, gradient, on_tape, plain, through_equation, vector
from .integrals import INTEGRALS, given_to, refused, rest_of

__all__ = ["SEARCHES"]

SLOPES = ("fprime", "fprime2", "jac", "hess", "hessp", "Dfun", "fhess", "fhess_p")


class Search:
    """A call of a search: what it was given, and what SciPy finds with plain numbers."""

    def __init__(self, fn: Any, args: Any, kwargs: Any) -> None:
        self.fn, self.given = fn, given_to(fn, args, kwargs)
        self.rest = rest_of(self.given)
        name = next(k for k in ("func", "fun", "f") if k in self.given)
        self.f = on_tape(self.given[name])
        self.watched = Watched(self.f)
        slopes = {k: Watched(on_tape(v)) for k, v in self.given.items() if callable(v)}
        self.found = fn(**plain({**self.given, **slopes, name: self.watched}))

    def carries(self) -> bool:
        """True if the solution depends on a value of the tape."""
        return self.watched.carries or has_boxes((self.rest,))

    def at(self, z: Any) -> Any:
        """The value of the function, without what it gives of its derivatives."""
        found = self.f(z, *self.rest)
        return found[0] if self.gives_slopes() else found

    def gives_slopes(self) -> bool:
        return any(self.given.get(k) is True for k in SLOPES)

    def root(self, z: Any) -> Any:
        if np.ndim(z) and self.fn.__name__ == "newton":
            return elementwise(self.at, z)
        if np.ndim(z):
            return through_equation(lambda v: vector(self.at(v)), z)
        return through_equation(self.at, float(z))

    def minimum(self, z: Any, scalar: Callable[[Any], Any]) -> Any:
        """Where the gradient is zero; elsewhere nothing has a derivative."""
        from ...replacements import solvers  # it imports SciPy, which few programs need

        z = z if np.ndim(z) else float(z)
        solvers.check_level(
            f"{self.fn.__name__}: it did not stop at a minimum",
            plain(gradient(scalar, z)),
            plain(scalar(z)),
        )
        return through_equation(lambda v: gradient(scalar, v), z)


def changed(found: Any, **parts: Any) -> Any:
    """What SciPy says of a solution, with some parts as values of the tape; arrays of other kinds are left out."""
    made = copy.copy(found)
    for name, value in list(made.items()):
        if name in parts:
            made[name] = parts[name]
        elif isinstance(value, np.ndarray) and value.dtype.kind == "f" and name != "x0":
            del made[name]
    return made


def bracketed(search: Search) -> Any:
    """``brentq`` and its like, ``newton``, ``fsolve`` and ``fixed_point``: the root, or it and how it was found."""
    full = bool(search.given.get("full_output", False))
    found = search.found
    if not full:
        return search.root(found)
    return (search.root(found[0]), *found[1:])


def fixed_point(search: Search) -> Any:
    z = search.found
    z = z if np.ndim(z) else float(z)
    return elementwise(lambda v: search.at(v) - v, z) if np.ndim(z) else through_equation(
        lambda v: search.at(v) - v, z
    )  # fmt: skip


def root(search: Search) -> Any:
    check(search)
    x = search.root(search.found.x)
    return changed(search.found, x=x, fun=search.at(x))


def root_scalar(search: Search) -> Any:
    if not search.found.converged:
        raise refused(search.fn, f"it did not converge ({search.found.flag})")
    return changed(search.found, root=search.root(search.found.root))


def check(search: Search) -> None:
    if not search.found.success:
        raise refused(search.fn, str(search.found.message))


def minimize(search: Search) -> Any:
    from ...replacements import solvers  # it imports SciPy, which few programs need

    if search.given.get("constraints", ()) != ():
        raise refused(search.fn, "no derivative with `constraints`")
    x = search.found.x
    bounds = search.given.get("bounds")
    if np.ndim(x):
        solvers.check_inside("minimize", x, plain(bounds))
    x = search.minimum(x, search.at)
    return changed(search.found, x=x, fun=search.at(x))


def least_squares(search: Search) -> Any:
    check(search)
    x = search.minimum(search.found.x, lambda v: half_square(search.at(v)))
    return changed(search.found, x=x, fun=search.at(x), cost=half_square(search.at(x)))


def leastsq(search: Search) -> Any:
    x, *rest = search.found
    if search.given.get("full_output", False):
        raise refused(search.fn, "no derivative with `full_output`")
    return (search.minimum(x, lambda v: half_square(search.at(v))), *rest)


def half_square(residuals: Any) -> Any:
    r = vector(residuals)
    return (r * r).sum() / 2


def fmin(search: Search) -> Any:
    found = search.found
    full = isinstance(found, tuple)
    x = search.minimum(found[0] if full else found, search.at)
    return (x, search.at(x), *found[2:]) if full else x


def curve_fit(fn: Any, args: Any, kwargs: Any) -> Any:
    """The parameters of a model; their covariance has no derivative."""
    given = given_to(fn, args, kwargs)
    f, x, y, sigma = (given.get(k) for k in ("f", "xdata", "ydata", "sigma"))
    f = on_tape(f)
    watched = Watched(f)
    found = fn(**plain({**given, "f": watched}))
    if not watched.carries and not has_boxes((x, y, sigma)):
        return found

    def misfit(z: Any) -> Any:
        gap = f(x, *[z[k] for k in range(len(found[0]))]) - y
        return half_square(gap if sigma is None else gap / sigma)

    return (through_equation(lambda v: gradient(misfit, v), found[0]), *found[1:])


FROM_A_POINT = ("fmin", "fmin_powell", "fmin_cg", "fmin_bfgs", "fmin_ncg", "fmin_l_bfgs_b", "fminbound", "brent", "golden")  # fmt: skip
SEARCHES: dict[str, Callable[[Search], Any]] = {
    **dict.fromkeys(("brentq", "brenth", "ridder", "bisect", "toms748", "newton", "fsolve"), bracketed),
    "fixed_point": fixed_point, "root": root, "root_scalar": root_scalar,
    "minimize": minimize, "minimize_scalar": minimize,
    "least_squares": least_squares, "leastsq": leastsq, **dict.fromkeys(FROM_A_POINT, fmin),
}  # fmt: skip


def is_own(fn: Any, home: str) -> bool:
    """True of a public function of a module of SciPy's."""
    module = str(getattr(fn, "__module__", ""))
    name = own_attribute(fn, "__name__", "")
    return module.startswith(home) and getattr(sys.modules.get(home), name, None) is fn


def stand_in(fn: Any) -> Callable[..., Any] | None:
    """What is called in place of a search or an integral of SciPy's."""
    name = own_attribute(fn, "__name__", "")
    if name in INTEGRALS and is_own(fn, "scipy.integrate"):
        return lambda *args, **kwargs: INTEGRALS[name](fn, args, kwargs)
    if not is_own(fn, "scipy.optimize"):
        return None
    if name == "curve_fit":
        return lambda *args, **kwargs: curve_fit(fn, args, kwargs)
    if name in SEARCHES:
        return lambda *args, **kwargs: searched(fn, args, kwargs)
    return None


def searched(fn: Any, args: Any, kwargs: Any) -> Any:
    search = Search(fn, args, kwargs)
    return SEARCHES[fn.__name__](search) if search.carries() else search.found


STAND_INS.append(stand_in)
