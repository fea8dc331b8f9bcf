"""Values defined by an equation: fixed points, roots, minima, solutions of linear systems.

A generated derivative calls these solvers with functions of flat arguments; ``retrograd.transforms.implicit`` calls
them for plain Python.  ``z`` is a number or an array, or a tuple of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from ..arrays.transfers import is_ndarray, library_of, on_host
from ..errors import ConvergenceError
from ..objects.pytree import leaves
from .krylov import dense, gmres

__all__ = ["Implicit", "Unrolled", "argmin", "converged", "fixed_point", "linear_solve", "root"]

DENSE = 64  # unknowns up to which a matrix is built
Function = Callable[..., Any]


@dataclass(frozen=True)
class Implicit:
    """Differentiate the equation that the result satisfies, not the way to it."""


@dataclass(frozen=True)
class Unrolled:
    """Differentiate the iteration, step by step.

    ``checkpoints``: of the steps, only so many states are kept; what lies between is computed again.
    """

    checkpoints: int | None = None


class Space:
    """Numbers and arrays as one vector, and back."""

    def __init__(self, z: Any) -> None:
        self.several = isinstance(z, tuple)
        self.like = z if self.several else (z,)
        if any(np.iscomplexobj(part) for part in self.like):
            raise TypeError(
                "complex unknowns are not supported: solve for real and imaginary parts"
            )
        self.sizes = [np.size(part) for part in self.like]
        self.size = sum(self.sizes)
        single = [np.result_type(part).itemsize < 8 for part in self.like if hasattr(part, "dtype")]
        self.precision = float(np.finfo(np.float32 if any(single) else np.float64).eps)

    def join(self, z: Any) -> Any:
        parts = z if self.several else (z,)
        library = library_of(self.like)  # numbers of Python's are found on the host
        parts = map(on_host, parts) if library is np else parts
        return np.concatenate([np.ravel(library.asarray(part, dtype=float)) for part in parts])

    def split(self, vector: Any) -> Any:
        cut = np.split(vector, list(accumulate(self.sizes))[:-1])
        parts = [alike(piece, like) for piece, like in zip(cut, self.like, strict=True)]
        return tuple(parts) if self.several else parts[0]

    def function(self, fn: Function, args: tuple[Any, ...]) -> Function:
        """``fn(*z, *args)`` as a function from vectors to vectors."""
        return lambda vector: self.join(self.call(fn, self.split(vector), args))

    def call(self, fn: Function, z: Any, args: tuple[Any, ...]) -> Any:
        return fn(*z, *args) if self.several else fn(z, *args)


def alike(piece: Any, like: Any) -> Any:
    if isinstance(like, (int, float)):
        return float(piece[0])
    shaped = piece.reshape(np.shape(like))
    dtype = np.result_type(like)
    shaped = shaped.astype(dtype if dtype.kind == "f" else float)
    return shaped if is_ndarray(like) else shaped[()]


def size(v: Any) -> float:
    return float(np.max(np.abs(v))) if np.size(v) else 0.0


def converged(new: Any, old: Any, tol: float, step: int, most: int) -> bool:
    """True if an iteration may stop; `ConvergenceError` if it must, and may not.

    >>> converged(1.0, 1.0, 1e-12, 0, 10), converged(1.0, 2.0, 1e-12, 0, 10)
    (True, False)
    """
    space = Space(tuple(leaves(new)))
    a, b = space.join(tuple(leaves(new))), space.join(tuple(leaves(old)))
    a, b = np.broadcast_arrays(a, b) if b.size in (1, a.size) else (a, np.full_like(a, np.inf))
    if not np.all(np.isfinite(a)):
        raise ConvergenceError(f"fixed_point: not finite after {step + 1} steps: it diverges")
    done = size(a - b) <= max(tol, 4 * space.precision) * (1 + size(a))
    if not done and step + 1 >= most:
        raise ConvergenceError(
            f"fixed_point: still changing by {size(a - b):.2g} after {most} steps; give more "
            "(max_steps=), a larger tol=, a better start, or solve g(z) - z = 0 by rg.root"
        )
    return done


def fixed_point(
    g: Function, z0: Any, args: tuple[Any, ...] = (), *, tol: float = 1e-12, max_steps: int = 1000
) -> Any:
    """The ``z`` with ``z = g(z, *args)``, by iteration.

    >>> round(fixed_point(lambda z, x: (z + x / z) / 2, 1.0, (2.0,)), 12)
    1.414213562373
    """
    space, z = Space(z0), z0
    for step in range(max_steps):
        new = space.call(g, z, args)
        if converged(new, z, tol, step, max_steps):
            return new
        z = new
    raise ConvergenceError("fixed_point: max_steps is less than 1")


def iterate(g, z, args, tol, most):  # type: ignore[no-untyped-def]
    """The same, as the compiler reads it where the iteration itself is differentiated."""
    for step in range(most):
        new = g(z, *args)
        done = converged(new, z, tol, step, most)
        z = new
        if done:
            break
    return z


def root(
    f: Function, z0: Any, args: tuple[Any, ...] = (), *, tol: float = 1e-12, max_steps: int = 100
) -> Any:
    """The ``z`` with ``f(z, *args) = 0``, by Newton's method with difference quotients for slopes.

    >>> round(root(lambda z, x: z * z - x, 1.0, (2.0,)), 12)
    1.414213562373
    """
    space = Space(z0)
    residual = space.function(f, args)
    z = space.join(z0)
    r = residual(z)
    if r.size != z.size:
        raise ConvergenceError(f"root: {r.size} equations for {z.size} unknowns")
    tol = max(tol, 4 * space.precision)
    for step in range(max_steps):
        if not np.all(np.isfinite(r)):
            raise ConvergenceError(f"root: not finite after {step} steps; start nearer to the root")
        if size(r) == 0.0:
            return space.split(z)
        change = newton_step(residual, z, r, space)
        z, r, moved = damped(residual, z, r, change)
        if moved <= tol * (1 + size(z)):
            return space.split(settled(z, r))
    raise ConvergenceError(
        f"root: |f| is still {size(r):.2g} after {max_steps} steps; give more (max_steps=), or a "
        "better start"
    )


def settled(z: Any, r: Any) -> Any:
    """``z``, if the residual is as small as rounding lets it be; a stall is no solution."""
    if size(r) > 1e-5 * (1 + size(z)):
        raise ConvergenceError(f"root: it stalls where |f| is {size(r):.2g}; try another start")
    return z


def newton_step(residual: Function, z: Any, r: Any, space: Space) -> Any:
    h = np.sqrt(space.precision) * (1 + size(z))

    def slope(v: Any) -> Any:
        scale = size(v)
        return (residual(z + h / scale * v) - r) * (scale / h) if scale else v

    if z.size <= DENSE:
        return dense(slope, -r, "root: the slopes of f")
    return gmres(slope, -r, 1e-4, "root")


def damped(residual: Function, z: Any, r: Any, change: Any) -> tuple[Any, Any, float]:
    """Newton's step, shortened while it makes the residual worse."""
    t, before = 1.0, np.linalg.norm(r)
    for _ in range(30):
        with np.errstate(all="ignore"):
            new = residual(z + t * change)
        if np.all(np.isfinite(new)) and np.linalg.norm(new) <= (1 - 1e-4 * t) * before:
            break
        t /= 2
        if t * size(change) <= 1e-15 * (1 + size(z)):
            return z, r, 0.0
    return z + t * change, new, t * size(change)


