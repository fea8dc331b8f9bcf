"""``retrograd.cuda.nvtx``: ranges that NVIDIA's profilers show."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from retrograd.runtime.arrays import devices

__all__ = ["mark", "range", "range_end", "range_pop", "range_push", "range_start"]


def tool() -> Any:
    return devices.cupy().cuda.nvtx


def mark(msg: str) -> None:
    """A point in time."""
    tool().Mark(msg)


def range_push(msg: str) -> None:
    """Begin a range inside of the newest one."""
    tool().RangePush(msg)


def range_pop() -> None:
    """End the newest range."""
    tool().RangePop()


def range_start(msg: str) -> int:
    """Begin a range that may end anywhere; its number."""
    return int(tool().RangeStart(msg))


def range_end(range_id: int) -> None:
    """End the range with that number."""
    tool().RangeEnd(range_id)


@contextmanager
def range(msg: str, *args: Any, **kwargs: Any) -> Iterator[None]:
    """A range as a context or a decorator."""
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()
