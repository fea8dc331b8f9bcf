"""The nodes of a syntax tree, gathered without a call for each."""

from __future__ import annotations

from typing import Any

import gast

__all__ = ["children", "nodes"]


def children(node: Any) -> list[Any]:
    """The nodes directly below one, in the order of their fields."""
    found: list[Any] = []
    for name in node._fields:
        part = getattr(node, name, None)
        if isinstance(part, gast.AST):
            found.append(part)
        elif isinstance(part, list):
            found += [item for item in part if isinstance(item, gast.AST)]
    return found


def nodes(tree: Any) -> list[Any]:
    """A tree and all that is below it, level by level.

    >>> [type(node).__name__ for node in nodes(gast.parse("f(x)").body[0])]
    ['Expr', 'Call', 'Name', 'Name', 'Load', 'Load']
    """
    found = [tree]
    for node in found:
        for name in node._fields:
            part = getattr(node, name, None)
            if isinstance(part, gast.AST):
                found.append(part)
            elif isinstance(part, list):
                for item in part:
                    if isinstance(item, gast.AST):
                        found.append(item)
    return found
