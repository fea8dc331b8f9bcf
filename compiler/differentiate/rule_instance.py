"""Rules as templates: the lowered text of a rule, replayed on operands.

``instantiate`` gives the operations of one rule for one call, split into those that mention no
differential (replayed as they are) and the linear rest (kept for forward mode, transposed for
reverse mode).
"""

from __future__ import annotations

import builtins
import functools
import operator
from collections.abc import Callable, Iterator
from typing import Any

import gast
import numpy as np

from retrograd.runtime.errors import CompileError, Place, UnsupportedOperation
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import home_of, own_attribute
from retrograd.runtime.records import dataclass
from retrograd.runtime.rules.argument_binding import bound, own_parameters
from retrograd.runtime.rules.book import Rule, book

from ..analyses.activity import Activity
from ..analyses.class_protocols import foreign_in, is_fields_only, is_foreign_operand
from ..analyses.effects import container_writers, is_late, unknown_writers
from ..analyses.late_objects import keepers_of_numbers
from ..analyses.module_objects import keepers
from ..analyses.random_numbers import is_draw
from ..analyses.shapes.infer import type_of
from ..analyses.sparse_matrices import has_sparse
from ..analyses.visible_effects import name_of_late
from ..frontend.source import source_of
from ..ir.containers import Pack
from ..ir.operand_key import key
from ..ir.operations import (
    Apply,
    Call,
    Const,
    Function,
    Op,
    Operand,
    Value,
    map_operand,
    values_in,
    walk,
)
from ..ir.types import Number
from ..lowering.rule_text import lower_text
from ..simplify.builder import Builder

__all__ = ["Instance", "bind_operands", "expand", "instantiate", "number_of_results", "operand_of"]


@dataclass
class Instance:
    """One rule filled in: linear operations over ``ds``, and the expressions it returns."""

    ops: list[Apply]
    results: list[Operand]
    several: bool
    ds: dict[Value, tuple[str, int | None]]  # placeholder -> (parameter, position in a list)
    primal: dict[Value, Operand]  # placeholder -> the argument it is the differential of


def bind_operands(
    function: Callable[..., Any],
    args: tuple[Operand, ...],
    kwargs: dict[str, Operand],
    skip: int,
    fn: Any = None,
) -> dict[str, Operand]:
    """The operation's own parameters (after the first ``skip``) and what this call gives them."""
    given = bound(function, args, kwargs, skip, fn)
    own = own_parameters(function, skip)
    defaults = {
        p.name: () if p.kind is p.VAR_POSITIONAL else Const(p.default)
        for p in own.parameters.values()
    }
    return {name: given.get(name, default) for name, default in defaults.items()}


def node_of(operand: Operand) -> Any:
    """An operand as the lowering sees it: containers are packs."""
    if isinstance(operand, (tuple, list)):
        return Pack(type(operand), list(range(len(operand))), [node_of(i) for i in operand])
    if isinstance(operand, dict):
        return Pack(dict, list(operand), [node_of(i) for i in operand.values()])
    return operand


def operand_of(node: Any) -> Operand:
    if isinstance(node, Pack) and node.kind in (tuple, list):
        return node.kind([operand_of(i) for i in node.items])
    if isinstance(node, Pack):
        return {k: operand_of(i) for k, i in zip(node.keys, node.items, strict=True)}
    return node


def expand(b: Builder, function: Callable[..., Any], env: dict[str, Operand]) -> Operand:
    """Emit the body of a transpose or an adjoint on these operands; what it returns."""
    ops, result = lower_text(function, {k: node_of(v) for k, v in env.items()})
    table: dict[Value, Operand] = {}
    for op in ops:
        replay(b, op, table)
    return read(operand_of(result), table)


def replay(b: Builder, op: Any, table: dict[Value, Operand]) -> None:
    args = tuple(read(a, table) for a in op.args)
    kwargs = {k: read(a, table) for k, a in op.kwargs.items()}
    table[op.results[0]] = b.apply(op.fn, *args, **kwargs)


def read(operand: Operand, table: dict[Value, Operand]) -> Operand:
    """The operand with what its values were replaced by (which may be containers)."""
    return map_operand(operand, lambda v: table.get(v, v) if isinstance(v, Value) else v)


def instantiate(b: Builder, rule: Rule, op: Apply, active: Callable[[Any], bool]) -> Instance:
    """The rule of one operation, its nonlinear part emitted, inactive differentials pruned."""
    given = bind_operands(rule.differential, op.args, op.kwargs, 1, op.fn)
    env = {k: node_of(v) for k, v in given.items()} | {"z": op.results[0]}
    ds: dict[Value, tuple[str, int | None]] = {}
    zero: set[Value] = set()
    for name in rule.active:
        env[f"d{name}"] = differential(name, given[name], ds, zero, active)
    ops, result = lower_text(rule.differential, env)
    several = isinstance(result, Pack)
    results = [operand_of(i) for i in result.items] if several else [operand_of(result)]
    primal = {d: operand_at(given, where) for d, where in ds.items()}
    split = Split(b, set(ds), zero, primal)
    for inner in ops:
        split.take(inner)
    return Instance(split.linear, [split.final(r) for r in results], several, ds, primal)


