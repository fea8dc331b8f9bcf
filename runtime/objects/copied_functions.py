"""Copies of this package's functions, to which some names are others: NumPy may be another library, say.

Helpers and adjoints are texts that people read, and of which kernels are made: they say `np`.  What they compute with is
chosen by running a copy with other global names.  The functions that a copy calls are copies, too.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from .homes import HELPERS, RULES, RUNTIME

__all__ = ["FOLLOWED", "Copies", "is_followed"]

FOLLOWED = (HELPERS, RULES, f"{RUNTIME}generated.")


def is_followed(value: Any, homes: tuple[str, ...] = FOLLOWED) -> bool:
    """True of a function of this package that computes with arrays."""
    return isinstance(value, types.FunctionType) and value.__module__.startswith(homes)


class Copies:
    """Copies that call each other, of functions from modules whose names begin so.

    ``others(value)``: what stands for a global value, or the value itself.
    """

    def __init__(self, others: Callable[[Any], Any], homes: tuple[str, ...] = FOLLOWED) -> None:
        self.others, self.homes = others, homes
        self.made: dict[Any, Callable[..., Any]] = {}
        self.scopes: dict[int, Scope] = {}

    def copy(self, function: Any) -> Callable[..., Any]:
        made = self.made.get(function)
        if made is None:
            names = function.__globals__
            scope = self.scopes.setdefault(id(names), Scope(names, self))
            closure = tuple(types.CellType() for _ in function.__closure__ or ()) or None
            made = types.FunctionType(
                function.__code__, scope, function.__name__, function.__defaults__, closure
            )
            made.__kwdefaults__ = function.__kwdefaults__
            self.made[function] = made
            for cell, given in zip(closure or (), function.__closure__ or (), strict=True):
                cell.cell_contents = self.follow(given.cell_contents)
        return made

    def follow(self, value: Any) -> Any:
        other = self.others(value)
        if other is not value:
            return other
        if is_followed(value, self.homes):
            return self.copy(value)
        if isinstance(value, types.ModuleType) and value.__name__.startswith(RUNTIME.rstrip(".")):
            return Module(value, self)
        return self.table(value) if type(value) in (dict, tuple, list) else value

    def table(self, value: Any) -> Any:
        """A container with what is followed in it; itself, if that is nothing."""
        items = list(value.values()) if type(value) is dict else list(value)
        made = [self.follow(item) for item in items]
        if all(x is y for x, y in zip(made, items, strict=True)):
            return value
        return dict(zip(value, made, strict=True)) if type(value) is dict else type(value)(made)


class Scope(dict[str, Any]):
    """Global names, which are followed when they are read."""

    def __init__(self, names: dict[str, Any], copies: Copies) -> None:
        super().__init__({k: v for k, v in names.items() if k[:2] == "__"})
        self.names, self.copies = names, copies

    def __missing__(self, name: str) -> Any:
        value = self[name] = self.copies.follow(self.names[name])
        return value


class Module:
    """A module of this package, whose functions are followed."""

    def __init__(self, module: Any, copies: Copies) -> None:
        self.module, self.copies = module, copies

    def __getattr__(self, name: str) -> Any:
        value = self.copies.follow(getattr(self.module, name))
        setattr(self, name, value)
        return value
