"""SciPy's functions that find a minimum: a solution is differentiated through the equation that its gradient is zero."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from retrograd.runtime.records import dataclass, replace
from retrograd.runtime.replacements import solver_steps, solvers

from ..analyses.shapes.infer import type_of
from ..ir.containers import Pack
from ..ir.operations import Const, Function, Value
from ..ir.types import Array
from ..lowering.interface.lowerer import Lowerer
from ..lowering.nodes import LocalFunction, Node, Unknown
from ..simplify.builder import Builder, clone_function
from .implicit_lowering import equation, fresh, gradient_of, operands, solution_kinds, unknowns
from .scipy_calls import (
    Asked,
    expanded,
    is_given,
    is_known_number,
    lifted,
    packed,
    start,
    vector,
)

__all__ = [
    "lower_curve_fit",
    "lower_fmin",
    "lower_fminbound",
    "lower_least_squares",
    "lower_leastsq",
    "lower_minimize",
    "lower_minimize_scalar",
]


def lower_minimize(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    asked = Asked(lowerer, fn, args, kwargs, node)
    for name in ("hess", "hessp"):
        asked.take(name)
    jac, bounds = asked.take("jac"), asked.bounds()
    both = isinstance(jac, Const) and jac.value is True
    f, rest = value_alone(asked, asked.function("fun"), both), asked.rest()
    made = lifted_at(asked, f, start(asked, "x0"), rest)
    if bounds:
        check_carries(asked, made)
    x = stationary(asked, solvers.minimize, made, bounds | asked.options())
    return solution(asked, f, x, rest)


def value_alone(asked: Asked, f: Node, both: bool) -> Node:
    """The function that is least, of one that may give its gradient, too."""
    if not both:
        return f
    return expanded(asked.lowerer, solver_steps.item_of, [f, Const(0)], asked.node)


def lower_minimize_scalar(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    """``minimize_scalar``: the search is SciPy's, by values alone; a minimum inside the bounds."""
    asked = Asked(lowerer, fn, args, kwargs, node)
    f, rest = asked.take("fun"), asked.rest()
    bracket, bounds = asked.pair("bracket"), asked.pair("bounds")
    x = on_a_line(asked, f, rest, bracket, bounds, asked.options())
    return solution(asked, f, x, rest)


def on_a_line(
    asked: Asked, f: Node, rest: list[Node], bracket: Any, bounds: Any, extra: dict[str, Any]
) -> Node:
    """A minimum of a function of one number, which does not depend on the bounds that it is inside of."""
    made = lifted_at(asked, f, Const(0.0), rest)
    if bracket is not None:
        extra["bracket"] = Const(tuple(map(asked.number, bracket)))
    if bounds is not None and all(map(is_known_number, bounds)):
        extra["bounds"] = Const(tuple(map(asked.number, bounds)))
    elif bounds is not None:
        check_carries(asked, made, bounds)
        for name, end in zip(("low", "high"), bounds, strict=True):
            number = end if isinstance(end, Value) else Const(asked.number(end))
            extra[name] = asked.lowerer.operations.operand(number)
    return stationary(asked, solvers.minimize_scalar, made, extra)


def check_carries(asked: Asked, made: Lifted, others: Iterable[Node] = ()) -> None:
    """What nothing differentiated goes into is left to SciPy, whatever it searches, as any call is."""
    if asked.lowerer.inactive.are_inert([made.z, *made.inputs, *others]):
        raise asked.refused(
            "nothing differentiated goes into it, and the function cannot be handed to SciPy as it is",
            "write the function in place, with no defaults and no `*args`",
        )


FULL = {
    "fmin": 5, "fmin_powell": 6, "fmin_cg": 5, "fmin_bfgs": 7, "fmin_ncg": 6, "fmin_l_bfgs_b": 3,
    "fminbound": 4, "brent": 4, "golden": 3,
}  # fmt: skip


