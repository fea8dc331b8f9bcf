"""SciPy at compile time: rules and shapes of what is imported by now, and helpers that do nothing."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.rules.scipy import registry

from ..analyses.shapes import scipy as shapes
from ..ir.operations import Const, Operand
from .rules import simplifies

__all__ = ["enter"]

entered: set[str] = set()


def enter() -> None:
    """Enter the rules, the shape functions and the simplifications of the modules imported by now."""
    shapes.enter()
    if "scipy.linalg" in registry.loaded and "scipy.linalg" not in entered:
        entered.add("scipy.linalg")
        enter_linalg()


def enter_linalg() -> None:
    """Of the helpers of ``scipy.linalg``, which can be imported where SciPy is."""
    from retrograd.runtime.helpers.scipy import linalg as rt  # it imports SciPy

    simplifies(rt.transposed_if)(if_plain)
    simplifies(rt.mirrored)(if_plain)
    simplifies(rt.lu_turn)(if_plain)
    simplifies(rt.whole)(lambda b, a, assume_a, lower: if_plain(b, a, assume_a))


def if_plain(b: Any, x: Operand, how: Operand) -> Operand | None:
    """``x`` itself, where it is not turned nor mirrored."""
    plain = isinstance(how, Const) and (how.value is None or how.value in (False, 0, "gen"))
    return x if plain else None
