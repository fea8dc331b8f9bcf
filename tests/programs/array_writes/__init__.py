"""Programs that write to arrays: each function here is one, with arguments to try it at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["PROGRAMS", "at"]

F = TypeVar("F", bound=Callable[..., Any])
PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {}


def at(*args: Any) -> Callable[[F], F]:
    """Enter a function, to be differentiated at these arguments."""

    def enter(fn: F) -> F:
        assert fn.__name__ not in PROGRAMS
        PROGRAMS[fn.__name__] = fn, args
        return fn

    return enter
