"""Kernels that are compiled while the program goes on: one thread does, and ends when nothing is left to do.

When the interpreter ends, the thread finishes the kernel it is at, which the cache keeps, and leaves the rest.
"""

from __future__ import annotations

import os
import threading
import warnings
from collections import deque
from collections.abc import Callable

__all__ = ["BackgroundWarning", "finish", "in_background", "later"]

Job = Callable[[], None]


class BackgroundWarning(UserWarning):
    """A kernel could not be made beside the program, which goes on as NumPy."""


class Worker:
    """The jobs that wait, and the thread that does them, while there are any."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.waiting: deque[tuple[str, Job]] = deque()
        self.thread: threading.Thread | None = None

    def add(self, what: str, job: Job) -> None:
        with self.changed:
            self.waiting.append((what, job))
            if self.thread is None:
                self.thread = threading.Thread(target=self.work, name="retrograd compiles")
                self.thread.start()

    def work(self) -> None:
        while True:
            with self.changed:
                if not self.waiting or not threading.main_thread().is_alive():
                    self.waiting.clear()
                    self.thread = None
                    self.changed.notify_all()
                    return
                what, job = self.waiting.popleft()
            try:
                job()
            except Exception as error:
                told = f"{what} stays NumPy: {type(error).__name__}: {error}"
                warnings.warn(BackgroundWarning(told), stacklevel=1)

    def finish(self, timeout: float | None) -> bool:
        with self.changed:
            return self.changed.wait_for(lambda: self.thread is None, timeout)


_worker = Worker()


def later(what: str, job: Job) -> None:
    """Has ``job`` done beside the program; what it raises is a warning about ``what``."""
    _worker.add(what, job)


def finish(timeout: float | None = None) -> bool:
    """Waits until everything is done; False if it is not after so many seconds."""
    return in_background() or _worker.finish(timeout)


def in_background() -> bool:
    """True in the thread that compiles: nothing that the program shares with it may change."""
    return threading.current_thread() is _worker.thread


def anew() -> None:
    """In a process that was forked: the thread has stayed behind."""
    global _worker
    _worker = Worker()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=anew)
