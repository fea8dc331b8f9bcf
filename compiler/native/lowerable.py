"""Whether the loop IR may take a statement, as far as its text says: kinds are only known at run time."""

from __future__ import annotations

import ast
import types
from typing import Any

import numpy as np

from .calls import METHODS, handler_of
from .elementwise import UFUNCS
from .expressions import READERS
from .memory import value_of, visible_in

__all__ = ["Grammar", "jumps", "operations", "returns"]

INNER = (
    ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.Slice, ast.keyword,
    ast.Starred, ast.arguments, ast.arg,
)  # fmt: skip
SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Pass, ast.Return)


class Grammar:
    """What the reader knows of: statements, expressions, functions."""

    def __init__(self, functions: dict[str, ast.FunctionDef], scope: dict[str, Any]) -> None:
        self.functions, self.scope = functions, scope
        self.known: dict[str, str | None] = {}

    def refusal(self, stmt: ast.stmt, visible: dict[str, Any]) -> str | None:
        """Why a statement (of a compound one, its head) is not taken; None if it may be."""
        if isinstance(stmt, SIMPLE):
            parts: list[ast.AST] = list(ast.iter_child_nodes(stmt))
        elif isinstance(stmt, ast.For):
            parts = [stmt.target, stmt.iter]
        elif isinstance(stmt, (ast.While, ast.If)):
            parts = [stmt.test]
        elif isinstance(stmt, (ast.Break, ast.Continue)):
            return None
        else:
            return f"the statement {type(stmt).__name__.lower()}"
        for part in parts:
            for node in ast.walk(part):
                if not isinstance(node, (*READERS, *INNER)):
                    return f"`{ast.unparse(node)}`"
                if isinstance(node, ast.Call) and not self.takes(node.func, visible):
                    return ast.unparse(node.func)
        return None

    def takes(self, func: ast.expr, visible: dict[str, Any]) -> bool:
        fn = value_of(func, visible)
        if fn is None:
            return isinstance(func, ast.Attribute) and func.attr in {*METHODS, "append"}
        if handler_of(fn) is not None:
            return True
        if isinstance(fn, np.ufunc):
            return fn in UFUNCS
        if isinstance(fn, types.BuiltinFunctionType):
            return fn.__module__ == "math"
        return isinstance(fn, types.FunctionType) and self.takes_function(fn)

    def takes_function(self, fn: types.FunctionType) -> bool:
        """A function of the module is read in place of its call."""
        name = fn.__name__
        if fn.__globals__ is not self.scope or name not in self.functions:
            return False
        if name not in self.known:
            self.known[name] = "it calls itself"
            body, visible = self.functions[name].body, visible_in(self.functions[name], self.scope)
            found = [self.within(stmt, visible) for stmt in body]
            self.known[name] = next((f for f in found if f is not None), None)
        return self.known[name] is None

    def within(self, stmt: ast.stmt, visible: dict[str, Any]) -> str | None:
        """Why something below a statement is not taken."""
        inner = (s for s in ast.walk(stmt) if isinstance(s, ast.stmt))
        return next((r for s in inner if (r := self.refusal(s, visible)) is not None), None)


def returns(stmt: ast.stmt) -> bool:
    return any(isinstance(node, ast.Return) for node in ast.walk(stmt))


def jumps(stmt: ast.stmt) -> bool:
    """Whether a statement leaves a loop that it stands in, or goes on with it."""
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
