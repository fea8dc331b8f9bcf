"""A generated module as text: header, imports, constants, functions."""

from __future__ import annotations

import ast
import builtins
import sys
import types
from collections.abc import Callable
from typing import Any

from retrograd.runtime.records import dataclass

from ..ir.target import is_on_device
from .definitions import definition
from .helper_notes import explain_helpers
from .on_device import respelled
from .printer.printer import write
from .rebuild.expressions import dotted

__all__ = ["Committed", "module_text"]


@dataclass(frozen=True)
class Committed:
    """The additions of a module that stands by itself to one that is loaded at once.

    ``home`` gives the module and the dotted name there of an object the text refers to, where it is to be
    imported, or None: it is defined in the text, or the header says that it is not; ``expects`` are the kinds
    of arguments that its main function takes; ``name`` is its name, if not the usual one.
    """

    home: Callable[[str, Any], tuple[str, str] | None] | None
    expects: tuple[str, ...] = ()
    name: str = ""


def module_text(
    header: str,
    definitions: list[ast.FunctionDef],
    roots: dict[str, Any],
    committed: Committed | None = None,
    main: str = "",
) -> tuple[str, dict[str, Any]]:
    """The text, and the objects it expects in its namespace because no import can give them."""
    roots = dict(roots)
    explain_helpers(definitions)
    if committed is not None and committed.expects:
        guard(next(d for d in reversed(definitions) if main in ("", d.name)), committed.expects)
        roots["rt"] = None
    imports, constants, captured = outside(roots)
    if committed is not None and committed.home is not None:
        found, assigned, missing = taken_home(captured, committed)
        if any(needs_numpy(line) for line in assigned) and "np" not in roots:
            imports.insert(0, ast.Import([ast.alias("numpy", "np")]))
        imports, constants, captured = imports + found, assigned + constants, {}
        header = with_note(header, missing)
    body: list[ast.stmt] = [*imports, *constants, *definitions]
    body = [
        ast.Expr(ast.Constant(header)),
        *(respelled(body, roots) if is_on_device() else body),
    ]
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
        elif is_of_python(name, value):
            imports.append(ast.ImportFrom(value.__module__, [ast.alias(name)], 0))
        elif type(value) in (int, float, str, bool):
            constants.append(ast.Assign([ast.Name(name, ast.Store())], ast.Constant(value)))
        elif vars(builtins).get(name, outside) is not value:
            captured[name] = value
    return imports, constants, captured


def is_of_python(name: str, value: Any) -> bool:
    """True of a function that Python's own library has by this name: ``copy.deepcopy``."""
    if not isinstance(value, types.FunctionType) or value.__module__ not in sys.stdlib_module_names:
        return False
    return getattr(sys.modules.get(value.__module__), name, None) is value


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


def needs_numpy(line: ast.stmt) -> bool:
    return any(isinstance(n, ast.Name) and n.id == "np" for n in ast.walk(line))


def with_note(header: str, missing: list[str]) -> str:
    """A header that says which names the text reads and cannot give a value."""
    if not missing:
        return header
    names = ", ".join(f"`{name}`" for name in missing)
    one = len(missing) == 1
    said = ("is an object", "it") if one else ("are objects", "them")
    return f"{header.rstrip()}\n\n{names} {said[0]} of the program: define {said[1]} here first.\n"


def taken_home(
    captured: dict[str, Any], committed: Committed
) -> tuple[list[ast.stmt], list[ast.stmt], list[str]]:
    """Imports and definitions of the user's objects, and the names that have neither.

    An attribute of an object is read from it below the imports.
    """
    assert committed.home is not None
    wanted: dict[str, dict[tuple[str, str | None], None]] = {}
    assigned: list[ast.stmt] = []
    missing: list[str] = []
    for name in sorted(captured):
        home = committed.home(name, captured[name])
        if home is None:
            line = definition(name, captured[name])
            assigned += [line] if line else []
            missing += [] if line else [name]
            continue
        module, path = home
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
    return imports, assigned, missing
