"""Statements of the emitted text: assignments, branches, loops, lists that grow, returns."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from ..loop_ir.ir import Bail, Break, Continue, If, Lit, Op, Stmt
from ..partition.name_liveness import assigned, exposed
from ..partition.operation_counts import returns
from .expressions import evaluate, truth
from .growing_lists import append
from .values import Constant, Either, Growing, Items, Rows, Tape, Unsupported

if TYPE_CHECKING:
    from .reader import Reader

from .assignments import assign, augmented, bound
from .join_values import joined, place_for, settle, spec_of
from .loop_carried import kept
from .loops import loop

__all__ = ["ENDED", "inlined", "run"]

ENDED = object()  # a break or a continue: nothing after it runs
DONE = object()  # the end of a block without a return


def run(r: Reader, stmts: list[ast.stmt], after: set[str]) -> Any:
    """Read statements; what they return, ``DONE`` or ``ENDED``."""
    left = set(r.loops[-1].places) if r.loops else set()
    for k, stmt in enumerate(stmts):
        rest = stmts[k + 1 :]
        try:
            if isinstance(stmt, ast.If) and returns(stmt):
                return returning(r, stmt, rest, after)
            found = statement(r, stmt, exposed(rest, after, left))
        except Unsupported as error:
            error.lines.append(stmt.lineno)
            raise
        if found is not DONE:
            return found
    return DONE


def returning(r: Reader, stmt: ast.If, rest: list[ast.stmt], after: set[str]) -> Any:
    """An ``if`` with a return in it: what follows belongs to the side that goes on."""
    cond = truth(r, evaluate(r, stmt.test))
    if isinstance(cond, bool):
        return run(r, [*(stmt.body if cond else stmt.orelse), *rest], after)
    sides = []
    before = dict(r.env)
    for body in (stmt.body, stmt.orelse):
        r.env = dict(before)
        with r.into([]) as block:
            value = run(r, [*body, *rest], after)
        sides.append((block, value))
    values = [value for _, value in sides]
    if any(v is DONE or v is ENDED for v in values):
        raise Unsupported("a return on one side only")
    result = joined(r, [spec_of(v) for v in values], "result")
    for block, value in sides:
        with r.into(block):
            settle(r, [(result, value)])
    r.emit(If(cond, sides[0][0], sides[1][0]))
    return result


def statement(r: Reader, stmt: ast.stmt, live: set[str]) -> Any:
    """One statement; ``live``: names that are read after it."""
    if isinstance(stmt, ast.Return):
        return evaluate(r, stmt.value) if stmt.value is not None else Constant(None)
    if isinstance(stmt, ast.Break | ast.Continue):
        if not r.loops:
            raise Unsupported("a break outside of a loop")
        r.loops[-1].commit(r)
        r.emit(Break() if isinstance(stmt, ast.Break) else Continue())
        return ENDED
    if isinstance(stmt, ast.Assign):
        value = evaluate(r, stmt.value)
        for target in stmt.targets:
            assign(r, target, value)
    elif isinstance(stmt, ast.AugAssign):
        augmented(r, stmt)
    elif isinstance(stmt, ast.If):
        branch(r, stmt, live)
    elif isinstance(stmt, (ast.For, ast.While)):
        loop(r, stmt, live)
    elif isinstance(stmt, ast.Expr):
        effect(r, stmt.value)
    elif isinstance(stmt, ast.Raise):  # the text does
        r.emit(Bail(Lit(True, "b1")))
        return ENDED
    elif isinstance(stmt, ast.Assert):
        fulfilled(r, truth(r, evaluate(r, stmt.test)))
    elif isinstance(stmt, ast.With):
        return silenced(r, stmt, live)
    elif not isinstance(stmt, ast.Pass):
        raise Unsupported(f"the statement {type(stmt).__name__.lower()}")
    return DONE


def fulfilled(r: Reader, cond: Any) -> None:
    """Leave, unless a condition holds."""
    if cond is False:
        raise Unsupported("an assertion that fails")
    if cond is not True:
        r.bail(Op("logical_not", (cond,), "b1"))


def silenced(r: Reader, stmt: ast.With, live: set[str]) -> Any:
    """``with np.errstate(...)``: a kernel warns of nothing, and does not raise."""
    for item in stmt.items:
        call = item.context_expr
        if item.optional_vars is not None or not isinstance(call, ast.Call):
            raise Unsupported("the statement with")
        owner = evaluate(r, call.func)
        if not (isinstance(owner, Constant) and owner.value is np.errstate):
            raise Unsupported("the statement with")
        options = [r.literal(evaluate(r, k.value)) for k in call.keywords]
        if not set(options) <= {"ignore", "warn"}:
            raise Unsupported("np.errstate that raises")
    return run(r, stmt.body, live)


def effect(r: Reader, node: ast.expr) -> None:
    """An expression for what it does."""
    if isinstance(node, ast.Constant):
        return
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "append"
    ):
        owner = node.func.value
        named = r.env.get(owner.id) if isinstance(owner, ast.Name) else None
        tape = named if isinstance(named, Growing) else evaluate(r, owner)
        if isinstance(tape, (Tape, Rows, Growing)) and len(node.args) == 1:
            append(r, tape, evaluate(r, node.args[0]))
            return
    evaluate(r, node)


def branch(r: Reader, stmt: ast.If, live: set[str]) -> None:
    cond = truth(r, evaluate(r, stmt.test))
    if isinstance(cond, bool) or cond in r.assumed:
        taken = cond if isinstance(cond, bool) else r.assumed[cond]
        found = run(r, stmt.body if taken else stmt.orelse, live)
        if found is ENDED:
            raise Unsupported("a break that is always taken")
        return
    cond = r.named(cond, "cond")
    before = dict(r.env)
    sides = []
    for body, side in ((stmt.body, True), (stmt.orelse, False)):
        r.env = dict(before)
        with r.into([]) as block, assuming(r, cond, side):
            found = run(r, body, live)
        sides.append((block, r.env, found))
    going = [(block, env) for block, env, found in sides if found is DONE]
    r.env = dict(before)
    for name in sorted(assigned([stmt]) & live):
        merge(r, name, cond, going)
    for name in assigned([stmt]) - live:
        r.env.pop(name, None)
    r.emit(If(cond, sides[0][0], sides[1][0]))


@contextmanager
def assuming(r: Reader, cond: Any, side: bool) -> Iterator[None]:
    """A condition holds, or does not, for a while."""
    r.assumed[cond] = side
    try:
        yield
    finally:
        del r.assumed[cond]


def merge(r: Reader, name: str, cond: Any, going: list[tuple[list[Stmt], dict[str, Any]]]) -> None:
    """What a name stands for after a branch."""
    values = [env.get(name) for _, env in going]
    if any(v is not None for v in values):
        values = [
            kept_on(r, name, block) if v is None else v
            for v, (block, _) in zip(values, going, strict=True)
        ]
    known = [v for v in values if v is not None]
    if not known:
        r.env.pop(name, None)
        return
    if all(v is known[0] for v in values):
        r.env[name] = known[0]
        return
    try:
        places: list[Any] = [joined(r, [spec_of(v) for v in known], name)] * len(values)
    except Unsupported:
        places = [place_for(r, spec_of(v), name) for v in values]
    r.env[name] = places[0] if all(p is places[0] for p in places) else Either(cond, *places)
    for (block, _), place, value in zip(going, places, values, strict=True):
        with r.into(block):
            settle(r, [(place, value)])


def kept_on(r: Reader, name: str, block: list[Stmt]) -> Any:
    """What a name stands for on a way that does not bind it."""
    with r.into(block):
        return kept(r, name)


# -- calls of other functions of the text ------------------------------------------------


def arguments(
    r: Reader, definition: ast.FunctionDef, args: list[Any], kwargs: dict[str, Any]
) -> dict[str, Any]:
    """What the parameters of a function stand for."""
    given = definition.args
    names = [a.arg for a in [*given.posonlyargs, *given.args]]
    found = dict(zip(names, args, strict=False)) | kwargs
    if given.vararg is not None:
        found[given.vararg.arg] = Items(tuple(args[len(names) :]))
        names.append(given.vararg.arg)
    elif len(args) > len(names) or given.kwarg is not None:
        raise Unsupported(f"the arguments of `{definition.name}`")
    first = len(given.posonlyargs) + len(given.args) - len(given.defaults)
    later = [a.arg for a in given.kwonlyargs]
    defaults = [*zip(names[first:], given.defaults, strict=False)]
    defaults += [(n, d) for n, d in zip(later, given.kw_defaults, strict=True) if d is not None]
    for name, default in defaults:
        if name not in found:
            found[name] = evaluate(r, default)
    if set(found) != {*names, *later}:
        raise Unsupported(f"the arguments of `{definition.name}`")
    return found


def inlined(r: Reader, definition: ast.FunctionDef, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """The body of a function in place of its call."""
    if definition in r.calls:
        raise Unsupported(f"`{definition.name}` calls itself")
    outer, loops = r.env, r.loops
    r.env = {n: bound(r, v, n) for n, v in arguments(r, definition, args, kwargs).items()}
    r.calls.append(definition)
    try:
        value = run(r, definition.body, set())
    finally:
        r.env, r.loops = outer, loops
        r.calls.pop()
    return Constant(None) if value is DONE else value
