"""Upward-exposed reads: names that an iteration may read before it binds them.

A name that only an inner loop binds is one of them, wherever that loop may make no iteration::

    for i in range(n):
        for j in range(i + 1, n):
            ...
        s += j  # the ``j`` of the iteration before, where the range was empty
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from .exit_queries import LOOPS, SCOPES, always, assigned, by_node, may
from .tree_nodes import nodes

__all__ = ["begins", "bound_after", "exposed"]

Names = frozenset[str]
FIXED = (
    gast.Name,
    gast.Constant,
    gast.BinOp,
    gast.UnaryOp,
    gast.operator,
    gast.unaryop,
    gast.expr_context,
)


@by_node
def exposed(loop: Any) -> Names:
    """The names that the test or the body of a loop may read before it has bound them.

    >>> loop = gast.parse("for i in x:\\n    for j in y(i): s = k = 0\\n    z = i + j + s").body[0]
    >>> sorted(exposed(loop))
    ['j', 's', 'y']

    A loop over what no iteration changes runs in each of them, or in none: then nothing is left.

    >>> loop = gast.parse("for i in x:\\n    for j in range(m): s = 0\\n    z = i + j + s").body[0]
    >>> sorted(exposed(loop))
    ['m', 'range']
    """
    reads = Reads(loop)
    head = loop.test if isinstance(loop, gast.While) else loop.target
    end = reads.body(loop.body, reads.part(head, frozenset()))
    return frozenset(reads.found | (reads.later - end))


def bound_after(statements: list[Any]) -> Names:
    """The names that statements have bound for certain where their end is reached.

    >>> sorted(bound_after(gast.parse("if x: y = z = 0\\nelse: y = 1").body))
    ['y']
    """
    return Reads(gast.Module(statements, [])).body(statements, frozenset())


class Reads:
    """A walk in the order of execution: what is certainly bound, and what is read though it is not."""

    def __init__(self, loop: Any) -> None:
        self.changed, self.stores = frozenset(assigned(loop)), stores(loop)
        self.found: set[str] = set()
        self.later: set[str] = set()  # by the functions that the body defines

    def body(self, statements: list[Any], bound: Names) -> Names:
        """The names that are bound where the end of these statements is reached."""
        for statement in statements:
            bound = self.statement(statement, bound)
        return bound

    def statement(self, s: Any, bound: Names) -> Names:
        if isinstance(s, gast.If):
            return self.branch(s, self.part(s.test, bound))
        if isinstance(s, LOOPS):
            return self.loop(s, bound)
        if isinstance(s, gast.Try):
            return self.guarded(s, bound)
        if isinstance(s, gast.Match):
            return self.cases(s, self.part(s.subject, bound))
        if isinstance(s, gast.With):
            return self.body(s.body, self.parts(s.items, bound))
        return self.part(s, bound)

    def branch(self, s: Any, bound: Names) -> Names:
        sides = [(body, self.body(body, bound)) for body in (s.body, s.orelse)]
        return met([after for body, after in sides if not always(body)], bound)

    def loop(self, s: Any, bound: Names) -> Names:
        """Names the first iteration, if there is one, binds before it can be left."""
        if isinstance(s, gast.For):
            before = self.part(s.iter, bound)
            start = self.part(s.target, before)
        else:
            before = start = self.part(s.test, bound)
        self.body(s.body, start)
        sure = next((k for k, inner in enumerate(s.body) if may(inner)), len(s.body))
        after = self.body(s.body[:sure], start)
        if not begins(s):
            own = stores(s) if self.stays(s) else Counter()
            after = before | {name for name in after if own[name] == self.stores[name] > 0}
        self.body(s.orelse, after)
        return after

    def stays(self, s: Any) -> bool:
        """True if a loop makes the same iterations each time: a range of numbers that nothing changes here."""
        if not (isinstance(s, gast.For) and is_range(s.iter)):
            return False
        inside = [n for arg in s.iter.args for n in nodes(arg)]
        names = {n.id for n in inside if isinstance(n, gast.Name)}
        return names.isdisjoint(self.changed) and all(isinstance(n, FIXED) for n in inside)

    def guarded(self, s: Any, bound: Names) -> Names:
        ends = [(s.body, self.body(s.orelse, self.body(s.body, bound)))]
        ends += [
            (h.body, self.body(h.body, self.parts([h.type, h.name], bound))) for h in s.handlers
        ]
        self.body(s.finalbody, bound)
        after = met([names for body, names in ends if not always(body)], bound)
        return self.body(s.finalbody, after)

    def cases(self, s: Any, bound: Names) -> Names:
        for case in s.cases:
            self.body(case.body, self.parts([case.pattern, case.guard], bound))
        return bound

    def parts(self, found: list[Any], bound: Names) -> Names:
        for part in found:
            bound = self.part(part, bound) if part is not None else bound
        return bound

    def part(self, part: Any, bound: Names) -> Names:
        """A statement without others in it, an expression, or a target."""
        if isinstance(part, SCOPES) and not isinstance(part, gast.Lambda):
            self.later |= loaded(part)
            return bound | {part.name}
        self.found |= loaded(part) - bound
        return bound | set(assigned(part))


def met(ends: list[Names], bound: Names) -> Names:
    """Names bound on all paths; ``bound`` if no path goes on."""
    return frozenset.intersection(*ends) if ends else bound


def begins(loop: Any) -> bool:
    """True if a loop certainly makes an iteration: ``while True``, ``range(3)``."""
    if isinstance(loop, gast.While):
        return isinstance(loop.test, gast.Constant) and bool(loop.test.value)
    if not is_range(loop.iter):
        return False
    args = [a.value for a in loop.iter.args if isinstance(a, gast.Constant)]
    known = len(args) == len(loop.iter.args) and bool(args)
    return known and all(type(a) is int for a in args) and bool(range(*args))


def is_range(node: Any) -> bool:
    called = isinstance(node, gast.Call) and isinstance(node.func, gast.Name)
    return called and node.func.id == "range"


def stores(node: Any) -> Counter[str]:
    """How often every name is bound."""
    names = (n for n in nodes(node) if isinstance(n, gast.Name))
    return Counter(n.id for n in names if not isinstance(n.ctx, gast.Load))


def loaded(part: Any) -> set[str]:
    """The names that a part reads, without those of its own comprehensions and functions."""
    inner = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp, *SCOPES)
    own = {id(n) for scope in nodes(part) if isinstance(scope, inner) for n in names_of(scope)}
    found = {
        n.id
        for n in nodes(part)
        if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load) and id(n) not in own
    }
    if isinstance(part, gast.AugAssign) and isinstance(part.target, gast.Name):
        found.add(part.target.id)
    return found


def names_of(scope: Any) -> list[Any]:
    """The places where a comprehension or a function reads names that it binds itself."""
    inside = [n for n in nodes(scope) if isinstance(n, gast.Name)]
    if isinstance(scope, SCOPES):
        binders = inside
    else:
        binders = [n for g in scope.generators for n in nodes(g.target)]
    own = {n.id for n in binders if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)}
    return [n for n in inside if n.id in own]
