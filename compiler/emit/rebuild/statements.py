"""SSA back to Python: statements, branches, loops, and the tapes between them.

Values that are joined share a variable (see ``names``), so most yields print nothing; an ``if``
at the end of a loop body that stops the loop prints as the user's own ``break``.
"""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Set
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.aliasing.memory_facts import is_version
from ...ir.containers import Pack
from ...ir.containers import rebuild as repack
from ...ir.operations import (
    UNDEFINED,
    Apply,
    Block,
    Call,
    Const,
    Function,
    If,
    Loop,
    Op,
    Operand,
    Try,
    Value,
    With,
)
from ...ir.plain_values import is_writable
from ...ir.primitives import (
    ASSERT,
    DELETE_ITEM,
    RAISE,
    RENAMED,
    SET_ATTRIBUTE,
    SET_CONTENT,
    SET_SLICE,
    UNPACK,
    Store,
)
from ...ir.target import is_on_device
from ...ir.whole_numbers import wraps
from .chained_assignments import chained
from .expression_nesting import Nesting
from .expressions import ast_operator, load
from .fitted_names import named
from .nested_targets import target_of, unpacked_inside
from .previous_states import name_previous
from .scalars import Scalars
from .started_lists import started_lists
from .statement_nodes import (
    assign,
    common_start,
    has_slice,
    in_order,
    is_array,
    leaves_region,
    names_read,
    negated,
    never_repeats,
    raises,
    simple_index,
    unpacking,
)
from .statement_origins import of_return, originated
from .try_with import GuardWriter, is_guarded
from .variable_names import Names
from .writes import WriteWriter

__all__ = ["Rebuilt", "rebuild"]

Statements = list[ast.stmt]


def is_assignment(op: Apply) -> bool:
    """True of ``d[k] = v``, ``d.k = v`` and ``del d[k]`` of an object that is asked when it runs."""
    return op.fn in (operator.setitem, operator.delitem, builtins.setattr)


class Rebuilt:
    """A function definition, the names it needs from outside, and the functions it calls."""

    def __init__(self, definition: ast.FunctionDef, roots: dict[str, Any]) -> None:
        self.definition, self.roots = definition, roots


def rebuild(
    function: Function,
    name: str,
    callees: dict[Function, str],
    taken: set[str],
    flat: bool = False,
    arrays: Set[Value] = frozenset(),
) -> Rebuilt:
    """The Python text of ``function``, as a syntax tree; ``arrays``: parameters that may be arrays though they have rank 0."""
    name_previous(function)
    with started_lists(function):
        names, nesting = named(function, taken | set(callees.values()), callees)
        writer = Rebuilder(names, nesting, callees, function, arrays)
        return Rebuilt(writer.definition(name, flat), writer.roots)


