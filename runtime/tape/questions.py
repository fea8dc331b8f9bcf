"""What code on the tape asks: the function to call, the value of a property, an array that can be written to."""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import TapeError
from .box import Box, has_boxes
from .dispatch import apply

__all__ = [
    "NUMBERS",
    "attribute",
    "construction",
    "is_search",
    "of_numbers",
    "own_call",
    "searching",
    "writable",
]

Follow = Callable[[Any], Any]
NUMBERS = (float, complex)


def own_call(fn: Any, follow: Follow) -> Any:
    """What a call of an object of the user's runs: its ``__call__``."""
    found = (c.__dict__["__call__"] for c in type(fn).__mro__ if "__call__" in c.__dict__)
    method = next(found, None)
    return types.MethodType(follow(method), fn) if isinstance(method, types.FunctionType) else fn


def construction(cls: type, follow: Follow) -> Any:
    """What makes an object: ``__init__`` runs on the tape, where the user wrote it."""
    init = cls.__init__  # type: ignore[misc]
    new: Any = cls.__new__
    plain = type(cls).__call__ is type.__call__ and new is object.__new__
    if not plain or not isinstance(init, types.FunctionType) or follow(init) is init:
        return cls

    def make(*args: Any, **kwargs: Any) -> Any:
        made: Any = object.__new__(cls)
        follow(init)(made, *args, **kwargs)
        return made

    return make


def of_numbers(cls: type) -> Callable[..., Any]:
    """``float`` and ``complex`` of a value in a box are values in a box."""

    def call(*args: Any) -> Any:
        return apply(cls, args, {}) if has_boxes(args) else cls(*args)

    return call


def attribute(owner: Any, name: str, follow: Follow) -> Any:
    """``owner.name``: a property of the user's runs on the tape."""
    if not isinstance(owner, (Box, types.ModuleType, np.ndarray, type)):
        found = next((c.__dict__[name] for c in type(owner).__mro__ if name in c.__dict__), None)
        if isinstance(found, property) and isinstance(found.fget, types.FunctionType):
            return follow(found.fget)(owner)
    return getattr(owner, name)


def writable(value: Any, references: int, box: Callable[[Any], Any]) -> Any:
    """An array that nobody else holds, as one that takes values of the tape; ``references`` to it were counted."""
    if type(value) is not np.ndarray or value.dtype.kind not in "fc" or value.base is not None:
        return value
    return box(value) if references <= alone() else value


class Probe:
    def written(self, value: Any) -> int:
        references = sys.getrefcount(value)
        return references


@functools.cache
def alone() -> int:
    """How many references are counted, where `Probe.written` stands, to what nobody holds."""
    ask = Probe().written
    return ask(np.zeros(2) + 1.0)


# -- SciPy's searches: a search by comparisons ends at a plain number, whatever it compared --------


def is_search(function: Any) -> bool:
    """True of the functions of ``scipy.optimize``."""
    return str(getattr(function, "__module__", "")).startswith("scipy.optimize")


@functools.lru_cache(maxsize=256)
def searching(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which asks those that it is given for nothing that carries a derivative."""

    def plain(value: Any) -> Any:
        if has_boxes((value,)):
            raise TapeError(
                f"`{function.__name__}` of scipy.optimize is not differentiated on the tape, where its steps are no "
                "derivative; write what needs the tape in a function of its own, so that the search is compiled, "
                "or use rg.root or rg.argmin"
            )
        return value

    def asked(given: Any) -> Any:
        if not callable(given):
            return given
        return functools.wraps(given)(lambda *args, **kwargs: plain(given(*args, **kwargs)))

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if any(map(callable, (*args, *kwargs.values()))):
            plain((args, kwargs))
        return function(*map(asked, args), **{k: asked(v) for k, v in kwargs.items()})

    return call
