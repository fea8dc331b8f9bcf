"""A text for CuPy's arrays: NumPy's functions are CuPy's, helpers their copies for the device."""

from __future__ import annotations

import ast
import importlib
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd import runtime
from retrograd.runtime.device.namespaces import check_names, lacking, namespace_of, operands_of
from retrograd.runtime.device.needs import lacking_in

from .host_arrays import refuse_host_arrays

__all__ = ["respelled"]

# Calls that NumPy takes and CuPy does not, for which there is a function of ours.
WIDER: dict[str, Callable[[ast.Call], bool]] = {
    "special.polygamma": lambda call: isinstance(call.args[0], ast.Constant),
    "np.choose": lambda call: isinstance(call.args[-1], (ast.List, ast.Tuple)),
    "np.take_along_axis": lambda call: (
        len(call.args) + len(call.keywords) < 3
    ),  # along the last axis
}
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
    respelling = Respelling(modules_of(lines))
    made = [respelling.visit(imported(line)) for line in lines]
    is_there = any(
        isinstance(line, ast.ImportFrom) and ast.unparse(line) == RUNTIME for line in made
    )
    if respelling.asks_runtime and not is_there:
        made[:0] = ast.parse(RUNTIME).body
    if respelling.asks_cupy and "np" not in names_of(lines):
        made[:0] = ast.parse("import cupy as cp").body
    return made


def imported(line: ast.stmt) -> ast.stmt:
    if not isinstance(line, (ast.Import, ast.ImportFrom)):
        return line
    text = ast.unparse(line)
    if isinstance(line, ast.ImportFrom) and (line.module or "").partition(".")[0] == "scipy":
        return ast.ImportFrom(f"cupyx.{line.module}", line.names, 0)
    return ast.parse(IMPORTS.get(text, text)).body[0]


def names_of(lines: list[ast.stmt]) -> set[str]:
    """What the imports of a text bind."""
    imports = [line for line in lines if isinstance(line, (ast.Import, ast.ImportFrom))]
    return {alias.asname or alias.name for line in imports for alias in line.names}


def modules_of(lines: list[ast.stmt]) -> dict[str, Any]:
    """NumPy's and SciPy's modules by the names that the text has for them."""
    found: dict[str, Any] = {"np": np}
    for line in lines:
        if isinstance(line, ast.ImportFrom) and (line.module or "").partition(".")[0] == "scipy":
            for alias in line.names:
                name = f"{line.module}.{alias.name}"
                found[alias.asname or alias.name] = importlib.import_module(name)
    return found


class Respelling(ast.NodeTransformer):
    """`np` is `cp`, and has the names of CuPy's; what stands for others is the runtime's."""

    def __init__(self, modules: dict[str, Any]) -> None:
        self.modules, self.asks_runtime, self.asks_cupy = modules, False, False

    def visit_Name(self, node: ast.Name) -> Any:
        return ast.copy_location(ast.Name("cp", node.ctx), node) if node.id == "np" else node

    def visit_Call(self, node: ast.Call) -> Any:
        is_list = node.args and isinstance(node.args[0], (ast.List, ast.Tuple, ast.ListComp))
        if is_list and ast.unparse(node.func) == "np.array" and not are_constants(node.args[0]):
            node.func = self.own("array")
        name = ast.unparse(node.func)
        if name in WIDER and WIDER[name](node):
            node.func = self.own(name.rpartition(".")[2])
        if name == "np.negative" and (steps := ints_in(node.args[0])):
            return steps  # by how far to roll: nothing to compute there
        self.check_options(node)
        self.place_numbers(node)
        return self.generic_visit(node)

    def place_numbers(self, node: ast.Call) -> None:
        """``cp.ravel(cp.asarray(x))`` of a number ``x``, and of numbers that are joined."""
        module, path = (
            self.module_and_name(node.func) if isinstance(node.func, ast.Attribute) else (None, [])
        )
        if module is None or len(path) != 1 or path[0].endswith("array"):
            return
        wanted, joined = operands_of(getattr(namespace_of(module).device, path[0], None))
        for k, arg in enumerate(node.args):
            items = getattr(arg, "elts", ()) if k in joined else ()
            if k in wanted and is_number(arg):
                node.args[k] = self.placed(arg)
            elif items and all(map(is_number, items)):
                arg.elts = list(map(self.placed, items))  # type: ignore[attr-defined]

    def placed(self, number: ast.expr) -> ast.expr:
        self.asks_cupy = True
        return ast.Call(ast.parse("np.asarray", mode="eval").body, [number], [])

    def check_options(self, node: ast.Call) -> None:
        """Refuse an option that CuPy's function lacks."""
        names = [word.arg for word in node.keywords if word.arg is not None]
        if not names or not isinstance(node.func, ast.Attribute):
            return
        module, path = self.module_and_name(node.func)
        if module is not None and len(path) == 1:
            check_names(
                f"{module.__name__}.{path[0]}",
                getattr(namespace_of(module).device, path[0], None),
                names,
            )

    def own(self, name: str) -> ast.expr:
        self.asks_runtime = True
        return ast.Attribute(ast.Name("rt", ast.Load()), name, ast.Load())

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        name = ast.unparse(node).removeprefix("np.")
        if name == "errstate":
            return self.own(name)
        if name.startswith("rt."):
            self.check_helper(name.removeprefix("rt."))
        module, path = self.module_and_name(node)
        if module is None or not path:
            return self.generic_visit(node)
        space = namespace_of(module)
        if not space.has(path[0]):
            raise lacking(f"{module.__name__}.{path[0]}")
        if len(path) == 1 and space.is_ours(path[0]):
            return self.own(path[0])
        return self.generic_visit(node)

    def check_helper(self, name: str) -> None:
        """Refuse a helper that needs what CuPy lacks."""
        helper = getattr(runtime, name, None) if "." not in name else None
        missing = None if helper is None else lacking_in(helper)
        if missing is not None:
            raise lacking(missing)

    def module_and_name(self, node: ast.Attribute) -> tuple[Any, list[str]]:
        """The library's module that a dotted name begins with, and the names that follow."""
        path, root = [node.attr], node.value
        while isinstance(root, ast.Attribute):
            path, root = [root.attr, *path], root.value
        module = self.modules.get(root.id) if isinstance(root, ast.Name) else None
        while (
            module is not None
            and path
            and isinstance(getattr(module, path[0], None), types.ModuleType)
        ):
            module, path = getattr(module, path[0]), path[1:]
        return module, path


def ints_in(node: ast.expr) -> ast.expr | None:
    """``(-1, -2)`` for ``np.array((1, 2))``."""
    given = node.args[0] if isinstance(node, ast.Call) and len(node.args) == 1 else None
    if not isinstance(given, ast.Tuple) or not are_constants(given):
        return None
    parts = ast.literal_eval(given)
    if not all(type(part) is int for part in parts):
        return None
    return ast.Tuple([ast.Constant(-part) for part in parts], ast.Load())


def is_number(node: ast.expr) -> bool:
    """True of what `rebuild` has noted as a number of Python's."""
    return getattr(node, "is_number", False)


def are_constants(node: ast.expr) -> bool:
    """True of nested lists of numbers, which are handed to the device once."""
    return all(
        isinstance(part, (ast.List, ast.Tuple, ast.Constant, ast.UnaryOp, ast.USub, ast.Load))
        for part in ast.walk(node)
    )
