"""Which operations of a derivative put exact zeros into a cotangent: they are no accidents, and win over an infinite slope.

The compiler follows such zeros through a derivative (``compiler/differentiate/zero_times_inf.py``), the tape
through its sweep (``tape/graph.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .lookup import names_with

__all__ = ["CHOICE", "NOTHING", "PLACE", "chooses", "puts_zeros"]

NOTHING, PLACE, CHOICE = range(3)


def zeros_of(function: Callable[..., Any], given: Mapping[str, Any]) -> list[str]:
    """The zeros that what a function calls may put, by the names in its code."""
    known = names_with("zeros")
    found = [known[name] for name in function.__code__.co_names if name in known]
    return [zeros for zeros in found if zeros != "condition" or given.get("where") is not True]


def puts_zeros(differential: Callable[..., Any], given: Mapping[str, Any]) -> int:
    """The zeros a rule puts into its tangent: none, those of places, which a sum fills, or of a choice."""
    zeros = zeros_of(differential, given)
    if not zeros:
        return NOTHING
    return PLACE if all(z == "places" for z in zeros) else CHOICE


def chooses(adjoint: Callable[..., Any], given: Mapping[str, Any]) -> bool:
    """True if an emitted adjoint, of an operation with these arguments, puts zeros of a choice into what it gives.

    >>> from ..generated.adjoints import sqrt_x, sum_x, where_x
    >>> chooses(where_x, {}), chooses(sqrt_x, {}), chooses(sum_x, {"where": True})
    (True, False, False)
    """
    return bool(zeros_of(adjoint, given))
