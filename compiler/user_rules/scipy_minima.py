"""SciPy's functions that find a minimum: a solution is differentiated through the equation that its gradient is zero."""

from __future__ import annotations

import inspect
import operator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from retrograd.runtime.replacements import solver_steps, solvers

from ..ir.containers import Pack
from ..ir.operations import Const, Function, Value
from ..lowering.interface.lowerer import Lowerer
from ..lowering.nodes import LocalFunction, Node, Unknown
from ..simplify.builder import Builder, clone_function
from .implicit_lowering import equation, fresh, gradient_of, operands, solution_kinds, unknowns
from .scipy_calls import Asked, expanded, is_given, lifted, packed, start, vector

__all__ = ["lower_curve_fit", "lower_least_squares", "lower_minimize", "lower_minimize_scalar"]


def lower_minimize(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    asked = Asked(lowerer, fn, args, kwargs, node)
    for name in ("jac", "hess", "hessp"):
        asked.take(name)
    f, rest = asked.take("fun"), asked.rest()
    made = lifted_at(asked, f, start(asked, "x0"), rest)
    x = stationary(asked, solvers.minimize, made, asked.options())
    return solution(asked, f, x, rest)


def lower_minimize_scalar(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    """``minimize_scalar``: the search is SciPy's, by values alone; a minimum inside the bounds."""
    asked = Asked(lowerer, fn, args, kwargs, node)
    f, rest = asked.take("fun"), asked.rest()
    ends = {name: asked.pair(name) for name in ("bracket", "bounds")}
    extra = asked.options()
    for name, pair in ends.items():
        if pair is not None:
            extra[name] = Const(tuple(map(asked.number, pair)))
    x = stationary(asked, solvers.minimize_scalar, lifted_at(asked, f, Const(0.0), rest), extra)
    return solution(asked, f, x, rest)


def lower_least_squares(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    """``least_squares``: where the gradient of half the sum of squares is zero."""
    asked = Asked(lowerer, fn, args, kwargs, node)
    asked.take("jac")
    f, rest = asked.take("fun"), asked.rest()
    x = least_squares(asked, f, start(asked, "x0"), rest)
    residuals = lowerer.calls.call(f, [x, *rest], {}, node)
    return Pack(solvers.Solution, ["x", "fun", "success"], [x, residuals, Const(True)])


def lower_curve_fit(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    """``curve_fit``: the parameters; their covariance has no derivative, and must not be read."""
    asked = Asked(lowerer, fn, args, kwargs, node)
    for name in ("jac", "absolute_sigma", "check_finite"):  # they do not change the parameters
        asked.take(name)
    f, x, y, sigma, p0 = (asked.take(name) for name in ("f", "xdata", "ydata", "sigma", "p0"))
    count = parameters_of(asked, f)
    z = lowerer.operations.operation(np.ravel, [p0 if is_given(p0) else Const(np.ones(count))], {})
    misfit = expanded(lowerer, solver_steps.misfit, [f, x, y, sigma, Const(count)], node)
    asked.given.setdefault("method", Const("lm"))
    found = least_squares(asked, misfit, z, [])
    return packed([found, Unknown("the covariance that `curve_fit` estimates")])


def least_squares(asked: Asked, f: Node, z: Node, rest: list[Node]) -> Node:
    made = lifted_at(asked, vector(asked, f), z, rest)
    whole = replace(made, scalar=half_square(made.function))
    return stationary(asked, solvers.least_squares, whole, asked.options())


def half_square(function: Function) -> Function:
    """Half the sum of the squares of what a function gives."""
    made = clone_function(function)
    b = Builder(made.body)
    b.learn(made.body)
    (y,) = made.body.yields
    made.body.yields = [
        b.emit(operator.mul, Const(0.5), b.emit(np.sum, b.emit(operator.mul, y, y)))
    ]
    return made


def parameters_of(asked: Asked, f: Node) -> int:
    """How many parameters a model has after its first argument."""
    if isinstance(f, LocalFunction):
        names = f.node.args.args
        if not f.node.args.vararg:
            return len(names) - 1
    elif isinstance(f, Const) and callable(f.value):
        parameters = list(inspect.signature(f.value).parameters.values())
        if all(p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters):
            return len(parameters) - 1
    raise asked.refused("the number of parameters is not known", "give the model one name for each")


@dataclass(frozen=True)
class Lifted:
    """A function of flat arguments, the start, and its other arguments; the function that is least."""

    function: Function
    z: Node
    inputs: list[Any]
    scalar: Function


def lifted_at(asked: Asked, f: Node, z: Node, rest: list[Node]) -> Lifted:
    z = unknowns(asked.lowerer, z, asked.node)
    shown, others = fresh(z), fresh(packed(rest))
    if isinstance(shown, Value):
        shown.hint = "z"
    function, free = lifted(asked, f, [shown, *others.items], "f")
    return Lifted(function, z, [*operands(packed(rest)), *free], function)


def stationary(asked: Asked, solver: Any, made: Lifted, extra: dict[str, Any]) -> Node:
    """The solution of a solver that is given a function, and the gradient that is zero at the solution."""
    lowerer, kinds = asked.lowerer, solution_kinds(made.z)
    slopes = gradient_of(made.scalar, 1)
    lowerer.scope.program.callees["lifted", slopes] = slopes
    functions = [made.function, slopes]
    return equation(
        lowerer, solver, functions, "zero", made.z, made.inputs, kinds, extra, asked.node
    )


def solution(asked: Asked, f: Node, x: Node, rest: list[Node]) -> Pack:
    """What SciPy says of a minimum."""
    least = asked.lowerer.calls.call(f, [x, *rest], {}, asked.node)
    return Pack(solvers.Solution, ["x", "fun", "success"], [x, least, Const(True)])
