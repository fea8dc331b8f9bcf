"""``try``: regions that a handler stands around.

What a ``try`` binds before it fails is not known in its handlers, nor after them.  Where a name is read
there, its body is taken in steps (``split_tries``).
"""

from __future__ import annotations

import itertools
import operator
from functools import partial
from typing import Any

import gast

from retrograd.runtime.errors import CompileError, UnsupportedSyntax

from ...analyses.raised_exceptions import ALWAYS, may_raise
from ...analyses.shapes.infer import type_of
from ...frontend import exit_queries
from ...frontend.made_nodes import hidden, set_to
from ...frontend.split_tries import asks_for_it, bound_before_the_end, split
from ...ir.operations import (
    UNDEFINED,
    Apply,
    Block,
    Const,
    Op,
    Operand,
    Try,
    Value,
    values_in,
    walk,
)
from ...ir.types import Number
from ..interface.lowerer import Lowerer
from ..memory.places import Lost, is_cell
from ..memory.places import hidden as is_version
from ..module_containers import is_container_constant
from ..nodes import Environment, Node
from .sure_exceptions import Beginning, caught_by, taken_way
from .unbound_names import Torn
from .with_statement import is_quiet

__all__ = ["Guards"]


class NothingRaised(Exception):
    """The body of a ``try`` only asks what has an answer, ``inspect.signature(f)``: no handler runs."""


