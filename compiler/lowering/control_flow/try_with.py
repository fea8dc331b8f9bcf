"""``with`` and ``try``: regions that a context manager or a handler stands around.

What a ``try`` binds before it fails is not known in its handlers, nor after them: a name that its
body binds anywhere but in its last statement is refused there.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import operator
import textwrap
import types
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from retrograd.runtime.errors import UnsupportedSyntax
from retrograd.runtime.objects.own_attributes import own_attribute

from ...analyses.shapes.infer import type_of
from ...dependencies.object_reads import static
from ...frontend import exit_queries
from ...frontend.desugar import hidden, spoken
from ...ir.containers import rebuild
from ...ir.operations import (
    UNDEFINED,
    Apply,
    Block,
    Const,
    If,
    Operand,
    Try,
    Value,
    With,
    values_in,
)
from ...ir.types import Array, Number
from ..memory.array_versions import Lost
from ..memory.array_versions import hidden as is_version
from ..memory.container_identity import cell_name, cells_in, is_cell
from .join import Torn

__all__ = ["Guards", "Torn"]

Node = Any
PLAIN = (
    np.errstate, np.printoptions, contextlib.nullcontext, warnings.catch_warnings,
    contextlib.redirect_stdout, contextlib.redirect_stderr,
)  # fmt: skip


class Guards:
    """Lowers ``with`` and ``try``."""

    if TYPE_CHECKING:
        as_of: Any
        block: Any
        born: dict[Value, Block]
        noted: list[Any]
        cells: dict[str, Any]
        choose: Any
        join_places: Any
        outlives: Any
        stands_for: Any
        dead: bool
        desugared: int
        enter: Callable[[], Block]
        env: dict[str, Node]
        expression: Any
        leave: Any
        location: Any
        merge: Any
        on_one_way: Any
        one_way_still: Any
        operand: Any
        place: Any
        raised: bool
        statements: Any
        trying: int
        fine: dict[str, Node]  # what names hold after a `try` whose body ran to its end
        failed: dict[str, Node]  # and after one of its handlers

    trying = guarded = 0

    # -- with ------------------------------------------------------------------------

    def do_With(self, node: Any) -> None:
        self.within(list(node.items), node)

    def within(self, items: list[Any], node: Any) -> None:
        if not items:
            return self.statements(node.body)  # type: ignore[no-any-return]
        item, *others = items
        manager = self.operand(self.manager(item.context_expr, node))
        before = dict(self.env)
        block = self.enter()
        if item.optional_vars is not None:
            block.params = [entered := Value(None, None, self.location(node))]
            self.born[entered] = block
            self.assign(item.optional_vars, entered)  # type: ignore[attr-defined]
        self.within(others, node)
        self.leave()
        op = With([], self.location(node), manager, block, Block())
        self.block.ops.append(op)
        self.env = self.exported(op, before, self.env, then=True)

    def manager(self, node: Any, at: Any) -> Node:
        """The manager, if it is certain to let exceptions through."""
        fn = self.expression(node.func) if isinstance(node, gast.Call) else self.expression(node)
        maker = fn.value if isinstance(fn, Const) else None
        made = self.managed(fn, node) if isinstance(node, gast.Call) else fn
        if not lets_through(maker):
            raise UnsupportedSyntax(
                "a context manager that may swallow exceptions is not supported",
                place=self.place(at), fix="write `try` and `except` with what happens then",
            )  # fmt: skip
        return made

    def managed(self, fn: Node, node: Any) -> Node:
        """``manager(...)`` as an operation, whatever it is."""
        args = tuple(self.operand(self.expression(a)) for a in node.args)
        kwargs = {k.arg: self.operand(self.expression(k.value)) for k in node.keywords}
        if not isinstance(fn, Const) or None in kwargs:
            return fn
        made = self.apply(fn.value, args, kwargs)  # type: ignore[attr-defined]
        self.block.ops[-1].effect = not is_plain(fn.value)
        return made

    def survivors(
        self, op: If, before: dict[str, Node], env: dict[str, Node], then: bool
    ) -> dict[str, Node]:
        """The names that one side binds, for statements that run after that side only."""
        merged = self.env
        lost = {n: v for n, v in env.items() if is_lost(merged.get(n)) and not is_lost(v)}
        names = {n: v for n, v in lost.items() if not n.startswith("$")}
        lost = names | self.containers_of(names, env, lost)
        if not lost:
            return {}
        return self.exported(op, before, lost, then, env)

    def containers_of(
        self, names: dict[str, Node], env: dict[str, Node], lost: dict[str, Node]
    ) -> dict[str, Node]:
        """The containers that names lead to, and what those hold, as far as it is not known."""
        found: dict[str, Node] = {n: v for n, v in lost.items() if is_cell(n) and n in self.env}
        todo = [*names.values(), *found.values()]
        while todo:
            for cell in cells_in(todo.pop()):
                name = cell_name(cell)
                if name in lost and name not in found:
                    found[name] = lost[name]
                    todo.append(lost[name])
        return found

    def exported(
        self,
        op: If,
        before: dict[str, Node],
        after: dict[str, Node],
        then: bool,
        env: dict[str, Node] | None = None,
    ) -> dict[str, Node]:
        """The names after a side of a branch that is known to have run: its values are results.

        If the other side may have run, too, they may be None: nobody asks them for a shape.  ``env``:
        all names of the side then, of which ``after`` are some.
        """
        certain = env is None
        mine, other = (op.then, op.orelse) if then else (op.orelse, op.then)
        nodes = {n: v for n, v in after.items() if before.get(n) is v or is_version(n)}
        now = after if env is None else env
        nodes |= {n: self.as_of(mine, now, v) for n, v in after.items() if n not in nodes}
        made = {r for inner in mine.ops for r in inner.results} | set(mine.params)
        table: dict[Value, Value] = {}

        def export(name: str, leaf: Node) -> Node:
            if leaf not in made:
                return leaf
            if leaf not in table:
                kind = type_of(leaf) if certain or not isinstance(type_of(leaf), Array) else None
                result = Value(leaf.hint or spoken(name), kind, op.loc)
                result.hidden = name == "$result"
                mine.yields.append(leaf)
                other.yields.append(UNDEFINED)
                op.results.append(result)
                self.join_places(op, result, leaf, UNDEFINED)
                if is_version(name):
                    self.stands_for(result, self.cells[name])
                table[leaf] = result
            return table[leaf]

        known = {n: v for n, v in nodes.items() if not is_version(n) or self.survives(n, v)}
        exports = {name: functools.partial(export, name) for name in known}
        kept = {n for n, v in known.items() if before.get(n) is v or isinstance(v, Lost)}
        found = {n: v if n in kept else rebuild(v, exports[n]) for n, v in known.items()}
        self.one_way_still(after, found)
        return found

    def survives(self, name: str, version: Any) -> bool:
        return self.outlives(self.cells[name])  # type: ignore[no-any-return]

    def named(self, op: If, before: dict[str, Node], merge: Any) -> dict[str, Node]:
        """The names after an expression that may bind some (``:=``): unbound if that did not run."""
        sides = merge.sides
        if all(side.get(n) is before.get(n) for side in sides for n in side):
            return dict(before)
        self.env = merge.run()
        for side, first in zip(sides, (True, False), strict=True):
            self.env |= self.survivors(op, before, side, first)
        return self.env

    # -- try -------------------------------------------------------------------------

    def do_Try(self, node: Any) -> None:
        if node.finalbody:
            return self.finally_(node)
        if node.orelse:
            return self.otherwise(node)
        before, loc = dict(self.env), self.location(node)
        body = self.enter()
        self.trying += 1
        self.statements(node.body)
        self.trying -= 1
        self.leave()
        tried = self.env, self.dead, self.raised
        self.dead = self.raised = False
        self.env = torn(before, node.body) | self.unclear_memories(before, body, node)
        changed = [n for n in before if is_cell(n) and tried[0].get(n) is not before[n]]
        self.env |= {
            n: self.content_if_raised(n, before[n], tried[0].get(n), body) for n in changed
        }
        handler = self.enter()
        kinds = self.handlers(node.handlers, handler)
        self.leave()
        self.join_sides(Try([], loc, kinds, handler, body), before, tried, node)

    def unclear_memories(self, before: dict[str, Node], body: Block, node: Any) -> dict[str, Node]:
        """The arrays that the body wrote to, as a handler sees them.

        A write that is the last thing a body does was not done, if anything was raised.
        """
        last = body.ops[-1] if body.ops else None
        changed = []
        for n, version in self.env.items():
            old = before.get(n, self.cells[n].first) if is_version(n) else version
            undone = isinstance(last, Apply) and last.result is version and last.args[0] is old
            if version is not old and not undone:
                changed.append(n)
        place = self.place(node)
        return {n: Lost(f"`{self.cells[n].first.hint or 'an array'}`", place) for n in changed}

    def content_if_raised(self, name: str, before: Node, after: Node, body: Block) -> Node:
        """A container as a handler sees it: writes after all that may raise were not done."""
        found, now = [], after
        for change in reversed(self.noted):
            if change.name == name and change.after is now and now is not before:
                found.append(change)
                now = change.before
        known = now is before and all(change.block is body for change in found)
        if known and all(map(cannot_raise, body.ops[min((c.at for c in found), default=0) :])):
            return before
        return after if known and all(change.at == 0 for change in found) else Torn()

    def join_sides(self, op: Try, before: dict[str, Node], tried: Any, node: Any) -> None:
        body_env, body_dead, body_raised = tried
        self.fine, self.failed = {}, {}
        self.block.ops.append(op)
        if self.raised and body_raised:
            self.dead = True
        elif self.raised:
            self.env = self.exported(op, before, body_env, then=False)
            self.dead, self.raised = body_dead, False
        elif body_raised:
            raise UnsupportedSyntax(
                "a `try` whose body always raises is not supported",
                place=self.place(node), fix="write what the handler does",
            )  # fmt: skip
        else:
            handler_env, handler_dead = self.env, self.dead
            self.env = self.merge(op, handler_env, body_env)
            self.dead = handler_dead and body_dead
            self.fine = self.survivors(op, before, body_env, then=False)
            self.failed = self.survivors(op, before, handler_env, then=True)
            merged = dict(self.env)
            if handler_dead:
                self.env |= self.on_one_way(self.fine, merged, handler_env)
            elif body_dead:
                self.env |= self.on_one_way(self.failed, merged, body_env)

    def handlers(self, handlers: list[Any], block: Block) -> Operand:
        """The first handler of the right class, as a branch on the exception's class."""
        kinds = [self.kinds(h) for h in handlers]
        names = {
            h.name if isinstance(h.name, str) else getattr(h.name, "id", None) for h in handlers
        }
        error = Value(
            next((n for n in names if n), "error"), None, block_location(self, handlers[0])
        )
        block.params = [error]
        self.born[error] = block
        self.handle(handlers, kinds, error)
        if len(kinds) == 1 or any(is_none(k) for k in kinds):
            return kinds[0] if len(kinds) == 1 else Const(None)
        return tuple(k for kind in kinds for k in (kind if isinstance(kind, tuple) else (kind,)))

    def kinds(self, handler: Any) -> Operand:
        if handler.type is None:
            return Const(None)
        found = self.operand(self.expression(handler.type))
        if any(values_in(found)):
            raise UnsupportedSyntax(
                "an exception class that is computed is not supported", place=self.place(handler),
                fix="name the class",
            )  # fmt: skip
        return found

    def handle(self, handlers: list[Any], kinds: list[Operand], error: Value) -> None:
        handler, *others = handlers
        if not others:
            return self.clause(handler, error)
        test = self.apply(isinstance, (error, kinds[0]), {})  # type: ignore[attr-defined]
        self.choose(
            test, lambda: self.clause(handler, error),
            lambda: self.handle(others, kinds[1:], error), handler,
        )  # fmt: skip

    def clause(self, handler: Any, error: Value) -> None:
        name = handler.name if isinstance(handler.name, str) else getattr(handler.name, "id", None)
        if name is not None:
            self.env[name] = error
        self.statements(handler.body)
        if name is not None and not self.raised:
            self.env[name] = UNDEFINED

    def otherwise(self, node: Any) -> None:
        """``else``: what follows the body if nothing was raised, outside the ``try``."""
        self.guarded += 1
        flag = hidden("fine", self.guarded)
        first = gast.copy_location(
            gast.Try(body=[*node.body, mark(flag, True, node)], handlers=node.handlers, orelse=[], finalbody=[]),
            node,
        )  # fmt: skip
        self.env[flag] = Const(False)
        self.do_Try(first)
        fine = self.env.get(flag, Const(False))
        if self.dead:
            return
        if isinstance(fine, Const):
            if fine.value:
                self.statements(node.orelse)
            return
        known, handled = self.fine, self.failed

        def follow() -> None:
            self.env |= known
            self.statements(node.orelse)

        self.choose(fine, follow, lambda: self.env.update(handled), node)

    def finally_(self, node: Any) -> None:
        """``finally``: what comes next in any case, even after ``return`` or ``break``."""
        if exit_queries.loop_exits(node.finalbody):
            raise UnsupportedSyntax(
                "leaving a `finally` is not supported", place=self.place(node.finalbody[0]),
                fix="leave after the `try`",
            )  # fmt: skip
        if node.handlers:
            inner = gast.Try(
                body=node.body, handlers=node.handlers, orelse=node.orelse, finalbody=[]
            )
            self.do_Try(gast.copy_location(inner, node))
        else:
            self.statements(node.body)
        dead, self.dead = self.dead, False
        kept = {name: self.env.get(name) for name in ("$left", "$result", "$stop", "$returned")}
        if not self.raised:
            self.statements(node.finalbody)
        self.env |= {name: value for name, value in kept.items() if value is not None}
        self.dead = dead


