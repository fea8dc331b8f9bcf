"""``rg.fixed_point``, ``rg.root``, ``rg.argmin`` and ``rg.linear_solve`` in the compiler."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.errors import NotDifferentiable, UnsupportedSyntax
from retrograd.runtime.helpers import linear
from retrograd.runtime.solvers import implicit

from ..analyses.shapes.infer import type_of
from ..differentiate.callee_derivatives import Derivatives, finished
from ..differentiate.residuals.residuals import keep
from ..differentiate.reverse import reverse
from ..differentiate.scalar_check import check_result
from ..frontend.source import source_of
from ..ir.containers import LEAF, Pack, leaves, rebuild, structure_of
from ..ir.operations import UNDEFINED, Block, Call, Const, Function, Operand, Value
from ..ir.types import Number, kind_of
from ..lowering.calls.checkpoint_marks import ask_loops, is_count
from ..lowering.calls.closure_conversion import lift
from ..lowering.interface.lowerer import Lowerer
from ..lowering.nodes import LocalFunction
from ..passes.redundancy.polish import polish
from ..simplify.builder import Builder, clone_function
from .custom_derivative import reads_active
from .implicit_derivative import Equation, linear_system, solver_call

__all__ = ["SPECIAL"]

Node = Any


def words(lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], node: Any) -> Any:
    """The arguments of one of these calls by name; those after the start as a list."""
    given = {k: v for k, v in kwargs.items() if k in ("adjoint", "tol", "max_steps")}
    named = [
        p.name for p in inspect.signature(fn).parameters.values() if p.kind is p.POSITIONAL_ONLY
    ]
    for name, value in zip(named, args, strict=False):
        given[name] = value
    unknown = [k for k in kwargs if k not in {*named, *given}]
    if unknown or not set(named) <= set(given):
        raise UnsupportedSyntax(
            f"this call of {fn.__name__} has missing or unknown arguments",
            place=lowerer.scope.place(node),
        )
    given["rest"] = Pack(tuple, list(range(len(args[len(named) :]))), list(args[len(named) :]))
    return given


def options(lowerer: Lowerer, given: dict[str, Node], names: tuple[str, ...]) -> dict[str, Operand]:
    return {k: lowerer.operations.operand(given[k]) for k in names if k in given}


def is_unrolled(lowerer: Lowerer, given: dict[str, Node], fn: Any, node: Any) -> bool:
    adjoint = given.get("adjoint")
    kind = adjoint.kind if isinstance(adjoint, Pack) else type(getattr(adjoint, "value", None))
    if adjoint is None or kind in (implicit.Implicit, type(None)):
        return False
    if kind is not implicit.Unrolled or fn.__name__ != "fixed_point":
        raise UnsupportedSyntax(
            f"the `adjoint=` of {fn.__name__} must be one that exists and is known at compile time",
            place=lowerer.scope.place(node),
            fix="use rg.Implicit(), or write the iteration as a loop",
        )
    return True


def unknowns(lowerer: Lowerer, start: Node, node: Any) -> Node:
    """The unknowns: the start, every leaf of which must be a number or an array; whole numbers are taken for floats."""

    def leaf(v: Node) -> Node:
        if isinstance(v, Const) and type(v.value) in (bool, int):
            v = Const(float(v.value))
        elif kind_of(type_of(v)) in ("b", "i", "u"):
            whole = isinstance(type_of(v), Number)
            fn, options = (float, ()) if whole else (np.asarray, (Const(float),))
            v = lowerer.operations.apply(fn, (lowerer.operations.operand(v), *options), {})
        if not is_unknown(v):
            raise UnsupportedSyntax(
                "the start of an implicit value is a number, an array, or a container of them",
                place=lowerer.scope.place(node),
            )
        return v

    return rebuild(start, leaf)


def is_unknown(v: Node) -> bool:
    """True if a leaf is one of the numbers that are solved for, or given at run time."""
    if isinstance(v, Const):
        return (
            is_ndarray(v.value) or isinstance(v.value, (float, np.generic))
        ) and v is not UNDEFINED
    return isinstance(v, Value)


def fresh(node: Node) -> Node:
    """The container with new values of the same types."""
    return rebuild(
        node, lambda v: Value(getattr(v, "hint", None), type_of(v)) if is_unknown(v) else v
    )


def operands(node: Node) -> list[Operand]:
    return [v for v in leaves(node) if is_unknown(v)]


def lifted(
    lowerer: Lowerer, fn: Node, given: dict[str, Node], z: Node, name: str, node: Any
) -> Any:
    """The function of an equation: of the unknowns, the parameters, and what it reads around it."""
    shown, rest = fresh(z), fresh(given["rest"])
    for k, v in enumerate(leaves(shown)):
        if isinstance(v, Value) and v.hint is None:
            v.hint = "z" if not k else f"z_{k}"
    found = lift(lowerer, fn, [shown, *rest.items], named(fn, name), node)
    return found.function, [*operands(given["rest"]), *found.free], found.kinds


def named(fn: Node, name: str) -> str:
    found = getattr(getattr(fn, "node", None), "name", None)
    return found if isinstance(found, str) else name


def of_kinds(node: Node, kinds: list[Any]) -> Node:
    """The container with new values of these types."""
    found = iter(kinds)
    return rebuild(node, lambda v: Value("z", next(found)) if is_unknown(v) else v)


def check_structure(lowerer: Lowerer, function: Function, z: Node, what: str, node: Any) -> None:
    wanted = structure_of(z)
    if function.tree != wanted:
        raise UnsupportedSyntax(
            f"the function given to {what} returns another structure than the unknowns have",
            place=lowerer.scope.place(node), fix="return one number or array for each unknown",
        )  # fmt: skip


def equation(
    lowerer: Lowerer, fn: Any, functions: list[Function], sign: str, z: Node, rest: list[Operand],
    kinds: list[Any], extra: dict[str, Operand], node: Any, refine: bool = False,
) -> Node:  # fmt: skip
    """A call of a solver, whose derivative is that of its equation."""
    computed = [name for name, option in extra.items() if isinstance(option, Value)]
    given = [*operands(z), *rest, *(extra[name] for name in computed)]
    inputs = [lowerer.versions.current(v) for v in given]
    params = [Value(getattr(v, "hint", None), type_of(v)) for v in inputs]
    n, end = len(kinds), len(params) - len(computed)
    extra = extra | dict(zip(computed, params[end:], strict=True))
    block = Block(params)
    block.yields = list(
        solver_call(block, fn, functions, params[:n], params[n:end], kinds, extra, False)
    )
    callee = Function(fn.__name__, block, LEAF, lowerer.scope.source)
    callee.facts.without_effects()
    callee.facts.custom, callee.facts.inline = Equation(functions[-1], n, sign, refine), True
    results = [Value(None, kind, lowerer.scope.location(node)) for kind in kinds]
    lowerer.scope.block.ops.append(
        Call(list(results), lowerer.scope.location(node), callee, tuple(inputs))
    )
    enter_results(lowerer, results, inputs if sign == "fixed" else [])
    remaining = iter(results)
    return rebuild(z, lambda v: next(remaining) if is_unknown(v) else v)


def solution_kinds(z: Node) -> list[Any]:
    """The types of the unknowns: those of the start; a number may become NumPy's."""
    return [type_of(v) for v in operands(z)]


