"""Calls of SciPy's functions that take functions: their arguments, and the functions they are given."""

from __future__ import annotations

import inspect
import operator
from typing import Any

import numpy as np

from retrograd.runtime.errors import UnsupportedOperation
from retrograd.runtime.replacements import solver_steps

from ..analyses.shapes.infer import type_of
from ..frontend.source import source_of
from ..ir.containers import Pack
from ..ir.operations import Const, Value
from ..ir.types import Array, Number
from ..lowering.calls.closure_conversion import lift
from ..lowering.interface.lowerer import Lowerer
from ..lowering.nodes import LocalFunction, Node
from .implicit_lowering import equation, fresh, named, operands, solution_kinds, unknowns

__all__ = [
    "Asked",
    "chosen",
    "expanded",
    "is_given",
    "lifted",
    "packed",
    "solved",
    "start",
    "vector",
]

OPTIONS = (
    "xtol", "rtol", "atol", "tol", "maxfev", "maxiter", "epsfcn", "factor", "method", "epsabs", "epsrel", "limit",
    "points", "options", "ftol", "gtol", "max_nfev", "x_scale", "verbose", "norm", "quadrature",
)  # fmt: skip
TOLERANCES = ("xtol", "rtol", "atol", "tol", "ftol", "gtol", "epsabs", "epsrel", "maxiter", "limit", "max_nfev", "maxfev")  # fmt: skip
IGNORED = {
    "full_output": (0, False),
    "disp": (True,),
    "dense_output": (False,),
    "vectorized": (False,),
}


class Asked:
    """The arguments of a call by name, each looked at by who understands it."""

    def __init__(
        self, lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], node: Any
    ) -> None:
        self.lowerer, self.name, self.node = lowerer, fn.__name__, node
        try:
            bound = inspect.signature(fn).bind(*args, **kwargs).arguments
        except TypeError as error:
            raise self.refused(str(error)) from None
        self.given = {k: v for k, v in bound.items() if k not in ("options", "kwargs")}
        more = bound.get("options", bound.get("kwargs"))
        if isinstance(more, dict):
            self.given |= more

    def refused(self, reason: str, fix: str = "leave it out") -> UnsupportedOperation:
        return UnsupportedOperation(
            f"{self.name}: {reason}", place=self.lowerer.scope.place(self.node), fix=fix
        )

    def take(self, name: str, default: Any = None) -> Node:
        return self.given.pop(name, Const(default) if not isinstance(default, Pack) else default)

    def flag(self, name: str) -> bool:
        """An option that is True or False, and known."""
        found = self.take(name, False)
        if not isinstance(found, Const) or found.value not in (True, False, 0, 1):
            raise self.refused(f"`{name}` is not known when this is compiled", "write it out")
        return bool(found.value)

    def pair(self, name: str) -> tuple[Node, Node] | None:
        """Two ends, if they are given."""
        found = self.lowerer.cells.seen(self.take(name))
        if isinstance(found, Const) and found.value is None:
            return None
        plain = isinstance(found, Const) and isinstance(found.value, (tuple, list))
        items = [Const(end) for end in found.value] if plain else list(getattr(found, "items", ()))
        if len(items) != 2:
            raise self.refused(f"`{name}` is not two ends", "write both: (a, b)")
        return items[0], items[1]

    def number(self, node: Node) -> float:
        """A number that is known."""
        if not (isinstance(node, Const) and isinstance(node.value, (int, float, np.number))):
            raise self.refused("its ends are not numbers", "write them as numbers")
        return float(node.value)

    def rest(self) -> list[Node]:
        """The items of ``args``."""
        found = self.lowerer.cells.seen(self.take("args", Pack(tuple, [], [])))
        if isinstance(found, Const) and found.value in (None, ()):
            return []
        if isinstance(found, Pack):
            return list(found.items)
        if isinstance(found, Const) and isinstance(found.value, tuple):
            return [Const(v) for v in found.value]
        return [found]

    def options(self) -> dict[str, Any]:
        """The remaining options: numbers and words that are known, and tolerances that are computed."""
        found = {}
        for name, value in self.given.items():
            known = isinstance(value, Const) and value.text is None
            if known and (value.value is None or value.value in IGNORED.get(name, ())):
                continue
            if name not in OPTIONS or not (known or (name in TOLERANCES and is_number(value))):
                raise self.refused(f"no derivative with `{name}`")
            found[name] = self.lowerer.operations.operand(value)
        self.given = {}
        return found


def is_number(node: Node) -> bool:
    """True of a number, computed or of the module."""
    kind = type_of(node) if isinstance(node, (Value, Const)) else None
    return isinstance(kind, Number) or (isinstance(kind, Array) and kind.dims == ())


def is_given(node: Node) -> bool:
    return not (isinstance(node, Const) and node.value is None)


def packed(items: list[Node]) -> Pack:
    return Pack(tuple, list(range(len(items))), items)


def lifted(asked: Asked, f: Node, params: list[Node], name: str) -> tuple[Any, list[Any]]:
    """A function of flat arguments and what it reads around it."""
    found = lift(asked.lowerer, f, params, named(f, name), asked.node)
    return found.function, found.free


def start(asked: Asked, name: str) -> Node:
    """The start of a search, as the vector that SciPy makes of it."""
    given = asked.given.pop(name)
    if isinstance(given, Const) and isinstance(given.value, (int, float)):
        given = Const(float(given.value))
    return asked.lowerer.operations.operation(np.ravel, [given], {})


def vector(asked: Asked, f: Node) -> Node:
    """``f``, its result made a vector."""
    return expanded(asked.lowerer, solver_steps.vector_of, [f], asked.node)


def solved(
    asked: Asked, solver: Any, f: Node, z: Node, extra: dict[str, Any], sign: str = "zero"
) -> Node:
    z = unknowns(asked.lowerer, z, asked.node)
    rest = asked.rest()
    shown, others = fresh(z), fresh(packed(rest))
    if isinstance(shown, Value):
        shown.hint = "z"
    function, free = lifted(asked, f, [shown, *others.items], "f")
    inputs = [*operands(packed(rest)), *free]
    extra = asked.options() | extra
    return equation(
        asked.lowerer, solver, [function], sign, z, inputs, solution_kinds(z), extra, asked.node
    )


def expanded(lowerer: Lowerer, text: Any, args: list[Node], node: Any) -> Node:
    """The body of a function of ours, lowered in place."""
    source = source_of(text)
    frame = lowerer.scope.frame_of_ours()
    local = LocalFunction(source.tree, frame, [], (text, source, set()))
    outer = lowerer.scope.pin(lowerer.scope.location(node))
    try:
        return lowerer.closures.call_local(local, args, {}, node)
    finally:
        lowerer.scope.pin(outer)


def chosen(
    asked: Asked, fn: Any, function: Any, args: list[Any], extra: dict[str, Any], count: int
) -> list[Node]:
    """The results of a function of ours that asks a function of the program, and has no derivative."""
    lowerer = asked.lowerer
    found = lowerer.operations.apply(fn, (Const(function), *args), extra)
    return [lowerer.operations.apply(operator.getitem, (found, Const(k)), {}) for k in range(count)]
