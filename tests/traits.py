"""Tables keyed by an operation: where facts about operations stand, besides their records.

``python -m tests.traits`` lists them, with what each is for; ``tests/test_traits.py`` keeps their number.
A fact about an operation belongs into its record (``runtime/rules/traits.py``), beside its rule.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import math
import operator
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.homes import RUNTIME
from retrograd.runtime.rules import all_rules
from retrograd.runtime.rules.scipy import registry

__all__ = ["Table", "tables"]

assert all_rules is not None  # every family of NumPy is registered
ROOT = Path(__file__).resolve().parent.parent
PARTS = ("compiler", "runtime", "retrograd")
LIBRARIES = ("numpy", "math", "cmath", "operator", "_operator", "builtins", "scipy", "functools")
SPACES = (np, np.linalg, np.fft, np.ndarray, math, operator, builtins, linear)
CODE = "code"  # the values are functions of ours: one table is where they are registered
WORDS = "words"  # names for names: PyTorch's, C's, what a variable is called
FACTS = "facts"


class Table(NamedTuple):
    """A module-level collection whose members are operations, or names of operations."""

    kind: str
    by: str
    file: str
    line: int
    name: str
    size: int


def tables() -> list[Table]:
    """Every table there is, the records themselves left out."""
    registry.load_installed()
    return [table for path in sources() for table in tables_in(path)]


def sources() -> list[Path]:
    found = [path for part in PARTS for path in sorted((ROOT / part).rglob("*.py"))]
    links = [ROOT / "retrograd" / part for part in ("cli", *PARTS)]
    return [
        path for path in found
        if not any(path.is_relative_to(link) for link in links)
        and "generated" not in path.parts and path.stem != "__main__"
        and not path.is_relative_to(ROOT / "runtime" / "rules")  # there facts are declared
    ]  # fmt: skip


def tables_in(path: Path) -> Iterator[Table]:
    """The tables that one module assigns to its names."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names: dict[str, int] = {}
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            if isinstance(target, ast.Name) and target.id != "__all__":
                names.setdefault(target.id, node.lineno)
    file = str(path.relative_to(ROOT))
    try:
        module = importlib.import_module(module_name(file)) if names else None
    except ModuleNotFoundError as error:
        if (error.name or "retrograd").startswith("retrograd"):
            raise
        return  # it speaks to a library that is not here
    for name, line in names.items():
        value = getattr(module, name, None)
        by = keyed_by(value)
        if by and file != "runtime/rules/traits.py":
            yield Table(kind_of(value), by, file, line, name, len(value))


def module_name(file: str) -> str:
    name = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return name if name.startswith("retrograd") else f"retrograd.{name}"


def keyed_by(value: Any) -> str:
    """``object`` or ``name``: what the members of a table, or most of them, are; else nothing."""
    if not isinstance(value, (dict, set, frozenset, tuple, list)) or not value:
        return ""
    members = list(value)
    if 2 * sum(map(is_operation, members)) >= len(members):
        return "object"
    named = sum(isinstance(m, str) and m in operation_names() for m in members)
    return "name" if named >= 2 and named >= 0.6 * len(members) else ""


def kind_of(value: Any) -> str:
    """What a table is for, by what it says of the operations."""
    said = list(value.values()) if isinstance(value, dict) else []
    if said and all(callable(v) or (isinstance(v, tuple) and callable(v[-1])) for v in said):
        return CODE
    if said and all(isinstance(v, str) for v in said):
        return WORDS
    return FACTS


def is_operation(x: Any) -> bool:
    """A function, method or ufunc that a program may call; a class of numbers is a type."""
    if isinstance(x, (np.ufunc, tuple)):
        return isinstance(x, np.ufunc) or any(map(is_operation, x))
    if isinstance(x, type) or not (callable(x) or inspect.isdatadescriptor(x)):
        return False
    if getattr(x, "__objclass__", None) in (np.ndarray, list, dict, str):
        return True
    home = str(getattr(x, "__module__", ""))
    ours = home.startswith((f"{RUNTIME}helpers", f"{RUNTIME}replacements"))
    return ours or home.partition(".")[0] in LIBRARIES


@cache
def operation_names() -> frozenset[str]:
    """What operations are called, with and without the module that they are in."""
    special = registry.spaces().get("special")
    found = {
        name
        for space in (*SPACES, *([special] if special else []))
        for name in dir(space)
        if not name.startswith("_")
        and callable(getattr(space, name, None))
        and not isinstance(getattr(space, name), type)
    }
    return frozenset(found)


def report(found: list[Table]) -> Iterator[str]:
    width = max(len(f"{t.file}:{t.line}") for t in found)
    for kind in (FACTS, CODE, WORDS):
        mine = [t for t in found if t.kind == kind]
        yield f"{kind}: {len(mine)}"
        yield from (
            f"  {f'{t.file}:{t.line}':<{width}}  {t.name} ({t.size}, by {t.by})" for t in mine
        )
    by = Counter(t.by for t in found)
    files = len({t.file for t in found})
    yield f"{len(found)} tables keyed by an operation ({by['object']} by object, {by['name']} by name) in {files} files"


if __name__ == "__main__":
    print("\n".join(report(tables())))
