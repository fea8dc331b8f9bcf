"""How a function uses a name that holds an iterator: ``it = iter(xs)``, then ``next(it)`` in steps, then one loop."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import Any

import gast

from retrograd.runtime.traits.lookup import traits_of

__all__ = ["in_steps"]

SIMPLE = (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Expr, gast.Return)
APART = (
    gast.Lambda, gast.IfExp, gast.BoolOp, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp, gast.NamedExpr,
)  # fmt: skip


def in_steps(tree: Any, bound: gast.AST, name: str) -> bool:
    """True if each item that is taken is known: one after the other on the way of the function, the rest by a loop.

    ``bound`` is the statement that gives the iterator its name.
    """
    body = tree.body if isinstance(tree.body, list) else []
    if bound not in body or len(list(uses(tree, name, gast.Store))) != 1:
        return False
    taken, over = 0, False
    for statement in body[body.index(bound) + 1 :]:
        read = len(list(uses(statement, name, gast.Load)))
        if read and over:
            return False
        if read and isinstance(statement, gast.For):
            over = is_name(statement.iter, name) and read == 1 and goes_to_its_end(statement)
            taken += over
        elif read and isinstance(statement, SIMPLE):
            over = is_gone_over(statement, name)
            taken += steps(statement, name) + over
    return taken == len(list(uses(tree, name, gast.Load)))


def is_gone_over(statement: gast.AST, name: str) -> bool:
    """True if the last thing that a statement does with an iterator is to take all that is left: ``sum(v for v in it)``."""
    last = max(uses(statement, name, gast.Load), key=lambda n: (n.lineno, n.col_offset))
    around = {child: part for part in gast.walk(statement) for child in gast.iter_child_nodes(part)}
    outer = around[last]
    if isinstance(outer, gast.comprehension) and outer.iter is last:
        loop = around[outer]
        if outer is not loop.generators[0]:
            return False
        outer, last = (loop, None) if isinstance(loop, gast.ListComp) else (around[loop], loop)
    whole = isinstance(outer, gast.ListComp) or (
        isinstance(outer, gast.Call) and outer.args == [last] and exhausts(outer.func)
    )
    return whole and not any(isinstance(n, APART) for n in ways_to(outer, around))


def ways_to(node: Any, around: dict[Any, Any]) -> Iterator[gast.AST]:
    while (node := around.get(node)) is not None:
        yield node


def exhausts(node: Any) -> bool:
    """True of the name of a builtin that takes all items: ``sum(it)``, and not ``any(it)``."""
    return isinstance(node, gast.Name) and bool(
        traits_of(getattr(builtins, node.id, None)).exhausts
    )


def uses(node: gast.AST, name: str, how: type) -> Iterator[gast.AST]:
    return (n for n in gast.walk(node) if is_name(n, name) and isinstance(n.ctx, how))


def is_name(node: Any, name: str) -> bool:
    return isinstance(node, gast.Name) and node.id == name


def goes_to_its_end(loop: gast.For) -> bool:
    """True if nothing leaves a loop before its end."""
    inside = (n for s in loop.body for n in gast.walk(s))
    return not any(isinstance(n, (gast.Break, gast.Return)) for n in inside)


def steps(node: gast.AST, name: str) -> int:
    """How many ``next(name)`` stand in a statement, each of which runs once."""
    if isinstance(node, APART) or (isinstance(node, gast.Compare) and len(node.ops) > 1):
        return 0
    if isinstance(node, gast.Call) and is_name(node.func, "next"):
        return int(len(node.args) == 1 and is_name(node.args[0], name) and not node.keywords)
    return sum(steps(child, name) for child in gast.iter_child_nodes(node))
