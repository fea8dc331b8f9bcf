"""Objects that a function only completes: what it writes is written once, and is what everybody would write.

::

    if not hasattr(local, "config"):
        local.config = defaults.copy()
    return local.config
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import gast

from retrograd.runtime.errors import RetrogradError

from ..frontend.source import source_of
from ..frontend.tree_nodes import children, nodes

__all__ = ["CHANGES", "only_completes"]

CHANGES = {"append", "extend", "insert", "pop", "popitem", "remove", "clear", "sort", "reverse", "update",
           "setdefault", "add", "discard", "fill", "put", "resize", "itemset", "appendleft", "popleft", "write"}  # fmt: skip


class Change(NamedTuple):
    """A write: the name that it begins with, and the objects that lack something where it stands."""

    name: str | None
    lacking: frozenset[str]


def only_completes(function: Any, name: str) -> bool:
    """True if a function writes to the object that it calls ``name`` only what is not there yet."""
    try:
        tree = source_of(function).tree
    except RetrogradError:
        return False
    held = {name, *names_from(tree, name)}
    found = [change for change in changes_in(tree, frozenset()) if change.name in {None, *held}]
    return all(change.name is not None and name in change.lacking for change in found)


def changes_in(node: Any, lacking: frozenset[str]) -> Iterator[Change]:
    """The writes in a node."""
    for target in written_by(node):
        yield Change(root_of(target), lacking)
    if isinstance(node, gast.If):
        yield from changes_in(node.test, lacking)
        for part in node.body:
            yield from changes_in(part, lacking | asked_for(node.test))
        for part in node.orelse:
            yield from changes_in(part, lacking)
        return
    for part in children(node):
        yield from changes_in(part, lacking)


def written_by(node: Any) -> list[Any]:
    """What a node itself writes to: ``x`` of ``x.a = v``, ``x[k] = v``, ``x.append(v)``, ``x += v``."""
    if isinstance(node, (gast.Attribute, gast.Subscript)) and not isinstance(node.ctx, gast.Load):
        return [node.value]
    if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
        return [node.target]
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        return [node.func.value] if node.func.attr in CHANGES else []
    return []


def root_of(node: Any) -> str | None:
    """The name that an expression begins with; of a call, none is known."""
    while isinstance(node, (gast.Attribute, gast.Subscript)):
        node = node.value
    return node.id if isinstance(node, gast.Name) else None


def asked_for(test: Any) -> frozenset[str]:
    """The objects that lack something if a test holds: ``not hasattr(x, "a")``, ``k not in x``, ``x.a is None``."""
    if isinstance(test, gast.BoolOp) and isinstance(test.op, gast.And):
        return frozenset().union(*map(asked_for, test.values))
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        call = test.operand
        named = isinstance(call, gast.Call) and isinstance(call.func, gast.Name)
        asked = call.args[0] if named and call.func.id == "hasattr" and call.args else None
        return lone(asked)
    if not isinstance(test, gast.Compare) or len(test.ops) != 1:
        return frozenset()
    if isinstance(test.ops[0], gast.NotIn):
        return lone(test.comparators[0])
    right = test.comparators[0]
    is_none = isinstance(right, gast.Constant) and right.value is None
    is_part = isinstance(test.left, (gast.Attribute, gast.Subscript))
    return (
        lone(test.left) if isinstance(test.ops[0], gast.Is) and is_none and is_part else frozenset()
    )


def lone(node: Any) -> frozenset[str]:
    name = None if node is None else root_of(node)
    return frozenset() if name is None else frozenset((name,))


def names_from(tree: Any, name: str) -> Iterator[str]:
    """The names that may hold the same object, or a part of it."""
    for node in nodes(tree):
        if not isinstance(
            node, (gast.Assign, gast.AnnAssign, gast.NamedExpr, gast.For, gast.withitem)
        ):
            continue
        given = next(
            (v for key in ("value", "iter", "context_expr") if (v := getattr(node, key, None)) is not None), None
        )  # fmt: skip
        if given is None or name not in read_in(given):
            continue
        targets = [getattr(node, key, None) for key in ("target", "optional_vars")]
        for target in [*getattr(node, "targets", ()), *targets]:
            if target is not None:
                yield from (n.id for n in nodes(target) if isinstance(n, gast.Name))


def read_in(node: Any) -> set[str]:
    """The names whose objects an expression may give: not that of ``x.copy()``."""
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and not node.args:
        return set() if node.func.attr == "copy" else read_in(node.func.value)
    if isinstance(node, gast.Name):
        return {node.id}
    return {name for part in children(node) for name in read_in(part)}
