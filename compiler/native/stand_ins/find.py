"""The stand-in of a function, if there is one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from . import (
    adjoints,
    curves,
    elementwise,
    lines,
    logarithms,
    matrices,
    numbers,
    ordering,
    places,
    polynomials,
    shaping,
    statistics,
)

__all__ = ["EVERY", "ORDERS", "TEXTS", "VECTORS", "stand_in_of"]

EVERY: dict[tuple[str, str], Any] = {
    **adjoints.STAND_INS,
    **curves.STAND_INS,
    **elementwise.STAND_INS,
    **lines.STAND_INS,
    **logarithms.STAND_INS,
    **matrices.STAND_INS,
    **numbers.STAND_INS,
    **ordering.STAND_INS,
    **places.STAND_INS,
    **polynomials.STAND_INS,
    **shaping.STAND_INS,
    **statistics.STAND_INS,
}
TEXTS = {program.__module__ for program in EVERY.values()}  # their functions call each other
ORDERS = set(ordering.STAND_INS)
VECTORS = {
    *ORDERS,
    *adjoints.STAND_INS,
    ("numpy", "convolve"),
    ("numpy", "correlate"),
}  # of one axis


def stand_in_of(fn: Any) -> tuple[tuple[str, str], Callable[..., Any]] | None:
    """A function's place and its stand-in; SciPy need not be there."""
    name = getattr(fn, "__name__", None)
    for place, program in EVERY.items():
        if place[1] == name and getattr(sys.modules.get(place[0]), name, None) is fn:
            return place, program
    return None
