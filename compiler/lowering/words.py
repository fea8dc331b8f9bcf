"""Functions that mean something to the compiler beside what they compute: who lowers them says so here.

Lowering comes before all that differentiates; what has a derivative of its own (`rg.root`, a function with a
custom rule, SciPy's solvers) is lowered by what can differentiate, and enters itself here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from retrograd.runtime.errors import Place

from ..frontend.source import Source
from ..ir.operations import Function
from .interface.program import Program
from .nodes import BoundUser, Node

__all__ = ["Words", "enter_words", "words"]


class Words(Protocol):
    """Questions about the functions that a program calls."""

    def special(self, fn: Any) -> Callable[..., Node] | None:
        """How a call of ``fn`` is lowered; None for a function like any other."""

    def of_decorated(self, method: BoundUser, name: str, place: Place) -> Node:
        """An attribute of a decorated method: ``model.energy.grad``."""

    def customized(
        self, program: Program, fn: Any, source: Source, params: dict[str, Node]
    ) -> Function:
        """A function with a derivative of its own."""

    def custom_root(
        self, program: Program, fn: Any, params: dict[str, Node], source: Source
    ) -> Function:
        """The same, where it is the function that is differentiated."""


ENTERED: list[Words] = []


def enter_words(entered: Words) -> None:
    ENTERED[:] = [entered]


def words() -> Words:
    assert ENTERED, "compiler/pipeline.py enters what is asked here"
    return ENTERED[0]
