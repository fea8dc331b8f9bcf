"""A generated module as text: header, imports, constants, functions."""

from __future__ import annotations

import ast
import types
from typing import Any

from .rebuild_expressions import load
from .writer import write

__all__ = ["module_text"]


def module_text(header: str, definitions: list[ast.FunctionDef], roots: dict[str, Any], program: Any) -> tuple[str, dict[str, Any]]:
    """The text, and the objects it expects in its namespace because no import can give them."""
    body: list[ast.stmt] = [ast.Expr(ast.Constant(header))]
    captured: dict[str, Any] = {}
    imports: list[ast.stmt] = []
    constants: list[ast.stmt] = []
    for name in sorted(roots):
        value = roots[name]
        if name == "np":
            imports.append(ast.Import([ast.alias("numpy", "np")]))
        elif name == "rt":
            imports.append(ast.ImportFrom("retrograd", [ast.alias("runtime", "rt")], 0))
        elif name in ("math", "operator"):
            imports.insert(0, ast.Import([ast.alias(name)]))
        elif isinstance(value, types.ModuleType):
            imports.append(ast.Import([ast.alias(value.__name__, name if name != value.__name__ else None)]))
        elif isinstance(value, (int, float, str, bool)):
            constants.append(ast.Assign([ast.Name(name, ast.Store())], ast.Constant(value)))
        elif not hasattr(__import__("builtins"), name):
            captured[name] = value
    body += imports + constants + definitions
    module = ast.fix_missing_locations(ast.Module(body, []))
    return write(module), captured


_ = load
