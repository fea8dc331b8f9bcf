"""A generated module as text: header, imports, constants, functions."""

from __future__ import annotations

import ast
import builtins
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .printer.printer import write
from .rebuild.expressions import dotted

__all__ = ["Committed", "module_text"]


@dataclass(frozen=True)
class Committed:
    """The additions of a module that stands by itself to one that is loaded at once.

    ``home`` gives the module and the dotted name there of an object the text refers to, where it is to be
    imported; ``expects`` are the kinds of arguments that its main function takes.
    """

    home: Callable[[str, Any], tuple[str, str]] | None
    expects: tuple[str, ...] = ()


def module_text(
    header: str,
    definitions: list[ast.FunctionDef],
    roots: dict[str, Any],
    committed: Committed | None = None,
    main: str = "",
) -> tuple[str, dict[str, Any]]:
    """The text, and the objects it expects in its namespace because no import can give them."""
    roots = dict(roots)
    if committed is not None and committed.expects:
        guard(next(d for d in reversed(definitions) if main in ("", d.name)), committed.expects)
        roots["rt"] = None
    imports, constants, captured = outside(roots)
    if committed is not None and committed.home is not None:
        found, assigned = taken_home(captured, committed)
        imports, constants, captured = imports + found, assigned + constants, {}
    body: list[ast.stmt] = [ast.Expr(ast.Constant(header)), *imports, *constants, *definitions]
    return write(ast.fix_missing_locations(ast.Module(body, []))), captured


def outside(roots: dict[str, Any]) -> tuple[list[ast.stmt], list[ast.stmt], dict[str, Any]]:
    """Imports, constants, and what is neither, for the names a text needs from outside."""
    imports: list[ast.stmt] = []
    constants: list[ast.stmt] = []
    captured: dict[str, Any] = {}
    for name in sorted(roots):
        value = roots[name]
        if name == "np":
            imports.append(ast.Import([ast.alias("numpy", "np")]))
        elif name == "rt":
            imports.append(ast.ImportFrom("retrograd", [ast.alias("runtime", "rt")], 0))
        elif name in ("math", "cmath", "operator"):
            imports.insert(0, ast.Import([ast.alias(name)]))
        elif isinstance(value, types.ModuleType):
            imports.append(imported(name, value))
        elif type(value) in (int, float, str, bool):
            constants.append(ast.Assign([ast.Name(name, ast.Store())], ast.Constant(value)))
        elif vars(builtins).get(name, outside) is not value:
            captured[name] = value
    return imports, constants, captured


def imported(name: str, module: types.ModuleType) -> ast.stmt:
    """The import that binds a module to a name."""
    package, _, last = module.__name__.rpartition(".")
    alias = name if name != last else None
    if package:
        return ast.ImportFrom(package, [ast.alias(last, alias)], 0)
    return ast.Import([ast.alias(last, alias)])


def guard(definition: ast.FunctionDef, kinds: tuple[str, ...]) -> None:
    """``@rt.expects(...)`` above the function."""
    definition.decorator_list = [
        ast.Call(dotted("rt.expects"), [ast.Constant(kind) for kind in kinds], [])
    ]


def taken_home(
    captured: dict[str, Any], committed: Committed
) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """Imports of the user's objects; an attribute of one is read from it below the imports."""
    assert committed.home is not None
    wanted: dict[str, dict[tuple[str, str | None], None]] = {}
    assigned: list[ast.stmt] = []
    for name in sorted(captured):
        module, path = committed.home(name, captured[name])
        root = path.partition(".")[0]
        taken = wanted.setdefault(module, {})
        if root == path:
            taken[root, name if name != root else None] = None
        else:
            taken[root, None] = None
            assigned.append(ast.Assign([ast.Name(name, ast.Store())], dotted(path)))
    imports: list[ast.stmt] = [
        ast.ImportFrom(module, [ast.alias(*pair) for pair in sorted(taken, key=str)], 0)
        for module, taken in sorted(wanted.items())
    ]
    return imports, assigned
