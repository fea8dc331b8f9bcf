"""SciPy's functions that take functions: roots and minima, integrals, initial value problems.

A solution is differentiated through its equation, as ``rg.root`` is.  Of an integral and of a trajectory
SciPy chooses the places, and the sum over them or the steps between them become part of the program.
"""

from __future__ import annotations

import inspect
import operator
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.runtime.errors import UnsupportedOperation
from retrograd.runtime.objects.own_attributes import own_attribute

from ..analyses.shapes.infer import type_of
from ..frontend.source import source_of
from ..ir.containers import Pack
from ..ir.operations import Const, Value
from ..lowering.calls.closure_conversion import lift
from ..lowering.interface.lowerer import Lowerer
from ..lowering.nodes import LocalFunction
from .implicit_lowering import (
    equation,
    fresh,
    gradient_of,
    named,
    operands,
    solution_kinds,
    unknowns,
)

__all__ = ["lowering_of"]

Node = Any
OPTIONS = (
    "xtol", "rtol", "atol", "tol", "maxfev", "maxiter", "epsfcn", "factor", "method", "epsabs", "epsrel", "limit",
    "points", "options",
)  # fmt: skip
IGNORED = {
    "full_output": (0, False),
    "disp": (True,),
    "dense_output": (False,),
    "vectorized": (False,),
}


def lowering_of(fn: Any) -> Callable[..., Node] | None:
    """How a call of a solver of SciPy's is lowered."""
    home, name = fn.__module__, own_attribute(fn, "__name__", "")
    found = TABLE.get(name)
    return found if getattr(sys.modules[".".join(home.split(".")[:2])], name, None) is fn else None


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
        """The remaining options: numbers and words that are known, nothing else."""
        found = {}
        for name, value in self.given.items():
            known = isinstance(value, Const) and value.text is None
            if known and (value.value is None or value.value in IGNORED.get(name, ())):
                continue
            if name not in OPTIONS or not known:
                raise self.refused(f"no derivative with `{name}`")
            found[name] = value
        self.given = {}
        return found


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
    from retrograd.runtime.replacements import solver_steps  # they import SciPy

    return expanded(asked.lowerer, solver_steps.vector_of, [f], asked.node)


def solved(
    asked: Asked, solver: Any, f: Node, z: Node, extra: dict[str, Any], sign: str = "zero"
) -> Node:
    z = unknowns(asked.lowerer, z, asked.node)
    rest = asked.rest()
    shown, others = fresh(z), fresh(Pack(tuple, list(range(len(rest))), rest))
    if isinstance(shown, Value):
        shown.hint = "z"
    function, free = lifted(asked, f, [shown, *others.items], "f")
    inputs = [*operands(Pack(tuple, list(range(len(rest))), rest)), *free]
    extra = asked.options() | extra
    return equation(
        asked.lowerer, solver, [function], sign, z, inputs, solution_kinds(z), extra, asked.node
    )