class Guards:
    """Lowers ``try``."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope
        self.numbers = itertools.count(1)
        self.fine: dict[str, Node] = {}  # what names hold after a `try` whose body ran to its end
        self.failed: dict[str, Node] = {}  # and after one of its handlers

    def do_Try(self, node: gast.AST) -> None:
        if node.finalbody:
            return self.finally_(node)
        if self.needs_no_try(node) or self.in_steps(node):
            return None
        if node.orelse:
            return self.otherwise(node)
        return self.tried(node)

    def needs_no_try(self, node: gast.AST) -> bool:
        """Lower what runs in place of a ``try``, if that is known; True if so."""
        known = taken_way(self.lowerer, node)
        if known is None:
            return self.needs_no_handler(node)
        self.lowerer.statements(known)
        return True

    def tried(self, node: gast.AST) -> None:
        """The body and its handlers as they are."""
        beginning = Beginning(self.lowerer, node)
        try:
            self.guarded_by_handlers(node)
        except NothingRaised:
            beginning.undo()
            self.lowerer.statements(node.body)
            self.fine, self.failed = {}, {}
        except CompileError as error:
            handler = beginning.way_after(error)
            if handler is None:
                beginning.keep(error)
                raise
            self.lowerer.statements(handler)
            self.fine, self.failed = {}, {}

    def in_steps(self, node: gast.AST) -> bool:
        """Lower the statements of the body one by one, if somebody reads how far it got; True if so."""
        read = exit_queries.read_outside(self.scope.tree, node)
        own = self.scope.env.keys() | exit_queries.assigned(node)
        steps = split(node, read & own, self.numbers, partial(is_quiet, self.lowerer))
        if steps is None:
            return False
        beginning = Beginning(self.lowerer, node)
        try:
            self.lowerer.statements(steps)
        except CompileError:
            beginning.undo()
            return False
        return True

    def needs_no_handler(self, node: gast.AST) -> bool:
        """Lower the body by itself, if nothing in it raises what the handlers catch; True if so."""
        classes = caught_by(self.lowerer, node.handlers)
        if classes is not None and any(issubclass(kind, classes) for kind in ALWAYS):
            classes = None
        if classes is None and not asks_of_names(node.body):
            return False
        beginning, ops = Beginning(self.lowerer, node), self.scope.block.ops
        start = len(ops)
        try:
            self.lowerer.statements(node.body)
            needed = len(ops) > start if classes is None else may_raise(ops[start:], classes)
            if not needed:
                self.note_entries(ops[start:])
        except CompileError as error:
            if error.raises is None and classes is not None:  # nor is it supported in a `try`
                beginning.undo()
                raise
            needed = True  # it may be no error of the body in a `try`
        if needed:
            beginning.undo()
        elif exit_queries.loop_exits(node.body):
            self.lowerer.branches.unless_left(node, node.orelse)
        elif not self.scope.dead:
            self.lowerer.statements(node.orelse)
        return not needed

    def note_entries(self, ops: list[Op]) -> None:
        """The text depends on the entries of the module's dicts that it reads: else there would be a handler."""
        for op in walk(Block(ops=ops)):
            if (
                isinstance(op, Apply)
                and op.fn is operator.getitem
                and is_container_constant(op.args[0])
            ):
                self.lowerer.constants.take_entries(op.args[0])

    def guarded_by_handlers(self, node: gast.AST) -> None:
        before, loc = dict(self.scope.env), self.scope.location(node)
        body = self.scope.enter()
        with self.scope.try_around(body, heard=any(map(asks_for_it, node.handlers))):
            self.lowerer.statements(node.body)
        self.scope.leave()
        tried = self.scope.env, self.scope.dead, self.scope.raised
        if body.ops and all(map(self.lowerer.objects_now.is_answered, body.ops)):
            self.scope.end(False)
            raise NothingRaised
        self.scope.end(False, raised=False)
        self.scope.use(torn(before, node.body) | self.unclear_memories(before, body, node))
        changed = [n for n in before if is_cell(n) and tried[0].get(n) is not before[n]]
        seen = {n: self.content_if_raised(n, before[n], tried[0].get(n), body) for n in changed}
        self.scope.env.update(seen)
        handler = self.scope.enter()
        kinds = self.handlers(node.handlers, handler)
        self.scope.leave()
        self.join_sides(Try([], loc, kinds, handler, body), before, tried, node)

    def unclear_memories(self, before: Environment, body: Block, node: gast.AST) -> dict[str, Node]:
        """The arrays that the body wrote to, as a handler sees them.

        A write that is the last thing a body does was not done, if anything was raised.
        """
        last = body.ops[-1] if body.ops else None
        changed = []
        for n, version in self.scope.env.items():
            old = before.get(n, self.lowerer.versions.cells[n].first) if is_version(n) else version
            undone = isinstance(last, Apply) and last.result is version and is_first(last, old)
            if version is not old and not undone:
                changed.append(n)
        place = self.scope.place(node)
        return {
            n: Lost(f"`{self.lowerer.versions.cells[n].first.hint or 'an array'}`", place)
            for n in changed
        }

    def content_if_raised(self, name: str, before: Node, after: Node, body: Block) -> Node:
        """A container as a handler sees it: writes after all that may raise were not done."""
        found, now = [], after
        for change in reversed(self.lowerer.cells.noted):
            if change.name == name and change.after is now and now is not before:
                found.append(change)
                now = change.before
        known = now is before and all(change.block is body for change in found)
        if known and all(map(cannot_raise, body.ops[min((c.at for c in found), default=0) :])):
            return before
        return after if known and all(change.at == 0 for change in found) else Torn()

    def join_sides(self, op: Try, before: Environment, tried: Any, node: gast.AST) -> None:
        body_env, body_dead, body_raised = tried
        self.fine, self.failed = {}, {}
        self.scope.block.ops.append(op)
        if self.scope.raised and body_raised:
            self.scope.end()
        elif self.scope.raised:
            self.scope.use(self.lowerer.branches.exported(op, before, body_env, then=False))
            self.scope.end(body_dead, raised=False)
        elif body_raised:
            raise UnsupportedSyntax(
                "a `try` whose body always raises is not supported",
                place=self.scope.place(node), fix="write what the handler does",
            )  # fmt: skip
        else:
            handler_env, handler_dead = self.scope.env, self.scope.dead
            self.scope.use(self.lowerer.branches.merge(op, handler_env, body_env))
            self.scope.end(handler_dead and body_dead)
            self.fine = self.lowerer.branches.survivors(op, before, body_env, then=False)
            self.failed = self.lowerer.branches.survivors(op, before, handler_env, then=True)
            merged = dict(self.scope.env)
            if handler_dead:
                self.scope.env.update(self.lowerer.ways.on_one_way(self.fine, merged, handler_env))
            elif body_dead:
                self.scope.env.update(self.lowerer.ways.on_one_way(self.failed, merged, body_env))

    def handlers(self, handlers: list[gast.AST], block: Block) -> Operand:
        """The first handler of the right class, as a branch on the exception's class."""
        kinds = [self.kinds(h) for h in handlers]
        names = {
            h.name if isinstance(h.name, str) else getattr(h.name, "id", None) for h in handlers
        }
        error = Value(
            next((n for n in names if n), "error"), None, self.scope.location(handlers[0])
        )
        block.params = [error]
        self.lowerer.versions.made_in([error], block)
        self.handle(handlers, kinds, error)
        if len(kinds) == 1 or any(is_none(k) for k in kinds):
            return kinds[0] if len(kinds) == 1 else Const(None)
        return tuple(k for kind in kinds for k in (kind if isinstance(kind, tuple) else (kind,)))

    def kinds(self, handler: gast.AST) -> Operand:
        if handler.type is None:
            return Const(None)
        found = self.lowerer.operations.operand(self.lowerer.expression(handler.type))
        if any(values_in(found)):
            raise UnsupportedSyntax(
                "an exception class that is computed is not supported", place=self.scope.place(handler),
                fix="name the class",
            )  # fmt: skip
        return found

    def handle(self, handlers: list[gast.AST], kinds: list[Operand], error: Value) -> None:
        handler, *others = handlers
        if not others:
            return self.clause(handler, error)
        test = self.lowerer.operations.apply(isinstance, (error, kinds[0]), {})
        self.lowerer.branches.choose(
            test, lambda: self.clause(handler, error),
            lambda: self.handle(others, kinds[1:], error), handler,
        )  # fmt: skip

    def clause(self, handler: gast.AST, error: Value) -> None:
        name = handler.name if isinstance(handler.name, str) else getattr(handler.name, "id", None)
        if name in self.scope.outside:
            self.lowerer.assignment.refuse_outside(gast.copy_location(gast.Name(name), handler))
        if name is not None:
            self.scope.env[name] = error
        if isinstance(handler.body[-1], gast.Raise):  # it makes a message of it
            self.scope.program.raised.add(error)
        self.lowerer.statements(handler.body)
        self.scope.program.raised.discard(error)
        if name is not None and not self.scope.raised:
            self.scope.env[name] = UNDEFINED

    def otherwise(self, node: gast.AST) -> None:
        """``else``: what follows the body if nothing was raised, outside the ``try``."""
        flag = hidden("failed", next(self.numbers))
        self.scope.env[flag] = Const(True)
        self.followed([*node.body, set_to(flag, False, node)], flag, Const(False), node)

    def do_Step(self, node: gast.AST) -> None:
        self.followed(node.body, node.flag, Const(node.fine), node)

    def followed(self, body: list[gast.AST], flag: str, fine: Const, node: gast.AST) -> None:
        """``body`` with the handlers, and then the ``else`` of ``node``, unless the flag says that it failed."""
        first = gast.Try(body=body, handlers=node.handlers, orelse=[], finalbody=[])
        gast.copy_location(first, node)
        if self.needs_no_try(first):
            self.fine, self.failed = {}, {}  # those that are known belong to a `try` in it
        else:
            self.tried(first)
        failed = self.scope.env.get(flag, Const(True))
        if self.scope.dead or not node.orelse:
            return
        if isinstance(failed, Const):
            if not failed.value:
                self.lowerer.statements(node.orelse)
            return
        known, handled = self.fine, self.failed

        def follow() -> None:
            self.scope.env.update(known | {flag: fine})
            self.lowerer.statements(node.orelse)

        self.lowerer.branches.choose(failed, lambda: self.scope.env.update(handled), follow, node)

    def finally_(self, node: gast.AST) -> None:
        """``finally``: what comes next in any case, even after ``return`` or ``break``."""
        if exit_queries.loop_exits(node.finalbody):
            raise UnsupportedSyntax(
                "leaving a `finally` is not supported", place=self.scope.place(node.finalbody[0]),
                fix="leave after the `try`",
            )  # fmt: skip
        if node.handlers:
            inner = gast.Try(
                body=node.body, handlers=node.handlers, orelse=node.orelse, finalbody=[]
            )
            self.do_Try(gast.copy_location(inner, node))
        else:
            self.lowerer.statements(node.body)
        dead = self.scope.dead
        self.scope.end(False)
        kept = {
            name: self.scope.env.get(name) for name in ("$left", "$result", "$stop", "$returned")
        }
        if not self.scope.raised:
            self.lowerer.statements(node.finalbody)
        self.scope.env.update({name: value for name, value in kept.items() if value is not None})
        self.scope.end(dead)


def asks_of_names(body: list[gast.AST]) -> bool:
    """True of ``test = flag and n is None``: where that is known, nothing is run that could raise anything."""
    if len(body) != 1 or not isinstance(body[0], gast.Assign):
        return False
    parts = (gast.Call, gast.Subscript, gast.Attribute, gast.JoinedStr, gast.NamedExpr)
    return not any(isinstance(n, parts) for n in gast.walk(body[0]))


def cannot_raise(op: Op) -> bool:
    """Sums and products of Python floats."""
    if not isinstance(op, Apply) or op.fn not in (operator.add, operator.sub, operator.mul):
        return False
    kinds = [type_of(a) for a in op.args if not isinstance(a, Const)]
    return all(isinstance(kind, Number) and kind.kind == "f" for kind in kinds)


def is_none(kind: Operand) -> bool:
    return isinstance(kind, Const) and kind.value is None


def torn(before: Environment, body: list[gast.AST]) -> dict[str, Node]:
    """The names as a handler sees them."""
    return before | {n: Torn() for n in bound_before_the_end(body) if not n.startswith("$")}


def is_first(op: Apply, v: Node) -> bool:
    return bool(op.args) and op.args[0] is v
