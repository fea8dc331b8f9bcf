"""Questions about tuples and lists that their lengths answer, whatever they hold: ``x.shape == ()``, ``not x.shape``."""

from __future__ import annotations

import operator
from typing import Any

from ...analyses.shapes.infer import type_of
from ...ir.containers import Pack
from ...ir.operations import Const, Value
from ...ir.primitives import IN, NOT_IN
from ...ir.types import Number, Tree
from ..nodes import Node

__all__ = ["holds_anything", "is_container", "told_by_lengths"]

KINDS = {"tuple": tuple, "list": list, "dict": dict}


def is_container(node: Node) -> bool:
    """True of what is made of items, in the function or outside it."""
    return isinstance(node, Pack) or tree_of(node) is not None


def holds_anything(node: Node) -> bool | None:
    """Whether a tuple, a list or a dict is true; None of anything else, and where its length is not known."""
    kind = tree_of(node)
    return None if kind is None else bool(kind.items)


def told_by_lengths(fn: Any, left: Node, right: Node) -> bool | None:
    """What a comparison of tuples or lists says if their lengths decide it; None if their items do."""
    if fn in (operator.eq, operator.ne):
        equal = are_equal(left, right)
        return None if equal is None else equal is (fn is operator.eq)
    if fn in (IN, NOT_IN) and isinstance(right, Pack) and right.kind in (tuple, list):
        there = is_among(left, right.items)
        return None if there is None else there is (fn is IN)
    return None


def is_among(item: Node, others: list[Node]) -> bool | None:
    """Python asks one after the other, and no further than the first that is equal."""
    for other in others:
        if (equal := are_equal(item, other)) is not False:
            return equal
    return False


def are_equal(left: Node, right: Node) -> bool | None:
    a, b = items_of(left), items_of(right)
    if a is None or b is None:
        return None
    if type(a) is not type(b) or (type(a) is list and len(a) != len(b)):
        return False  # no item is asked
    if len(a) != len(b):  # the items that both have are asked first: arrays could raise
        shared = [*a[: len(b)], *b[: len(a)]]
        return False if all(isinstance(kind, Number) for kind in shared) else None
    return None if a else True


def items_of(node: Node) -> Any:
    """The types of the items of a tuple or a list, in one of the same kind; None of anything else."""
    if isinstance(node, Pack) and node.kind in (tuple, list):
        return KINDS[node.kind.__name__](map(plain_type, node.items))
    kind = tree_of(node)
    return None if kind is None or kind.container == "dict" else KINDS[kind.container](kind.items)


def plain_type(item: Node) -> Any:
    return type_of(item) if isinstance(item, (Value, Const)) else None


def tree_of(node: Node) -> Tree | None:
    """The type of a value whose length is part of it."""
    kind = node.type if isinstance(node, Value) else None
    found = isinstance(kind, Tree) and kind.container in KINDS and kind.cls is None
    return kind if found else None  # type: ignore[return-value]
