"""Arguments, and parts of them, whose value is known at the call: they are constants of the program."""

from __future__ import annotations

import re
import types
from collections.abc import Iterator
from typing import Any

from retrograd.runtime.objects.own_attributes import own_attribute

from ..ir.containers import Pack
from ..ir.operations import Const, Value
from ..ir.plain_values import is_literal
from ..ir.types import Tree
from .interface.lowerer import Lowerer
from .interface.program import Program
from .nodes import Node

__all__ = ["known_object", "told_apart", "with_known_items"]

LONGEST = 32  # of a list whose items are read one by one


def known_object(program: Program, node: Node) -> Node:
    """A value whose type says which object it is, as that object; any other as it is."""
    kind = node.type if isinstance(node, Value) else None
    if not isinstance(kind, Tree) or kind.known is None:
        return node
    value = kind.known.value
    if is_literal(value):
        return Const(value)
    if isinstance(value, types.FunctionType):
        program.note_function(value)
    name = own_attribute(value, "__name__") or getattr(value, "name", type(value).__name__)
    name = re.sub(r"\W+", "_", str(name)).strip("_") or "known"
    return Const(value, program.text_for(name if name.isidentifier() else f"known_{name}", value))


def told_apart(lowerer: Lowerer, node: Node) -> Node:
    """A list or tuple of the arguments, item by item, if what is known of its items is not the same of all."""
    kind = node.type if isinstance(node, Value) else None
    if not isinstance(kind, Tree) or kind.container not in ("list", "tuple"):
        return node
    words = [tuple(known_in(item)) for item in kind.items[: LONGEST + 1]]
    if len(words) > LONGEST or len(set(words)) < 2:
        return node
    return lowerer.construction.taken_apart(node)


def with_known_items(program: Program, node: Node) -> Node:
    """A list or tuple with those of its items that are known as constants."""
    if not isinstance(node, Pack) or node.kind not in (list, tuple):
        return node
    items = [known_object(program, item) for item in node.items]
    same = all(a is b for a, b in zip(items, node.items, strict=True))
    return node if same else Pack(node.kind, list(node.keys), items)


def known_in(kind: Any) -> Iterator[Any]:
    """What is known of the parts of an argument, in order."""
    if isinstance(kind, Tree):
        if kind.known is not None:
            yield kind.known
        for item in kind.items:
            yield from known_in(item)
