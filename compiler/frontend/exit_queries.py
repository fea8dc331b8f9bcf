"""Queries about statements: early exits, names bound, names read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import gast

from ..ir.operations import UNDEFINED, Const
from .tree_nodes import children, nodes

__all__ = [
    "always",
    "assigned",
    "augmented_only",
    "breaks",
    "by_node",
    "completed",
    "endless",
    "hidden_names",
    "last_return",
    "loop_exits",
    "may",
    "read_outside",
]

LOOPS = (gast.For, gast.While)
GUARDED = (gast.Try, gast.With, gast.Match)
SCOPES = (gast.FunctionDef, gast.Lambda, gast.ClassDef, gast.AsyncFunctionDef)

Answer = TypeVar("Answer")


def by_node(ask: Callable[..., Answer]) -> Callable[..., Answer]:
    """Remember answers about a node, or about a pair of them, as long as these live.

    A loop in a loop is lowered many times, and its tree stays as it is.
    """
    answers: WeakKeyDictionary[Any, WeakKeyDictionary[Any, Answer]] = WeakKeyDictionary()

    @wraps(ask)
    def answer(node: Any, other: Any = None) -> Answer:
        known = answers.setdefault(node, WeakKeyDictionary())
        last = node if other is None else other
        if last not in known:
            known[last] = ask(node) if other is None else ask(node, other)
        return known[last]

    return answer


def within(node: Any, stop: tuple[type, ...]) -> list[Any]:
    """``node`` and what is below it, not going into ``stop`` nodes (nor inner functions)."""
    found, todo = [], [(node, False)]
    while todo:
        here, stopped = todo.pop()
        if not stopped or isinstance(here, gast.Return):
            found.append(here)
        for child in reversed(children(here)):
            if not isinstance(child, SCOPES):
                todo.append((child, stopped or isinstance(child, stop)))
    return found


def below(statement: Any) -> Iterator[Any]:
    """The statements directly in another."""
    for part in (statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        for name in ("body", "orelse", "finalbody"):
            yield from getattr(part, name, ())


@by_node
def returns(statement: Any) -> bool:
    """True if a function may return here."""
    if isinstance(statement, SCOPES):
        return False
    return isinstance(statement, gast.Return) or any(map(returns, below(statement)))


@by_node
def may(statement: Any) -> bool:
    """True if control may leave this statement other than by its end.

    >>> loop = gast.parse("for i in x:\\n    if i: break").body[0]
    >>> may(loop), may(loop.body[0])
    (False, True)
    """
    if isinstance(statement, (*LOOPS, *SCOPES)):
        return returns(statement)
    kinds = (gast.Return, gast.Break, gast.Continue)
    return isinstance(statement, kinds) or any(map(may, below(statement)))


@by_node
def stops(statement: Any) -> bool:
    """True if the loop around this statement may end here, before what it goes over does."""
    if isinstance(statement, (*LOOPS, *SCOPES)):
        return returns(statement)
    here = isinstance(statement, (gast.Return, gast.Break))
    return here or any(map(stops, below(statement)))


@by_node
def breaks(statement: Any) -> bool:
    """True if the loop around this statement may end here by ``break``."""
    if isinstance(statement, SCOPES):
        return False
    if isinstance(statement, LOOPS):
        return any(map(breaks, statement.orelse))
    return isinstance(statement, gast.Break) or any(map(breaks, below(statement)))


def endless(statement: Any) -> bool:
    """True if what follows this statement never runs: a ``while True`` is left by ``return`` alone.

    >>> endless(gast.parse("while True:\\n    if i: return j").body[0])
    True
    """
    if not (isinstance(statement, gast.While) and isinstance(statement.test, gast.Constant)):
        return False
    return bool(statement.test.value) and not any(map(breaks, statement.body))


def loop_exits(body: list[Any]) -> bool:
    """True if a loop with this body has a break, a continue or a return of its own."""
    return any(may(statement) for statement in body)


def always(body: list[Any]) -> bool:
    """True if control never reaches the end of these statements."""
    for statement in body:
        if isinstance(statement, (gast.Return, gast.Break, gast.Continue, gast.Raise)):
            return True
        if isinstance(statement, gast.If) and always(statement.body) and always(statement.orelse):
            return True
    return False


def completed(body: list[Any]) -> list[Any]:
    """The statements of a function that returns a value somewhere: its end returns None."""
    returns = [n for s in body for n in within(s, ()) if isinstance(n, gast.Return)]
    if always(body) or endless(body[-1]) or not any(n.value is not None for n in returns):
        return body
    none = gast.Return(value=gast.Constant(value=None, kind=None))
    return [*body, gast.fix_missing_locations(gast.copy_location(none, body[-1]))]


def last_return(function: Any) -> Any:
    """The last ``return`` of a function, or the function if it has none."""
    returns = [n for s in function.body for n in within(s, ()) if isinstance(n, gast.Return)]
    return max(returns, key=lambda n: n.lineno, default=function)


@by_node
def assigned(node: Any) -> tuple[str, ...]:
    """The names a statement binds, in order of their first binding; a comprehension keeps its own.

    >>> assigned(gast.parse("x = [(y := i) for i in z]").body[0])
    ('x', 'y')
    """
    names: dict[str, None] = {}
    inside = within(node, ())
    targets = (c.target for c in inside if isinstance(c, gast.comprehension))
    own = {id(name) for target in targets for name in nodes(target)}
    for inner in inside:
        stored = isinstance(inner, gast.Name) and isinstance(inner.ctx, gast.Store)
        if stored and id(inner) not in own:
            names[inner.id] = None
        if isinstance(inner, (gast.MatchAs, gast.MatchStar)) and inner.name is not None:
            names[inner.name] = None
        if isinstance(inner, gast.MatchMapping) and inner.rest is not None:
            names[inner.rest] = None
        for child in children(inner):
            if isinstance(child, gast.FunctionDef):
                names[child.name] = None
    return tuple(names)


@by_node
def augmented_only(node: Any) -> frozenset[str]:
    """The names that a statement binds by ``x += e`` alone.

    >>> sorted(augmented_only(gast.parse("for i in z: x += i; y = x; y += 1").body[0]))
    ['x']
    """
    found: Counter[str] = Counter()
    for inner in within(node, ()):
        if isinstance(inner, gast.AugAssign) and isinstance(inner.target, gast.Name):
            found[inner.target.id] += 1
    return frozenset(name for name, n in found.items() if stored(node)[name] == n)


@by_node
def stored(node: Any) -> Counter[str]:
    """How often every name is bound."""
    return Counter(
        n.id for n in nodes(node) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)
    )


@by_node
def read_outside(tree: Any, loop: Any) -> frozenset[str]:
    """The names read in the function, but not in ``loop``."""
    everywhere, inside = read(tree), read(loop) if is_in(tree, loop) else Counter()
    return frozenset(name for name, n in everywhere.items() if n > inside[name])


@by_node
def read(tree: Any) -> Counter[str]:
    """How often every name is read."""
    found: Counter[str] = Counter()
    for node in nodes(tree):
        if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Store):
            found[node.id] += 1
        if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
            found[node.target.id] += 1
    return found


@by_node
def node_ids(tree: Any) -> frozenset[int]:
    """Their ids: the nodes themselves would keep the tree alive."""
    return frozenset(map(id, nodes(tree)))


def is_in(tree: Any, node: Any) -> bool:
    return id(node) in node_ids(tree)


def hidden_names(loop: Any, depth: int) -> list[tuple[str, Any]]:
    """The hidden names a loop with ``return`` in it carries, and their initial content."""
    if not may(loop):
        return []
    return [("$returned", Const(False)), ("$result", UNDEFINED)]
