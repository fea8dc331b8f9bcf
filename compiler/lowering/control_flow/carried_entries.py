"""Entries that a loop carries: what they are, and how they are called."""

from __future__ import annotations

import re
from typing import Any

from ...ir.containers import Pack
from ...ir.operations import (
    Loop,
    Value,
    values_in,
    values_read,
    walk,
)
from ...ir.size_names import anew, unknown_sizes
from ..nodes import (
    Applied,
    Code,
    Derived,
    Listed,
    LocalFunction,
    Node,
)
from .one_sided.perhaps_none import IS_NONE

__all__ = [
    "entry_hint",
    "is_collectable",
    "is_function",
    "left_by",
    "packed",
    "spelled",
]


def left_by(loop: Loop, params: list[Value]) -> list[Value]:
    """The results of a loop: the last iteration's sizes are not those of the others."""
    inside = {r for op in walk(loop.body) for r in op.results} | set(loop.body.params)
    read = [*loop.inits, *(v for op in walk(loop.body) for v in values_read(op))]
    outside = [v.type for v in values_in(read) if v not in inside]
    names = {name: name for name in unknown_sizes(outside)}
    return [Value(v.hint, anew(v.type, names), loop.loc) for v in params]


def packed(values: list[Any]) -> Pack:
    return Pack(tuple, list(range(len(values))), list(values))


def spelled(types: dict[str, Any]) -> str:
    """Types up to the names of sizes nobody knows, which each attempt makes anew."""
    found: dict[str, str] = {}
    return re.sub(r"~\d+", lambda m: found.setdefault(m[0], f"~{len(found)}"), repr(types))


def entry_hint(hint: str | None, key: Any) -> str | None:
    """An entry with a name of its own is called by it."""
    if key == IS_NONE and hint is not None:
        return f"{hint}_is_none"
    return key if isinstance(key, str) and key.isidentifier() else hint


def is_collectable(content: Node) -> bool:
    return isinstance(content, Pack) and content.kind in (list, Listed)


def is_function(node: Node) -> bool:
    if isinstance(node, Pack):
        return isinstance(node.kind, (Applied, Code, Derived))
    return isinstance(node, LocalFunction)
