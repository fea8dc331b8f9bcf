"""A text for CuPy's arrays: NumPy's functions are CuPy's, helpers their copies for the device."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from retrograd.runtime.device.copied_helpers import OWN
from retrograd.runtime.device.namespaces import namespace_of

from .host_arrays import refuse_host_arrays

__all__ = ["respelled"]

RUNTIME = "from retrograd.runtime.device import on_cupy as rt"
IMPORTS = {
    "import numpy as np": "import cupy as cp",
    "from retrograd import runtime as rt": RUNTIME,
}


def respelled(lines: list[ast.stmt], roots: dict[str, Any]) -> list[ast.stmt]:
    """The same statements for the device; a function that CuPy lacks is refused by its name.

    So is an array of the host among ``roots``, what the text reads from outside, where it would meet one of the device.
    """
    refuse_host_arrays(lines, roots)
    respelling = Respelling()
    made = [respelling.visit(imported(line)) for line in lines]
    is_there = any(
        isinstance(line, ast.ImportFrom) and ast.unparse(line) == RUNTIME for line in made
    )
    if respelling.asks_runtime and not is_there:
        made[:0] = ast.parse(RUNTIME).body
    return made


def imported(line: ast.stmt) -> ast.stmt:
    if not isinstance(line, (ast.Import, ast.ImportFrom)):
        return line
    text = ast.unparse(line)
    if isinstance(line, ast.ImportFrom) and (line.module or "").partition(".")[0] == "scipy":
        return ast.ImportFrom(f"cupyx.{line.module}", line.names, 0)
    return ast.parse(IMPORTS.get(text, text)).body[0]


class Respelling(ast.NodeTransformer):
    """`np` is `cp`, and has the names of CuPy's; what stands for others is the runtime's."""

    def __init__(self) -> None:
        self.asks_runtime = False

    def visit_Name(self, node: ast.Name) -> Any:
        return ast.copy_location(ast.Name("cp", node.ctx), node) if node.id == "np" else node

    def visit_Call(self, node: ast.Call) -> Any:
        is_list = node.args and isinstance(node.args[0], (ast.List, ast.Tuple, ast.ListComp))
        if is_list and ast.unparse(node.func) == "np.array" and not are_constants(node.args[0]):
            node.func = self.own("array")
        return self.generic_visit(node)

    def own(self, name: str) -> ast.expr:
        self.asks_runtime = True
        return ast.Attribute(ast.Name("rt", ast.Load()), name, ast.Load())

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        name = ast.unparse(node).removeprefix("np.")
        if name in OWN and name != "array":
            return self.own(name)
        check(node)
        return self.generic_visit(node)


def are_constants(node: ast.expr) -> bool:
    """True of nested lists of numbers, which are handed to the device once."""
    return all(
        isinstance(part, (ast.List, ast.Tuple, ast.Constant, ast.UnaryOp, ast.USub, ast.Load))
        for part in ast.walk(node)
    )


def check(node: ast.Attribute) -> None:
    """Refuse a name of NumPy's that CuPy lacks."""
    path, root = [node.attr], node.value
    while isinstance(root, ast.Attribute):
        path, root = [root.attr, *path], root.value
    if isinstance(root, ast.Name) and root.id == "np":
        found: Any = namespace_of(np)
        for name in path:
            found = getattr(found, name)
