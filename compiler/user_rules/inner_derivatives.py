"""Derivatives that are called inside a function: functions of the program, made while it is lowered.

``rg.grad(potential)(q)`` is a call of ``potential_grad``, whose operations are those of a derivative; so it is
differentiated as any function that is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.errors import UnsupportedOperation
from retrograd.runtime.helpers import linear
from retrograd.runtime.records import dataclass, replace

from ..analyses.aliasing.memory_facts import is_fresh
from ..analyses.module_objects import keep_in_order
from ..analyses.shapes.infer import type_of
from ..differentiate.callee_derivatives import Derivatives
from ..differentiate.transformations import Request, derived
from ..ir.argument_path import Place
from ..ir.containers import Pack, leaves
from ..ir.operations import (
    Apply,
    Block,
    Call,
    Const,
    Function,
    Operand,
    Value,
    reachable,
    replace_values,
)
from ..ir.structure import structure_of
from ..ir.types import Array, Dim, Number, Stack, Tree, Type, rename
from ..lowering.calls.arguments_and_results import sent
from ..lowering.calls.closure_conversion import Lifted, lift
from ..lowering.interface.lowerer import Lowerer
from ..lowering.nodes import Code, Derived, LocalFunction, Node
from ..passes import stages
from ..passes.manager import run
from ..passes.redundancy.dead_code import eliminate
from .custom_lowering import refuse_writes
from .inner_arguments import Given
from .orders_of_integrals import tell_order

__all__ = [
    "Inner", "as_tangent", "called", "is_new", "kinds_of", "known", "name_of", "refuse_unfinished", "table_of",
]  # fmt: skip


@dataclass
class Inner:
    """A function that is differentiated where it is called: lowered with values of its own for its arguments."""

    lowerer: Lowerer
    given: Given
    lifted: Lifted
    params: list[Value]
    at: gast.AST

    @staticmethod
    def of(lowerer: Lowerer, fn: Node, given: Given, places: list[Place], at: gast.AST) -> Inner:
        given.freshen(places)
        args, named = given.call(given.shown)
        params = [v for p in (*args, *named.values()) for v in leaves(p) if isinstance(v, Value)]
        lifted = known(lowerer, lift(lowerer, fn, args, name_of(fn), at, named))
        refuse_writes(lifted.function.name, lifted.function)
        return Inner(lowerer, given, lifted, params, at)

    @property
    def function(self) -> Function:
        return self.lifted.function

    @property
    def operands(self) -> list[Operand]:
        """The arguments of the function, then the values it reads around it."""
        own = [self.given.operands.get(p, p) for p in self.params]
        return [*own, *map(self.lowerer.versions.current, self.lifted.free)]

    def positions(self, values: Sequence[Value]) -> tuple[int, ...]:
        return tuple(self.params.index(v) for v in values)

    def made(self, kind: str, values: Sequence[Value]) -> list[Function]:
        """The derivative of the function with respect to some of its parameters."""
        wrt = self.positions(values)
        if kind != "hvp":
            return derived_from(self.lowerer, self.function, kind, wrt, self.at)
        (slope,) = derived_from(self.lowerer, self.function, "grad", wrt, self.at)
        (product,) = derived_from(self.lowerer, slope, "tangent", wrt, self.at)
        product.name = f"{self.function.name.rstrip('_')}_hvp"
        return [product]

    def call(self, callee: Function, more: Sequence[Operand] = ()) -> list[Value]:
        """Call a function that takes what the function takes, and ``more``."""
        given = [*self.operands, *map(self.lowerer.versions.current, more)]
        return called(self.lowerer, callee, given, self.kinds(callee), self.at)

    def kinds(self, callee: Function) -> list[Type]:
        """The types of results, in the names that dimensions have here."""
        if self.lifted.direct:
            return kinds_of(callee, self.function, self.operands)
        return [type_of(y) for y in callee.body.yields]

    def value(self, values: list[Value]) -> Node:
        """The result of the function itself, in its containers."""
        versions = self.lowerer.versions
        for v, y in zip(values, self.function.body.yields, strict=True):
            arrays = [a for a in self.operands if versions.may_be_array(a)]
            if arrays and versions.may_be_array(v) and not is_new(self.function.body, y):
                versions.beside(v, arrays)
        return self.structured(values)

    def structured(self, values: list[Value]) -> Node:
        return self.lowerer.cells.seen(sent(self.lifted.tree, iter(values), {}, self.lowerer))

    @property
    def count(self) -> int:
        """How many results the function has."""
        return len(self.function.body.yields)


def known(lowerer: Lowerer, lifted: Lifted) -> Lifted:
    """The same function as one that was made for another call, if there is one: it has its derivatives already."""
    if lifted.direct:
        return lifted
    program = lowerer.scope.program
    made = program.derived.setdefault(("lifted", structure_of(lifted.function)), lifted.function)
    if made is not lifted.function:
        program.callees.pop(("lifted", lifted.function), None)
    return replace(lifted, function=made)


def name_of(fn: Node) -> str:
    """The name of a function in the text, where it is no callee."""
    while isinstance(fn, Pack) and isinstance(fn.kind, Derived):
        fn = fn.items[0]
    if isinstance(fn, LocalFunction):
        found = getattr(fn.node, "name", None)
    elif isinstance(fn, Pack) and isinstance(fn.kind, Code):
        found = fn.kind.__name__
    else:
        found = getattr(getattr(fn, "value", None), "__name__", None)
    return found.rstrip("_") if isinstance(found, str) and found.isidentifier() else "inner"


def is_new(body: Block, y: Operand) -> bool:
    """True if a result of a function is certainly memory of its own."""
    if isinstance(y, Const) or isinstance(type_of(y), Number):
        return not is_ndarray(getattr(y, "value", None))
    return any(isinstance(op, Apply) and is_fresh(op) and y in op.results for op in body.ops)


def called(
    lowerer: Lowerer, callee: Function, operands: list[Operand], kinds: list[Type], at: gast.AST
) -> list[Value]:
    """A call of a function of the program, as an operation of the block that is written."""
    loc = lowerer.scope.location(at)
    results = [Value(None, kind, loc) for kind in kinds]
    lowerer.scope.block.ops.append(Call(list(results), loc, callee, tuple(operands)))
    lowerer.versions.made_in(results, lowerer.scope.block)
    return results


def kinds_of(callee: Function, function: Function, operands: list[Operand]) -> list[Type]:
    """The types of what ``callee`` returns, with the names that sizes have where ``function`` is given these."""
    names: dict[str, str] = {}
    for p, a in zip(function.body.params, operands, strict=True):
        pair_sizes(p.type, type_of(a), names)
    return [rename(type_of(y), names.get) for y in callee.body.yields]


def pair_sizes(inner: Type, outer: Type, names: dict[str, str]) -> None:
    """Enter the names that the sizes of a parameter have where it is given."""
    if isinstance(inner, Tree) and isinstance(outer, Tree):
        for a, b in zip(inner.items, outer.items, strict=False):
            pair_sizes(a, b, names)
    elif isinstance(inner, Stack) and isinstance(outer, Stack):
        pair_sizes(inner.item, outer.item, names)
    elif isinstance(inner, Array) and isinstance(outer, Array):
        for m, n in zip(inner.dims or (), outer.dims or (), strict=False):
            if isinstance(m, Dim) and isinstance(n, Dim):
                names.setdefault(m.name, n.name)


# -- the derivative ---------------------------------------------------------------------------


def derived_from(
    lowerer: Lowerer, function: Function, kind: str, wrt: tuple[int, ...], at: gast.AST
) -> list[Function]:
    """The functions that one transformation makes of ``function``, each made once."""
    program = lowerer.scope.program
    key = (kind, function, wrt)
    if key not in program.derived:
        whole = list(reachable(function))
        refuse_unfinished(lowerer, function, whole, at)
        keep_in_order(whole, program.taken)
        for part in whole:
            run(stages.LOWERED, part)
            run(stages.CALLEES, part)
        request = Request(kind, tuple(map(Place, wrt)), single=len(wrt) == 1)
        program.derived[key] = derived(function, request, table_of(program))
        for one in program.derived[key]:
            tell_order(one, 1, least=1)
            settle_gradients(one)
    made: list[Function] = program.derived[key]
    known = set(program.callees.values())
    for part in {p: None for one in made for p in reachable(one)}:
        if part not in known:
            program.callees["derived", part] = part
    return made


def settle_gradients(function: Function) -> None:
    """Type, in place, what is brought to the type of an argument.

    Numbers are returned without looking whether NumPy's or an array of rank 0 was given: nothing tells.
    """
    plain: dict[Value, Operand] = {}
    for op in function.body.ops:
        if isinstance(op, Apply) and op.fn is linear.match:
            op.result.type = op.result.type or type_of(op.args[1])
            if all(map(is_double, op.args)):
                plain[op.result] = op.args[0]
    replace_values(function.body, lambda v: plain.get(v, v) if isinstance(v, Value) else v)
    eliminate(function)


def is_double(x: Operand) -> bool:
    kind = type_of(x)
    if isinstance(kind, Number):
        return kind.kind == "f"
    return isinstance(kind, Array) and kind.dims == () and kind.dtype == "float64"


def table_of(program: Any) -> Derivatives:
    """The derivatives of callees that are made while the program is lowered."""
    found: Derivatives | None = program.derived.get("table")
    if found is None:
        found = program.derived["table"] = Derivatives(
            tape=program.tape, refused=program.refused, apart=True, revolving=False
        )
    return found


def refuse_unfinished(
    lowerer: Lowerer, function: Function, whole: list[Function], at: gast.AST
) -> None:
    """Refuse the derivative of a function in itself: it would be one of every order."""
    program = lowerer.scope.program
    unfinished = [program.callees[key] for key in program.under_way if key in program.callees]
    if any(part in unfinished for part in whole):
        raise UnsupportedOperation(
            f"`{function.name}` calls its own derivative",
            place=lowerer.scope.place(at),
            fix="write the derivative of another function, or the recursion as a loop",
        )


# -- tangents and cotangents that are given -------------------------------------------------------


def as_tangent(lowerer: Lowerer, dot: Node, x: Any) -> Operand:
    """A node as the tangent of ``x``, or its cotangent, of the type of ``x``."""
    wanted = type_of(x)
    if isinstance(dot, Const) and type(dot.value) in (int, float) and is_double(x):
        return Const(float(dot.value))
    v: Operand = lowerer.operations.operand(dot)
    known = type_of(v)
    if isinstance(wanted, Number) and isinstance(known, Number) and wanted.kind == known.kind:
        return v
    whole = isinstance(wanted, Array) and wanted.dims is not None and None not in wanted.dims
    if whole and wanted.dtype is not None and known == wanted:  # type: ignore[union-attr]
        return v
    made = lowerer.operations.apply(linear.as_tangent, (v, x), {})
    made.type = wanted
    return made
