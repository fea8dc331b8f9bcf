"""SciPy's functions that find a root: a solution is differentiated through its equation, as ``rg.root`` is."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.replacements import solver_steps, solvers

from ..ir.containers import Pack
from ..ir.operations import Const
from ..lowering.interface.lowerer import Lowerer
from ..lowering.nodes import Node, Unknown
from .implicit_lowering import operands
from .scipy_calls import Asked, expanded, packed, solved, start, vector

__all__ = ["lower_bracketed", "lower_fixed_point", "lower_fsolve", "lower_newton", "lower_root", "lower_root_scalar"]  # fmt: skip

BRACKETED = ("brentq", "brenth", "ridder", "bisect", "toms748")
DONE = "The solution converged."


def lower_fsolve(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    asked = Asked(lowerer, fn, args, kwargs, node)
    asked.take("fprime")  # the solution is the same without it
    asked.take("col_deriv")
    full = asked.flag("full_output")
    f = vector(asked, asked.take("func"))
    x = solved(asked, solvers.fsolve, f, start(asked, "x0"), {})
    return packed([x, Unknown("how `fsolve` went"), Const(1), Const(DONE)]) if full else x


def lower_root(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    asked = Asked(lowerer, fn, args, kwargs, node)
    asked.take("jac")
    f, rest = asked.take("fun"), asked.rest()
    asked.given["args"] = packed(rest)
    x = solved(asked, solvers.scipy_root, vector(asked, f), start(asked, "x0"), {})
    values = lowerer.calls.call(f, [x, *rest], {}, node)
    return Pack(solvers.Solution, ["x", "fun", "success"], [x, values, Const(True)])


def lower_newton(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    asked = Asked(lowerer, fn, args, kwargs, node)
    asked.take("fprime")  # the solution is the same without it
    asked.take("fprime2")
    full = asked.flag("full_output")
    x = solved(asked, solvers.newton, asked.take("func"), asked.take("x0"), {})
    return packed([x, found(x)]) if full else x


def lower_fixed_point(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    asked = Asked(lowerer, fn, args, kwargs, node)
    solver = solvers.scipy_fixed_point
    return solved(asked, solver, asked.take("func"), asked.take("x0"), {}, "fixed")


def lower_bracketed(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    asked = Asked(lowerer, fn, args, kwargs, node)
    full = asked.flag("full_output")
    ends = asked.take("a"), asked.take("b")
    x = between(asked, asked.take("f"), ends, fn.__name__)
    return packed([x, found(x)]) if full else x


def lower_root_scalar(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    """``root_scalar``: in a bracket, or by Newton's or the secant method from a point."""
    asked = Asked(lowerer, fn, args, kwargs, node)
    for unneeded in ("fprime", "fprime2", "x1"):
        asked.take(unneeded)
    f, x0, method = (asked.take(name) for name in ("f", "x0", "method"))
    bracket = asked.pair("bracket")
    name: Any = method.value if isinstance(method, Const) else None
    if bracket is not None:
        if name is not None and name not in BRACKETED:
            raise asked.refused(f"no derivative with method={name!r} and a bracket")
        x = between(asked, f, bracket, name or "brentq")
    else:
        if name not in (None, "newton", "secant", "halley"):
            raise asked.refused(f"no derivative with method={name!r} and no bracket")
        x = solved(asked, solvers.newton, f, x0, {})
    return found(x)


def between(asked: Asked, f: Node, ends: tuple[Node, Node], method: str) -> Node:
    """The root between two ends, which it does not depend on: the search begins at the first.

    The other end is a number, or a parameter that the equation does not read.
    """
    first, last = map(as_float, ends)
    extra: dict[str, Node] = {"method": Const(method)}
    if isinstance(last, Const):
        return solved(asked, solvers.bracketed, f, first, extra | {"b": last})
    rest = [*asked.rest(), last]
    asked.given["args"] = packed(rest)
    extra["at"] = Const(len(operands(packed(rest))) - 1)
    f = expanded(asked.lowerer, solver_steps.without_last, [f], asked.node)
    return solved(asked, solvers.bracketed, f, first, extra)


def as_float(end: Node) -> Node:
    plain = isinstance(end, Const) and isinstance(end.value, (int, float, np.number))
    return Const(float(end.value)) if plain else end


def found(x: Node) -> Pack:
    """What SciPy says of a root beside its value."""
    return Pack(solvers.Root, ["root", "converged", "flag"], [x, Const(True), Const("converged")])
