"""Runs that are given up when they take too long: near its arguments, a function may never end."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

__all__ = ["TooLong", "at_most"]

AGAIN = 2.0  # seconds, where the function has swallowed it


class TooLong(BaseException):
    """Raised in the middle of a run; no handler of `Exception` is meant to see it."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise `TooLong` in this thread, if the block is not done by then; a call of C is waited for."""
    done = threading.Event()
    here = threading.get_ident()
    watch = threading.Thread(target=interrupt, args=(here, done, seconds), daemon=True)
    with suppress(RuntimeError):  # where there are no threads, it is waited for
        watch.start()
    try:
        yield
    finally:
        with suppress(TooLong):  # one that was sent when the block was done
            done.set()
            if watch.ident is not None:
                watch.join()
            for _ in range(2):
                pass


def interrupt(thread: int, done: threading.Event, seconds: float) -> None:
    send = ctypes.pythonapi.PyThreadState_SetAsyncExc
    while not done.wait(seconds):
        send(ctypes.c_ulong(thread), ctypes.py_object(TooLong))
        seconds = AGAIN
