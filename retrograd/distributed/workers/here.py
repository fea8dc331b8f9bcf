"""This process, one shard after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .interface import Handle, Workers

__all__ = ["Here"]


class Ended:
    """A task that has run."""

    def __init__(self, value: Any, error: BaseException | None) -> None:
        self.value, self.error = value, error


class Here(Workers):
    near = alone = True

    def kept(self, value: Any, again: bool = False) -> Handle:
        return Handle(value)

    def submit(self, fn: Callable[..., Any], *args: Any) -> Ended:
        try:
            return Ended(fn(*[inside(x) for x in args]), None)
        except Exception as error:
            return Ended(None, error)

    def when_done(self, task: Ended, call: Callable[[], None]) -> None:
        call()

    def error(self, task: Ended) -> BaseException | None:
        return task.error

    def value(self, task: Ended) -> Any:
        return task.value


def inside(x: Any) -> Any:
    """An argument as it is: handles give what they hold, blocks of dask arrays are computed."""
    if isinstance(x, Handle):
        return x.value
    if hasattr(x, "__dask_graph__"):
        return x.compute(scheduler="synchronous")
    return x
