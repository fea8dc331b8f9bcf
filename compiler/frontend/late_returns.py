"""A ``return`` in a loop as a ``break``, and the ``return`` behind the loop.

::

    for k in range(n):          ->      returned = False
        x[k] = f(x, k)                  for k in range(n):
        if x[k] < tol:                      x[k] = f(x, k)
            return x                        if x[k] < tol:
                                                returned = True
                                                break
                                        if returned:
                                            return x

What is returned is the array or the container of that name then, and not perhaps another one; and the loop
carries no result beside it.
"""

from __future__ import annotations

from typing import Any

import gast

from .exit_queries import LOOPS, SCOPES, always, breaks, endless
from .made_nodes import at, load, set_to
from .nonlocals import as_list
from .tree_nodes import nodes

__all__ = ["has_late_return", "returned_behind"]

PLAIN = (gast.Name, gast.Constant, gast.Tuple, gast.List, gast.expr_context)
OF_ITS_PLACE = (gast.NamedExpr, gast.Lambda, gast.Yield, gast.YieldFrom, gast.Await)


def has_late_return(loop: Any) -> bool:
    """True if a function may return in a loop."""
    return any(isinstance(n, gast.Return) for n in nodes(loop))


def returned_behind(loop: Any, flag: str) -> tuple[list[Any], list[Any]]:
    """Moves the late returns of a loop behind it: what stands before it then, and what behind it."""
    returns_otherwise = always(loop.orelse) and not any(map(breaks, loop.body))
    forever = endless(loop) or returns_otherwise  # there is no other way out
    leaving = Leaving(flag)
    loop.body = [s for statement in loop.body for s in as_list(leaving.visit(statement))]
    found = list(leaving.found.values())
    if not found:
        return [], []
    several = len(found) > 1
    for setting, which in leaving.settings:
        setting.value.value = which if several else True
    behind = [
        at(gast.If(asked(flag, k if several else True), [node], []), node)
        for k, node in enumerate(found, 1)
    ]
    if forever:
        behind[-1] = found[-1]
    before = [] if forever and not several else [set_to(flag, 0 if several else False, loop)]
    return before, behind


def asked(flag: str, which: Any) -> Any:
    if which is True:
        return load(flag)
    return gast.Compare(load(flag), [gast.Eq()], [gast.Constant(value=which, kind=None)])


class Leaving(gast.NodeTransformer):  # type: ignore[misc]
    """Puts a ``break`` in place of each late ``return`` of one loop; a flag says whether, or which."""

    def __init__(self, flag: str) -> None:
        self.flag = flag
        self.found: dict[str, Any] = {}  # by their text
        self.settings: list[tuple[Any, int]] = []
        self.guarded = False  # a `with` or a `try` is around this, in the loop
        self.caught: frozenset[str] = frozenset()  # exceptions, whose names their handlers unbind

    def visit(self, node: Any) -> Any:
        return node if isinstance(node, (*LOOPS, *SCOPES)) else super().visit(node)

    def visit_With(self, node: Any) -> Any:
        outer, self.guarded = self.guarded, True
        node = self.generic_visit(node)
        self.guarded = outer
        return node

    def visit_Try(self, node: Any) -> Any:
        return node if node.finalbody else self.visit_With(node)

    def visit_ExceptHandler(self, node: Any) -> Any:
        outer, self.caught = self.caught, self.caught | {getattr(node.name, "id", node.name)}
        node = self.generic_visit(node)
        self.caught = outer
        return node

    def visit_Return(self, node: Any) -> Any:
        if node.value is not None and not self.is_late(nodes(node.value)):
            return node
        text = gast.dump(node)
        self.found.setdefault(text, node)
        setting = set_to(self.flag, True, node)
        self.settings.append((setting, 1 + list(self.found).index(text)))
        return [setting, at(gast.Break(), node)]

    def is_late(self, parts: list[Any]) -> bool:
        """True if a value is the same behind the loop; in a ``try`` it might fail, or mean something else."""
        if not any(map(has_structure, parts)):
            return False
        if any(isinstance(part, gast.Name) and part.id in self.caught for part in parts):
            return False
        if self.guarded:
            return all(isinstance(part, PLAIN) for part in parts)
        return not any(isinstance(part, OF_ITS_PLACE) for part in parts)


def has_structure(part: Any) -> bool:
    """True unless this says of a value that it is a number or a text."""
    if isinstance(part, gast.Constant):
        return part.value is None
    return isinstance(part, (gast.Name, gast.Tuple, gast.List, gast.Dict, gast.Set))
