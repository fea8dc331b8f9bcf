"""The calls of backward that are running in this thread, the innermost last."""

from __future__ import annotations

import threading
from typing import Any

__all__ = ["running_tasks"]


class RunningTasks(threading.local):
    """Of a thread: what one runs is no business of another's hooks."""

    def __init__(self) -> None:
        self.all: list[Any] = []


_tasks = RunningTasks()


def running_tasks() -> list[Any]:
    """The tasks of this thread."""
    return _tasks.all
