"""Attributes that one way sets and another does not: what they hold, and whether they are set, which is known when it runs.

``if t > 1: state.rate = t`` where the class says nothing of ``rate``.  A read is what was set; where nothing was,
it raises as Python does.
"""

from __future__ import annotations

from typing import Any

import gast

from ....dependencies.object_reads import MISSING, static
from ....ir.containers import Pack
from ....ir.operations import Const, Operand, Value
from ...calls.constructors import is_plain_class
from ...interface.lowerer import Lowerer
from ...nodes import SOMETIMES, Node
from .perhaps_none import NO_PART, is_perhaps, none_like

__all__ = [
    "IS_SET",
    "PerhapsSet",
    "as_set",
    "holds_sometimes",
    "is_sometimes",
    "missing_keys",
    "never_set",
]

IS_SET = "is set"  # the key of what tells


def sometimes(is_set: Operand, content: Node) -> Pack:
    return Pack(SOMETIMES, [IS_SET, 1], [is_set, content])


def is_sometimes(node: Node) -> bool:
    return isinstance(node, Pack) and node.kind is SOMETIMES


def holds_sometimes(node: Node) -> bool:
    """True if this, or a part of it, may not be set when it runs."""
    return isinstance(node, Pack) and (is_sometimes(node) or any(map(holds_sometimes, node.items)))


def as_set(node: Node) -> Pack:
    """An attribute beside one that may not be set."""
    return node if is_sometimes(node) else sometimes(Const(True), node)


def never_set(content: Node) -> Pack:
    """An attribute that is not set, where one of this structure may be."""
    held = content.items[1] if is_sometimes(content) else content
    return sometimes(Const(False), nothing_like(held))


def nothing_like(node: Node) -> Node:
    """What nobody reads, in the place of a node: what is known is the same on both ways."""
    if is_sometimes(node):
        return never_set(node)
    if is_perhaps(node):
        return none_like(node.items[1])
    if isinstance(node, Pack):
        return Pack(node.kind, list(node.keys), [nothing_like(item) for item in node.items])
    return NO_PART if isinstance(node, Value) else node


def missing_keys(pack: Pack, other: Pack) -> list[Any]:
    """The attributes of an object made here that only the ``other`` way has set, and of which its class says nothing."""
    known = isinstance(pack.kind, type) and is_plain_class(pack.kind)
    if not known or static(pack.kind, "__getattr__") is not None:
        return []
    gone = [k for k in other.keys if k not in pack.keys]
    return [k for k in gone if static(pack.kind, k, MISSING) is MISSING]


class PerhapsSet:
    """What may be set: where it is read, and where it is asked for."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def read(self, owner: Pack, name: str, node: gast.AST) -> Node:
        """What an attribute holds; where it is not set, this raises as Python does."""
        held = owner.get(name)
        if not is_sometimes(held):
            return held
        is_set, content = held.items
        text = f"{owner.kind.__name__!r} object has no attribute {name!r}"
        self.lowerer.names.unless(is_set, f"raise AttributeError({text!r})", node)
        return content

    def asked(self, owner: Pack, name: str) -> Node:
        """``hasattr(owner, name)`` of an attribute that the object holds."""
        held = owner.get(name)
        return held.items[0] if is_sometimes(held) else Const(True)
