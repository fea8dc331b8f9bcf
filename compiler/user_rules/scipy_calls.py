"""Calls of SciPy's functions that take functions: their arguments, and the functions they are given."""

from __future__ import annotations

import inspect
import operator
from typing import Any

import numpy as np

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.errors import UnsupportedOperation
from retrograd.runtime.records import dataclass
from retrograd.runtime.replacements import solver_steps, solvers

from ..analyses.shapes.infer import type_of
from ..frontend.source import source_of
from ..ir.containers import LEAF, Pack
from ..ir.operations import Const, Value
from ..ir.types import Array, Number
from ..lowering.calls.closure_conversion import lift
from ..lowering.interface.lowerer import Lowerer
from ..lowering.nodes import LocalFunction, Node
from ..passes.redundancy.polish import polish
from ..simplify.builder import clone_function
from .implicit_lowering import equation, fresh, named, operands, solution_kinds, unknowns
from .written_unknowns import kept_apart

__all__ = [
    "Asked",
    "chosen",
    "expanded",
    "is_given",
    "is_known_number",
    "lifted",
    "packed",
    "search",
    "solved",
    "start",
    "vector",
]

OPTIONS = (
    "xtol", "rtol", "atol", "tol", "maxfev", "maxiter", "epsfcn", "factor", "method", "epsabs", "epsrel", "limit",
    "points", "options", "ftol", "gtol", "max_nfev", "x_scale", "verbose", "norm", "quadrature",
    "k", "x1", "maxfun", "avextol", "xrtol", "pgtol", "factr", "maxls", "m", "c1", "c2", "epsilon", "iprint",
)  # fmt: skip
TOLERANCES = ("xtol", "rtol", "atol", "tol", "ftol", "gtol", "epsabs", "epsrel", "maxiter", "limit", "max_nfev", "maxfev", "maxfun", "x1")  # fmt: skip
IGNORED = {
    "full_output": (0, False),
    "disp": (True,),
    "dense_output": (False,),
    "vectorized": (False,),
    "retall": (0, False),
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
        self.settings: dict[str, Node] = {}
        if isinstance(more, dict):
            self.given |= more
        elif more is not None:
            self.settings = self.entries(more)

    def refused(self, reason: str, fix: str = "leave it out") -> UnsupportedOperation:
        return UnsupportedOperation(
            f"{self.name}: {reason}", place=self.lowerer.scope.place(self.node), fix=fix
        )

    def function(self, name: str, time_first: bool = False) -> Node:
        """The function that is solved, which writes to nothing of the solver's."""
        f = self.take(name)
        made = kept_apart(self.name, f, time_first)
        return f if made is None else expanded(self.lowerer, made, [f], self.node)

    def take(self, name: str, default: Any = None) -> Node:
        return self.given.pop(name, Const(default) if not isinstance(default, Pack) else default)

    def entries(self, given: Node) -> dict[str, Node]:
        """What stands in the dict ``options``."""
        found = self.lowerer.cells.seen(given)
        if isinstance(found, Pack) and found.kind is dict:
            return dict(zip(found.keys, found.items, strict=True))
        if isinstance(found, Const) and isinstance(found.value, dict | None):
            return {k: Const(v) for k, v in (found.value or {}).items()}
        raise self.refused("`options` is not known when this is compiled", "write the dict out")

    def flag(self, name: str, default: bool = False) -> bool:
        """An option that is True or False, and known."""
        found = self.take(name, default)
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

    def bounds(self) -> dict[str, Const]:
        """Bounds that are known, which the solution must be inside of."""
        found = self.take("bounds")
        return {"bounds": Const(self.written_out(found))} if is_given(found) else {}

    def written_out(self, node: Node) -> Any:
        """Numbers that are known, in tuples."""
        node = self.lowerer.cells.seen(node)
        if not is_given(node):
            return None
        if isinstance(node, Pack) and node.kind in (tuple, list):
            return tuple(map(self.written_out, node.items))
        if isinstance(node, Const) and (
            is_ndarray(node.value) or isinstance(node.value, (tuple, list))
        ):
            return tuple(self.written_out(Const(item)) for item in node.value)
        return self.number(node)

    def number(self, node: Node) -> float:
        """A number that is known."""
        if not is_known_number(node):
            raise self.refused("its ends are not numbers that are known", "write them as numbers")
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
        found: dict[str, Any] = self.dict_of_options()
        for name, value in self.given.items():
            known = isinstance(value, Const) and value.text is None
            if known and (value.value is None or value.value in IGNORED.get(name, ())):
                continue
            if name not in OPTIONS or not (known or (name in TOLERANCES and is_number(value))):
                raise self.refused(f"no derivative with `{name}`")
            found[name] = self.lowerer.operations.operand(value)
        self.given = {}
        return found

    def dict_of_options(self) -> dict[str, Any]:
        """``options=`` as it is written, of numbers and words that are known."""
        for name, value in self.settings.items():
            if not isinstance(value, Const) or callable(value.value):
                raise self.refused(f"no derivative with `{name}` in its `options`")
        return {"options": dict(self.settings)} if self.settings else {}


def is_known_number(node: Node) -> bool:
    return isinstance(node, Const) and isinstance(node.value, (int, float, np.number))


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


@dataclass
class Search:
    """The functions of a solver, the last of them the equation, the start, other arguments, options."""

    asked: Asked
    functions: list[Any]
    z: Node
    inputs: list[Any]
    extra: dict[str, Any]

    def solution(self, solver: Any, sign: str = "zero") -> Node:
        kinds = solution_kinds(self.z)
        lowerer, node = self.asked.lowerer, self.asked.node
        return equation(
            lowerer, solver, self.functions, sign, self.z, self.inputs, kinds, self.extra, node
        )

    def counts(self, by: str) -> list[Node]:
        """How often it goes on, and asks for values."""
        operations = self.asked.lowerer.operations
        start = [operations.operand(v) for v in operands(self.z)]
        given = [Const(f) for f in self.functions]
        args = (*given, *start, *([tuple(self.inputs)] if self.inputs else []))
        found = operations.apply(solvers.root_counts, args, self.extra | {"by": Const(by)})
        return [operations.apply(operator.getitem, (found, Const(k)), {}) for k in range(2)]


def search(asked: Asked, f: Node, z: Node, extra: dict[str, Any], slopes: int = 0) -> Search:
    """A search for a root of ``f``, which gives the values of ``slopes`` derivatives as well."""
    z = unknowns(asked.lowerer, z, asked.node)
    rest = asked.rest()
    shown, others = fresh(z), fresh(packed(rest))
    if isinstance(shown, Value):
        shown.hint = "z"
    function, free = lifted(asked, f, [shown, *others.items], "f")
    inputs = [*operands(packed(rest)), *free]
    functions = [function]
    if slopes:
        functions = [part_of(asked, function, k) for k in reversed(range(slopes + 1))]
    return Search(asked, functions, z, inputs, asked.options() | extra)


def part_of(asked: Asked, function: Any, k: int) -> Any:
    """One of the results of a function, as a function."""
    made = clone_function(function)
    if len(made.body.yields) <= k:
        raise asked.refused("a function that gives its derivatives gives too few values")
    made.body.yields, made.tree = [made.body.yields[k]], LEAF
    made.name = ("f", "fprime", "fprime2")[k]
    made = polish(made)
    asked.lowerer.scope.program.callees["lifted", made] = made
    return made


def solved(
    asked: Asked, solver: Any, f: Node, z: Node, extra: dict[str, Any], sign: str = "zero"
) -> Node:
    return search(asked, f, z, extra).solution(solver, sign)


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
    lowerer.operations.last().effect = True  # it refuses, also where nothing else is asked of it
    return [lowerer.operations.apply(operator.getitem, (found, Const(k)), {}) for k in range(count)]