def block_location(lowerer: Any, node: Any) -> Any:
    return lowerer.location(node)


def cannot_raise(op: Any) -> bool:
    """Sums and products of Python floats."""
    if not isinstance(op, Apply) or op.fn not in (operator.add, operator.sub, operator.mul):
        return False
    kinds = [type_of(a) for a in op.args if not isinstance(a, Const)]
    return all(isinstance(kind, Number) and kind.kind == "f" for kind in kinds)


def is_lost(node: Node) -> bool:
    return node is None or node is UNDEFINED or type(node).__name__ in ("Conflict", "Torn")


def is_none(kind: Operand) -> bool:
    return isinstance(kind, Const) and kind.value is None


def mark(name: str, value: Any, node: Any) -> Any:
    target = gast.Name(id=name, ctx=gast.Store(), annotation=None, type_comment=None)
    constant = gast.Constant(value=value, kind=None)
    made = gast.Assign(targets=[target], value=constant, type_comment=None)
    return gast.fix_missing_locations(gast.copy_location(made, node))


def torn(before: dict[str, Node], body: list[Any]) -> dict[str, Node]:
    """The names as a handler sees them: the last statement that may raise bound nothing yet, but for `:=`."""
    first = list(body)
    while first and is_quiet(first[-1]):
        first.pop()
    if first and isinstance(first[-1], (gast.Assign, gast.AnnAssign, gast.AugAssign)):
        first[-1:] = bound_on_the_way(first[-1])
    names = {n for part in first for n in exit_queries.assigned(part)}
    return before | {n: Torn() for n in names if not n.startswith("$")}


