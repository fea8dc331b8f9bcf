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
from ...analyses.shapes.infer import type_of
from ...ir.operations import Const, Value
from ..interface.lowerer import Lowerer
from ..interface.program import Program
from ..nodes import BoundConstant, BoundMethod, Node

__all__ = ["DrawnAgain", "Draws", "check_draws"]


# The parameters of a family with their defaults, and a draw of it from the standard one.
STANDARD: dict[str, tuple[dict[str, float], str]] = {
    "normal": ({"loc": 0.0, "scale": 1.0}, "p0 + p1 * rng.standard_normal({size})"),
    "uniform": ({"low": 0.0, "high": 1.0}, "p0 + (p1 - p0) * rng.random({size})"),
    "laplace": ({"loc": 0.0, "scale": 1.0}, "p0 + p1 * rng.laplace(0.0, 1.0, {size})"),
    "logistic": ({"loc": 0.0, "scale": 1.0}, "p0 + p1 * rng.logistic(0.0, 1.0, {size})"),
    "gumbel": ({"loc": 0.0, "scale": 1.0}, "p0 + p1 * rng.gumbel(0.0, 1.0, {size})"),
    "lognormal": (
        {"mean": 0.0, "sigma": 1.0}, "np.exp(p0 + p1 * rng.standard_normal({size}))",
    ),
    "exponential": ({"scale": 1.0}, "p0 * rng.standard_exponential({size})"),
    "gamma": ({"shape": 1.0, "scale": 1.0}, "p1 * rng.standard_gamma(p0, {size})"),
    "rayleigh": ({"scale": 1.0}, "p0 * rng.rayleigh(1.0, {size})"),
    "multivariate_normal": (
        {"mean": 0.0, "cov": 1.0}, "p0 + rng.multivariate_normal(np.zeros(np.shape(p0)), p1, {size})",
    ),
}  # fmt: skip


class Draws:
    """Methods of NumPy's generators: a global, passed, or made in the function."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope
        self.is_standard = False  # a draw that is written now

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

    def of_parameters(self, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> Node | None:
        """A draw of a scale family, written with the standard one: the same numbers, and a derivative in both parameters.

        None where no parameter is computed, or there is no such form.
        """
        name = own_attribute(fn, "__name__", "")
        known = STANDARD.get(name) if is_draw(fn) else None
        if known is None or self.is_standard:
            return None
        names, text = known
        drawing, *given = args if is_method_of_generator(fn) else [None, *args]
        rest = dict(zip((*names, "size"), given, strict=False)) | kwargs
        values = [rest.pop(n, Const(default)) for n, default in names.items()]
        size = rest.pop("size", Const(None))
        if rest or len(given) > len(names) + 1 or not any(isinstance(v, Value) for v in values):
            return None
        owner = Const(own_attribute(fn, "__self__")) if drawing is None else drawing
        if drawing is None and is_global(owner.value):
            owner = Const(np.random, "np.random")
        spelled = {f"p{k}": v for k, v in enumerate(values)} | {"rng": owner, "np": Const(np)}
        if isinstance(size, Const) and size.value is None:
            drawn = self.size_of(values) if name != "multivariate_normal" else ""
        else:
            spelled["size"], drawn = size, "size"
        text = f"drawn = {text.format(size=drawn)}"
        self.is_standard = True
        made = self.lowerer.higher_order.run(text, spelled, self.scope.node, "drawn")
        self.is_standard = False
        return made

    def size_of(self, values: list[Node]) -> str:
        """How many numbers are drawn, if that is not said: as many as there are parameters."""
        kinds = [type_of(self.lowerer.operations.operand(v)) for v in values]
        shapes = [
            f"np.shape(p{k})" for k, kind in enumerate(kinds) if getattr(kind, "dims", None) != ()
        ]
        return f"np.broadcast_shapes({', '.join(shapes)})" if len(shapes) > 1 else "".join(shapes)

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
