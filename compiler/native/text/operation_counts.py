"""How much there is in some statements of the emitted text, and whether they leave a loop."""

from __future__ import annotations

import ast

__all__ = ["jumps", "operations", "returns"]


def returns(stmt: ast.stmt) -> bool:
    return any(isinstance(node, ast.Return) for node in ast.walk(stmt))


def jumps(stmt: ast.stmt) -> bool:
    """True if a statement leaves a loop that it stands in, or goes on with it."""
    if isinstance(stmt, (ast.Break, ast.Continue)):
        return True
    if isinstance(stmt, ast.If):
        return any(map(jumps, [*stmt.body, *stmt.orelse]))
    return False


def operations(stmts: list[ast.stmt]) -> int:
    """About how many operations of NumPy some statements are: ten iterations for a loop."""
    total = 0
    for stmt in stmts:
        if isinstance(stmt, (ast.For, ast.While)):
            total += 10 * max(1, operations(stmt.body))
        elif isinstance(stmt, ast.If):
            total += 1 + max(operations(stmt.body), operations(stmt.orelse))
        else:
            total += sum(weight(node) for node in ast.walk(stmt))
    return total


CHEAP = {"zeros", "ones", "zeros_like", "copy", "stretch", "reshape"}


def weight(node: ast.AST) -> int:
    if isinstance(node, ast.Call):
        return 1 if isinstance(node.func, ast.Attribute) and node.func.attr in CHEAP else 2
    return int(isinstance(node, (ast.BinOp, ast.Compare, ast.UnaryOp, ast.AugAssign)))
