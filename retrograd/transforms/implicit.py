"""Values defined by an equation: ``rg.fixed_point``, ``rg.root``, ``rg.argmin``, ``rg.linear_solve``.

They are ordinary functions.  In a differentiated function their derivative is that of the equation, not
of the way to its solution: one linear system, whatever the number of steps was.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from retrograd.runtime.objects.pytree import flatten, leaves, map_leaves
from retrograd.runtime.solvers import implicit
from retrograd.runtime.solvers.implicit import Implicit, Unrolled

from .api import grad
from .public.door import public

__all__ = ["Implicit", "Unrolled", "argmin", "fixed_point", "linear_solve", "root"]

Function = Callable[..., Any]
F = TypeVar("F", bound=Function)
Z = TypeVar("Z")


def flat(fn: Function, z: Any) -> tuple[Function, Any]:
    """``fn`` and ``z`` for the solvers, which take a number, an array, or a tuple of them."""
    parts, shape = flatten(z)
    if shape is None:
        return fn, z

    def called(*given: Any) -> Any:
        out = fn(whole(z, given[: len(parts)]), *given[len(parts) :])
        found = leaves(out)
        return tuple(found) if isinstance(out, (tuple, list, dict)) else out

    return called, tuple(parts)


def whole(like: Any, parts: Any) -> Any:
    """The parts in the containers of ``like``."""
    remaining = iter(parts if isinstance(parts, tuple) else (parts,))
    return map_leaves(lambda _: next(remaining), like)


@public
def fixed_point(
    g: Function,
    z0: Z,
    /,
    *x: Any,
    adjoint: Implicit | Unrolled | None = None,
    tol: float = 1e-12,
    max_steps: int = 1000,
) -> Z:
    """The ``z`` with ``z = g(z, *x)``, by iteration from ``z0``.

    Its derivative with respect to ``x`` (and to what ``g`` reads around it) is that of the equation;
    ``adjoint=Unrolled()`` differentiates the iteration instead.  It does not depend on ``z0``.

    >>> round(fixed_point(lambda z, x: (z + x / z) / 2, 1.0, 2.0), 12)
    1.414213562373
    """
    step, start = flat(g, z0)
    solved: Z = whole(z0, implicit.fixed_point(step, start, x, tol=tol, max_steps=max_steps))
    return solved


@public
def root(
    f: Function,
    z0: Z,
    /,
    *x: Any,
    adjoint: Implicit | None = None,
    tol: float = 1e-12,
    max_steps: int = 100,
) -> Z:
    """The ``z`` with ``f(z, *x) = 0``, by Newton's method from ``z0``.

    >>> round(root(lambda z, x: z * z - x, 1.0, 2.0), 12)
    1.414213562373
    """
    residual, start = flat(f, z0)
    solved: Z = whole(z0, implicit.root(residual, start, x, tol=tol, max_steps=max_steps))
    return solved


def or_of_a_tensor(solver: F) -> F:
    """Give a tensor to the function of that name of the eager API: it is none that could be solved for."""

    @functools.wraps(solver)
    def apply(f: Any, /, *given: Any, **options: Any) -> Any:
        if callable(f):
            return solver(f, *given, **options)
        from retrograd.runtime.eager.api import FUNCTIONS, Tensor

        if not isinstance(f, Tensor):
            raise TypeError(
                f"{solver.__name__}(f, z0, *x) takes a function, or a tensor; got {type(f).__name__}"
            )
        return FUNCTIONS[solver.__name__](f, *given, **options)

    return apply  # type: ignore[return-value]


@public
@or_of_a_tensor
def argmin(
    f: Function,
    z0: Z,
    /,
    *x: Any,
    adjoint: Implicit | None = None,
    tol: float = 1e-10,
    max_steps: int = 1000,
) -> Z:
    """The ``z`` near ``z0`` that minimises the scalar ``f(z, *x)``.

    ``argmin(tensor, dim=None, keepdim=False)`` is that of the eager API: where the least entries are.

    >>> round(argmin(lambda z, a: (z - a) ** 2 + z * z, 0.0, 1.0), 9)
    0.5
    """
    value, start = flat(f, z0)
    gradient, _ = flat(grad(f, 0), z0)
    found = implicit.argmin(value, gradient, start, x, tol=tol, max_steps=max_steps)
    solved: Z = whole(z0, found)
    return solved


@public
def linear_solve(
    matvec: Any, b: Z, /, *x: Any, adjoint: Implicit | None = None, tol: float = 1e-12
) -> Z:
    """The ``v`` with ``matvec(v, *x) = b`` for a ``matvec`` linear in ``v``; a matrix will do, too.

    >>> linear_solve(lambda v, a: a * v, np.array([2.0, 3.0]), 4.0)
    array([0.5 , 0.75])
    """
    if isinstance(matvec, np.ndarray):
        return np.linalg.solve(matvec, b)  # type: ignore[call-overload, no-any-return]
    product, right = flat(matvec, b)
    solved: Z = whole(b, implicit.linear_solve(product, right, x, tol=tol))
    return solved


WORDS: list[Any] = [fixed_point, root, argmin, linear_solve]
for _word in WORDS:
    _word.__word__ = _word.__name__  # how the compiler knows it