def operand_at(given: dict[str, Operand], where: tuple[str, int | None]) -> Operand:
    name, position = where
    return given[name] if position is None else given[name][position]


def differential(name: str, x: Operand, ds: Any, zero: set[Value], active: Any) -> Any:
    """A placeholder for ``dx``, or a list of them for a list argument."""
    if isinstance(x, (tuple, list)):
        items = [one(f"d{name}", item, (name, k), ds, zero, active) for k, item in enumerate(x)]
        return Pack(type(x), list(range(len(items))), items)
    return one(f"d{name}", x, (name, None), ds, zero, active)


def one(hint: str, x: Operand, where: Any, ds: Any, zero: set[Value], active: Any) -> Value:
    d = Value(hint, type_of(x))
    ds[d] = where
    if not any(active(v) for v in values_in(x)):
        zero.add(d)
    return d


class Split:
    """Sorts the operations of a rule into nonlinear (emitted) and linear; drops zero terms."""

    def __init__(
        self, b: Builder, ds: set[Value], zero: set[Value], primal: dict[Value, Operand]
    ) -> None:
        self.b, self.dependent, self.zero, self.primal = b, set(ds), zero, primal
        self.table: dict[Value, Operand] = {}
        self.linear: list[Apply] = []
        self.known: dict[Any, Value] = {}

    def final(self, result: Operand) -> Operand:
        result = read(result, self.table)
        return Const(0.0) if isinstance(result, Value) and result in self.zero else result

    def take(self, op: Any) -> None:
        args = tuple(read(a, self.table) for a in op.args)
        kwargs = {k: read(a, self.table) for k, a in op.kwargs.items()}
        mentioned = [v for v in values_in([*args, *kwargs.values()]) if v in self.dependent]
        if not mentioned:
            self.table[op.results[0]] = self.b.apply(op.fn, *args, **kwargs)
        elif all(v in self.zero for v in mentioned):
            self.dependent.add(op.results[0])
            self.zero.add(op.results[0])
        else:
            self.keep(op, args, kwargs)

    def keep(self, op: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> None:
        """A linear operation with at least one nonzero differential in it."""
        result = op.results[0]
        if op.fn in (operator.add, operator.sub) and any(self.is_zero(a) for a in args):
            if self.is_zero(args[1]) or op.fn is operator.add:
                self.table[result] = args[0] if self.is_zero(args[1]) else args[1]
                return
            op, args = Apply([result], op.loc, operator.neg, ()), (args[1],)
        whole = handed_on(op.fn, args)
        if whole is not None:
            self.table[result] = whole
            return
        args = tuple(self.filled(a) for a in args)
        kwargs = {k: self.filled(a) for k, a in kwargs.items()}
        same = self.known.setdefault((op.fn, key(args), key(kwargs)), result)
        if same is not result:  # the rule says it twice: its cotangents are one sum
            self.table[result] = same
            return
        self.linear.append(Apply([result], op.loc, op.fn, args, kwargs))
        self.dependent.add(result)

    def is_zero(self, a: Operand) -> bool:
        return isinstance(a, Value) and a in self.zero

    def filled(self, a: Operand) -> Operand:
        """Zeros written out, where an operation needs something in their place."""
        if isinstance(a, (tuple, list)):
            return type(a)([self.zeros_for(i) if self.is_zero(i) else i for i in a])
        return self.zeros_for(a) if self.is_zero(a) else a

    def zeros_for(self, d: Value) -> Operand:
        x = self.primal.get(d)
        return Const(0.0) if x is None else self.b.apply(linear.zeros_like, x)


def handed_on(fn: Any, args: tuple[Operand, ...]) -> Operand | None:
    """The operand that a linear operation hands on: no dtype was asked for, nothing is left out."""
    plain = [a.value if isinstance(a, Const) else a for a in args]
    if fn is linear.to_type and plain[1:] in ([], [None]):
        return args[0]
    return args[1] if fn is np.where and plain[0] is True else None


def rule_of(op: Apply, function: Function, active: Callable[[Operand], bool]) -> Rule:
    """The rule of an operation on active values; what it says nothing about is refused."""
    source = function.source
    place = source.place(op.loc) if source is not None and op.loc is not None else None
    if is_draw(op.fn):
        raise of_random_numbers(op, place)
    if op.fn not in book:
        raise unsupported(op, "no rule for a value that is being differentiated", place)
    refuse_foreign(op, place)
    in_scipy = place is not None and "scipy" in place.file  # which asks before
    if not in_scipy and has_sparse(op, active):
        raise UnsupportedOperation(
            f"{own_attribute(op.fn, '__name__', op.fn)} of a sparse matrix is not what it is of an array",
            place=place, fix="write a product of matrices as A @ x, or compute with A.toarray()",
        )  # fmt: skip
    rule = book.rules[op.fn]
    try:
        given = bind_operands(rule.differential, op.args, op.kwargs, 1, op.fn)
    except TypeError as error:
        raise unsupported(op, str(error), place) from None
    for name, operand in given.items():
        if name not in {*rule.active, *rule.constant_in} and active(operand):
            raise unsupported(op, f"no derivative with respect to `{name}`", place)
    return rule


def refuse_foreign(op: Apply, place: Place | None) -> None:
    """A rule says what numbers and arrays give; an object of another class may answer as it likes."""
    if op.fn is builtins.getattr:
        return
    if op.fn is operator.getitem and not is_foreign_operand(op.args[0]):
        return
    if any(map(is_of_objects, [*op.args, *op.kwargs.values()])):
        raise unsupported(op, "an array of objects has no rule", place)
    ours = home_of(op.fn).startswith("retrograd")
    for cls in foreign_in([*op.args, *op.kwargs.values()]):
        if not (ours and is_fields_only(cls)):
            raise unsupported(
                op, f"a {cls.__name__} may answer it in its own way, which is not compiled", place
            )


def is_of_objects(operand: Operand) -> bool:
    """An array of objects."""
    return isinstance(operand, Value) and getattr(operand.type, "kind", None) == "O"


def of_random_numbers(op: Apply, place: Place | None) -> UnsupportedOperation:
    return UnsupportedOperation(
        f"{op.fn.__name__}: the parameters of a random generator have no derivative",
        place=place,
        fix="draw them from what is fixed: `loc + scale * rng.standard_normal(...)`, `x[rng.permutation(len(x))]`, "
        "or wrap the argument in rg.stop_gradient if its derivative is not wanted",
    )


def refuse_writers(function: Function, activity: Activity, derive: Any) -> None:
    """An unknown function that is given an active array could write into it, or keep it."""
    program: list[Apply] = derive.program or [
        op for op in walk(function.body) if isinstance(op, Apply)
    ]

    def at_risk(v: Operand) -> bool:
        return (
            v in activity.varied
            and not isinstance(v.type, Number)
            and getattr(v.type, "dims", None) != ()
        )

    def place_of(op: Op) -> Place | None:
        known = function.source is not None and op.loc is not None
        return function.source.place(op.loc) if known else None

    for op in container_writers(function.body, activity):
        raise unsupported(
            op,
            "it could not be compiled, and could change the list or dict it is given",
            place_of(op),
        )
    for op, at in keepers(function.body, activity.varied.__contains__, program):
        reason = "it keeps a value that is being differentiated, in an object that is asked again"
        raise unsupported(op, reason, place_of(at))
    varied = activity.varied.__contains__
    for op in keepers_of_numbers(function.body, varied, activity, program):
        reason = "it may keep a value that is being differentiated, where it is asked for again"
        raise unsupported(op, reason, place_of(op))
    for op in unknown_writers(function.body, at_risk):
        if activity(op.results[0]):
            continue  # refused where its rule is looked for
        place = place_of(op)
        why = refused_for(op.fn, derive.refused)
        reason = "it has no rule" if why is None else "it could not be compiled"
        reason += ", and could change an array that is being differentiated"
        raise unsupported(op, f"{reason} ({why.reason})" if why is not None else reason, place)
    for call in [op for op in walk(function.body) if isinstance(op, Call)]:
        refuse_writers_called(call, activity, derive)


def refuse_writers_called(op: Call, activity: Activity, derive: Any) -> None:
    """The same of a callee: nobody may ask for its derivative, and what it writes to is seen all the same."""
    callee = op.callee
    varied = [activity.reads_varied([a]) for a in op.args]
    asked = [activity(r) for r in op.results]
    known = (callee, tuple(varied), tuple(asked))
    if not any(varied) or known in derive.seen_writers:
        return
    derive.seen_writers.add(known)
    given = [p for p, on in zip(callee.body.params, varied, strict=False) if on]
    ends = [y for y, on in zip(callee.body.yields, asked, strict=False) if on]
    refuse_writers(callee, Activity(callee, given, ends), derive)


def refused_for(fn: Any, refused: dict[Any, CompileError]) -> CompileError | None:
    try:
        return refused.get(fn)
    except TypeError:  # not hashable
        return None


def unsupported(op: Apply, reason: str, place: Place | None) -> UnsupportedOperation:
    name = name_of_late(op) if is_late(op.fn) else own_attribute(op.fn, "__name__", str(op.fn))
    return UnsupportedOperation(
        f"{name}: {reason}", place=place,
        fix="use an operation from `retrograd rules`, give it a rule with @rg.rule, "
        "or wrap the argument in rg.stop_gradient if its derivative is not wanted",
    )  # fmt: skip


def differentials_in(ops: list[Apply]) -> Iterator[Value]:
    for op in ops:
        yield from values_in([*op.args, *op.kwargs.values()])


@functools.cache
def number_of_results(rule: Any) -> int | None:
    """How many results an operation has, if its rule returns a tuple."""
    last = source_of(rule.differential).tree.body[-1]
    return len(last.value.elts) if isinstance(last.value, gast.Tuple) else None
