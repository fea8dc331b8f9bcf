"""What code on the tape asks: the function to call, the value of a property, an array that can be written to."""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .box import Box, has_boxes, raw
from .dispatch import apply

__all__ = [
    "NUMBERS",
    "attribute",
    "construction",
    "going_over",
    "of_numbers",
    "own_call",
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


# -- functions of NumPy that go over an array ------------------------------------------------------


def elements(x: Any) -> Iterator[Any]:
    """``np.nditer``, read."""
    flat = apply(np.ravel, (x,), {})
    return iter([flat[k] for k in range(np.size(raw(x)))])


def enumerated(x: Any) -> Iterator[Any]:
    """``np.ndenumerate``."""
    return iter([(at, x[at]) for at in np.ndindex(np.shape(raw(x)))])


def along_axis(f: Callable[..., Any], axis: int, x: Any, *args: Any, **kwargs: Any) -> Any:
    """``np.apply_along_axis``."""
    moved = apply(np.moveaxis, (x, axis, -1), {})
    lead = np.shape(raw(moved))[:-1]
    parts = [f(moved[at], *args, **kwargs) for at in np.ndindex(lead)]
    inner = np.shape(raw(parts[0]))
    whole = apply(np.reshape, (apply(np.array, (parts,), {}), (*lead, *inner)), {})
    places = [axis % (len(lead) + 1) + k for k in range(len(inner))]
    return apply(np.moveaxis, (whole, [len(lead) + k for k in range(len(inner))], places), {})


GOING_OVER: dict[Any, Callable[..., Any]] = {
    np.nditer: elements,
    np.ndenumerate: enumerated,
    np.apply_along_axis: along_axis,
}


def going_over(fn: Any) -> Callable[..., Any] | None:
    """A function or class of NumPy's that goes over an array, as one that goes over boxes, too."""
    try:
        found = GOING_OVER.get(fn)
    except TypeError:  # not hashable
        return None
    if found is None:
        return None

    def call(*args: Any, **kwargs: Any) -> Any:
        return (found if has_boxes((args, kwargs)) else fn)(*args, **kwargs)

    return call