def bound_on_the_way(statement: Any) -> list[Any]:
    """The parts of an assignment that bind names before something that may raise: `b = sqrt(c := x)`, `a, xs[k] = y`."""
    targets = getattr(statement, "targets", None) or [statement.target]
    if len(targets) == 1 and isinstance(targets[0], (gast.Tuple, gast.List)):
        targets = targets[0].elts
    plain = [
        t for t in targets if isinstance(t.value if isinstance(t, gast.Starred) else t, gast.Name)
    ]
    if len(targets) > 1 and len(plain) < len(targets):
        return [statement]
    return [part for part in gast.walk(statement) if isinstance(part, gast.NamedExpr)]


def is_quiet(statement: Any) -> bool:
    """Statements that cannot raise: ``ok = True``, ``break``, ``return y``."""
    if isinstance(statement, (gast.Pass, gast.Break, gast.Continue)):
        return True
    value = getattr(statement, "value", None)
    simple = value is None or isinstance(value, (gast.Constant, gast.Name))
    if isinstance(statement, gast.Return):
        return simple
    return (
        isinstance(statement, gast.Assign)
        and simple
        and all(isinstance(t, gast.Name) for t in statement.targets)
    )


def is_plain(maker: Any) -> bool:
    return any(maker is plain for plain in PLAIN)


def lets_through(maker: Any) -> bool:
    """Whether a manager, or what makes it, is certain to let exceptions through."""
    if maker is None or isinstance(maker, str):
        return False
    if is_plain(maker) or type(maker).__module__ == "_thread":
        return True
    wrapped = own_attribute(maker, "__wrapped__")
    if isinstance(maker, types.FunctionType) and inspect.isgeneratorfunction(wrapped):
        return not any(isinstance(n, gast.ExceptHandler) for n in gast.walk(tree_of(wrapped)))
    cls = maker if isinstance(maker, type) else type(maker)
    if any(cls is plain for plain in PLAIN):
        return True
    leave = static(cls, "__exit__")
    if not isinstance(leave, types.FunctionType):
        return False
    returned = [n for n in gast.walk(tree_of(leave)) if isinstance(n, gast.Return)]
    return all(r.value is None or is_false(r.value) for r in returned)


def is_false(node: Any) -> bool:
    return isinstance(node, gast.Constant) and not node.value


def tree_of(function: Any) -> Any:
    return gast.parse(textwrap.dedent(inspect.getsource(function)))
