"""Origins of the names in a module that a command writes."""

from __future__ import annotations

from typing import Any

from .targets import PRIVATE, Target

__all__ = ["home_of"]


def home_of(target: Target, program: Any, name: str, value: Any) -> tuple[str, str]:
    """A module and a dotted name in it that give this object."""
    from retrograd.runtime.errors import UnsupportedSyntax
    from retrograd.transforms.specialise.name_origins import found_in

    found = found_in(target.loaded, program, name, value)
    if found is None:
        source = next(iter(program.sources.values()))
        raise UnsupportedSyntax(
            f"the derivative needs `{name}`, which no other module can import",
            place=source.place(source.tree),
            fix="define it at the top of the file, or pass it as an argument",
        )
    module, path = found
    home = target.module if module is target.loaded else module.__name__
    check_importable(home, path)
    return home, path


def check_importable(name: str, path: str) -> None:
    from retrograd.runtime.errors import UnsupportedSyntax

    if name.startswith(PRIVATE) or not all(part.isidentifier() for part in name.split(".")):
        raise UnsupportedSyntax(
            f"the derivative needs `{path}`, but a file named {name}.py cannot be imported",
            fix="rename the file so that its name is a Python identifier",
        )
