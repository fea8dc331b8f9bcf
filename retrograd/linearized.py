"""``linearize``: the tangents of a function at some arguments, as they were when it was asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.runtime.errors import NotDifferentiable

from .birth.copies import CannotCopy, fresh
from .once import Traces
from .transforms import chain_arguments, chain_of, chain_value, jvp

__all__ = ["linearize"]


def linearize(f: Callable[..., Any], *args: Any) -> tuple[Any, Callable[..., Any]]:
    """``(f(*args), tangent_function)``: the tangent of ``f`` at these arguments.

    >>> def square(x):
    ...     return x * x
    >>> value, tangent = linearize(square, 3.0)
    >>> value, tangent(2.0)
    (9.0, 12.0)
    """
    chain = chain_of(f)
    full = chain_arguments(chain, args)
    left = chain.once("traces", lambda: Traces(chain)).left_by(full)
    if not left:
        value = chain_value(chain, full)
        return value, lambda *tangents: jvp(f, args, tangents)[1]
    try:
        before = fresh(args) if "run" not in left else None
    except CannotCopy:
        before = None
    if before is None:
        raise NotDifferentiable(
            f"linearize of {chain.name} would run it for each tangent, and it writes to what is not its own",
            fix="pass what it changes as an argument; or use rg.jvp or rg.vjp, which run it once",
        )
    value = chain_value(chain, full)
    return value, lambda *tangents: jvp(f, fresh(before), tangents)[1]
