"""SciPy's functions that find a root: a solution is differentiated through its equation, as ``rg.root`` is."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.replacements import solver_steps, solvers

from ..analyses.shapes.infer import type_of
from ..ir.containers import Pack
from ..ir.operations import Const, Value
from ..ir.types import Array
from ..lowering.interface.lowerer import Lowerer
from ..lowering.nodes import Node, Unknown
from .implicit_lowering import operands
from .scipy_calls import Asked, Search, expanded, is_given, packed, search, solved, start, vector

__all__ = ["lower_bracketed", "lower_fixed_point", "lower_fsolve", "lower_newton", "lower_root", "lower_root_scalar"]  # fmt: skip

BRACKETED = ("brentq", "brenth", "ridder", "bisect", "toms748")
DONE = "The solution converged."


def lower_fsolve(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    asked = Asked(lowerer, fn, args, kwargs, node)
    full, columns = asked.flag("full_output"), asked.flag("col_deriv")
    f, slopes = with_slopes(asked, asked.function("func"))
    x = at_vector(asked, solvers.fsolve, f, slopes, {"col_deriv": Const(True)} if columns else {})
    return packed([x, Unknown("how `fsolve` went"), Const(1), Const(DONE)]) if full else x


def lower_root(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    asked = Asked(lowerer, fn, args, kwargs, node)
    f, slopes = with_slopes(asked, asked.function("fun"), ("jac",))
    rest = asked.rest()
    asked.given["args"] = packed(rest)
    x = at_vector(asked, solvers.scipy_root, f, slopes, {})
    values = lowerer.calls.call(f, [x, *rest], {}, node)
    return Pack(solvers.Solution, ["x", "fun", "success"], [x, values, Const(True)])


def at_vector(
    asked: Asked, solver: Any, f: Node, slopes: list[Node], extra: dict[str, Any]
) -> Node:
    """The root of several equations, from the vector ``x0``."""
    z = start(asked, "x0")
    slopes = [expanded(asked.lowerer, solver_steps.array_of, [d], asked.node) for d in slopes]
    whole = together(asked, vector(asked, f), slopes)
    return search(asked, whole, z, extra, len(slopes)).solution(solver)


def lower_newton(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    asked = Asked(lowerer, fn, args, kwargs, node)
    full, extra = asked.flag("full_output"), silence(asked)
    f, slopes = with_slopes(asked, asked.function("func"))
    z = asked.take("x0")
    if isinstance(z, Pack):
        z = lowerer.operations.operation(np.asarray, [z], {})
    made = search(asked, together(asked, f, slopes), z, extra, len(slopes))
    x = made.solution(solvers.newton)
    if not full:
        return x
    if has_rank(x):
        converged = lowerer.operations.apply(np.ones_like, (x, Const(bool)), {})
        level = lowerer.operations.apply(np.zeros_like, (x, Const(bool)), {})
        return packed([x, converged, level])
    return packed([x, found(x, made, "newton", "newton" if slopes else "secant")])


def has_rank(x: Node) -> bool:
    kind = type_of(x) if isinstance(x, Value) else None
    return isinstance(kind, Array) and kind.dims not in ((), None)


def silence(asked: Asked) -> dict[str, Any]:
    """``disp=False``: SciPy raises nothing where it finds no root, which has no derivative anyway."""
    return {} if asked.flag("disp", True) else {"disp": Const(False)}


def with_slopes(
    asked: Asked, f: Node, names: tuple[str, ...] = ("fprime", "fprime2")
) -> tuple[Node, list[Node]]:
    """A function, and those of its derivatives that are given; True says that it gives them itself."""
    given = [asked.take(name) for name in names]
    flags = [slope.value if is_flag(slope) else None for slope in given]
    wanted = next(
        (k for k, slope in enumerate(given) if not is_given(slope) or flags[k] is False), len(given)
    )
    if not any(flags[:wanted]):
        return f, given[:wanted]

    def item(k: int) -> Node:
        return expanded(asked.lowerer, solver_steps.item_of, [f, Const(k)], asked.node)

    return item(0), [item(k + 1) if flags[k] else given[k] for k in range(wanted)]


def is_flag(node: Node) -> bool:
    return isinstance(node, Const) and isinstance(node.value, bool)


def together(asked: Asked, f: Node, slopes: list[Node]) -> Node:
    """A function and its derivatives as one, so that they read the same around it."""
    if not slopes:
        return f
    given = [f, packed(slopes)]
    return expanded(asked.lowerer, solver_steps.with_slopes, given, asked.node)


def lower_fixed_point(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    asked = Asked(lowerer, fn, args, kwargs, node)
    solver = solvers.scipy_fixed_point
    return solved(asked, solver, asked.function("func"), asked.take("x0"), {}, "fixed")


def lower_bracketed(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    asked = Asked(lowerer, fn, args, kwargs, node)
    full, extra = asked.flag("full_output"), silence(asked)
    ends = asked.take("a"), asked.take("b")
    made = between(asked, asked.take("f"), ends, fn.__name__, extra)
    x = made.solution(solvers.bracketed)
    return packed([x, found(x, made, "bracketed", fn.__name__)]) if full else x


def lower_root_scalar(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    """``root_scalar``: in a bracket, or by Newton's or the secant method from a point."""
    asked = Asked(lowerer, fn, args, kwargs, node)
    asked.given, asked.settings = asked.given | asked.settings, {}
    asked.take("disp")
    f, slopes = with_slopes(asked, asked.take("f"))
    x0, method = asked.take("x0"), asked.take("method")
    bracket = asked.pair("bracket")
    name: Any = method.value if isinstance(method, Const) else None
    if isinstance(name, str):
        name = name.lower()
    if bracket is not None and name in (None, *BRACKETED):
        asked.take("x1")
        made = between(asked, f, bracket, name or "brentq", {})
        x = made.solution(solvers.bracketed)
        return found(x, made, "bracketed", name or "brentq")
    if name not in (None, "newton", "secant", "halley"):
        raise asked.refused(f"no derivative with method={name!r} and no bracket")
    extra = {} if name is None else {"method": Const(name)}
    made = search(asked, together(asked, f, slopes), x0, extra, len(slopes))
    return found(made.solution(solvers.root_scalar), made, "root_scalar", name or "newton")


def between(
    asked: Asked, f: Node, ends: tuple[Node, Node], method: str, extra: dict[str, Any]
) -> Search:
    """The search between two ends, which the root does not depend on: it begins at the first.

    The other end is a number, or a parameter that the equation does not read.
    """
    first, last = map(as_float, ends)
    extra = extra | {"method": Const(method)}
    if isinstance(last, Const):
        return search(asked, f, first, extra | {"b": last})
    rest = [*asked.rest(), last]
    asked.given["args"] = packed(rest)
    extra["at"] = Const(len(operands(packed(rest))) - 1)
    f = expanded(asked.lowerer, solver_steps.without_last, [f], asked.node)
    return search(asked, f, first, extra)


def as_float(end: Node) -> Node:
    plain = isinstance(end, Const) and isinstance(end.value, (int, float, np.number))
    return Const(float(end.value)) if plain else end


def found(x: Node, made: Search, by: str, method: str) -> Pack:
    """What SciPy says of a root beside its value."""
    names = ["root", "converged", "flag", "iterations", "function_calls", "method"]
    told = [x, Const(True), Const("converged"), *made.counts(by), Const(method)]
    return Pack(solvers.Root, names, told)
