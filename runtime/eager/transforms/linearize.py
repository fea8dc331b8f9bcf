"""The derivative of a function at a point as a linear function of tangents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...objects.pytree import leaves, map_operands
from .func import is_tensor, jvp

__all__ = ["linearize"]


def linearize(func: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """The value of a function, and its derivative there as a function of the tangents of its arguments.

    >>> import retrograd
    >>> value, derivative = linearize(lambda x: x**2, retrograd.tensor(3.0))
    >>> value, derivative(retrograd.tensor(1.0))
    (tensor(9.), tensor(6.))
    """
    output = func(*primals)
    there = map_operands(copied, primals)

    def derivative(*tangents: Any) -> Any:
        check_like(tangents, there)
        return jvp(func, there, tangents)[1]

    return output, derivative


def copied(x: Any) -> Any:
    """A value that later writes to the argument do not change; derivatives with respect to it go on."""
    return x.clone() if is_tensor(x) else x


def check_like(tangents: Any, primals: Any) -> None:
    """Refuse tangents that are not of the kinds of the arguments."""
    given, own = leaves(tangents), leaves(primals)
    if len(given) != len(own):
        raise RuntimeError(
            f"Expected the tangents {tangents} to have the same argspec as the primals {primals}"
        )
    for k, (tangent, primal) in enumerate(zip(given, own, strict=True)):
        for what in ("shape", "dtype"):
            found, expected = getattr(tangent, what), getattr(primal, what)
            if found != expected:
                raise RuntimeError(
                    f"tangent:{k} with {what} {found} in flattened pytree doesn't match the {what} {expected} of the "
                    "corresponding primal."
                )
