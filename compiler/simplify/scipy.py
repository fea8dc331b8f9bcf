"""Helpers of SciPy's rules that do nothing, as their constant arguments say."""

from __future__ import annotations

from typing import Any

from ..ir.operations import Const, Operand
from .rules import simplifies

__all__ = ["enter_linalg"]


def enter_linalg() -> None:
    """For the rules of ``scipy.linalg``, whose helpers can be imported where SciPy is."""
    from retrograd.runtime.helpers.scipy import linalg as rt

    simplifies(rt.transposed_if)(if_plain)
    simplifies(rt.mirrored)(if_plain)
    simplifies(rt.lu_turn)(if_plain)
    simplifies(rt.whole)(lambda b, a, assume_a, lower: if_plain(b, a, assume_a))


def if_plain(b: Any, x: Operand, how: Operand) -> Operand | None:
    """``x`` itself, where it is not turned nor mirrored."""
    plain = isinstance(how, Const) and (how.value is None or how.value in (False, 0, "gen"))
    return x if plain else None
