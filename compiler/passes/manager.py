"""The pass manager: runs the stages, verifies the IR after each, and times passes on request."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from retrograd.runtime.records import dataclass

from ..driver import times
from ..ir.operations import Function
from ..ir.verify import checked

__all__ = ["Pass", "Stage", "run", "stage"]


@dataclass(frozen=True)
class Pass:
    """A rewrite of one function, which it may change in place and returns.

    ``levels``: the levels of ``optimize`` at which it runs.
    """

    rewrite: Callable[[Function], Function]
    levels: tuple[int, ...] = (1, 2)

    @property
    def name(self) -> str:
        made = getattr(self.rewrite, "func", self.rewrite)  # of a partial application
        return str(made.__name__)


@dataclass(frozen=True)
class Stage:
    """Passes that follow each other.

    ``needs``: which functions have anything to do for them.  ``placed``: after them, writes stand
    in place (`verify` holds them to another law then).
    """

    name: str
    passes: tuple[Pass, ...]
    needs: Callable[[Function], bool] | None = None
    placed: bool = False


def stage(
    name: str,
    *passes: Pass | Callable[[Function], Function],
    needs: Callable[[Function], bool] | None = None,
    placed: bool = False,
) -> Stage:
    """A stage of passes, each a function or a `Pass`."""
    listed = tuple(one if isinstance(one, Pass) else Pass(one) for one in passes)
    return Stage(name, listed, needs, placed)


def run(stages: Iterable[Stage], function: Function, level: int = 1) -> Function:
    """``function`` after all of them."""
    watch = times.watch()
    for one in stages:
        if one.needs is not None and not one.needs(function):
            continue
        for each in one.passes:
            if level not in each.levels:
                continue
            if watch is None:
                function = each.rewrite(function)
            else:
                function = watch.of(f"{one.name}: {each.name}", each.rewrite, function)
        checked(function, one.name, one.placed)
    return function
