"""Names of items that are views: on the device ``p = s[0]`` is one, and a later write into ``s`` changes ``p``.

A kernel reads an item where its name is bound.  That is the same as long as nobody writes to the array
between there and the last place where the name is read.
"""

from __future__ import annotations

import ast
from typing import Any

from .name_aliasing import Memory, appended, visible_in

__all__ = ["changing_names"]


def changing_names(
    definition: ast.FunctionDef, scope: dict[str, Any], functions: dict[str, ast.FunctionDef]
) -> set[str]:
    """The names of a function that may stand for memory that is written to while they are in use."""
    memory = Memory(definition, visible_in(definition, scope), scope, functions)
    bound: dict[str, list[int]] = {
        a.arg: [0] for a in ast.walk(definition.args) if isinstance(a, ast.arg)
    }
    read: dict[str, list[int]] = {}
    for node in ast.walk(definition):
        if isinstance(node, ast.Name):
            places = read if isinstance(node.ctx, ast.Load) else bound
            places.setdefault(node.id, []).append(node.lineno)
        elif isinstance(node, ast.Call) and (owner := appended(node)) is not None:
            bound.setdefault(owner, []).append(node.lineno)
    written: dict[str, list[int]] = {}
    for line, name in memory.writes:
        written.setdefault(memory.root(name), []).append(line)
    return {
        name
        for name, starts in bound.items()
        if name not in memory.visible
        and not memory.alone(name)
        and any(
            start < write < end or end < start
            for write in written.get(memory.root(name), [])
            for start in starts
            for end in read.get(name, [])
        )
    }
