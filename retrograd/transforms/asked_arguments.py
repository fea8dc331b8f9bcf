"""Who wants to hear of the arguments that derivatives are asked for with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

__all__ = ["LISTENERS", "listening"]

LISTENERS: list[Callable[[Any, Sequence[Any]], None]] = []


@contextmanager
def listening(hear: Callable[[Any, Sequence[Any]], None]) -> Iterator[None]:
    """``hear`` gets a chain and the arguments of every new kind of call of its derivatives."""
    LISTENERS.append(hear)
    try:
        yield
    finally:
        LISTENERS.remove(hear)
