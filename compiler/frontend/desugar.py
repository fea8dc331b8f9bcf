"""Desugaring: syntax expressed by simpler syntax, such as a loop with ``else`` by a loop and a flag.

::

    for k in range(n):          ->      broke = False
        if x > k:                       for k in range(n):
            break                           if x > k:
    else:                                       broke = True
        x = 2 * x                               break
                                        if not broke:
                                            x = 2 * x
"""

from __future__ import annotations

import copy
import itertools
from typing import Any

import gast

from .exit_queries import LOOPS, SCOPES
from .late_returns import has_late_return, returned_behind
from .made_nodes import at, hidden, load, set_to
from .nonlocals import as_list, binds_outside, boxed
from .tree_nodes import nodes

__all__ = ["desugared", "tested_in_body"]


def desugared(source: Any) -> Any:
    """A function's tree without ``else`` on loops, late returns and ``nonlocal``: a copy, where it has any."""
    made = vars(source).get("desugared")
    if made is None:
        tree = source.tree
        sugar = any([is_sugar(node) for node in nodes(tree) if isinstance(node, SWEET)])
        made = source.desugared = rewritten(tree) if sugar else tree
    return made


def rewritten(tree: Any) -> Any:
    return Desugar().visit(boxed(copy.deepcopy(tree)))


SWEET = (*LOOPS, gast.Nonlocal)


def is_sugar(node: Any) -> bool:
    if binds_outside(node):
        return True
    if isinstance(node, gast.While) and any(
        isinstance(n, gast.NamedExpr) for n in nodes(node.test)
    ):
        return True
    return isinstance(node, LOOPS) and (bool(node.orelse) or has_late_return(node))


class Desugar(gast.NodeTransformer):  # type: ignore[misc]
    """Rewrites statements, innermost first."""

    def __init__(self) -> None:
        self.counter = itertools.count(1)

    def visit_For(self, node: Any) -> Any:
        return self.loop(node)

    def visit_While(self, node: Any) -> Any:
        return self.loop(node)

    def loop(self, node: Any) -> Any:
        self.generic_visit(node)
        before, behind = returned_behind(node, hidden("returned", next(self.counter)))
        made = [*before, *self.without_else(node), *behind]
        return made if len(made) > 1 else made[0]

    def without_else(self, node: Any) -> list[Any]:
        if not node.orelse:
            return [tested_inside(node)]
        orelse, node.orelse = node.orelse, []
        flag = hidden("broke", next(self.counter))
        broke = Flag(flag).set_in(node)
        node = tested_inside(node)
        if not broke:
            return [node, *orelse]
        unless = gast.If(load(flag), [], orelse)
        return [set_to(flag, False, node), node, at(unless, orelse[0])]


def tested_inside(node: Any) -> Any:
    """``while (y := f()) > 0`` is ``while True`` and a test that binds ``y`` for the body."""
    binds = isinstance(node, gast.While) and any(
        isinstance(n, gast.NamedExpr) for n in nodes(node.test)
    )
    if binds:
        node.body = [at(gast.If(node.test, [], [gast.Break()]), node), *node.body]
        node.test = at(gast.Constant(value=True, kind=None), node)
    return node


def tested_in_body(node: Any, test: Any) -> Any:
    """``while test: body`` as ``while True: if not test: break; body``."""
    leave = at(gast.If(test, [], [gast.Break()]), node)
    always = at(gast.Constant(value=True, kind=None), node)
    return at(gast.While(always, [leave, *node.body], node.orelse), node)


class Flag(gast.NodeTransformer):  # type: ignore[misc]
    """Sets a flag before every ``break`` of one loop."""

    def __init__(self, name: str) -> None:
        self.name, self.found = name, False

    def set_in(self, loop: Any) -> bool:
        loop.body = [s for statement in loop.body for s in as_list(self.visit(statement))]
        return self.found

    def visit(self, node: Any) -> Any:
        return node if isinstance(node, (*LOOPS, *SCOPES)) else super().visit(node)

    def visit_Break(self, node: Any) -> Any:
        self.found = True
        return [set_to(self.name, True, node), node]