def lower_fmin(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    """``fmin``, ``fmin_bfgs`` and their like."""
    asked = Asked(lowerer, fn, args, kwargs, node)
    f = asked.function("func" if "func" in asked.given else "f")
    extra: dict[str, Any] = {"method": Const(asked.name)}
    slope, *_ = (is_given(asked.take(name)) for name in ("fprime", "fhess", "fhess_p"))
    in_bounds = asked.name == "fmin_l_bfgs_b"
    if in_bounds:
        both = not slope and not asked.flag("approx_grad")
        f, slope = value_alone(asked, f, both), slope or both
        extra |= asked.bounds() | ({} if slope else {"approx_grad": Const(True)})
    if not in_bounds or "disp" in asked.given:
        extra["disp"] = Const(asked.flag("disp", True))
    full, rest = in_bounds or asked.flag("full_output"), asked.rest()
    made = lifted_at(asked, f, start(asked, "x0"), rest)
    extra |= asked.options()
    x = least_at(asked, made, slope, extra)
    return told(asked, f, x, rest) if full else x


def least_at(asked: Asked, made: Lifted, slope: bool, extra: dict[str, Any]) -> Node:
    are_inert = asked.lowerer.inactive.are_inert
    if are_inert(made.inputs) and not are_inert([made.z]):
        raise asked.refused(
            "nothing that is differentiated goes into the function, though it does into the start",
            "start somewhere else: where the search ends should not depend on it",
        )
    if asked.name in ("fmin_ncg", "fmin_l_bfgs_b"):
        check_carries(asked, made)
    elif are_inert(made.inputs):
        return alone(asked, made.function, made.z, made.inputs, extra)
    return stationary(asked, solvers.fmin, made, extra | ({"slope": Const(True)} if slope else {}))


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
    bracket, bounds = (None, ends) if bounded else (ends, None)
    x = on_a_line(asked, f, rest, bracket, bounds, extra)
    return told(asked, f, x, rest) if full else x


BOUNDED = {"xtol": "xatol", "maxfun": "maxiter"}
LINE = {"tol": "xtol", "maxiter": "maxiter"}


def told(asked: Asked, f: Node, x: Node, rest: list[Node]) -> Pack:
    """``full_output=True``: the minimum and the value there; how it was found is not computed."""
    least = least_value(asked, f, x, rest)
    others = [Unknown(f"how `{asked.name}` went")] * (FULL[asked.name] - 2)
    return packed([x, least, *others])


def lower_least_squares(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    """``least_squares``: where the gradient of half the sum of squares is zero."""
    asked = Asked(lowerer, fn, args, kwargs, node)
    asked.take("jac")
    f, rest = asked.function("fun"), asked.rest()
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


def lower_leastsq(lowerer: Lowerer, fn: Any, args: Any, kwargs: Any, node: Any) -> Node:
    """``leastsq``: the parameters; neither their covariance nor how the search went is computed."""
    asked = Asked(lowerer, fn, args, kwargs, node)
    for name in ("Dfun", "col_deriv"):
        asked.take(name)
    full, f, rest = asked.flag("full_output"), asked.function("func"), asked.rest()
    made = squared(lifted_at(asked, vector(asked, f), start(asked, "x0"), rest))
    check_carries(asked, made)
    x = stationary(asked, solvers.leastsq, made, asked.options())
    return packed([x, *[Unknown("how `leastsq` went")] * (4 if full else 1)])


def least_squares(asked: Asked, f: Node, z: Node, rest: list[Node]) -> Node:
    made = squared(lifted_at(asked, vector(asked, f), z, rest))
    return stationary(asked, solvers.least_squares, made, asked.options())


def squared(made: Lifted) -> Lifted:
    return replace(made, scalar=followed(made.function, half_square))


def half_square(b: Builder, y: Any) -> Any:
    """Half the sum of the squares."""
    return b.emit(operator.mul, Const(0.5), b.emit(np.sum, b.emit(operator.mul, y, y)))


def followed(function: Function, last: Callable[[Builder, Any], Any]) -> Function:
    """A function that goes on with what another gives."""
    made = clone_function(function)
    b = Builder(made.body)
    b.learn(made.body)
    (y,) = made.body.yields
    made.body.yields = [last(b, y)]
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
    scalar = made.scalar
    if len(scalar.body.yields) == 1 and may_be_array(scalar.body.yields[0]):
        scalar = followed(scalar, lambda b, y: b.emit(np.reshape, y, Const(())))
    slopes = gradient_of(scalar, 1)
    lowerer.scope.program.callees["lifted", slopes] = slopes
    functions = [made.function, slopes]
    return equation(
        lowerer,
        solver,
        functions,
        "zero",
        made.z,
        made.inputs,
        kinds,
        extra,
        asked.node,
        refine=True,
    )


def solution(asked: Asked, f: Node, x: Node, rest: list[Node]) -> Pack:
    """What SciPy says of a minimum."""
    least = least_value(asked, f, x, rest)
    return Pack(solvers.Solution, ["x", "fun", "success"], [x, least, Const(True)])


def least_value(asked: Asked, f: Node, x: Node, rest: list[Node]) -> Node:
    """The value at a minimum, a number also where the function gives an array of one."""
    least = asked.lowerer.calls.call(f, [x, *rest], {}, asked.node)
    if may_be_array(least):
        return asked.lowerer.operations.operation(np.reshape, [least, Const(())], {})
    return least


def may_be_array(y: Any) -> bool:
    """Whether what is made least may be an array, which SciPy takes the one number of."""
    if not isinstance(y, Value):
        return False
    kind = type_of(y)
    return kind is None or (isinstance(kind, Array) and kind.dims != ())
