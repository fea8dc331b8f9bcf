"""Where the time of a compilation goes: with ``RETROGRAD_TIMES=1`` a table of it is printed for each text."""

from __future__ import annotations

import functools
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["Watch", "reported", "timed", "watch"]

Made = TypeVar("Made")


class Watch:
    """Seconds of each part, without those of the parts within it, and how often it ran."""

    def __init__(self) -> None:
        self.parts: dict[str, tuple[float, int]] = {}
        self.inner = [0.0]

    def of(self, part: str, run: Callable[..., Made], *args: Any, **kwargs: Any) -> Made:
        self.inner.append(0.0)
        began = time.perf_counter()
        try:
            return run(*args, **kwargs)
        finally:
            took = time.perf_counter() - began
            own = took - self.inner.pop()
            self.inner[-1] += took
            seconds, count = self.parts.get(part, (0.0, 0))
            self.parts[part] = seconds + own, count + 1

    def table(self, title: str) -> str:
        """
        >>> watch = Watch()
        >>> watch.parts = {"lowering": (0.003, 1), "derived: fold": (0.001, 2)}
        >>> print(watch.table("loss_grad"))
        loss_grad: 4.0 ms
              3.0 ms   75 %    1  lowering
              1.0 ms   25 %    2  derived: fold
        """
        total = sum(seconds for seconds, _ in self.parts.values()) or 1e-9
        lines = [f"{title}: {1e3 * total:.1f} ms"]
        for part, (seconds, count) in self.parts.items():
            share = round(100 * seconds / total)
            lines.append(f"{1e3 * seconds:9.1f} ms {share:4} % {count:4}  {part}")
        return "\n".join(lines)


running = threading.local()


def watch() -> Watch | None:
    """The watch of the compilation under way, if one is asked for."""
    return getattr(running, "watch", None)


def reported(make: Callable[..., Made]) -> Callable[..., Made]:
    """The function that compiles, its first argument: a table is printed when it is done."""

    @functools.wraps(make)
    def run(fn: Any, *args: Any, **kwargs: Any) -> Made:
        if not os.environ.get("RETROGRAD_TIMES") or watch() is not None:
            return make(fn, *args, **kwargs)
        running.watch = mine = Watch()
        try:
            return mine.of("everything else, imports too", make, fn, *args, **kwargs)
        finally:
            running.watch = None
            print(mine.table(getattr(fn, "__name__", "a function")), file=sys.stderr)

    return run


def timed(part: str) -> Callable[[Callable[..., Made]], Callable[..., Made]]:
    """A part of the compilation."""

    def decorate(make: Callable[..., Made]) -> Callable[..., Made]:
        @functools.wraps(make)
        def run(*args: Any, **kwargs: Any) -> Made:
            mine = watch()
            return make(*args, **kwargs) if mine is None else mine.of(part, make, *args, **kwargs)

        return run

    return decorate
