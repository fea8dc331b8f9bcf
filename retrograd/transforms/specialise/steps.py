"""One transformation of a function: a chain is several."""

from __future__ import annotations

from typing import NamedTuple

from retrograd.compiler.ir.argument_path import Place

__all__ = ["FORWARD", "MANY", "Step"]

FORWARD = ("jvp", "tangent", "pushes")
MANY = ("pushes", "pulls")  # directions


class Step(NamedTuple):
    """One transformation: its kind and the places it differentiates."""

    kind: str
    wrt: tuple[Place, ...]
    single: bool = True
