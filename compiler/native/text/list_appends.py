"""Lists that a text replaces by longer ones, where nobody else holds them: they grow in place.

``rows = rt.appended(rows, row)`` is ``rows.append(row)`` if ``rows`` is never another name's, nor in a container.
"""

from __future__ import annotations

import ast
from typing import Any

__all__ = ["growing_in_place"]


def growing_in_place(definition: ast.FunctionDef) -> ast.FunctionDef:
    """The function, its lists growing in place where that is the same."""
    names = {found for node in ast.walk(definition) if (found := replaced(node)) is not None}
    own = {name for name in names if is_own(definition, name)}
    if own:
        Growing(own).visit(definition)
        ast.fix_missing_locations(definition)
    return definition


def replaced(node: ast.AST) -> str | None:
    """The name of a list that a statement makes longer by one."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
        return None
    (target, *others), call = node.targets, node.value
    is_helper = isinstance(call.func, ast.Attribute) and ast.unparse(call.func) == "rt.appended"
    if others or not is_helper or len(call.args) != 2 or not isinstance(target, ast.Name):
        return None
    first = call.args[0]
    return target.id if isinstance(first, ast.Name) and first.id == target.id else None


def is_own(definition: ast.FunctionDef, name: str) -> bool:
    """True if a name alone holds its list: it is made here, read item by item, and handed on at the end."""
    allowed: set[int] = set()
    for node in ast.walk(definition):
        allowed.update(id(part) for part in harmless(node))
    mentions = [n for n in ast.walk(definition) if isinstance(n, ast.Name) and n.id == name]
    parameters = [a.arg for a in definition.args.args]
    return name not in parameters and all(id(node) in allowed for node in mentions)


def harmless(node: ast.AST) -> list[Any]:
    """The parts of a node that may be such a list."""
    if replaced(node) is not None:
        assert isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        return [node.targets[0], node.value.args[0]]
    if isinstance(node, ast.Assign) and isinstance(node.value, (ast.List, ast.ListComp)):
        return list(node.targets)
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
        return [node.value]
    if isinstance(node, ast.Call) and (ast.unparse(node.func) == "len" or is_numpy(node.func)):
        return list(node.args)
    return [node.value] if isinstance(node, ast.Return) else []


def is_numpy(fn: ast.expr) -> bool:
    return isinstance(fn, ast.Attribute) and isinstance(fn.value, ast.Name) and fn.value.id == "np"


class Growing(ast.NodeTransformer):
    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        name = replaced(node)
        if name not in self.names:
            return node
        assert isinstance(node.value, ast.Call)
        method = ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load())
        call = ast.Call(method, [node.value.args[1]], [])
        return ast.copy_location(ast.Expr(call), node)
