"""Generator functions, as functions that put what they yield into a list.

::

    def squares(x):                def squares(x):
        for v in x:                    yielded.items = []
            if v > 9.0:                for v in x:
                return        ->           if v > 9.0:
            yield v * v                        return
                                           yielded.items.append(v * v)

That is the same where all is gone over at once (``sum(squares(x))``); whoever goes over it step by step
must see to it that nothing changes meanwhile.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import gast

from .exit_queries import SCOPES
from .tree_nodes import children

__all__ = ["ITEMS", "YIELDS", "as_list_maker", "is_generator", "own_nodes"]

YIELDS = (gast.Yield, gast.YieldFrom)
ITEMS = "yielded.items"


def is_generator(function: Any) -> bool:
    """True if a function itself yields."""
    return isinstance(function.body, list) and any(
        isinstance(n, YIELDS) for n in own_nodes(function.body)
    )


def own_nodes(body: list[Any]) -> Iterator[Any]:
    """The nodes of a function's statements that are of no function inside it."""
    todo = list(body)
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, SCOPES):
            todo += children(node)


def as_list_maker(function: Any) -> Any | None:
    """A copy that fills the list ``ITEMS``; None of one that is sent values, or has no end that its text shows."""
    taken = {id(n.value) for n in own_nodes(function.body) if isinstance(n, gast.Expr)}
    sent = any(isinstance(n, YIELDS) and id(n) not in taken for n in own_nodes(function.body))
    if sent or any(is_endless(n) for n in own_nodes(function.body)):
        return None
    made = copy.deepcopy(function)
    maker = ListMaker()
    made.body = [s for part in made.body for s in as_list(maker.visit(part))]
    first = gast.Assign([named(gast.Store())], gast.List([], gast.Load()), None)
    made.body = [placed(first, made.body[0]), *made.body]
    return made


def is_endless(node: Any) -> bool:
    """``while True``: who stops it is not seen."""
    return (
        isinstance(node, gast.While)
        and isinstance(node.test, gast.Constant)
        and bool(node.test.value)
    )


class ListMaker(gast.NodeTransformer):  # type: ignore[misc]
    """Writes what is yielded into a list."""

    def visit_Expr(self, node: Any) -> Any:
        if not isinstance(node.value, YIELDS):
            return node
        several = isinstance(node.value, gast.YieldFrom)
        value = node.value.value
        if value is None:
            value = gast.Constant(None, None)
        method = gast.Attribute(named(gast.Load()), "extend" if several else "append", gast.Load())
        return placed(gast.Expr(gast.Call(method, [value], [])), node)

    def visit_Return(self, node: Any) -> Any:
        return placed(gast.Return(None), node)

    def visit_FunctionDef(self, node: Any) -> Any:
        return node

    visit_Lambda = visit_ClassDef = visit_AsyncFunctionDef = visit_FunctionDef


def named(ctx: Any) -> Any:
    return gast.Name(ITEMS, ctx, None, None)


def placed(node: Any, at: Any) -> Any:
    return gast.fix_missing_locations(gast.copy_location(node, at))


def as_list(made: Any) -> list[Any]:
    return made if isinstance(made, list) else [made]
