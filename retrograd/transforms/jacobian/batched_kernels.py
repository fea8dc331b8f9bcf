"""Sweeps for many directions, compiled: the axis of the directions is then the last in memory, too."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..specialise.compile import Loaded
from ..specialise.kernels import check_when_due

__all__ = ["SweptKernels"]


class SweptKernels:
    """The kernels of one sweep's text; ``call`` runs a sweep, best."""

    def __init__(self, made: Loaded, chain: Any) -> None:
        from retrograd.compiler.native.specialisations import Family

        ((self.name, self.plain),) = made.functions.items()
        self.made, self.chain = made, chain
        self.check = functools.partial(check_when_due, chain, made, region=True)
        self.notes: list[str] = []
        self.call: Callable[..., Any] = self.plain
        if made.taped:
            self.notes.append("calls on the tape")
        else:
            family = Family(self.plain, self.build, self.install, self.refused)
            self.call = family.call

    def build(self, args: tuple[Any, ...], fixed: bool, fallback: Any) -> Callable[..., Any]:
        from retrograd.compiler.native.argument_kinds import key_of
        from retrograd.compiler.native.compile import compiled

        kernel = compiled(
            self.chain.backend, self.made.text, self.name, self.plain, args, fixed,
            self.chain.accuracy, fallback,
        )  # fmt: skip
        self.check(self.plain, kernel, args, f"{'fixed ' if fixed else ''}{key_of(args, fixed)}")
        return kernel

    def install(self, call: Callable[..., Any]) -> None:
        self.call = call

    def refused(self, error: Any) -> None:
        """Makes kernels for the regions of what is no kernel as a whole."""
        from retrograd.compiler.native.partition.run_regions import Regions

        where = f"line {error.line} of the text: " if error.line else ""
        self.notes.append(f"{where}{error.reason}")
        chain, text = self.chain, self.made.text
        found = Regions(chain.backend, text, self.name, self.plain, chain.accuracy, self.check)
        self.call = found.function if found.made.regions else self.plain