class Rebuilder(GuardWriter, WriteWriter):
    """Writes statements."""

    def __init__(
        self,
        names: Names,
        nesting: Nesting,
        callees: dict[Function, str],
        function: Function,
        arrays: Set[Value],
    ) -> None:
        super().__init__(names, nesting)
        self.callees, self.subject = callees, function
        self.quoted = ""  # the statement of the user's that the last adjoints come from
        self.tapes: dict[Value, list[Value]] = {}
        self.scalars = Scalars(function, arrays)
        self.explained: set[int] = set()
        self.turning: int | None = None
        self.inside = unpacked_inside(function.body, nesting.uses)
        self.bound: set[Op] = {
            *self.inside.values()
        }  # what another one, or the head of a loop, does

    def callee(self, function: Any) -> str:
        return self.callees[function]

    def definition(self, name: str, flat: bool) -> ast.FunctionDef:
        function = self.subject
        body = chained(self.block(function.body, lambda finals: [self.returned(finals, flat)]))
        signature = self.starred() if function.facts.stars else self.signature()
        made = ast.FunctionDef(name, signature, body or [ast.Pass()], [], None)
        if "type_params" in ast.FunctionDef._fields:
            made.type_params = []  # type: ignore[attr-defined]
        return made

    def signature(self) -> ast.arguments:
        args = [ast.arg(self.names[p]) for p in self.subject.body.params]
        return ast.arguments([], args, None, [], [], None, self.defaults())

    def starred(self) -> ast.arguments:
        """The parameters as the user's function has them, ``*rest`` and ``**params`` among them."""
        stars = self.subject.facts.stars
        groups: dict[str, list[ast.arg]] = {mark: [] for mark in ("/", "", "*", "key", "**")}
        defaults: dict[str, list[ast.expr | None]] = {"": [], "key": []}
        for name, p in zip(self.subject.names, self.subject.body.params, strict=True):
            mark = stars.get(name, "")
            groups[mark].append(ast.arg(self.names[p]))
            if mark in ("", "/", "key"):
                known = self.subject.defaults.get(name, self)
                literal = is_writable(known)
                given = self.constant(Const(known)) if literal else None
                defaults["key" if mark == "key" else ""].append(given)
        rest, params = (next(iter(groups[mark]), None) for mark in ("*", "**"))
        first = [d for d in defaults[""] if d is not None]
        tail = defaults[""][len(defaults[""]) - len(first) :]
        return ast.arguments(
            groups["/"], groups[""], rest, groups["key"], defaults["key"], params,
            first if None not in tail else [],
        )  # fmt: skip

    def defaults(self) -> list[ast.expr]:
        """The defaults of the last parameters, as far as they are literals."""
        found: list[ast.expr] = []
        for name in reversed(self.subject.names):
            value = self.subject.defaults.get(name, self)
            if not is_writable(value):
                break
            found.insert(0, self.constant(Const(value)))
        return found

    def returned(self, finals: list[Operand], flat: bool) -> ast.stmt:
        """``return``, the results packed into the containers the user returned."""
        if flat or self.subject.tree is None:
            values = [self.operand(y) for y in finals]
            made = ast.Return(values[0] if len(values) == 1 else ast.Tuple(values, ast.Load()))
            return of_return(made, finals, self.subject.source, self.nesting)
        remaining = iter(finals)
        made = ast.Return(self.packed(repack(self.subject.tree, lambda _: next(remaining))))
        return of_return(made, finals, self.subject.source, self.nesting)

    def packed(self, node: Any) -> ast.expr:
        if not isinstance(node, Pack):
            return self.operand(node)
        if node.kind in (tuple, list, dict):
            items = [self.packed(i) for i in node.items]
            if node.kind is dict:
                return ast.Dict([ast.Constant(k) for k in node.keys], items)
            return (ast.Tuple if node.kind is tuple else ast.List)(items, ast.Load())
        return self.instance(node.kind, node.keys, [self.packed(i) for i in node.items])

    # -- blocks ----------------------------------------------------------------------

    def block(self, block: Block, end: Any) -> Statements:
        """The statements of a region; ``end(finals)`` writes what happens with its yields."""
        out: Statements = []
        early = getattr(end, "early", {})
        turn = self.turn(block)
        for at, op in enumerate(block.ops):
            out += early.get(at, list)()
            if at in turn and out:
                self.mark(out[0], "forward")
                self.turning = len(out)
            if at == len(block.ops) - 1 and isinstance(op, If) and self.ends(op, block, end):
                return out + self.traced(self.tail(op, block, end), op)
            out += self.traced(self.statement(op), op)
            if raises(out):
                return out
        out += early.get(len(block.ops), list)()
        out += end(list(block.yields))
        if turn and self.turning is not None and len(out) > self.turning:
            self.mark(out[self.turning], "backward")
        return out

    def traced(self, written: Statements, op: Op) -> Statements:
        return originated(written, op, self.subject.source, self.nesting)

    def turn(self, block: Block) -> list[int]:
        """Where the backward sweep begins: after it, everything was made for the derivative."""
        if block is not self.subject.body or not self.subject.facts.sweeps:
            return []
        if not self.subject.facts.woven.isdisjoint(block.ops):
            return []  # a loop that does both
        made = [is_made(op) for op in block.ops]
        first = len(made)
        while first and made[first - 1]:
            first -= 1
        before = [op for op in block.ops[:first] if not (isinstance(op, Apply) and op.fn is UNPACK)]
        return [first] if before and first < len(made) else []

    def mark(self, statement: ast.stmt, sweep: str) -> None:
        statement.comments = [sweep, *getattr(statement, "comments", [])]  # type: ignore[attr-defined]

    def ends(self, op: If, block: Block, end: Any) -> bool:
        """True if an ``if`` is the end of this region, so that its sides may leave it."""
        if is_guarded(op) or (op.results and op.results[0] in self.nesting.nested):
            return False
        leaves = getattr(end, "stop", None)
        if leaves is None:
            return (
                end_is_return(end)
                and len(block.yields) > 0
                and all(y in op.results for y in block.yields if isinstance(y, Value))
                and not is_plain_choice(op)
            )
        stop = leaves(block.yields)
        return isinstance(stop, Value) and stop in op.results

    def tail(self, op: If, block: Block, end: Any) -> Statements:
        sides = []
        for side in (op.then, op.orelse):
            table = dict(zip(op.results, side.yields, strict=True))
            finals = [table.get(y, y) if isinstance(y, Value) else y for y in block.yields]
            inner = Block([], side.ops, finals)
            quoted = self.quoted
            sides.append(self.block(inner, end))
            self.quoted = quoted
        then, orelse = sides
        test = self.operand(op.cond)
        first = common_start(then, orelse, names_read(test))
        then, orelse = then[len(first) :], orelse[len(first) :]
        if raises(orelse) and not raises(then):
            return [*first, self.commented(ast.If(negated(test), orelse, []), op), *then]
        if leaves_region(then):
            return [*first, self.commented(ast.If(test, then, []), op), *orelse]
        if leaves_region(orelse):
            return [*first, self.commented(ast.If(negated(test), orelse, []), op), *then]
        return [*first, self.commented(ast.If(test, then or [ast.Pass()], orelse), op)]

    # -- statements ------------------------------------------------------------------

    def statement(self, op: Op) -> Statements:
        if isinstance(op, Loop):
            return self.loop(op)
        if op in self.bound:
            return []
        if len(op.results) == 1 and op.results[0] in self.nesting.nested:
            return []
        if isinstance(op, Try):
            return self.attempt(op)
        if isinstance(op, With):
            return self.within(op)
        if isinstance(op, If):
            return self.branch(op)
        if isinstance(op, Call):
            return [self.commented(self.called(op), op)]
        assert isinstance(op, Apply)
        if is_version(op):
            return self.stored(op)
        return [self.commented(self.applied(op), op)]

    def called(self, op: Call) -> ast.stmt:
        if not any(self.nesting.uses[r] for r in op.results):
            return ast.Expr(self.expression(op))
        return assign([self.target(r) for r in op.results], self.expression(op))

    def stored(self, op: Apply) -> Statements:
        """A write in place."""
        x, _, _ = op.args
        name = self.names[x]
        written = self.commented(self.store(op, load(name)), op)
        if op.effect or not self.nesting.uses[op.result] or self.names[op.result] == name:
            return [written]
        return [written, assign([self.names[op.result]], load(name))]

    def target(self, value: Value) -> str:
        return self.names[value] if self.nesting.uses[value] else "_"

    def applied(self, op: Apply) -> ast.stmt:
        if op.fn is RAISE:
            parts = [self.operand(a) for a in op.args]
            return ast.Raise(parts[0] if parts else None, parts[1] if len(parts) > 1 else None)
        if op.fn is ASSERT:
            parts = [self.operand(a) for a in op.args]
            return ast.Assert(parts[0], parts[1] if len(parts) > 1 else None)
        if isinstance(op.fn, Store) or (is_assignment(op) and not self.nesting.uses[op.result]):
            return self.put_away(op)
        if op.fn in (linear.index_add, operator.iadd) and self.in_place(op):
            return self.added(op)
        assert op.result not in self.subject.facts.stored, "a block without its array"
        if op.fn is RENAMED:
            values = [self.operand(a) for a in op.args]
            value = values[0] if len(values) == 1 else ast.Tuple(values, ast.Load())
            return assign([self.names[r] for r in op.results], value)
        if op.fn is UNPACK:
            return unpacking(target_of(op, self.inside, self.target), self.operand(op.args[0]))
        if op.effect and not self.nesting.uses[op.result]:
            return ast.Expr(self.expression(op))
        return self.updated(op) or assign([self.names[op.result]], self.expression(op))

    def updated(self, op: Apply) -> ast.stmt | None:
        """``x += y`` for ``x = x + y`` of numbers, which nobody else can see change; on a device they are arrays."""
        if is_on_device():
            return None
        first = op.args[0] if len(op.args) == 2 else None
        sign = traits_of(op.fn).sign
        if sign not in ("+", "-", "*", "/") or op.kwargs or not isinstance(first, Value):
            return None
        if first in self.nesting.nested or self.names[first] != self.names[op.result]:
            return None
        if not self.scalars(first):
            return None
        made: Any = ast_operator(sign)
        return ast.AugAssign(
            ast.Name(self.names[first], ast.Store()), made, self.operand(op.args[1])
        )

    def put_away(self, op: Apply) -> ast.stmt:
        """A write to a container of the caller's, into an array that it holds, or to an object when it runs."""
        handle, key, *rest = op.args
        base = self.operand(handle)
        if op.fn in (SET_ATTRIBUTE, builtins.setattr):
            target: Any = ast.Attribute(base, key.value, ast.Store())
        else:
            whole = {SET_SLICE: ast.Slice(), SET_CONTENT: ast.Constant(...)}
            index = whole.get(op.fn) or self.operand(key)
            target = ast.Subscript(base, index, ast.Store())
        if op.fn in (DELETE_ITEM, operator.delitem):
            target.ctx = ast.Del()
            return ast.Delete([target])
        return ast.Assign([target], self.operand(rest[0]))

    def in_place(self, op: Apply) -> bool:
        buffer = op.args[0]
        same = isinstance(buffer, Value) and self.names[buffer] == self.names[op.result]
        if op.fn is operator.iadd:
            return same
        once = simple_index(op.args[1]) or never_repeats(op.args[1], self.names.defs)
        return same and once and (is_array(buffer) or has_slice(op.args[1]))

    def added(self, op: Apply) -> ast.stmt:
        target: Any = ast.Name(self.names[op.result], ast.Store())
        if op.fn is linear.index_add:
            target = ast.Subscript(target, self.operand(op.args[1]), ast.Store())
        value = op.args[-1]
        if op.result in self.subject.facts.stored:
            return self.into(target, value)
        if op.result in self.subject.facts.first:
            return ast.Assign([target], self.operand(value))
        kind: ast.operator = ast.Add()
        if isinstance(value, Value) and value in self.nesting.nested:
            inner = self.nesting.ops[value]
            if isinstance(inner, Apply) and inner.fn is operator.neg and not wraps(inner):
                kind, value = ast.Sub(), inner.args[0]
        return ast.AugAssign(target, kind, self.operand(value))

    def into(self, target: Any, value: Operand) -> ast.stmt:
        """``np.multiply(a, b, out=x[i:j])`` for ``x[i:j] = a * b``: nothing is made in between."""
        inner = self.nesting.ops.get(value) if value in self.nesting.nested else None
        fn: Any = getattr(inner, "fn", None)
        known = traits_of(fn)
        arithmetic = known.sign in ("+", "-", "*", "/", "-x")
        fn = known.ufunc if arithmetic or isinstance(fn, np.ufunc) else None
        if fn is None or not isinstance(inner, Apply) or inner.kwargs:
            return ast.Assign([target], self.operand(value))
        target.ctx = ast.Load()
        operands = [self.operand(x) for x in inner.args]
        return ast.Expr(ast.Call(self.function(fn, None), operands, [ast.keyword("out", target)]))

    def commented(self, statement: ast.stmt, op: Op) -> ast.stmt:
        """The user's statement above the first of its adjoints, the user's comments above what is kept."""
        if any(r.again for r in op.results):
            statement.trailing = "recomputed"  # type: ignore[attr-defined]
        elif op.loc is not None and is_made(op):
            self.quote(statement, op.loc.line)
        else:
            self.quoted = ""
            self.keep_comments(statement, op)
        return statement

    def quote(self, statement: ast.stmt, line: int) -> None:
        source = self.subject.source
        if source is None or not (self.subject.facts.sweeps or self.subject.facts.backward):
            return
        written = source.statements.get(line, "")
        if written and written != self.quoted:
            statement.quoted = written  # type: ignore[attr-defined]
        self.quoted = written

    def keep_comments(self, statement: ast.stmt, op: Op) -> None:
        """The user's own comments stay with the statement of theirs that is kept."""
        source = self.subject.source
        line = op.loc.line if op.loc is not None else 0
        if source is None or line in self.explained or any(r.made for r in op.results):
            return
        self.explained.add(line)
        kept = source.comment_lines_above(line)
        if line in source.comments:
            kept = [*kept, source.comments[line]]
        if kept:
            statement.comments = kept  # type: ignore[attr-defined]

    # -- branches --------------------------------------------------------------------

    def branch(self, op: If) -> Statements:
        sides = []
        for side in (op.then, op.orelse):
            quoted = self.quoted
            sides.append(self.block(side, lambda finals: self.copies(op.results, finals)))
            self.quoted = quoted
        then, orelse = sides
        if op.expression and len(op.results) == 1 and self.nesting.only_nested(op):
            return [self.commented(assign([self.names[op.results[0]]], self.choice(op)), op)]
        if not then and not orelse:
            return []
        test = self.operand(op.cond)
        made = ast.If(test, then, orelse) if then else ast.If(negated(test), orelse, [])
        return [self.commented(made, op)]

    def copies(self, targets: list[Value], sources: list[Operand]) -> Statements:
        """``targets = sources`` all at once, leaving out what is there already."""
        pairs = []
        for target, source in zip(targets, sources, strict=True):
            if source is UNDEFINED or not self.nesting.uses_of(target):
                continue
            if (
                isinstance(source, Value)
                and source not in self.nesting.nested
                and self.names[source] == self.names[target]
            ):
                continue
            pairs.append((self.names[target], self.operand(source)))
        return in_order(pairs)


def is_made(op: Op) -> bool:
    return bool(op.results) and all(r.made for r in op.results)


def end_is_return(end: Any) -> bool:
    return (
        own_attribute(end, "__name__", "") == "<lambda>"
        and "flat" in own_attribute(end, "__code__", end).co_freevars
    )


def is_plain_choice(op: If) -> bool:
    """A choice without statements reads better as one."""
    return op.expression
