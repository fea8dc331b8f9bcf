"""A solution that a search has found to its tolerance, found to rounding: derivatives are taken there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import ConvergenceError
from .implicit import DENSE, Space, damped, newton_step, size

__all__ = ["refined"]

Function = Callable[..., Any]
PROBE = 1e-6  # above the errors of searches inside of the function
NEAR = 0.1  # of the size of the solution
STEPS = 30


def refined(f: Function, z0: Any, args: tuple[Any, ...] = ()) -> Any:
    """The ``z`` near ``z0`` with ``f(z, *args) = 0``; `ConvergenceError` where there is none, as at a kink of a minimum.

    >>> round(refined(lambda z, a: z * z - a, 1.999, (4.0,)), 12)
    2.0
    """
    space = Space(z0)
    residual = space.function(f, args)
    z = start = space.join(z0)
    r = residual(z)
    for _ in range(STEPS):
        if size(r) == 0.0:
            break
        slopes = probed(residual, z, r) if z.size <= DENSE else None
        new, smaller, moved = damped(residual, z, r, change(residual, z, r, slopes, space))
        if not size(new - start) <= NEAR * (1 + size(start)):
            break
        z, r = new, smaller
        if moved <= 4 * space.precision * (1 + size(z)):
            break
    if z.size <= DENSE:
        check_zero(residual, z, r)
    return space.split(z)


def probed(residual: Function, z: Any, r: Any) -> Any:
    """The slopes of ``residual`` as a matrix, by differences."""
    h = PROBE * (1 + np.abs(z))
    columns = [(residual(z + step) - r) / width for step, width in zip(np.diag(h), h, strict=True)]
    return np.stack(columns, axis=1)


def change(residual: Function, z: Any, r: Any, slopes: Any, space: Space) -> Any:
    """Newton's step, or none where there is no telling."""
    try:
        found = (
            newton_step(residual, z, r, space) if slopes is None else -np.linalg.solve(slopes, r)
        )
    except (ConvergenceError, np.linalg.LinAlgError):
        return np.zeros_like(z)
    return found if np.all(np.isfinite(found)) else np.zeros_like(z)


def check_zero(residual: Function, z: Any, r: Any) -> None:
    """A kink has slopes on both sides, and nowhere a zero."""
    h = PROBE * (1 + np.abs(z))
    beside = [size(residual(z + step)) for step in (*np.diag(h), *-np.diag(h))]
    if size(r) > 0.1 * max(beside, default=0.0):
        raise ConvergenceError(
            f"no minimum with a derivative is near where a search has stopped: the slope is {size(r):.2g} there, "
            "about as steep as beside it; it is a kink (square what is made least), or it stopped early (give a "
            "smaller tolerance)"
        )
