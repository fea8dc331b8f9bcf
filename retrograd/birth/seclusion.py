"""Runs that nobody notices: warnings unseen, random numbers drawn from where they were."""

from __future__ import annotations

import random
import sys
import threading
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

__all__ = ["RandomStates", "secluded"]

_lock = threading.Lock()
_silent: list[Any] = []  # for each run under way; the first one leaves what the last one restores


@contextmanager
def secluded() -> Iterator[None]:
    """Neither NumPy's warnings nor Python's are seen; several threads may be inside."""
    with _lock:
        if not _silent:
            catching = warnings.catch_warnings()
            catching.__enter__()
            warnings.simplefilter("ignore")
            _silent.append(catching)
        _silent.append(None)
    try:
        with np.errstate(all="ignore"):
            yield
    finally:
        with _lock:
            _silent.pop()
            if len(_silent) == 1:
                _silent.pop().__exit__(None, None, None)


class RandomStates:
    """The states of the generators that a function can reach, to be put back before it runs again."""

    def __init__(self, fn: Callable[..., Any]) -> None:
        self.states = [(put, get()) for get, put in generators(fn)]

    def restore(self) -> None:
        for put, state in self.states:
            put(state)


def generators(fn: Any) -> Iterator[tuple[Callable[[], Any], Callable[[Any], None]]]:
    """The global ones, and those in the closure and among the globals that ``fn`` names."""
    if "numpy.random" in sys.modules:
        yield np.random.get_state, np.random.set_state
    yield random.getstate, random.setstate
    for value in reached(fn):
        bits = value.bit_generator if isinstance(value, np.random.Generator) else value
        if isinstance(bits, np.random.BitGenerator):
            yield (
                lambda bits=bits: bits.state,
                lambda state, bits=bits: setattr(  # type: ignore[misc]
                    bits, "state", state
                ),
            )
        elif isinstance(value, np.random.RandomState):
            yield value.get_state, value.set_state
        elif isinstance(value, random.Random):
            yield value.getstate, value.setstate


def reached(fn: Any) -> Iterator[Any]:
    """What the function names itself."""
    if not isinstance(fn, types.FunctionType):
        return
    for cell in fn.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not bound yet
            continue
    for name in fn.__code__.co_names:
        if name in fn.__globals__:
            yield fn.__globals__[name]
