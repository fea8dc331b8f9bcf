"""Items that are known one by one, or not."""

from __future__ import annotations

from typing import TypeGuard

from ..ir.containers import Pack
from ..ir.operations import Const
from .nodes import Node

__all__ = ["is_plain", "is_true", "is_written_out", "items_of", "listed"]


def is_written_out(items: Node) -> TypeGuard[Pack]:
    """True if the items are known one by one."""
    return isinstance(items, Pack) and items.kind in (tuple, list, dict)


def items_of(pack: Pack) -> list[Node]:
    return [Const(k) for k in pack.keys] if pack.kind is dict else list(pack.items)


def listed(items: list[Node]) -> Pack:
    return Pack(list, list(range(len(items))), items)


def is_true(kwargs: dict[str, Node]) -> bool:
    return bool(kwargs["reverse"].value) if "reverse" in kwargs else False


def is_plain(node: Node) -> bool:
    return isinstance(node, Const) and node.text is None
