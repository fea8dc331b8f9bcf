"""Methods of an array that are functions of the module, and the views that NumPy's arrays make as methods."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from .. import counters
from ..names import DEFAULT, load, signature
from .array import allocated, as_shape, ndarray
from .registry import function

__all__ = ["attach"]


def viewed(array: ndarray, host: np.ndarray) -> ndarray:
    """A view, or the copy that had to be made."""
    if host.size and not np.may_share_memory(host, array._host):
        counters.launch("copy")
        return allocated(host)
    return array._view(host)


def reshape(self: ndarray, *shape: Any, order: str = "C", copy: Any = None) -> ndarray:
    given = shape[0] if len(shape) == 1 else shape
    host = self._host.reshape(as_lengths(given), order=order)
    return allocated(host.copy()) if copy else viewed(self, host)


def as_lengths(shape: Any) -> tuple[int, ...]:
    """Like a shape, with -1 for the length that follows from the others."""
    lengths = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    rest = [one for one in lengths if not (isinstance(one, (int, np.integer)) and one == -1)]
    as_shape(rest)
    return tuple(one.__index__() for one in lengths)


def transpose(self: ndarray, *axes: Any) -> ndarray:
    given = (
        axes[0]
        if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list)))
        else axes or None
    )
    return self._view(self._host.transpose(given))


def ravel(self: ndarray, order: str = "C") -> ndarray:
    return viewed(self, self._host.ravel(order))


def squeeze(self: ndarray, axis: Any = None) -> ndarray:
    host = self._host.squeeze(axis)
    return self if host.ndim == self.ndim else self._view(host)


def swapaxes(self: ndarray, axis1: int, axis2: int) -> ndarray:
    return self._view(self._host.swapaxes(axis1, axis2))


def compress(self: ndarray, condition: Any, axis: Any = None, out: Any = None) -> Any:
    return function("compress")(condition, self, axis, out)


VIEWS = {one.__name__: one for one in (reshape, transpose, ravel, squeeze, swapaxes, compress)}


def method(name: str, shape: inspect.Signature) -> Any:
    """Its own signature, the function's computation."""

    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            bound = shape.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{name}() {error}") from None
        values = list(bound.arguments.items())
        target = function(name)
        known = list(inspect.signature(target).parameters)
        renamed = {
            key: known[number] for number, key in enumerate(shape.parameters) if number < len(known)
        }
        return target(
            values[0][1],
            **{
                key if key in known else renamed[key]: one
                for key, one in values[1:]
                if one is not DEFAULT
            },
        )

    called.__name__ = name
    called.__signature__ = shape  # type: ignore[attr-defined]
    return called


def attach() -> None:
    """Give the array the methods that the list has and the class has not."""
    for name, one in VIEWS.items():
        setattr(ndarray, name, one)
    for name, entry in load()["classes"]["cupy.ndarray"].items():
        if entry["kind"] == "method" and name not in vars(ndarray) and name[0] != "_":
            shape = signature(entry["parameters"])
            assert shape is not None
            setattr(ndarray, name, method(name, shape))
