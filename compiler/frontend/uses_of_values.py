"""Expressions whose value is used as something that None is not: ``x`` in ``x[0]``, ``x.a``, ``x + 1``, ``for v in x``."""

from __future__ import annotations

from typing import Any

import gast

from .exit_queries import by_node
from .tree_nodes import nodes

__all__ = ["used"]

ORDERED = (gast.Lt, gast.LtE, gast.Gt, gast.GtE)


@by_node
def used(tree: Any) -> frozenset[int]:
    """The ids of the expressions in a function at which Python fails if they are None.

    >>> tree = gast.parse("y = x[0] + f(z)").body[0]
    >>> sorted(n.id for n in nodes(tree) if id(n) in used(tree) and isinstance(n, gast.Name))
    ['f', 'x']
    """
    return frozenset(id(operand) for node in nodes(tree) for operand in operands(node))


def operands(node: Any) -> list[Any]:
    """What a node uses so."""
    if isinstance(node, (gast.Subscript, gast.Attribute, gast.Starred)):
        return [node.value]
    if isinstance(node, gast.BinOp):
        return [node.left, node.right]
    if isinstance(node, gast.UnaryOp) and not isinstance(node.op, gast.Not):
        return [node.operand]
    if isinstance(node, gast.Compare) and all(isinstance(op, ORDERED) for op in node.ops):
        return [node.left, *node.comparators]
    if isinstance(node, gast.Call):
        return [node.func]
    if isinstance(node, (gast.For, gast.comprehension)):
        return [node.iter]
    if isinstance(node, gast.AugAssign):
        return [node.target, node.value]
    if isinstance(node, gast.withitem):
        return [node.context_expr]
    takes_apart = isinstance(node, gast.Assign) and isinstance(
        node.targets[0], (gast.Tuple, gast.List)
    )
    return [node.value] if takes_apart and len(node.targets) == 1 else []
