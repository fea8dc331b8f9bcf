"""``try: y.name = "power"``, of what is an array: the first thing that is tried fails for certain, or cannot.

Programs ask so what they were given.  Where the kind of a value answers, one way is lowered and not the other.
"""

from __future__ import annotations

import builtins
from typing import Any

import gast

from retrograd.runtime.errors import CompileError

from ...analyses.raised_exceptions import may_raise
from ...analyses.shapes.infer import type_of
from ...frontend import exit_queries
from ...frontend.split_tries import Step, asks_for_it
from ...ir.operations import Apply, Block, Const, Op, Value, walk
from ..interface.lowerer import Lowerer
from ..known_values import NOTHING, is_data, stand_ins, the_same
from ..nodes import Node
from .unbound_names import Torn

__all__ = ["Beginning", "caught_by", "taken_way"]


def taken_way(lowerer: Lowerer, node: gast.AST) -> list[gast.AST] | None:
    """The statements that run in place of a ``try``; None where only running it tells."""
    raised = first_outcome(lowerer, node.body[0])
    if raised is None:
        return None
    if raised is NOTHING:
        return [*node.body, *node.orelse] if len(node.body) == 1 else None
    return handler_of(lowerer, node, raised)


def handler_of(lowerer: Lowerer, node: gast.AST, raised: type[Exception]) -> list[gast.AST] | None:
    """The statements of the handler that catches this; None if that is not known, or it reads the exception."""
    for handler in node.handlers:
        classes = caught_by(lowerer, [handler])
        if classes is None:
            return None
        if issubclass(raised, classes):
            return None if asks_for_it(handler) else list(handler.body)
    return None


def caught_by(lowerer: Lowerer, handlers: list[gast.AST]) -> tuple[type[BaseException], ...] | None:
    """The classes that handlers catch; None where that is computed."""
    found: list[Any] = []
    for handler in handlers:
        caught: Any = BaseException
        if handler.type is not None:
            caught = lowerer.known.of(lowerer.expression(handler.type))
        found += caught if isinstance(caught, tuple) else (caught,)
    return tuple(found) if all(isinstance(kind, type) for kind in found) else None


class Beginning:
    """Where a ``try`` begins: an error of the compiler's is the program's, if nothing has happened by then but names bound."""

    def __init__(self, lowerer: Lowerer, node: gast.AST) -> None:
        self.lowerer, self.scope, self.node = lowerer, lowerer.scope, node
        self.env = dict(self.scope.env)
        self.depth = len(self.scope.blocks)
        self.back = lowerer.loops.checkpoint()

    def way_after(self, error: CompileError) -> list[gast.AST] | None:
        """The handler that runs in place of the body; None if it is not certain to run."""
        done = self.done_before(error) if error.raises is not None else None
        if error.raises is None or done is None:
            return None
        bound = {n for statement in done for n in exit_queries.assigned(statement)}
        if not self.is_here(bound):
            return None
        found = handler_of(self.lowerer, self.node, error.raises)
        silent = self.is_silent()
        if not silent and (found is None or not self.can_be_done_first(done)):
            return None
        self.undo()
        self.scope.env.update({n: Torn() for n in bound})
        return found if silent else [self.done_first(done), *(found or [])]

    def keep(self, error: CompileError) -> None:
        """What the handlers catch is not raised outside of the `try`."""
        classes = caught_by(self.lowerer, self.node.handlers)
        if error.raises is not None and (classes is None or issubclass(error.raises, classes)):
            error.raises = None

    def done_before(self, error: CompileError) -> list[gast.AST] | None:
        """The body's statements before the one that fails; None if that is none of them."""
        for k, statement in enumerate(self.node.body):
            parts = [n for n in gast.walk(statement) if hasattr(n, "lineno")]
            if error.place is not None and error.place in map(self.scope.place, parts):
                return [*self.node.body[:k], *self.computed_first(statement, error)]
        return None

    def computed_first(self, statement: gast.AST, error: CompileError) -> list[gast.AST]:
        """``d[i] = f(x)``, where ``d[i]`` cannot be written to: Python computes ``f(x)`` before it finds out."""
        if not isinstance(statement, gast.Assign) or isinstance(statement.value, gast.Name):
            return []
        if error.place not in [self.scope.place(target) for target in statement.targets]:
            return []
        return [gast.copy_location(gast.Expr(value=statement.value), statement)]

    def is_here(self, bound: set[str]) -> bool:
        """True if nothing has happened that the handlers catch or see, and the failure is under no condition.

        But for the names ``bound``, which nobody may read then.  A single handler runs, whatever it catches.
        """
        now, ops = self.scope.env, self.scope.block.ops
        seen = (now.keys() | self.env.keys()) - bound
        same = all(n in now and n in self.env and now[n] is self.env[n] for n in seen)
        classes = caught_by(self.lowerer, self.node.handlers)
        return (
            same
            and classes is not None
            and len(self.scope.blocks) == self.depth + 1
            and (len(self.node.handlers) == 1 or not may_raise(ops, classes))
        )

    def is_silent(self) -> bool:
        """True if nothing was done but to compute values."""
        return all(isinstance(op, Apply) and not op.effect for op in self.scope.block.ops)

    def can_be_done_first(self, done: list[gast.AST]) -> bool:
        """True if these statements have done all that was done, and one handler follows whatever they raise."""
        handlers, before = self.node.handlers, effects(self.scope.block.ops)
        if not done or len(handlers) != 1 or exit_queries.loop_exits(done):
            return False
        self.undo()
        body = self.scope.enter()
        try:
            with self.scope.try_around(body, heard=False):
                self.lowerer.statements(done)
            return effects(body.ops) == before
        except CompileError:
            return False

    def done_first(self, done: list[gast.AST]) -> gast.AST:
        """The statements before the one that fails, as a step whose handler does nothing yet."""
        (handler,) = self.node.handlers
        nothing = gast.copy_location(gast.Pass(), handler)
        quiet = gast.ExceptHandler(type=handler.type, name=None, body=[nothing])
        made = Step(done, [gast.copy_location(quiet, handler)], [], [])
        made.flag, made.fine = "$done", 0
        return gast.copy_location(made, self.node)

    def undo(self) -> None:
        self.back()
        self.scope.use(dict(self.env))