def enter_results(lowerer: Lowerer, results: list[Value], shown: list[Operand]) -> None:
    """New values; a fixed point may be an array that was given, so that writes to it are seen."""
    for result in results:
        lowerer.versions.made_in([result], lowerer.scope.block)
        if any(lowerer.versions.may_be_array(v) for v in shown):
            lowerer.versions.beside(result, [v for v in shown if lowerer.versions.may_be_array(v)])


def lower_fixed_point(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], node: Any
) -> Node:
    given = words(lowerer, fn, args, kwargs, node)
    z = unknowns(lowerer, given["z0"], node)
    if is_unrolled(lowerer, given, fn, node):
        return unrolled(lowerer, given, z, node)
    shown = fresh(z)
    for _ in range(3):
        function, rest, kinds = lifted(lowerer, given["g"], given, shown, "g", node)
        check_structure(lowerer, function, z, "fixed_point", node)
        if kinds == [v.type for v in operands(shown)]:
            break
        shown = of_kinds(z, kinds)
    extra = options(lowerer, given, ("tol", "max_steps"))
    return equation(lowerer, implicit.fixed_point, [function], "fixed", z, rest, kinds, extra, node)


def lower_root(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], node: Any
) -> Node:
    given = words(lowerer, fn, args, kwargs, node)
    is_unrolled(lowerer, given, fn, node)
    z = unknowns(lowerer, given["z0"], node)
    function, rest, _ = lifted(lowerer, given["f"], given, z, "f", node)
    if len(function.body.yields) != len(operands(z)):
        check_structure(lowerer, function, z, "root", node)
    extra = options(lowerer, given, ("tol", "max_steps"))
    kinds = solution_kinds(z)
    return equation(lowerer, implicit.root, [function], "zero", z, rest, kinds, extra, node)


