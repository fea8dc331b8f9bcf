"""Functions that mean something to the compiler beside what they compute: who lowers them says so here.

Lowering comes before all that differentiates; what has a derivative of its own (`rg.root`, a function with a
custom rule, SciPy's solvers) is lowered by what can differentiate, and enters itself here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from ..frontend.source import Source
from ..ir.operations import Function
from .nodes import Node

__all__ = ["Words", "enter_words", "words"]


class Words(Protocol):
    """What is asked about the functions that a program calls."""

    def special(self, fn: Any) -> Callable[..., Node] | None:
        """How a call of ``fn`` is lowered; None for a function like any other."""

    def customized(
        self, program: Any, fn: Any, source: Source, params: dict[str, Node]
    ) -> Function:
        """A function with a derivative of its own."""

    def custom_root(self, program: Any, fn: Any, params: dict[str, Node], source: Any) -> Function:
        """The same, where it is the function that is differentiated."""


ENTERED: list[Words] = []


def enter_words(entered: Words) -> None:
    ENTERED[:] = [entered]


def words() -> Words:
    return ENTERED[0]
