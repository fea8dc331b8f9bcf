"""The words of ours that a program may say: each is lowered by a module that is loaded when the first one does."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from retrograd.runtime.errors import Place
from retrograd.runtime.objects.own_attributes import home_of, own_attribute
from retrograd.runtime.rules.scipy import registry

from ..frontend.source import Source
from ..ir.operations import Const, Function
from ..lowering.nodes import BoundUser, Node

__all__ = ["UserWords"]

SOLVERS = ("scipy.optimize", "scipy.integrate")


class UserWords:
    """``rg.root`` and its like, functions with derivatives of their own, solvers of SciPy's."""

    def special(self, fn: Any) -> Callable[..., Node] | None:
        if isinstance(fn, types.MethodType):
            return of_method(fn)
        word = own_attribute(fn, "__word__") if isinstance(fn, types.FunctionType) else None
        if is_derivative(fn):
            from .inner_transforms import of_made  # few programs have any

            return of_made
        if word is None:
            return scipy_solver(fn)
        from . import custom_lowering, implicit_lowering, inner_transforms  # few programs have any

        known: dict[str, Callable[..., Node]]
        known = custom_lowering.SPECIAL | implicit_lowering.SPECIAL | inner_transforms.SPECIAL
        return known[word]

    def of_decorated(self, method: BoundUser, name: str, place: Place) -> Node:
        from .inner_transforms import of_decorated  # few programs have any

        return of_decorated(method, name, place)

    def customized(
        self, program: Any, fn: Any, source: Source, params: dict[str, Node]
    ) -> Function:
        from .custom_lowering import customized  # few programs have any

        return customized(program, fn, source, params)

    def custom_root(self, program: Any, fn: Any, params: dict[str, Node], source: Any) -> Function:
        from .custom_lowering import custom_root  # few programs have any

        return custom_root(program, fn, params, source)


def of_method(fn: types.MethodType) -> Callable[..., Node] | None:
    """How a call of ``f.jvp`` is lowered, where ``f`` is a decorated function; None for other methods."""
    word = own_attribute(fn.__func__, "__word__")
    if word is None:
        return None
    from .inner_transforms import SPECIAL  # few programs have any

    def lowered(lowerer: Any, _: Any, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        return SPECIAL[word](lowerer, fn.__func__, [Const(fn.__self__), *args], kwargs, node)

    return lowered


def is_derivative(fn: Any) -> bool:
    """True if a function was made by a transformation: ``rg.grad(f)``."""
    steps = own_attribute(own_attribute(fn, "__retrograd__"), "steps")
    return bool(steps) or own_attribute(fn, "__columns__") is not None


def scipy_solver(fn: Any) -> Callable[..., Node] | None:
    """How a call of a solver of SciPy's is lowered; None for all other functions."""
    home = home_of(fn)
    if registry.loaded.keys().isdisjoint(SOLVERS) or not home.startswith(SOLVERS):
        return None
    from .scipy_solvers import lowering_of  # few programs have any

    return lowering_of(fn)
