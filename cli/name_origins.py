"""Origins of the names in a written module."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from .targets import PRIVATE, Target

__all__ = ["home_of"]


def home_of(target: Target, program: Any, name: str, value: Any) -> tuple[str, str]:
    """A module and a dotted name in it that give this object."""
    from retrograd.runtime.errors import UnsupportedSyntax

    for module in modules(target, program):
        for path in paths(name):
            if at(module, path) is value:
                return settled(target, module, path)
    source = next(iter(program.sources.values()))
    raise UnsupportedSyntax(
        f"the derivative needs `{name}`, which no other module can import",
        place=source.place(source.tree),
        fix="define it at the top of the file, or pass it as an argument",
    )


def modules(target: Target, program: Any) -> Iterator[ModuleType]:
    """The target's module, then those of the functions it calls."""
    yield target.loaded
    for function in program.functions:
        module = sys.modules.get(function.__module__)
        if module is not None and module is not target.loaded:
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


NOTHING = object()


def settled(target: Target, module: ModuleType, path: str) -> tuple[str, str]:
    """The name the module has for everybody else; below another module, that one's."""
    first, _, rest = path.partition(".")
    inner = getattr(module, first)
    if rest and isinstance(inner, ModuleType):
        return settled(target, inner, rest)
    name = target.module if module is target.loaded else module.__name__
    check_importable(name, path)
    return name, path


def check_importable(name: str, path: str) -> None:
    from retrograd.runtime.errors import UnsupportedSyntax

    if name.startswith(PRIVATE) or not all(part.isidentifier() for part in name.split(".")):
        raise UnsupportedSyntax(
            f"the derivative needs `{path}`, but a file named {name}.py cannot be imported",
            fix="rename the file so that its name is a Python identifier",
        )
