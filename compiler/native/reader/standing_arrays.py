"""Names that loops carry, and that stand for one array all the time: they need no memory of their own.

::

    p = x                   # `p` is `x` after each iteration
    for k in range(n):
        q = p
        q[0] = k
        p = q
"""

from __future__ import annotations

import ast
from typing import Any

from ..loop_ir.values import View
from ..refusal import Unsupported
from .loop_carried import Carrying, views_in
from .reader import Reader

__all__ = ["HeldTwice", "check_shared", "is_whole", "stands"]


class HeldTwice(Unsupported):
    """A carried array is written to, and another name may hold it."""

    def __init__(self, name: str) -> None:
        super().__init__(f"`{name}` is written to, and may be held by another name")
        self.held = name


def is_whole(value: Any) -> bool:
    return isinstance(value, View) and value.buffer is not None and value.whole and not value.listed


def stands(stmt: ast.stmt, name: str, value: Any) -> bool:
    """True if a loop gives names alone to ``name``, or adds to it: its array may be one all the time."""
    if not is_whole(value):
        return False
    kept: set[int] = set()
    for node in ast.walk(stmt):
        if isinstance(node, ast.AugAssign):
            kept.add(id(node.target))
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
            kept |= {id(target) for target in node.targets}
    stores = (n for n in ast.walk(stmt) if isinstance(n, ast.Name) and n.id == name)
    return all(id(n) in kept for n in stores if isinstance(n.ctx, ast.Store))


def check_shared(r: Reader, carrying: Carrying, before: dict[str, Any]) -> None:
    """Refuse writes into a carried array that another name holds, too, or a caller's name."""
    check_standing(carrying, before)
    outside = {id(leaf.buffer) for env in r.outer for v in env.values() for leaf in views_in(v)}
    for name, place in carrying.places.items():
        if not isinstance(place, View) or place.buffer is None or not place.buffer.writes:
            continue
        if name in carrying.pinned:
            continue
        init = before.get(name)
        others = [v for n, v in before.items() if n != name and isinstance(v, View)]
        if isinstance(init, View) and (
            init.buffer is None
            or init.buffer.role in ("argument", "written")
            or init.buffer.kept
            or id(init.buffer) in outside
            or any(v.buffer is init.buffer for v in others)
            or name in carrying.shared
        ):
            raise HeldTwice(name)


def check_standing(carrying: Carrying, before: dict[str, Any]) -> None:
    """Refuse writes into an array that stands still if a name that does not may hold it."""
    moving = [n for n in carrying.places if n not in carrying.pinned or n in carrying.moved]
    held = {id(leaf.buffer): n for n in moving for leaf in views_in(before.get(n))}
    for name, view in carrying.pinned.items():
        if name in carrying.moved or not view.buffer.writes:
            continue
        if id(view.buffer) in held:
            raise HeldTwice(held[id(view.buffer)])
        if name in carrying.shared and not carrying.shared.isdisjoint(moving):
            raise Unsupported(f"`{name}` is written to, and may be held by another name")
