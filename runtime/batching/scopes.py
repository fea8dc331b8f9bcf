"""Functions of this package on batches: copies of them, to which NumPy makes arrays with room for all examples.

Helpers and adjoints are written for the arrays of one example, and stay so: they are texts that people read and
kernels are made of.  In a copy the names are the same, and `np` is another: ``np.asarray`` leaves a batch as it is, and
``np.zeros`` gives one.
"""

from __future__ import annotations

import functools
import threading
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ..objects.homes import HELPERS, RULES, RUNTIME
from .batch import UNDISPATCHED, Batch
from .batched_array import BatchedArray, levels_of

__all__ = ["by_copy"]

FOLLOWED = (HELPERS, RULES, f"{RUNTIME}generated.")


def is_followed(value: Any) -> bool:
    return isinstance(value, types.FunctionType) and value.__module__.startswith(FOLLOWED)


class Running(threading.local):
    """The batch that the running copies are for."""

    batch: Any = None


running = Running()


def by_copy(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], batch: Batch) -> Any:
    """What the copy of a function gives; NotImplemented for what is not of this package."""
    if not is_followed(function):
        return NotImplemented
    before, running.batch = running.batch, batch
    try:
        return FAMILY.copy(function)(*args, **kwargs)
    finally:
        running.batch = before


class Family:
    """The copies, which call each other."""

    def __init__(self) -> None:
        self.numpy = Numpy()
        self.copies: dict[Any, Callable[..., Any]] = {}
        self.scopes: dict[int, Scope] = {}

    def copy(self, function: Any) -> Callable[..., Any]:
        made = self.copies.get(function)
        if made is None:
            names = function.__globals__
            scope = self.scopes.setdefault(id(names), Scope(names, self))
            made = types.FunctionType(
                function.__code__,
                scope,
                function.__name__,
                function.__defaults__,
                function.__closure__,
            )
            made.__kwdefaults__ = function.__kwdefaults__
            self.copies[function] = made
        return made

    def follow(self, value: Any) -> Any:
        if value is np:
            return self.numpy
        if is_followed(value):
            return self.copy(value)
        if isinstance(value, types.ModuleType) and value.__name__.startswith(RUNTIME.rstrip(".")):
            return Module(value, self)
        return value


class Scope(dict[str, Any]):
    """Global names, which are followed when they are read."""

    def __init__(self, names: dict[str, Any], family: Family) -> None:
        super().__init__({k: v for k, v in names.items() if k[:2] == "__"})
        self.names, self.family = names, family

    def __missing__(self, name: str) -> Any:
        value = self[name] = self.family.follow(self.names[name])
        return value


class Module:
    """A module of this package, whose functions are followed."""

    def __init__(self, module: Any, family: Family) -> None:
        self.module, self.family = module, family

    def __getattr__(self, name: str) -> Any:
        value = self.family.follow(getattr(self.module, name))
        setattr(self, name, value)
        return value


class OfAnyKind(type):
    """What `isinstance` asks for arrays."""

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, (np.ndarray, BatchedArray))


class Arrays(metaclass=OfAnyKind):
    """Arrays, and batches of them."""


class Numpy:
    """NumPy to the functions of a batch."""

    ndarray = Arrays

    def __getattr__(self, name: str) -> Any:
        value = getattr(np, name)
        if value in CREATING:
            value = functools.partial(self.with_room, value)
        elif callable(value) and value in UNDISPATCHED:
            value = functools.partial(self.as_it_is, value)
        setattr(self, name, value)
        return value

    def with_room(self, make: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """A new array, of which each example has one."""
        made = make(*args, **kwargs)
        if running.batch.level in levels_of(made):
            return made
        return BatchedArray(running.batch.level, running.batch.whole(made).copy())

    def as_it_is(self, convert: Callable[..., Any], x: Any, *args: Any, **kwargs: Any) -> Any:
        """A conversion to an array, of what may be a batch."""
        if not self.holds(x):
            return convert(x, *args, **kwargs)
        return BatchedArray(
            running.batch.level, UNDISPATCHED[convert](running.batch, x, *args, **kwargs)
        )

    def holds(self, x: Any) -> bool:
        if isinstance(x, (tuple, list)):
            return any(map(self.holds, x))
        return type(x) is BatchedArray and running.batch.level in levels_of(x)


CREATING = (
    np.zeros, np.ones, np.empty, np.full, np.arange, np.zeros_like, np.ones_like, np.empty_like, np.full_like,
)  # fmt: skip
FAMILY = Family()
