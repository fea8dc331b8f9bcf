"""The words of ours that a program may say: each is lowered by a module that is loaded when the first one does."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.rules.scipy import registry

from ..frontend.source import Source
from ..ir.operations import Function
from ..lowering.nodes import Node

__all__ = ["UserWords"]

SOLVERS = ("scipy.optimize", "scipy.integrate")


class UserWords:
    """``rg.root`` and its like, functions with derivatives of their own, solvers of SciPy's."""

    def special(self, fn: Any) -> Callable[..., Node] | None:
        word = own_attribute(fn, "__word__") if isinstance(fn, types.FunctionType) else None
        if word is None:
            return scipy_solver(fn)
        from . import custom_lowering, implicit_lowering

        return (custom_lowering.SPECIAL | implicit_lowering.SPECIAL)[word]

    def customized(
        self, program: Any, fn: Any, source: Source, params: dict[str, Node]
    ) -> Function:
        from .custom_lowering import customized

        return customized(program, fn, source, params)

    def custom_root(self, program: Any, fn: Any, params: dict[str, Node], source: Any) -> Function:
        from .custom_lowering import custom_root

        return custom_root(program, fn, params, source)


def scipy_solver(fn: Any) -> Callable[..., Node] | None:
    """How a call of a solver of SciPy's is lowered; None for all other functions."""
    home = own_attribute(fn, "__module__") or ""
    if registry.loaded.keys().isdisjoint(SOLVERS) or not home.startswith(SOLVERS):
        return None
    from .scipy_solvers import lowering_of

    return lowering_of(fn)
