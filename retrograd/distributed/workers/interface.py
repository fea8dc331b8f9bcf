"""What a run asks of workers, whoever they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["Handle", "Workers"]


class Handle:
    """A value that workers have, or get with each task; ``value`` is None where its owner has it."""

    def __init__(self, value: Any, place: Any = None) -> None:
        self.value, self.place = value, place


class Workers:
    """Tasks are functions and arguments, among which are handles and other tasks."""

    near = False  # in this process: nothing has to be kept elsewhere
    alone = False  # one shard after the other
    merges = False  # results are put together where they are
    alike = False  # every process makes the same call, see `communicator`
    LOST: tuple[type[BaseException], ...] = ()  # errors of a task whose worker is gone

    def begin(self) -> None:
        """A call begins."""

    def kept(self, value: Any, again: bool = False) -> Handle:
        """Put a value where tasks find it; ``again``: it is used in many calls, and functions in it are compiled once."""
        raise NotImplementedError

    def kept_all(self, values: Sequence[Any]) -> list[Handle]:
        return [self.kept(value) for value in values]

    def lost(self, handle: Handle) -> bool:
        """Whether a value has to be put there once more."""
        return False

    def renew(self, handle: Handle, value: Any) -> None:
        """Put it there."""

    def release(self, handle: Handle) -> None:
        """Nobody will ask for it."""

    def submit(self, fn: Callable[..., Any], *args: Any) -> Any:
        raise NotImplementedError

    def submit_all(
        self, fn: Callable[..., Any], each: Sequence[Sequence[Any]], same: Sequence[Any]
    ) -> list[Any]:
        """A task for each of these arguments, after those that are the same for all."""
        return [self.submit(fn, *same, *args) for args in each]

    def when_done(self, task: Any, call: Callable[[], None]) -> None:
        task.add_done_callback(lambda _: call())

    def error(self, task: Any) -> BaseException | None:
        """Of a task that has ended."""
        raise NotImplementedError

    def value(self, task: Any) -> Any:
        return task.result()

    def is_gone(self, task: Any) -> bool:
        """Whether a result that was there is lost."""
        return False

    def drop(self, task: Any) -> None:
        """Nobody waits for it."""

    def avoid(self, waiting: dict[Any, Any], seconds: float) -> list[Any]:
        """Those of the tasks that hang, by their keys; their workers get nothing more."""
        return []
