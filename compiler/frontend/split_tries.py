"""A ``try`` around several statements as one ``try`` around each, where names tell how far it got.

::

    try:                            ->      failed = False
        y = f(x)                            try:
        z = g(y)                                y = f(x)
    except ValueError:                      except ValueError:
        z = 0.0                                 failed = True
    return y + z                            if not failed:
                                                try:
                                                    z = g(y)
                                                except ValueError:
                                                    failed = True
                                            if failed:
                                                z = 0.0
                                            return y + z

Each of them is one step that was done or was not, and what a name holds is known after every step.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import gast

from .exit_queries import LOOPS, assigned, loop_exits, read
from .made_nodes import at, hidden, load, set_to
from .tree_nodes import nodes
from .upward_exposed_reads import bound_after, exposed

__all__ = ["Step", "StepFor", "asks_for_it", "bound_before_the_end", "split"]


def split(
    node: Any, wanted: frozenset[str], numbers: Iterator[int], quiet_manager: Callable[[Any], bool]
) -> list[Any] | None:
    """What a ``try`` without ``finally`` is the same as; None if no name tells how far it got.

    ``wanted`` are the names that are read outside of it; the handlers read others.  ``numbers`` are those of
    hidden names.  ``quiet_manager`` says of an item of a ``with`` that making, entering and leaving it raise nothing, and
    that it does the same after an exception.
    """
    failing = asked_after_failing(node, wanted)
    if not Steps(node, failing, numbers, quiet_manager).is_needed():
        return None
    steps = Steps(node, failing | wanted, numbers, quiet_manager)
    asked = any(map(asks_for_it, handlers_in(node)))
    none = [set_to(steps.error, None, node)] if asked else []
    return [steps.flag(0), *none, *steps.whole()]


def asked_after_failing(node: Any, outside: frozenset[str]) -> frozenset[str]:
    """The names that somebody reads after the body has failed, but for those that the handlers bind anew."""
    found: set[str] = set()
    for handler in node.handlers:
        found |= exposed(gast.While(gast.Constant(value=True, kind=None), handler.body, []))
        last = handler.body[-1]
        if not isinstance(last, (gast.Return, gast.Raise)):
            found |= outside - bound_after(list(filter(runs_once, handler.body)))
    return frozenset(found)


def runs_once(statement: Any) -> bool:
    """True if there is no loop in a statement: one that binds a name anew begins with what that holds."""
    return not any(isinstance(n, LOOPS) for n in nodes(statement))


class Step(gast.Try):  # type: ignore[misc]
    """One step: its handlers set the flag, and what follows it is its ``else``."""

    flag: str
    fine: int  # what the flag is as long as nothing has failed


class StepFor(gast.For):  # type: ignore[misc]
    """A loop that stands in no `try`: what it goes over by itself must not raise what these handlers catch."""

    handlers: list[Any]


class Steps:
    """The statements of the body of a ``try``, each guarded by itself.

    A flag says whether a handler caught something, and which: 0 as long as nothing was raised.  A ``try`` in the
    body has the same flag and other numbers.
    """

    def __init__(
        self,
        node: Any,
        wanted: frozenset[str],
        numbers: Iterator[int],
        quiet_manager: Callable[[Any], bool],
        outer: Steps | None = None,
    ) -> None:
        self.node, self.wanted, self.numbers, self.outer = node, wanted, numbers, outer
        self.quiet_manager = quiet_manager
        self.number: int = next(numbers) if outer is None else outer.number
        self.failed, self.error = hidden("failed", self.number), hidden("error", self.number)
        self.caught: Iterator[int] = itertools.count(1) if outer is None else outer.caught
        self.single = outer is None and len(handlers_in(node)) == 1
        self.kinds = [next(self.caught) for _ in node.handlers]

    def value(self, number: int) -> int:
        return bool(number) if self.single else number

    def flag(self, number: int, node: Any = None) -> Any:
        return set_to(self.failed, self.value(number), node or self.node)

    def is_needed(self) -> bool:
        body = up_to_the_last(self.node.body)
        return self.is_torn(body) and (len(body) > 1 or self.has_parts(body[0]))

    def is_torn(self, body: list[Any]) -> bool:
        """True if somebody reads a name that these statements may have changed before one of them fails."""
        changed = bound_before_the_end(body) | written_before_the_end(body)
        return not self.wanted.isdisjoint(changed)

    def of(self, body: list[Any]) -> list[Any]:
        """``body``, up to where it fails."""
        first, others = self.first_step(body)
        if not others:
            return first
        rest = self.of(others)
        if isinstance(first[-1], Step) and not loop_exits(first[-1].body):
            first[-1].orelse = rest
            return first
        return [*first, at(gast.If(negated(load(self.failed)), rest, []), others[0])]

    def first_step(self, body: list[Any]) -> tuple[list[Any], list[Any]]:
        """The first statements as one step, and what is left."""
        for end in range(1, len(body) + 1):
            statement = body[end - 1]
            if end > 1 and self.is_torn(body[:end]):
                return self.guarded(body[: end - 1]), body[end - 1 :]
            if self.is_torn([statement]) and self.has_parts(statement):
                return self.parts(statement), body[end:]
        return self.guarded(body), []

    def has_parts(self, statement: Any) -> bool:
        """True if it holds statements that can be guarded one by one."""
        if isinstance(statement, gast.Try):
            return not isinstance(statement, Step) and not statement.finalbody
        if isinstance(statement, gast.With):
            return all(map(self.quiet_manager, statement.items))
        return isinstance(statement, (gast.If, gast.While, gast.For))

    def parts(self, statement: Any) -> list[Any]:
        """The parts of a statement that holds others, each guarded by itself."""
        if isinstance(statement, gast.Try):
            return Steps(statement, self.wanted, self.numbers, self.quiet_manager, self).whole()
        if isinstance(statement, gast.If):
            test, first = self.tested(statement.test)
            orelse = self.of(statement.orelse) if statement.orelse else []
            first.orelse = [at(gast.If(test, self.of(statement.body), orelse), statement)]
            return [first, at(gast.Pass(), statement)]
        if isinstance(statement, gast.With):
            return [at(gast.With(statement.items, self.of(statement.body), None), statement)]
        leave = at(gast.If(load(self.failed), [gast.Break()], []), statement)
        body = self.of(statement.body)
        if isinstance(statement, gast.While):
            test, first = self.tested(statement.test)
            first.orelse = [at(gast.If(test, body, [gast.Break()]), statement)]
            endless = gast.Constant(value=True, kind=None)
            return [at(gast.While(endless, [first, leave], []), statement)]
        return self.loop(statement, [*body, leave])

    def loop(self, node: Any, body: list[Any]) -> list[Any]:
        """A ``for`` over something that a step of its own has computed."""
        over, first = self.named("over", node.iter)
        target = node.target
        if not fits(target, over):
            item = hidden("item", next(self.numbers))
            unpacked = at(gast.Assign([target], load(item), None), node)
            target, body = store(item), self.guarded([unpacked], body)
        made = StepFor(target, over, body, [], None)
        made.handlers = self.noting()
        return self.followed(first, [at(made, node)])

    def named(self, hint: str, value: Any) -> tuple[Any, list[Any]]:
        """A name for a value, and the steps that compute it; iterators are made of such names."""
        if isinstance(value, (gast.Name, gast.Constant)):
            return value, []
        if is_builtin_iterator(value):
            made = copy.copy(value)
            named = [self.named(hint, arg) for arg in value.args]
            made.args = [name for name, _ in named]
            return made, [step for _, steps in named for step in steps]
        name = hidden(hint, next(self.numbers))
        return load(name), [self.step([at(gast.Assign([store(name)], value, None), value)])]

    def tested(self, test: Any) -> tuple[Any, Any]:
        """A name for a condition, and the step that asks it."""
        name = hidden("test", next(self.numbers))
        ask = at(gast.Assign(targets=[store(name)], value=test, type_comment=None), test)
        return load(name), self.step([ask])

    def followed(self, steps: list[Any], rest: list[Any]) -> list[Any]:
        """Steps one after the other, and what runs if none of them failed."""
        for step in reversed(steps):
            step.orelse = rest
            rest = [step]
        return [*rest, at(gast.Pass(), self.node)]

    def guarded(self, body: list[Any], rest: list[Any] | None = None) -> list[Any]:
        """Statements as a step, and what runs if it did not fail."""
        if all(map(is_quiet, body)):
            return [*body, *(rest or [])]
        made = self.step(body)
        made.orelse = rest or []
        return [made]

    def step(self, body: list[Any]) -> Any:
        made = Step(body=body, handlers=self.noting(), orelse=[], finalbody=[])
        made.flag, made.fine = self.failed, self.value(0)
        return at(made, body[0])

    def noting(self) -> list[Any]:
        """Handlers that keep what they caught for later."""
        own = [self.noted(h, k) for h, k in zip(self.node.handlers, self.kinds, strict=True)]
        return own if self.outer is None else own + self.outer.noting()

    def noted(self, handler: Any, number: int) -> Any:
        body = [self.flag(number, handler)]
        caught = hidden("caught", self.number)
        if asks_for_it(handler):
            body.append(at(gast.Assign([store(self.error)], load(caught), None), handler))
        name = store(caught) if asks_for_it(handler) else None
        made = gast.ExceptHandler(type=copy.deepcopy(handler.type), name=name, body=body)
        return at(made, handler)

    def whole(self) -> list[Any]:
        """The body, the handlers once it has failed, and the ``else`` otherwise."""
        again = [] if self.outer is None else [self.flag(0)]
        within = (lambda body: body) if self.outer is None else self.outer.of
        made = within(self.node.orelse) if self.node.orelse else []
        if made and self.outer is not None:
            made = [at(gast.If(negated(load(self.failed)), made, []), self.node)]
        for handler, number in reversed(list(zip(self.node.handlers, self.kinds, strict=True))):
            last = self.outer is None and handler is self.node.handlers[-1]
            value = gast.Constant(value=number, kind=None)
            test = load(self.failed) if last else equal(load(self.failed), value)
            body = [*again, *within(self.clause(handler))]
            made = [at(gast.If(test, body, made), handler)]
        return [*self.of(self.node.body), *made]

    def clause(self, handler: Any) -> list[Any]:
        body = [Raised(self.error).visit(copy.deepcopy(s)) for s in handler.body]
        name = name_of(handler)
        if name is None or not asks_for_it(handler):
            return body
        bound = at(gast.Assign([store(name)], load(self.error), None), handler)
        gone = gast.Name(id=name, ctx=gast.Del(), annotation=None, type_comment=None)
        return [bound, *body, at(gast.Delete([gone]), handler)]


def is_builtin_iterator(node: Any) -> bool:
    """``range(n)``, ``zip(xs, ys)`` and their like, which are not made before the loop."""
    plain = isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and not node.keywords
    return plain and node.func.id in ("range", "enumerate", "zip", "reversed")


def fits(target: Any, over: Any) -> bool:
    """True if the items of an iterator can be unpacked so for certain: ``for k, v in enumerate(xs)``."""
    if isinstance(target, gast.Name):
        return True
    if not (is_builtin_iterator(over) and isinstance(target, (gast.Tuple, gast.List))):
        return False
    if over.func.id in ("range", "reversed"):
        return over.func.id == "reversed" and fits(target, over.args[0])
    parts = [gast.Constant(value=0, kind=None), over.args[0]]  # the number, and what is numbered
    items = parts if over.func.id == "enumerate" else over.args
    return len(items) == len(target.elts) and all(map(fits, target.elts, items))


class Raised(gast.NodeTransformer):  # type: ignore[misc]
    """``raise`` of what was caught, by its name."""

    def __init__(self, error: str) -> None:
        self.error = error

    def visit_Raise(self, node: Any) -> Any:
        return node if node.exc is not None else at(gast.Raise(load(self.error), None), node)

    def visit_ExceptHandler(self, node: Any) -> Any:
        return node  # its own exception

    def visit_FunctionDef(self, node: Any) -> Any:
        return node


def handlers_in(node: Any) -> list[Any]:
    return [n for n in nodes(node) if isinstance(n, gast.ExceptHandler)]


def asks_for_it(handler: Any) -> bool:
    """True if a handler reads the name of the exception, or raises it again."""
    again = any(isinstance(n, gast.Raise) and n.exc is None for s in handler.body for n in nodes(s))
    return again or any(name_of(handler) in read(s) for s in handler.body)


def store(name: str) -> Any:
    return gast.Name(id=name, ctx=gast.Store(), annotation=None, type_comment=None)


def name_of(handler: Any) -> str | None:
    return None if handler.name is None else str(getattr(handler.name, "id", handler.name))


def negated(test: Any) -> Any:
    return gast.UnaryOp(gast.Not(), test)


def equal(one: Any, other: Any) -> Any:
    return gast.Compare(one, [gast.Eq()], [other])


def bound_before_the_end(body: list[Any]) -> frozenset[str]:
    """The names that are bound before the last thing that may raise has been done.

    The last statement that may raise has bound nothing when it does, but for `:=`.

    >>> sorted(bound_before_the_end(gast.parse("a = f(x); b = a[0]; ok = True").body))
    ['a']
    """
    first = up_to_the_last(body)
    if first and isinstance(first[-1], PLAIN):
        first[-1:] = bound_on_the_way(first[-1])
    return frozenset(n for part in first for n in assigned(part))


def written_before_the_end(body: list[Any]) -> frozenset[str]:
    """The names whose arrays and containers are written to before that: `y[k] = f(x)`, `xs.append(x)`."""
    first = up_to_the_last(body)
    if first and isinstance(first[-1], (*PLAIN, gast.Expr)):
        first.pop()
    return frozenset(n for part in first for node in nodes(part) for n in written(node))


PLAIN = (gast.Assign, gast.AnnAssign, gast.AugAssign)


def up_to_the_last(body: list[Any]) -> list[Any]:
    """``body`` without the statements at its end that cannot raise."""
    first = list(body)
    while first and is_quiet(first[-1]):
        first.pop()
    return first


def written(node: Any) -> list[str]:
    """The name that a statement writes through."""
    if isinstance(node, (gast.Subscript, gast.Attribute)) and isinstance(node.ctx, gast.Store):
        return root(node)
    if isinstance(node, gast.Expr) and isinstance(node.value, gast.Call):
        return root(node.value.func) if isinstance(node.value.func, gast.Attribute) else []
    return []


def root(node: Any) -> list[str]:
    while isinstance(node, (gast.Subscript, gast.Attribute)):
        node = node.value
    return [node.id] if isinstance(node, gast.Name) else []


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
