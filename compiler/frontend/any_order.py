"""Loops whose iterations may run in any order: what one leaves is its own, or is added to what others leave.

::

    for key in set(options) - set(names):
        options.pop(key)

This is what the text says of it.  Whether nothing else happens is seen when the loop is lowered.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from retrograd.runtime.records import dataclass

from .exit_queries import assigned, by_node
from .tree_nodes import children
from .upward_exposed_reads import exposed

__all__ = ["AnyOrder", "in_any_order"]

SUMS, PRODUCTS = (gast.Add, gast.Sub), (gast.Mult, gast.Div)
NOT_FOLLOWED = (gast.Lambda, gast.NamedExpr, gast.Yield, gast.YieldFrom, gast.Await)


@dataclass(frozen=True)
class AnyOrder:
    """What the iterations of a loop do to names: ``totals`` they add to, ``keyed`` they take at their own key only."""

    totals: frozenset[str]
    keyed: frozenset[str]
    own: frozenset[str]  # bound anew in each iteration
    read: frozenset[str]


@by_node
def in_any_order(loop: Any) -> AnyOrder | None:
    """What the iterations do, if the text alone does not tell which came first; None if it may.

    >>> loop = gast.parse("for k in s:\\n    if k in d: d.pop(k)\\n    t += w[k]").body[0]
    >>> found = in_any_order(loop)
    >>> sorted(found.totals), sorted(found.keyed), sorted(found.own)
    (['t'], ['d', 'w'], ['k'])
    >>> in_any_order(gast.parse("for k in s: t = t * x + k").body[0]) is None
    True
    """
    if not isinstance(loop, gast.For) or loop.orelse or not isinstance(loop.target, gast.Name):
        return None
    walk = Walk(loop.target.id)
    if not walk.all_of(loop.body):
        return None
    own = set(assigned(loop)) - walk.totals.keys()
    apart = walk.totals.keys().isdisjoint(walk.read) and walk.keyed.isdisjoint(
        own | walk.totals.keys()
    )
    rebound = walk.key in assigned(gast.Module(loop.body, []))
    if rebound or not apart or not own.isdisjoint(exposed(loop)):
        return None
    return AnyOrder(*map(frozenset, (walk.totals, walk.keyed, own, walk.read)))


class Walk:
    """The statements of a body, whose iteration is for ``key``."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.totals: dict[str, Any] = {}  # and the operators that go on with them
        self.keyed: set[str] = set()
        self.read: set[str] = set()

    def all_of(self, statements: Iterable[Any]) -> bool:
        return all(map(self.statement, statements))

    def statement(self, s: Any) -> bool:
        """Note what a statement does; False of one that is not followed."""
        if isinstance(s, (gast.Pass, gast.Continue)):
            return True
        if isinstance(s, (gast.Expr, gast.Raise)):
            return all(map(self.expression, children(s)))
        if isinstance(s, gast.If):
            return self.expression(s.test) and self.all_of([*s.body, *s.orelse])
        if isinstance(s, gast.For):
            return not s.orelse and self.expression(s.iter) and self.all_of(s.body)
        if isinstance(s, gast.Delete):
            return all(map(self.place, s.targets))
        if isinstance(s, gast.AugAssign):
            return self.augmented(s)
        return isinstance(s, gast.Assign) and self.assignment(s)

    def augmented(self, s: Any) -> bool:
        if isinstance(s.target, gast.Name):
            return self.total(s.target.id, s.op) and self.expression(s.value)
        return self.place(s.target) and self.expression(s.value)

    def assignment(self, s: Any) -> bool:
        name = s.targets[0].id if isinstance(s.targets[0], gast.Name) else None
        rest = goes_on_from(s.value, name) if len(s.targets) == 1 and name else None
        if rest:
            return self.total(str(name), s.value.op) and all(map(self.expression, rest))
        return all(map(self.target, s.targets)) and self.expression(s.value)

    def target(self, target: Any) -> bool:
        if isinstance(target, (gast.Tuple, gast.List)):
            return all(map(self.target, target.elts))
        return isinstance(target, gast.Name) or self.place(target)

    def total(self, name: str, op: Any) -> bool:
        """Note ``name += ...``: always the one sign and its contrary."""
        signs = signs_of(op)
        return signs is not None and self.totals.setdefault(name, signs) is signs

    def place(self, node: Any) -> bool:
        """Note ``d[key]``; False of any other place."""
        if not (isinstance(node, gast.Subscript) and self.is_key(node.slice)):
            return False
        return self.container(node.value)

    def container(self, node: Any) -> bool:
        if not isinstance(node, gast.Name):
            return False
        self.keyed.add(node.id)
        return True

    def is_key(self, node: Any) -> bool:
        return isinstance(node, gast.Name) and node.id == self.key

    def expression(self, node: Any) -> bool:
        """Note what an expression reads, and what it takes at the key."""
        if isinstance(node, NOT_FOLLOWED):
            return False
        if isinstance(node, gast.Name):
            self.read |= {node.id}
            return True
        if self.place(node):
            return True
        parts = children(node)
        if isinstance(node, gast.Call) and node.args and self.is_key(node.args[0]):
            method = isinstance(node.func, gast.Attribute) and self.container(node.func.value)
            parts = parts[1:] if method else parts
        if isinstance(node, gast.Compare) and self.is_key(node.left) and len(node.ops) == 1:
            held = isinstance(node.ops[0], (gast.In, gast.NotIn))
            parts = [] if held and self.container(node.comparators[0]) else parts
        return all(map(self.expression, parts))


def goes_on_from(value: Any, name: str) -> list[Any] | None:
    """What ``name + a - b`` adds to a name, and ``a * name`` multiplies it by; None of what does not go on with it."""
    if isinstance(value, gast.Name) and value.id == name:
        return []
    if not isinstance(value, gast.BinOp):
        return None
    signs = signs_of(value.op)
    either = isinstance(value.op, (gast.Add, gast.Mult))
    for side, other in [(value.left, value.right), (value.right, value.left)][: 1 + either]:
        same = not isinstance(side, gast.BinOp) or signs_of(side.op) is signs
        rest = goes_on_from(side, name) if signs is not None and same else None
        if rest is not None:
            return [*rest, other]
    return None


def signs_of(op: Any) -> tuple[type, ...] | None:
    """Those of sums, or of products."""
    return next((signs for signs in (SUMS, PRODUCTS) if isinstance(op, signs)), None)
