"""Random numbers: drawn once, where the function draws them, and constants to its derivative."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

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

__all__ = ["Drawing", "DrawnAgain", "check_draws"]

Node = Any


class Drawing:
    """Methods of NumPy's generators: a global, passed, or made in the function."""

    if TYPE_CHECKING:  # what the classes above this one add
        node: Any
        operand: Any
        place: Any
        program: Any

    def attribute(self, base: Node, name: str, node: Any) -> Node:
        from ..calls.resolve import BoundConstant
        from ..expressions import BoundMethod

        if isinstance(base, Const) and is_generator(base.value):
            method = getattr(type(base.value), name, None)
            if callable(method):
                return BoundConstant(method, base)
        if isinstance(base, Value) and (known := generator_class(base.type)) is not None:
            method = getattr(known, name, None)
            if callable(method):
                return BoundMethod(method, base)
        return super().attribute(base, name, node)  # type: ignore[misc]

    def operation(self, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> Node:
        if is_draw(fn):
            fn, args = self.as_method(fn, args)
            self.check_draw(fn, kwargs)
            self.note_draw(fn, args)
        elif is_python_draw(fn):
            self.note_draw(fn, [])
        made = super().operation(fn, args, kwargs)  # type: ignore[misc]
        if isinstance(made, Value) and generator_class(made.type) is not None and is_seed(args):
            self.program.seeded.add(made)
        return made

    def note_draw(self, fn: Any, args: list[Node]) -> None:
        owner = args[0] if args and is_method_of_generator(fn) else None
        if not (isinstance(owner, Value) and owner in self.program.seeded):
            self.program.draws.append((fn.__name__, self.place(self.node)))

    def as_method(self, fn: Any, args: list[Node]) -> tuple[Any, list[Node]]:
        """``draw(3)`` where ``draw = rng.normal``: a call of the method, but for NumPy's own generator."""
        owner = own_attribute(fn, "__self__")
        if not is_generator(owner) or is_global(owner):
            return fn, args
        named = Const(owner, self.program.text_for("rng", owner))
        return getattr(type(owner), fn.__name__), [named, *args]

    def check_draw(self, fn: Any, kwargs: dict[str, Node]) -> None:
        if fn.__name__ in WRITING or "out" in kwargs:
            raise MutationError(
                f"`{fn.__name__}` writes random numbers into an array",
                place=self.place(self.node),
                fix="take a new array: x = rng.permutation(x), x = rng.random(n)",
            )


class DrawnAgain(UnsupportedOperation):
    """What runs a function several times would draw other numbers each time."""


def check_draws(program: Any) -> None:
    for name, place in program.draws:
        raise DrawnAgain(
            f"`{name}` draws random numbers, but a Jacobian calls the function several times",
            place=place,
            fix="draw them outside and pass them, or make the generator in the function: np.random.default_rng(seed)",
        )


def is_seed(args: list[Node]) -> bool:
    """Whether a generator starts anew in every run: of a number, not of another generator, nor of chance."""
    return len(args) == 1 and isinstance(args[0], Const) and isinstance(args[0].value, int)


def is_python_draw(fn: Any) -> bool:
    """Whether it is a function of Python's `random`."""
    known = sys.modules.get("random")
    return known is not None and isinstance(own_attribute(fn, "__self__"), known.Random)


def is_global(owner: Any) -> bool:
    """Whether it is the generator behind ``np.random.normal`` and its like."""
    import numpy as np

    return owner is own_attribute(np.random.normal, "__self__")
