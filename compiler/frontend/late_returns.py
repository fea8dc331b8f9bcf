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

from collections.abc import Iterator
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
    """True if a value may be returned in a loop."""
    return any(isinstance(n, gast.Return) and n.value is not None for n in nodes(loop))


def returned_behind(loop: Any, flags: Iterator[str]) -> tuple[list[Any], list[Any]]:
    """Moves the late returns of a loop behind it: what stands before it then, and what behind it."""
    returns_otherwise = always(loop.orelse) and not any(map(breaks, loop.body))
    forever = endless(loop) or returns_otherwise
    leaving = Leaving(flags)
    loop.body = [s for statement in loop.body for s in as_list(leaving.visit(statement))]
    before = [set_to(flag, False, loop) for flag, _ in leaving.found.values()]
    behind = [at(gast.If(load(flag), [node], []), node) for flag, node in leaving.found.values()]
    if forever and behind:  # there is no other way out
        behind[-1] = behind[-1].body[0]
        before.pop()
    return before, behind


class Leaving(gast.NodeTransformer):  # type: ignore[misc]
    """Puts a ``break`` in place of each late ``return`` of one loop; ``found`` has their flags."""

    def __init__(self, flags: Iterator[str]) -> None:
        self.flags = flags
        self.found: dict[str, tuple[str, Any]] = {}
        self.guarded = False  # a `with` or a `try` is around this, in the loop

    def visit(self, node: Any) -> Any:
        return node if isinstance(node, (*LOOPS, *SCOPES)) else super().visit(node)

    def visit_With(self, node: Any) -> Any:
        outer, self.guarded = self.guarded, True
        node = self.generic_visit(node)
        self.guarded = outer
        return node

    def visit_Try(self, node: Any) -> Any:
        return node if node.finalbody else self.visit_With(node)

    def visit_Return(self, node: Any) -> Any:
        if node.value is None or not self.is_late(nodes(node.value)):
            return node
        text = gast.dump(node.value)
        if text not in self.found:
            self.found[text] = next(self.flags), node
        flag, _ = self.found[text]
        return [set_to(flag, True, node), at(gast.Break(), node)]

    def is_late(self, parts: list[Any]) -> bool:
        """True if a value is the same behind the loop; in a ``try`` it might fail, or mean something else."""
        if not any(isinstance(part, gast.Name) for part in parts):
            return False
        if self.guarded:
            return all(isinstance(part, PLAIN) for part in parts)
        return not any(isinstance(part, OF_ITS_PLACE) for part in parts)
