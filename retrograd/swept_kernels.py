"""Sweeps for many directions, compiled: the axis of the directions is then the last in memory, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .compiled import Loaded

__all__ = ["SweptKernels"]


class SweptKernels:
    """The kernels of one sweep's text; ``call`` runs a sweep, best."""

    def __init__(self, made: Loaded, backend: str, accuracy: str) -> None:
        from retrograd.compiler.native.family import Family

        ((self.name, self.plain),) = made.functions.items()
        self.made, self.backend, self.accuracy = made, backend, accuracy
        self.notes: list[str] = []
        self.call: Callable[..., Any] = self.plain
        if made.taped:
            self.notes.append("calls on the tape")
        else:
            family = Family(self.plain, self.build, self.install, self.refused)
            self.call = family.call

    def build(self, args: tuple[Any, ...], fixed: bool, fallback: Any) -> Callable[..., Any]:
        from retrograd.compiler.native.compiled import compiled

        return compiled(
            self.backend,
            self.made.text,
            self.name,
            self.plain,
            args,
            fixed,
            self.accuracy,
            fallback,
        )

    def install(self, call: Callable[..., Any]) -> None:
        self.call = call

    def refused(self, error: Any) -> None:
        """What is no kernel as a whole has kernels for its regions."""
        from retrograd.compiler.native.regions import Regions

        where = f"line {error.line} of the text: " if error.line else ""
        self.notes.append(f"{where}{error.reason}")
        found = Regions(self.backend, self.made.text, self.name, self.plain, self.accuracy)
        self.call = found.function if found.made.regions else self.plain
