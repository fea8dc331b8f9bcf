"""One transformation of a function: a chain is several."""

from __future__ import annotations

from typing import Any, NamedTuple

from retrograd.compiler.ir.argument_path import Place

__all__ = ["FORWARD", "KINDS", "MANY", "Step"]

KINDS = (
    "grad", "value_and_grad", "jvp", "vjp", "tangent", "cotangent", "jacobian", "pull", "pushes",
    "pulls", "gathered", "first", "vmap",
)  # fmt: skip
FORWARD = ("jvp", "tangent", "pushes", "jacobian")
MANY = ("pushes", "pulls", "gathered", "jacobian")  # directions


class Step(NamedTuple):
    """One transformation: its kind and the places it differentiates; ``aux``: a second result is handed on.

    ``batch``: of a `vmap`, the axes of the examples.
    """

    kind: str
    wrt: tuple[Place, ...]
    single: bool = True
    aux: bool = False
    batch: Any = None
