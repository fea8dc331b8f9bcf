"""Random numbers: drawn once, where the function draws them, and constants to its derivative."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from retrograd.runtime.errors import MutationError, UnsupportedOperation
from retrograd.runtime.objects.own_attributes import own_attribute

from ...analyses.random_numbers import (
    WRITING,
    generator_class,
    is_draw,
    is_generator,
    is_method_of_generator,
)
from ...ir.operations import Const, Value
from ..interface.lowerer import Lowerer
from ..interface.program import Program
from ..nodes import BoundConstant, BoundMethod, Node

__all__ = ["DrawnAgain", "Draws", "check_draws"]


class Draws:
    """Methods of NumPy's generators: a global, passed, or made in the function."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def method_of(self, base: Node, name: str) -> Node:
        """A method of a generator; None for every other attribute."""

        if isinstance(base, Const) and is_generator(base.value):
            method = getattr(type(base.value), name, None)
            if callable(method):
                return BoundConstant(method, base)
        if isinstance(base, Value) and (known := generator_class(base.type)) is not None:
            method = getattr(known, name, None)
            if callable(method):
                return BoundMethod(method, base)
        return None

    def drawn(self, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> tuple[Any, list[Node]]:
        """A call as it is entered; one that draws random numbers is noted."""
        if is_draw(fn):
            fn, args = self.as_method(fn, args)
            self.check_draw(fn, kwargs)
            self.note_draw(fn, args)
        elif is_python_draw(fn):
            self.note_draw(fn, [])
        return fn, args

    def note_draw(self, fn: Any, args: list[Node]) -> None:
        owner = args[0] if args and is_method_of_generator(fn) else None
        if not (isinstance(owner, Value) and owner in self.scope.program.seeded):
            self.scope.program.draws.append((fn.__name__, self.scope.place(self.scope.node)))

    def as_method(self, fn: Any, args: list[Node]) -> tuple[Any, list[Node]]:
        """``draw(3)`` where ``draw = rng.normal``: a call of the method, but for NumPy's own generator."""
        owner = own_attribute(fn, "__self__")
        if not is_generator(owner) or is_global(owner):
            return fn, args
        named = Const(owner, self.scope.program.text_for("rng", owner))
        return getattr(type(owner), fn.__name__), [named, *args]

    def check_draw(self, fn: Any, kwargs: dict[str, Node]) -> None:
        if fn.__name__ in WRITING or "out" in kwargs:
            raise MutationError(
                f"`{fn.__name__}` writes random numbers into an array",
                place=self.scope.place(self.scope.node),
                fix="take a new array: x = rng.permutation(x), x = rng.random(n)",
            )


class DrawnAgain(UnsupportedOperation):
    """A function that is run several times would draw other numbers each time."""


def check_draws(program: Program) -> None:
    for name, place in program.draws:
        raise DrawnAgain(
            f"`{name}` draws random numbers, but a Jacobian calls the function several times",
            place=place,
            fix="draw them outside and pass them, or make the generator in the function: np.random.default_rng(seed)",
        )


def is_seed(args: list[Node]) -> bool:
    """True if a generator starts anew in every run: of a number, not of another generator, nor of chance."""
    return len(args) == 1 and isinstance(args[0], Const) and isinstance(args[0].value, int)


def is_python_draw(fn: Any) -> bool:
    """True if it is a function of Python's `random`."""
    known = sys.modules.get("random")
    return known is not None and isinstance(own_attribute(fn, "__self__"), known.Random)


def is_global(owner: Any) -> bool:
    """True if it is the generator behind ``np.random.normal`` and its like."""
    return owner is own_attribute(np.random.normal, "__self__")
