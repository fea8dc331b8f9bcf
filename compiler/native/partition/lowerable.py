"""Statements that the loop IR may take, as far as their text says: kinds are only known at run time."""

from __future__ import annotations

import ast
import types
from typing import Any

import numpy as np

from retrograd.runtime.arrays.libraries import is_cupy

from ..reader import all_handlers  # noqa: F401
from ..reader.handlers import EXPRESSIONS, METHODS, handler_of
from ..reader.module_objects import stays
from ..reader.numpy.elementwise import UFUNCS
from ..text.helper_texts import is_helper, texts_of
from ..text.name_aliasing import value_of, visible_in
from .kind_questions import asked_in

__all__ = ["Grammar"]

INNER = (
    ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.Slice, ast.keyword,
    ast.Starred, ast.arguments, ast.arg, ast.comprehension,
)  # fmt: skip
SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Pass, ast.Return)


class Grammar:
    """The grammar of the reader: statements, expressions, functions."""

    def __init__(self, functions: dict[str, ast.FunctionDef], scope: dict[str, Any]) -> None:
        self.functions, self.scope = functions, scope
        self.known: dict[types.FunctionType, str | None] = {}

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
        elif isinstance(stmt, ast.Assert):
            parts = [stmt.test]
        else:
            return f"the statement {type(stmt).__name__.lower()}"
        for part in parts:
            whole = identities(part)
            for node in ast.walk(part):
                named = isinstance(node, ast.Name) and id(node) not in whole
                if named and not taken(visible.get(node.id)):  # type: ignore[attr-defined]
                    return f"`{node.id}`, an object that may change"  # type: ignore[attr-defined]
                if not isinstance(node, (*EXPRESSIONS, *INNER)):
                    return f"`{ast.unparse(node)}`"
                if isinstance(node, ast.Call) and not self.takes(node.func, visible):
                    return ast.unparse(node.func)
        return None

    def takes(self, func: ast.expr, visible: dict[str, Any]) -> bool:
        fn = value_of(func, visible)
        if fn is None:
            return isinstance(func, ast.Attribute) and func.attr in {*METHODS, "append"}
        return self.takes_object(fn)

    def takes_object(self, fn: Any) -> bool:
        """True if the reader has loops for an operation, or may read its text."""
        if handler_of(fn) is not None:
            return True
        if isinstance(fn, np.ufunc):
            return fn in UFUNCS
        if isinstance(fn, types.BuiltinFunctionType):
            return fn.__module__ == "math"
        return isinstance(fn, types.FunctionType) and self.takes_function(fn)

    def takes_function(self, fn: types.FunctionType) -> bool:
        """A function of the module, or a helper of the runtime, is read in place of its call."""
        own = fn.__globals__ is self.scope and fn.__name__ in self.functions
        if not own and not is_helper(fn):
            return False
        if fn not in self.known:
            self.known[fn] = "it calls itself"
            texts = self.functions if own else texts_of(fn.__module__)
            self.known[fn] = self.of_function(texts.get(fn.__name__), fn.__globals__)
        return self.known[fn] is None

    def of_function(self, definition: ast.FunctionDef | None, scope: dict[str, Any]) -> str | None:
        """Why a function is not taken; what raises may never run, and is not asked for."""
        if definition is None:
            return "it has no text"
        visible = visible_in(definition, scope)
        own = scope is self.scope  # what our helpers ask is of arrays
        if own and any(asked_in(definition, visible)):
            return "a value is asked for its kind"
        found = [self.within(stmt, visible) for stmt in definition.body]
        return next((f for f in found if f is not None), None)

    def within(self, stmt: ast.stmt, visible: dict[str, Any]) -> str | None:
        """Why something below a statement is not taken."""
        inner = (s for s in ast.walk(stmt) if isinstance(s, ast.stmt))
        inner = (s for s in inner if not isinstance(s, (ast.Raise, ast.With)))
        return next((r for s in inner if (r := self.refusal(s, visible)) is not None), None)


def identities(part: ast.AST) -> set[int]:
    """The names of which only the object is asked for: those on both sides of an ``is``."""
    found = [n for n in ast.walk(part) if isinstance(n, ast.Compare)]
    found = [n for n in found if all(isinstance(op, (ast.Is, ast.IsNot)) for op in n.ops)]
    return {id(side) for n in found for side in (n.left, *n.comparators)}


def taken(value: Any) -> bool:
    """True if an object of the module may be read in a kernel."""
    return isinstance(value, (np.ndarray, np.generic, tuple)) or is_cupy(value) or stays(value)
