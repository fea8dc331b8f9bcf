"""Origins of the names that a text takes from the program: the modules that have them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["found_in", "importable_home"]

NOTHING = object()


def importable_home(fn: Any, program: Any, name: str, value: Any) -> tuple[str, str] | None:
    """The module and the dotted name there of an object, or None if no other module can import it."""
    found = found_in(sys.modules.get(fn.__module__), program, name, value)
    if found is None:
        return None
    module, path = found
    home = public_name(module)
    return None if home is None else (home, path)


def found_in(
    first: ModuleType | None, program: Any, name: str, value: Any
) -> tuple[ModuleType, str] | None:
    """The module, of those of a program, that has an object, and its dotted name there."""
    for module in modules(first, program):
        for path in paths(name):
            if at(module, path) is value:
                return below(module, path)
    return None


def modules(first: ModuleType | None, program: Any) -> Iterator[ModuleType]:
    """The first module, then those of the functions that the program calls."""
    if first is not None:
        yield first
    for function in program.functions:
        module = sys.modules.get(function.__module__)
        if module is not None and module is not first:
            yield module


def paths(name: str) -> Iterator[str]:
    """The name itself, and what it stands for: ``a_b_c`` for ``a.b_c``, ``a_b.c``, ``a.b.c``."""
    yield name
    cuts = [k for k, letter in enumerate(name) if letter == "_" and 0 < k < len(name) - 1]
    for mask in range(1, 2 ** min(len(cuts), 8)):
        dots = {cut for bit, cut in enumerate(cuts) if mask >> bit & 1}
        yield "".join("." if k in dots else letter for k, letter in enumerate(name))


def at(module: ModuleType, path: str) -> Any:
    found: Any = module
    for part in path.split("."):
        found = getattr(found, part, NOTHING)
    return found


def below(module: ModuleType, path: str) -> tuple[ModuleType, str]:
    """A name that is looked up in another module is that module's."""
    first, _, rest = path.partition(".")
    inner = getattr(module, first)
    return below(inner, rest) if rest and isinstance(inner, ModuleType) else (module, path)


def public_name(module: ModuleType) -> str | None:
    """The name that others import a module by: a script is imported by the name of its file."""
    name = module.__name__
    if name == "__main__":
        file = getattr(module, "__file__", None)
        spec = getattr(module, "__spec__", None)
        name = spec.name if spec is not None else Path(file).stem if file else ""
    parts = name.split(".")
    return name if parts[-1] != "__main__" and all(p.isidentifier() for p in parts) else None
