"""What a Python file defines, read without running it."""

from __future__ import annotations

import ast
from pathlib import Path

__all__ = ["files_with", "functions_in", "parameters_in"]

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions_in(file: Path) -> dict[str, Function]:
    """The functions at the top of a file and in its classes, as ``loss`` and ``Net.loss``."""
    try:
        body = ast.parse(file.read_text(encoding="utf-8")).body
    except (OSError, SyntaxError, ValueError):
        return {}
    return collected(body, "")


def collected(body: list[ast.stmt], before: str) -> dict[str, Function]:
    found: dict[str, Function] = {}
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if not (node.name.startswith("__") and node.name != "__call__"):
                found[before + node.name] = node
        elif isinstance(node, ast.ClassDef):
            found |= collected(node.body, f"{before}{node.name}.")
    return found


def parameters_in(file: Path, path: str) -> list[str]:
    """The parameters of a function of a file."""
    node = functions_in(file).get(path)
    if node is None:
        return []
    return [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]


def files_with(name: str, folder: Path) -> list[str]:
    """The files of a folder that define this function."""
    return [path.name for path in sorted(folder.glob("*.py")) if name in functions_in(path)]
