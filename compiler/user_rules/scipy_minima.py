"""SciPy's functions that find a minimum: a solution is differentiated through the equation that its gradient is zero."""

from __future__ import annotations

import inspect
import operator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from retrograd.runtime.replacements import solver_steps, solvers

from ..analyses.shapes.infer import type_of
from ..ir.containers import Pack
from ..ir.operations import Const, Function, Value
from ..lowering.interface.lowerer import Lowerer
from ..lowering.nodes import LocalFunction, Node, Unknown
from ..simplify.builder import Builder, clone_function
from .implicit_lowering import equation, fresh, gradient_of, operands, solution_kinds, unknowns
from .scipy_calls import Asked, expanded, is_given, lifted, packed, start, vector

__all__ = [
    "lower_curve_fit",
    "lower_fmin",
    "lower_fminbound",
    "lower_least_squares",
    "lower_minimize",
    "lower_minimize_scalar",
]


def lower_minimize(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    asked = Asked(lowerer, fn, args, kwargs, node)
    for name in ("hess", "hessp"):
        asked.take(name)
    f, rest = value_alone(asked, asked.take("fun")), asked.rest()
    made = lifted_at(asked, f, start(asked, "x0"), rest)
    x = stationary(asked, solvers.minimize, made, asked.options())
    return solution(asked, f, x, rest)


def value_alone(asked: Asked, f: Node) -> Node:
    """The function that is least; ``jac=True`` says that it gives its gradient, too."""
    jac = asked.take("jac")
    if not (isinstance(jac, Const) and jac.value is True):
        return f
    return expanded(asked.lowerer, solver_steps.item_of, [f, Const(0)], asked.node)


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


FULL = {
    "fmin": 5,
    "fmin_powell": 6,
    "fmin_cg": 5,
    "fmin_bfgs": 7,
    "fminbound": 4,
    "brent": 4,
    "golden": 3,
}


def lower_fmin(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    """``fmin``, ``fmin_bfgs`` and their like."""
    asked = Asked(lowerer, fn, args, kwargs, node)
    f = asked.take("func" if "func" in asked.given else "f")
    extra: dict[str, Any] = {"method": Const(asked.name), "disp": Const(asked.flag("disp", True))}
    slope = is_given(asked.take("fprime"))
    full, rest = asked.flag("full_output"), asked.rest()
    z, function, inputs = at_start(asked, f, start(asked, "x0"), rest)
    extra |= asked.options()
    if lowerer.inactive.are_inert(inputs):
        x = alone(asked, function, z, inputs, extra)
    else:
        extra |= {"slope": Const(True)} if slope else {}
        x = stationary(asked, solvers.fmin, Lifted(function, z, inputs, function), extra)
    return told(asked, f, x, rest) if full else x


def alone(
    asked: Asked, function: Function, z: Node, inputs: list[Any], extra: dict[str, Any]
) -> Node:
    """The minimum of a function that nothing differentiated goes into, smooth or not: a constant."""
    operations = asked.lowerer.operations
    args = (Const(function), operations.operand(z), *([tuple(inputs)] if inputs else []))
    made = operations.apply(solvers.fmin_alone, args, extra)
    made.type = type_of(z)
    return made


def lower_fminbound(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    """``fminbound``, ``brent`` and ``golden``: those that ``minimize_scalar`` has by other names."""
    asked = Asked(lowerer, fn, args, kwargs, node)
    f, rest, full = asked.take("func"), asked.rest(), asked.flag("full_output")
    asked.take("disp")
    bounded = asked.name == "fminbound"
    ends = (asked.take("x1"), asked.take("x2")) if bounded else asked.pair("brack")
    names = BOUNDED if bounded else LINE
    asked.settings = {names[k]: asked.given.pop(k) for k in names if k in asked.given}
    extra = asked.options() | {"method": Const("bounded" if bounded else asked.name)}
    if ends is not None:
        extra["bounds" if bounded else "bracket"] = Const(tuple(map(asked.number, ends)))
    x = stationary(asked, solvers.minimize_scalar, lifted_at(asked, f, Const(0.0), rest), extra)
    return told(asked, f, x, rest) if full else x


BOUNDED = {"xtol": "xatol", "maxfun": "maxiter"}
LINE = {"tol": "xtol", "maxiter": "maxiter"}


def told(asked: Asked, f: Node, x: Node, rest: list[Node]) -> Pack:
    """``full_output=True``: the minimum and the value there; how it was found is not computed."""
    least = asked.lowerer.calls.call(f, [x, *rest], {}, asked.node)
    others = [Unknown(f"how `{asked.name}` went")] * (FULL[asked.name] - 2)
    return packed([x, least, *others])


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
    z, function, inputs = at_start(asked, f, z, rest)
    return Lifted(function, z, inputs, function)


def at_start(asked: Asked, f: Node, z: Node, rest: list[Node]) -> tuple[Node, Function, list[Any]]:
    """The start, the function of flat arguments, and these."""
    z = unknowns(asked.lowerer, z, asked.node)
    shown, others = fresh(z), fresh(packed(rest))
    if isinstance(shown, Value):
        shown.hint = "z"
    function, free = lifted(asked, f, [shown, *others.items], "f")
    return z, function, [*operands(packed(rest)), *free]


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