def effects(ops: list[Op]) -> int:
    """How many operations do more than compute a value."""
    return sum(isinstance(op, Apply) and op.effect for op in walk(Block(ops=ops)))


def first_outcome(lowerer: Lowerer, statement: gast.AST) -> Any:
    """What the first thing that a statement does raises, for certain: ``NOTHING``, if it is all it does."""
    if isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Attribute):
        target = statement.targets[0]
        plain = len(statement.targets) == 1 and isinstance(
            statement.value, (gast.Constant, gast.Name)
        )
        asked = objects(lowerer, target.value) if plain else []
        return the_same(asked, lambda value: setattr(value, target.attr, None), AttributeError)
    value = getattr(statement, "value", None)
    first = begins_with(value) if value is not None else None
    whole = value if only_binds(statement) else None
    if isinstance(first, gast.Attribute):
        name = first.attr
        found = the_same(objects(lowerer, first.value), lambda v: getattr(v, name), AttributeError)
        return found if found is not NOTHING or first is whole else None
    if isinstance(first, gast.Call):
        found = the_same(
            objects(lowerer, first.args[0]), getattr(builtins, first.func.id), TypeError
        )
        return found if found is not NOTHING or first is whole else None
    return None


def only_binds(statement: gast.AST) -> bool:
    """True if a statement does nothing with its value but name it or return it: it does not unpack it."""
    if isinstance(statement, gast.Assign):
        return all(isinstance(target, gast.Name) for target in statement.targets)
    return isinstance(statement, (gast.Expr, gast.Return))


def begins_with(node: gast.AST) -> gast.AST | None:
    """The attribute, or the question, that an expression begins with."""
    if isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name):
        return node
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Name):
        plain = len(node.args) == 1 and isinstance(node.args[0], gast.Name) and not node.keywords
        return node if plain and node.func.id in ("len", "iter") else None
    if isinstance(node, gast.Call) and is_of_module(node.func) and node.args:
        return begins_with(node.args[0])
    for part in ("func", "value", "left"):
        if isinstance(getattr(node, part, None), gast.AST):
            return begins_with(getattr(node, part))
    return None


def is_of_module(fn: gast.AST) -> bool:
    """``np.sum``: what is in its place is found, or the same is raised."""
    return (
        isinstance(fn, gast.Attribute) and isinstance(fn.value, gast.Name) and fn.value.id == "np"
    )


def objects(lowerer: Lowerer, node: gast.AST) -> list[Any]:
    """One object of each kind that a name may hold; none where that is not known."""
    if not isinstance(node, gast.Name) or node.id not in lowerer.scope.env:
        return []
    held: Node = lowerer.names.load(node.id, node)
    if isinstance(held, Const) and held.text is None and isinstance(held.value, (str, float, int)):
        return [held.value]
    return list(stand_ins(type_of(held), held)) if is_data(held) and isinstance(held, Value) else []
