"""A progress line for compilations that take longer than a second.

It goes to ``stderr`` if that is a terminal; ``RETROGRAD_QUIET=1`` leaves it out.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["PATIENCE", "progress"]

PATIENCE = 1.0  # seconds
_busy = threading.Lock()


@contextmanager
def progress(what: str) -> Iterator[None]:
    """Say ``what`` is being done, and how long it took, if it takes long; the outermost speaks."""
    if not wanted() or not _busy.acquire(blocking=False):
        yield
        return
    begun, said = time.perf_counter(), threading.Event()

    def say() -> None:
        said.set()
        print(f"retrograd: {what} ...", end="", file=sys.stderr, flush=True)

    timer = threading.Timer(PATIENCE, say)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        if said.is_set():
            timer.join()
            print(f" {time.perf_counter() - begun:.1f} s", file=sys.stderr, flush=True)
        _busy.release()


def wanted() -> bool:
    if os.environ.get("RETROGRAD_QUIET", "") not in ("", "0"):
        return False
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):  # no stderr, or a closed one
        return False