def lower_fsolve(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    from retrograd.runtime.replacements import solvers  # they import SciPy

    asked = Asked(lowerer, fn, args, kwargs, node)
    f = vector(asked, asked.take("func"))
    return solved(asked, solvers.fsolve, f, start(asked, "x0"), {})


def lower_root(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    from retrograd.runtime.replacements import solvers  # they import SciPy

    asked = Asked(lowerer, fn, args, kwargs, node)
    f = vector(asked, asked.take("fun"))
    x = solved(asked, solvers.scipy_root, f, start(asked, "x0"), {})
    return Pack(solvers.Solution, ["x"], [x])


def lower_newton(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    from retrograd.runtime.replacements import solvers  # they import SciPy

    asked = Asked(lowerer, fn, args, kwargs, node)
    asked.take("fprime")  # the solution is the same without it
    asked.take("fprime2")
    return solved(asked, solvers.newton, asked.take("func"), asked.take("x0"), {})


def lower_fixed_point(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    from retrograd.runtime.replacements import solvers  # they import SciPy

    asked = Asked(lowerer, fn, args, kwargs, node)
    solver = solvers.scipy_fixed_point
    return solved(asked, solver, asked.take("func"), asked.take("x0"), {}, "fixed")


def lower_bracketed(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    from retrograd.runtime.replacements import solvers  # they import SciPy

    asked = Asked(lowerer, fn, args, kwargs, node)
    a, b = asked.take("a"), asked.take("b")
    if not all(isinstance(v, Const) and isinstance(v.value, (int, float)) for v in (a, b)):
        raise asked.refused("the ends of the bracket are not numbers", "write them as numbers")
    extra = {"method": Const(fn.__name__), "b": Const(float(b.value))}
    return solved(asked, solvers.bracketed, asked.take("f"), Const(float(a.value)), extra)


def lower_minimize(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    from retrograd.runtime.replacements import solvers  # they import SciPy

    asked = Asked(lowerer, fn, args, kwargs, node)
    for name in ("jac", "hess", "hessp"):
        asked.take(name)
    f, z, rest = asked.take("fun"), start(asked, "x0"), asked.rest()
    shown, others = fresh(z), fresh(Pack(tuple, list(range(len(rest))), rest))
    shown.hint = "z"
    function, free = lifted(asked, f, [shown, *others.items], "f")
    slopes = gradient_of(function, 1)
    lowerer.scope.program.callees["lifted", slopes] = slopes
    inputs = [*operands(Pack(tuple, list(range(len(rest))), rest)), *free]
    x = equation(
        lowerer, solvers.minimize, [function, slopes], "zero", z, inputs, solution_kinds(z),
        asked.options(), node,
    )  # fmt: skip
    return Pack(solvers.Solution, ["x"], [x])


# -- places that are chosen, and what is done there ---------------------------------------


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


def lower_quad(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    from retrograd.runtime.replacements import solver_steps, solvers  # they import SciPy

    asked = Asked(lowerer, fn, args, kwargs, node)
    f, a, b, rest = asked.take("func"), asked.take("a"), asked.take("b"), asked.rest()
    if any(isinstance(v, Const) and abs(v.value) == np.inf for v in (a, b)):
        raise asked.refused("no derivative for infinite limits", "substitute a variable")
    place = Value("t", type_of(Const(0.0)))
    others = fresh(Pack(tuple, list(range(len(rest))), rest))
    function, free = lifted(asked, f, [place, *others.items], "f")
    inputs = [*operands(Pack(tuple, list(range(len(rest))), rest)), *free]
    ends = (lowerer.operations.operand(a), lowerer.operations.operand(b))
    u, w, error = chosen(
        asked, solvers.quad_nodes, function, [ends, tuple(inputs)], asked.options(), 3
    )
    pack = Pack(tuple, list(range(len(rest))), rest)
    z = expanded(lowerer, solver_steps.weighted_sum, [f, a, b, pack, u, w], node)
    return Pack(tuple, [0, 1], [z, error])


def lower_odeint(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    asked = Asked(lowerer, fn, args, kwargs, node)
    f, y0, t = asked.take("func"), asked.take("y0"), asked.take("t")
    tfirst = asked.take("tfirst", False)
    rows, ends, _ = integrated(asked, f, y0, t, bool(tfirst.value), 1.49012e-8, 1.49012e-8)
    return lowerer.operations.apply(operator.getitem, (lowerer.operations.operand(rows), ends), {})


def lower_solve_ivp(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    from retrograd.runtime.replacements import solvers  # they import SciPy

    asked = Asked(lowerer, fn, args, kwargs, node)
    method = asked.take("method", "RK45")
    if not isinstance(method, Const) or method.value != "RK45":
        raise asked.refused("only method='RK45' has a derivative")
    f, y0, span, at = (
        asked.take("fun"),
        asked.take("y0"),
        asked.take("t_span"),
        asked.take("t_eval"),
    )
    if not (isinstance(at, Const) and at.value is None):
        raise asked.refused("no derivative with `t_eval`", "use odeint, which takes times")
    t = lowerer.operations.operation(np.array, [span], {})
    rows, _, times = integrated(asked, f, y0, t, True, 1e-3, 1e-6)
    y = lowerer.operations.operation(np.transpose, [rows], {})
    return Pack(solvers.Trajectory, ["t", "y"], [times, y])


def integrated(
    asked: Asked, f: Node, y0: Node, t: Node, tfirst: bool, rtol: float, atol: float
) -> tuple[Node, Any, Node]:
    """Every step of a trajectory, after how many of them the times are reached, and their times."""
    from retrograd.runtime.replacements import solver_steps, solvers  # they import SciPy

    lowerer, rest = asked.lowerer, asked.rest()
    if isinstance(y0, Const) and isinstance(y0.value, (int, float)):
        y0 = Const(float(y0.value))
    y0 = lowerer.operations.operation(np.ravel, [y0], {})
    wanted = asked.options()
    tolerances = [wanted.pop(k, Const(v)) for k, v in (("rtol", rtol), ("atol", atol))]
    if wanted:
        raise asked.refused(f"no derivative with `{next(iter(wanted))}`")
    y, s = Value("y", type_of(y0)), Value("t", type_of(Const(0.0)))
    others = fresh(Pack(tuple, list(range(len(rest))), rest))
    places = [s, y] if tfirst else [y, s]
    function, free = lifted(asked, f, [*places, *others.items], "slope")
    inputs = [*operands(Pack(tuple, list(range(len(rest))), rest)), *free]
    before, shares, owners, ends = chosen(
        asked, solvers.ivp_grid, function,
        [lowerer.operations.operand(y0), tuple(inputs), lowerer.operations.operand(t), *tolerances, Const(tfirst)], {}, 4,
    )  # fmt: skip
    pack = Pack(tuple, list(range(len(rest))), rest)
    rows = expanded(
        lowerer, solver_steps.trajectory, [f, y0, t, pack, before, shares, owners, Const(tfirst)],
        asked.node,
    )  # fmt: skip
    times = expanded(lowerer, solver_steps.times, [t, before, shares, owners], asked.node)
    return rows, ends, times


TABLE: dict[str, Callable[..., Node]] = {
    "fsolve": lower_fsolve, "root": lower_root, "newton": lower_newton, "fixed_point": lower_fixed_point,
    "brentq": lower_bracketed, "brenth": lower_bracketed, "ridder": lower_bracketed, "bisect": lower_bracketed,
    "toms748": lower_bracketed, "minimize": lower_minimize, "quad": lower_quad, "odeint": lower_odeint,
    "solve_ivp": lower_solve_ivp,
}  # fmt: skip
