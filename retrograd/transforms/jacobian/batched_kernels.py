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
        ((self.name, self.plain),) = made.functions.items()
        self.made, self.chain, self.text = made, chain, made.text
        self.check = functools.partial(check_when_due, chain, made, region=True)
        self.notes: list[str] = []
        self.apart: Any = None  # of objects among the arguments
        self.best: Callable[..., Any] = self.plain  # of arguments that are taken apart
        self.call: Callable[..., Any] = self.plain
        if made.taped:
            self.notes.append("calls on the tape")
        else:
            self.call = self.begin

    def begin(self, *args: Any) -> Any:
        """The first call."""
        from retrograd.compiler.native.specialisations import Family
        from retrograd.compiler.native.text.object_parts import is_object, taken_apart

        if any(map(is_object, args)):
            self.apart = taken_apart(self.text, self.name, self.plain, args)
        if self.apart is not None:
            self.text, self.plain = self.apart.text, self.apart.function
        self.call = family_call = Family(self.plain, self.build, self.install, self.refused).call
        if self.apart is None:
            return family_call(*args)
        self.best, self.call = family_call, self.of_objects
        return self.of_objects(*args)

    def of_objects(self, *args: Any) -> Any:
        """A call with objects."""
        given = self.apart.split(args)
        if given is None:
            ((_, whole),) = self.made.functions.items()
            return whole(*args)
        return self.best(*given)

    def build(self, args: tuple[Any, ...], fixed: bool, fallback: Any) -> Callable[..., Any]:
        from retrograd.compiler.native.argument_kinds import key_of
        from retrograd.compiler.native.compile import compiled

        kernel = compiled(
            self.chain.backend, self.text, self.name, self.plain, args, fixed,
            self.chain.accuracy, fallback,
        )  # fmt: skip
        self.check(self.plain, kernel, args, f"{'fixed ' if fixed else ''}{key_of(args, fixed)}")
        return kernel

    def install(self, call: Callable[..., Any]) -> None:
        if self.apart is None:
            self.call = call
        else:
            self.best = call

    def refused(self, error: Any) -> None:
        """Makes kernels for the regions of what is no kernel as a whole."""
        from retrograd.compiler.native.partition.run_regions import Regions

        known = error.line and self.apart is None
        self.notes.append(
            f"line {error.line} of the text: {error.reason}" if known else error.reason
        )
        chain = self.chain
        found = Regions(chain.backend, self.text, self.name, self.plain, chain.accuracy, self.check)
        self.install(found.function if found.made.regions else self.plain)
