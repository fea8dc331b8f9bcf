"""Two names that hold one container before a loop, and others in it: they begin with two of one content."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from retrograd.runtime.errors import Place, UnsupportedSyntax

from ...ir.containers import Pack
from ..memory.container_identity import Ref, cell_name
from ..nodes import Node

__all__ = ["apart", "twice"]


def apart(program: Any, env: dict[str, Node], node: Node) -> Node:
    """``node`` with containers of its own.  Nobody may write to these: the other name would not see it."""
    if isinstance(node, Pack):
        return replace(node, items=[apart(program, env, i) for i in node.items])
    if not isinstance(node, Ref):
        return node
    made = Ref(program.next_cell())
    env[cell_name(made.cell)] = apart(program, env, env[cell_name(node.cell)])
    program.ambiguous |= {node.cell, made.cell}
    return made


def twice(shown: str, place: Place) -> UnsupportedSyntax:
    return UnsupportedSyntax(
        f"{shown} holds one container twice before this loop, and two in it",
        place=place, fix="put a copy there: dict(p), list(p)",
    )  # fmt: skip
