"""Statements of the emitted text one after the other, and the simple ones among them."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from ...loop_ir.ir import Bail, Break, Continue, If, Lit, Op
from ...loop_ir.values import Constant
from ...refusal import Unsupported
from ...text.name_liveness import exposed
from ...text.operation_counts import returns
from ..growing_lists import append
from ..handlers import STATEMENTS, reads_statement
from ..join_values import joined, settle, spec_of
from ..reader import Reader
from ..recursion.routines import Split, begun, by_kind, splits
from ..recursion.routines import apart as ways_apart
from ..values import Growing, Rows, Tape
from .assignments import assign
from .expressions import evaluate

__all__ = ["ENDED", "run"]


ENDED = object()  # a break or a continue: nothing after it runs


def run(r: Reader, stmts: list[ast.stmt], after: set[str]) -> Any:
    """Read statements; what they return, ``ENDED``, or None: the next one runs."""
    left = set(r.loops[-1].places) if r.loops else set()
    for k, stmt in enumerate(stmts):
        rest = stmts[k + 1 :]
        try:
            if r.source is not None and not r.calls:
                r.source.quote(r, stmt)
            if isinstance(stmt, ast.If) and begun(r) and parts_ways(r, stmt):
                return on_its_sides(r, stmt, rest, after)
            if isinstance(stmt, ast.If) and returns(stmt):
                return returning(r, stmt, rest, after)
            if begun(r):
                found = read_in_kinds(r, stmt, rest, after)
            else:
                found = read(r, stmt, exposed(rest, after, left))
            if r.source is not None and not r.calls:
                r.source.reconsider(r, stmt)
        except Unsupported as error:
            error.lines.append(stmt.lineno)
            raise
        if found is not None:
            return found


def read(r: Reader, stmt: ast.stmt, live: set[str]) -> Any:
    handler = STATEMENTS.get(type(stmt))
    if handler is None:
        raise Unsupported(f"the statement {type(stmt).__name__.lower()}")
    return handler(r, stmt, live)


def parts_ways(r: Reader, stmt: ast.If) -> bool:
    """True of a branch that a function which calls itself ends on, or calls itself."""
    return returns(stmt) or any(
        isinstance(n, ast.Name) and n.id in r.program.names for n in ast.walk(stmt)
    )


def on_its_sides(r: Reader, stmt: ast.If, rest: list[ast.stmt], after: set[str]) -> Any:
    cond = r.truth(evaluate(r, stmt.test))
    if isinstance(cond, bool):
        return run(r, [*(stmt.body if cond else stmt.orelse), *rest], after)
    return ways_apart(r, stmt, rest, after, cond, run)


def read_in_kinds(r: Reader, stmt: ast.stmt, rest: list[ast.stmt], after: set[str]) -> Any:
    """A statement of a function that calls itself; with all that follows, if it opens what is of several kinds."""
    known, before, length = set(r.defined), r.snapshot(), len(r.block)
    try:
        return read(r, stmt, exposed(rest, after))
    except Split as split:
        if not splits(r, known, split):
            raise
        del r.block[length:]
        r.restore(before)
        return by_kind(r, split, lambda: run(r, [stmt, *rest], after))


def returning(r: Reader, stmt: ast.If, rest: list[ast.stmt], after: set[str]) -> Any:
    """An ``if`` with a return in it: what follows belongs to the side that goes on."""
    cond = r.truth(evaluate(r, stmt.test))
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
    if any(v is None or v is ENDED for v in values):
        raise Unsupported("a return on one side only")
    result = joined(r, [spec_of(v) for v in values], "result")
    for block, value in sides:
        with r.into(block):
            settle(r, [(result, value)])
    r.emit(If(cond, sides[0][0], sides[1][0]))
    return result


@reads_statement(ast.Return)
def return_(r: Reader, stmt: ast.Return, live: set[str]) -> Any:
    return evaluate(r, stmt.value) if stmt.value is not None else Constant(None)


@reads_statement(ast.Break, ast.Continue)
def leave(r: Reader, stmt: ast.Break | ast.Continue, live: set[str]) -> Any:
    if not r.loops:
        raise Unsupported("a break outside of a loop")
    r.loops[-1].commit(r)
    r.emit(Break() if isinstance(stmt, ast.Break) else Continue())
    return ENDED


@reads_statement(ast.Assign)
def assignment(r: Reader, stmt: ast.Assign, live: set[str]) -> None:
    value = evaluate(r, stmt.value)
    for target in stmt.targets:
        assign(r, target, value)


@reads_statement(ast.Raise)
def raise_(r: Reader, stmt: ast.Raise, live: set[str]) -> Any:
    """The text raises."""
    r.emit(Bail(Lit(True, "b1")))
    return ENDED


@reads_statement(ast.Assert)
def assert_(r: Reader, stmt: ast.Assert, live: set[str]) -> None:
    cond = r.truth(evaluate(r, stmt.test))
    if cond is False:
        raise Unsupported("an assertion that fails")
    if cond is not True:
        r.bail(Op("logical_not", (cond,), "b1"))


@reads_statement(ast.Pass)
def pass_(r: Reader, stmt: ast.Pass, live: set[str]) -> None:
    """Nothing."""


@reads_statement(ast.With)
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


@reads_statement(ast.Expr)
def effect(r: Reader, stmt: ast.Expr, live: set[str]) -> None:
    """An expression for what it does."""
    node = stmt.value
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
