"""Integrals and initial value problems of SciPy's: it chooses the places, what is done there is the program's."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from retrograd.runtime.replacements import solver_steps, solvers

from ..analyses.shapes.infer import type_of
from ..ir.containers import Pack
from ..ir.operations import Apply, Const, Value
from ..lowering.interface.lowerer import Lowerer
from ..lowering.nodes import Node
from .implicit_lowering import fresh, operands
from .scipy_calls import Asked, chosen, expanded, is_given, lifted, packed

__all__ = ["NODES", "lower_odeint", "lower_quad", "lower_solve_ivp"]


NODES = {"quad": (solvers.quad_nodes, "func"), "quad_vec": (solvers.quad_vec_nodes, "f")}


def lower_quad(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    asked = Asked(lowerer, fn, args, kwargs, node)
    rest = asked.rest()
    nodes, integrand = NODES[asked.name]
    f, a, b, sign = finite(asked, asked.take(integrand), asked.take("a"), asked.take("b"))
    place = Value("t", type_of(Const(0.0)))
    others = fresh(Pack(tuple, list(range(len(rest))), rest))
    function, free = lifted(asked, f, [place, *others.items], "f")
    inputs = [*operands(Pack(tuple, list(range(len(rest))), rest)), *free]
    ends = (lowerer.operations.operand(a), lowerer.operations.operand(b))
    u, w, error = chosen(asked, nodes, function, [ends, tuple(inputs)], asked.options(), 3)
    pack = Pack(tuple, list(range(len(rest))), rest)
    z = expanded(lowerer, solver_steps.weighted_sum, [f, a, b, pack, u, w], node)
    if sign < 0:
        z = lowerer.operations.apply(operator.neg, (z,), {})
    return Pack(tuple, [0, 1], [z, error])


def finite(asked: Asked, f: Node, a: Node, b: Node) -> tuple[Node, Node, Node, int]:
    """The integrand and the limits, from 0 to 1 where one is infinite, and the sign of the integral."""
    ends = [infinity(asked, v) for v in (a, b)]
    if ends == [0, 0]:
        return f, a, b, 1
    zero, one = Const(0.0), Const(1.0)
    if 0 not in ends:
        if ends[0] == ends[1]:
            raise asked.refused("both limits are the same infinity", "give two ends")
        whole = expanded(asked.lowerer, solver_steps.over_line, [f], asked.node)
        return whole, zero, one, ends[1]
    way = ends[0] or ends[1]
    given = [f, b if ends[0] else a, Const(float(way))]
    half = expanded(asked.lowerer, solver_steps.over_half_line, given, asked.node)
    return half, zero, one, way if ends[1] else -way


def infinity(asked: Asked, end: Node) -> int:
    """1 or -1 for an infinite limit, else 0."""
    for op in asked.lowerer.scope.block.ops if isinstance(end, Value) else ():
        if end in op.results and isinstance(op, Apply) and op.fn is operator.neg:
            return -infinity(asked, op.args[0])
    known = isinstance(end, Const) and isinstance(end.value, (int, float, np.number))
    return int(np.sign(end.value)) if known and np.isinf(end.value) else 0


def lower_odeint(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    asked = Asked(lowerer, fn, args, kwargs, node)
    tfirst = asked.take("tfirst", False)
    f = asked.function("func", bool(tfirst.value))
    y0, t = asked.take("y0"), asked.take("t")
    rows, ends, _ = integrated(asked, f, y0, t, bool(tfirst.value), 1.49012e-8, 1.49012e-8)
    return lowerer.operations.apply(operator.getitem, (lowerer.operations.operand(rows), ends), {})


def lower_solve_ivp(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    asked = Asked(lowerer, fn, args, kwargs, node)
    method = asked.take("method", "RK45")
    if not isinstance(method, Const) or method.value != "RK45":
        raise asked.refused("only method='RK45' has a derivative")
    f, y0, span, at = (
        asked.function("fun", True),
        asked.take("y0"),
        asked.take("t_span"),
        asked.take("t_eval"),
    )
    t = lowerer.operations.operation(np.array, [span], {})
    if is_given(at):
        at = lowerer.operations.operation(np.asarray, [at], {})
        first = lowerer.operations.apply(operator.getitem, (t, slice(None, Const(1))), {})
        t = lowerer.operations.operation(np.concatenate, [packed([first, at])], {})
    rows, ends, times = integrated(asked, f, y0, t, True, 1e-3, 1e-6)
    if is_given(at):
        later = lowerer.operations.apply(operator.getitem, (ends, slice(Const(1), None)), {})
        rows, times = lowerer.operations.apply(operator.getitem, (rows, later), {}), at
    y = lowerer.operations.operation(np.transpose, [rows], {})
    names = ["t", "y", "success", "status"]
    return Pack(solvers.Trajectory, names, [times, y, Const(True), Const(0)])


def integrated(
    asked: Asked, f: Node, y0: Node, t: Node, tfirst: bool, rtol: float, atol: float
) -> tuple[Node, Any, Node]:
    """Every step of a trajectory, after how many of them the times are reached, and their times."""
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
