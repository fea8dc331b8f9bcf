"""Fewer garbage collections while a derivative is compiled.

The compiler makes many small objects and almost no cycles: looking for some after every seven
hundred took a seventh of its time.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["seldom_collected"]

SELDOM = 100_000  # objects between two collections

_lock = threading.Lock()
_inside = 0
_usual = (0, 0, 0)


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Collect after every ``SELDOM`` objects, until the last thread that asked for it is done.

    >>> import gc
    >>> usual = gc.get_threshold()
    >>> with seldom_collected(), seldom_collected():
    ...     gc.get_threshold()[0]
    100000
    >>> gc.get_threshold() == usual
    True
    """
    global _inside, _usual
    with _lock:
        if not _inside:
            _usual = gc.get_threshold()
            # 0 stands for "never", which is the user's to say.
            gc.set_threshold(max(_usual[0], SELDOM) if _usual[0] else 0, *_usual[1:])
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                gc.set_threshold(*_usual)
