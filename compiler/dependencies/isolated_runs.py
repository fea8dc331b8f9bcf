"""Runs that nobody notices: warnings unseen, random numbers drawn from where they were."""

from __future__ import annotations

import functools
import pickle
import random
import sys
import threading
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from retrograd.runtime.arrays.libraries import ROOTS
from retrograd.runtime.objects.own_attributes import home_of, own_dict
from retrograd.runtime.objects.python_functions import python_function

__all__ = ["RandomStates", "draws", "secluded", "unnoticed"]

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
        self.states = [(get, put, get()) for get, put in generators(fn)]

    def restore(self) -> None:
        for _, put, state in self.states:
            put(state)

    def are_others(self) -> bool:
        """True if a number was drawn since."""
        return any(pickle.dumps(get()) != pickle.dumps(state) for get, _, state in self.states)


@contextmanager
def unnoticed(fn: Callable[..., Any]) -> Iterator[RandomStates]:
    """A run while compiling: no warning is seen, and the next random number is what it would have been."""
    states = RandomStates(fn)
    try:
        with secluded():
            yield states
    finally:
        states.restore()


def draws(fn: Any) -> bool:
    """True if a function can reach a generator besides the global ones."""
    of_globals = 2 if "numpy.random" in sys.modules else 1
    return sum(1 for _ in generators(fn)) > of_globals


def generators(fn: Any) -> Iterator[tuple[Callable[[], Any], Callable[[Any], None]]]:
    """The global ones, and those in the closure and among the globals that ``fn`` names."""
    if "numpy.random" in sys.modules:
        yield np.random.get_state, np.random.set_state
    yield random.getstate, random.setstate
    for value in reached(fn):
        bits = value.bit_generator if isinstance(value, np.random.Generator) else value
        if isinstance(bits, np.random.BitGenerator):
            yield (
                functools.partial(getattr, bits, "state"),
                functools.partial(setattr, bits, "state"),
            )
        elif isinstance(value, np.random.RandomState):
            yield value.get_state, value.set_state
        elif isinstance(value, random.Random):
            yield value.getstate, value.setstate


def reached(fn: Any) -> Iterator[Any]:
    """The objects that the function and those it calls can name, and what stands in them."""
    seen: dict[int, Any] = {}
    todo: list[tuple[Any, int]] = [(fn, 0)]
    while todo:
        value, depth = todo.pop()
        if id(value) in seen or depth > DEEP:
            continue
        seen[id(value)] = value
        yield value
        todo += [(inner, depth + 1) for inner in held(value)]


DEEP = 6
LIBRARIES = (*ROOTS, "retrograd", "builtins")


def held(value: Any) -> list[Any]:
    if isinstance(value, types.MethodType):
        return [value.__func__, value.__self__]
    if isinstance(value, types.FunctionType):
        return [] if is_library(value) else list(named(value))
    if isinstance(value, (list, tuple)):
        return list(value) if len(value) < MANY else []
    if isinstance(value, dict):
        return list(value.values()) if len(value) < MANY else []
    if isinstance(value, (types.ModuleType, type)) or is_library(type(value)):
        return []
    text = python_function(value)
    return list(own_dict(value).values()) if text is value else [text]


MANY = 100  # items of a container that is looked into


def is_library(value: Any) -> bool:
    return home_of(value).partition(".")[0] in LIBRARIES


def named(fn: types.FunctionType) -> Iterator[Any]:
    """The contents of the closure, and the globals that the code and the codes inside it name."""
    for cell in fn.__closure__ or ():
        with suppress(ValueError):  # not bound yet
            yield cell.cell_contents
    codes = [fn.__code__]
    while codes:
        code = codes.pop()
        codes += [c for c in code.co_consts if isinstance(c, types.CodeType)]
        yield from (fn.__globals__[name] for name in code.co_names if name in fn.__globals__)