def argmin(
    f: Function,
    gradient: Function,
    z0: Any,
    args: tuple[Any, ...] = (),
    *,
    tol: float = 1e-10,
    max_steps: int = 1000,
) -> Any:
    """The ``z`` that minimises ``f(z, *args)``: BFGS, then Newton's method for a zero gradient.

    >>> round(argmin(lambda z, a: (z - a) ** 4 + z * z, lambda z, a: 4 * (z - a) ** 3 + 2 * z, 0.0, (1.0,)), 6)
    0.410245
    """
    space = Space(z0)
    slope = space.function(gradient, args)

    def value(vector: Any) -> float:
        return float(space.call(f, space.split(vector), args))

    z = bfgs(value, slope, space.join(z0), max(tol, 1e-6), max_steps)
    polished = root(gradient, space.split(z), args, max_steps=50)
    end = space.join(polished)
    if value(end) > value(z) + 1e-6 * (1 + abs(value(z))):
        raise ConvergenceError("argmin: no minimum here: a zero of the gradient nearby is higher")
    return polished


def bfgs(value: Function, slope: Function, z: Any, tol: float, most: int) -> Any:
    """A point with a small gradient, downhill from ``z``."""
    inverse, g, here = np.eye(z.size), slope(z), value(z)
    for _ in range(most):
        if not np.all(np.isfinite(g)) or not np.isfinite(here):
            raise ConvergenceError("argmin: not finite: f may have no lower bound")
        if size(g) <= tol:
            return z
        way = -inverse @ g
        if way @ g >= 0:
            inverse, way = np.eye(z.size), -g
        t, new = downhill(value, z, here, way, float(way @ g))
        if t == 0.0:
            return z
        moved, bent = t * way, slope(z + t * way) - g
        z, g, here = z + moved, g + bent, new
        curve = float(moved @ bent)
        if curve > 1e-14 * size(moved) * size(bent):
            left = np.eye(z.size) - np.outer(moved, bent) / curve
            inverse = left @ inverse @ left.T + np.outer(moved, moved) / curve
    raise ConvergenceError(f"argmin: the gradient is still {size(g):.2g} after {most} steps")


def downhill(value: Function, z: Any, here: float, way: Any, slope: float) -> tuple[float, float]:
    t = 1.0
    for _ in range(60):
        with np.errstate(all="ignore"):
            new = value(z + t * way)
        if np.isfinite(new) and new <= here + 1e-4 * t * slope:
            return t, new
        t /= 2
    return 0.0, here


def linear_solve(
    matvec: Function, b: Any, args: tuple[Any, ...] = (), *, tol: float = 1e-12
) -> Any:
    """The ``v`` with ``matvec(v, *args) = b``, where ``matvec`` is linear in ``v``.

    >>> linear_solve(lambda v, a: a * v, np.array([2.0, 3.0]), (4.0,))
    array([0.5 , 0.75])
    """
    space = Space(b)
    product = space.function(matvec, args)
    right = space.join(b)
    if right.size <= DENSE:
        return space.split(dense(product, right, "linear_solve: the matrix"))
    return space.split(gmres(product, right, max(tol, space.precision), "linear_solve"))