def lower_argmin(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], node: Any
) -> Node:
    given = words(lowerer, fn, args, kwargs, node)
    is_unrolled(lowerer, given, fn, node)
    z = unknowns(lowerer, given["z0"], node)
    function, rest, _ = lifted(lowerer, given["f"], given, z, "f", node)
    slopes = gradient_of(function, len(operands(z)))
    lowerer.scope.program.callees["lifted", slopes] = slopes
    extra = options(lowerer, given, ("tol", "max_steps"))
    kinds = solution_kinds(z)
    return equation(
        lowerer, implicit.argmin, [function, slopes], "zero", z, rest, kinds, extra, node
    )


def gradient_of(function: Function, n: int) -> Function:
    """The gradient of a scalar function by its first ``n`` parameters, as a function of all."""
    check_result(function)
    source = clone_function(function)
    wrt = source.body.params[:n]
    made = reverse(source, wrt, Derivatives(), unit=True)
    keep(made.backward, made.mirrors, made.bars, made.forward.body, made.frugal)
    body = made.forward.body
    body.ops = body.ops + made.backward.ops
    b = Builder(body, shown=body.params)
    b.learn(body)
    bars = [made.bars[v] for v in wrt]
    body.yields = [
        b.emit(linear.zeros_like, p) if bar is None else b.apply(linear.unbroadcast, bar, p)
        for bar, p in zip(bars, body.params, strict=False)
    ]
    slopes = Function(f"{function.name}_grad", body, LEAF, function.source, function.names)
    finished(body)
    return polish(slopes)


def lower_linear_solve(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], node: Any
) -> Node:
    given = words(lowerer, fn, args, kwargs, node)
    is_unrolled(lowerer, given, fn, node)
    matrix = given["matvec"]
    if isinstance(matrix, Value) or is_ndarray(getattr(matrix, "value", None)):
        return lowerer.operations.operation(np.linalg.solve, [matrix, given["b"]], {})
    b = unknowns(lowerer, given["b"], node)
    function, rest, _ = lifted(lowerer, matrix, given, b, "matvec", node)
    check_structure(lowerer, function, b, "linear_solve", node)
    check_linear(lowerer, function, len(operands(b)), node)
    tol = options(lowerer, given, ("tol",)).get("tol")
    builder = Builder(lowerer.scope.block)
    builder.loc = lowerer.scope.location(node)
    kinds = solution_kinds(b)
    inputs = [lowerer.versions.current(v) for v in [*operands(b), *rest]]
    n = len(kinds)
    results = linear_system(builder, function, inputs[:n], inputs[n:], kinds, tol, False)
    enter_results(lowerer, results, [])
    remaining = iter(results)
    return rebuild(b, lambda v: next(remaining) if is_unknown(v) else v)


def check_linear(lowerer: Lowerer, function: Function, n: int, node: Any) -> None:
    """A product with a matrix has a derivative that does not depend on the vector."""
    derive = Derivatives()
    on = tuple(k < n for k in range(len(function.body.params)))
    pair = derive.pair(clone_function(function), on, (True,) * n)
    if reads_active(pair, on):
        raise NotDifferentiable(
            "the function given to linear_solve is not linear in its first argument",
            place=lowerer.scope.place(node), fix="use rg.root for an equation that is not linear",
        )  # fmt: skip


def unrolled(lowerer: Lowerer, given: dict[str, Node], z: Node, node: Any) -> Node:
    """The iteration as a loop of the program."""
    text = source_of(implicit.iterate)
    frame = lowerer.scope.frame_of_ours()
    loop = LocalFunction(text.tree, frame, [], (implicit.iterate, text, set()))
    tol = given.get("tol", Const(1e-12))
    most = given.get("max_steps", Const(1000))
    outer = lowerer.scope.pin(lowerer.scope.location(node))
    before = len(lowerer.scope.block.ops)
    try:
        found = lowerer.closures.call_local(
            loop, [given["g"], z, given["rest"], tol, most], {}, node
        )
    finally:
        lowerer.scope.pin(outer)
    ask_loops(lowerer.scope.block.ops[before:], states_kept(lowerer, given["adjoint"], node))
    return found


def states_kept(lowerer: Lowerer, adjoint: Node, node: Any) -> int:
    """``rg.Unrolled(checkpoints=k)``: how many states of the iteration a derivative keeps; 0: all."""
    if isinstance(adjoint, Pack):
        given = adjoint.get("checkpoints")
        count = given.value if isinstance(given, Const) else given
    else:
        count = adjoint.value.checkpoints
    if count is not None and not is_count(count):
        raise UnsupportedSyntax(
            "`checkpoints` is not a positive number known at compile time",
            place=lowerer.scope.place(node), fix="rg.Unrolled(checkpoints=16)",
        )  # fmt: skip
    return int(count or 0)


SPECIAL = {
    "fixed_point": lower_fixed_point,
    "root": lower_root,
    "argmin": lower_argmin,
    "linear_solve": lower_linear_solve,
}
