"""Where arrays are: fetched to the host, put beside others, and the library that computes with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from .libraries import cupy, cupyx, is_cupy

__all__ = [
    "array_beside",
    "beside",
    "constant_beside",
    "dtype_of",
    "empty_pinned",
    "is_ndarray",
    "is_plain_array",
    "library_of",
    "may_share_memory",
    "on_host",
    "to_device",
]


def is_ndarray(value: Any) -> bool:
    """True of an array of either library."""
    return isinstance(value, np.ndarray) or is_cupy(value)


def is_plain_array(value: Any) -> bool:
    """True of one of no subclass."""
    return type(value) is np.ndarray or is_cupy(value)


def dtype_of(value: Any) -> Any:
    """The type that a value has in an array; nothing is fetched."""
    return value.dtype if is_ndarray(value) else np.asarray(value).dtype


def on_host(value: Any) -> Any:
    """An array of the device, fetched; anything else as it is."""
    return value.get() if is_cupy(value) else value


def to_device(value: Any) -> Any:
    """An array with the same numbers on the current device; the array itself, if it is there."""
    return cupy().asarray(value)


def empty_pinned(shape: tuple[int, ...], kind: Any) -> Any:
    """An array of the host whose memory the device reads by itself."""
    return cupyx().empty_pinned(shape, kind)


def beside(x: Any, made: Any) -> Any:
    """An array of the host as one of the device, if ``x`` is there."""
    return cupy().asarray(made) if is_cupy(x) else made


def array_beside(x: Any, value: Any, kind: Any = None) -> Any:
    """A value as an array where ``x`` is; of a number nothing crosses."""
    if not is_cupy(x):
        return np.asarray(value, kind)
    if is_ndarray(value) or isinstance(value, (list, tuple)):
        return cupy().asarray(value, kind)
    return cupy().full((), value, np.asarray(value).dtype if kind is None else kind)


def constant_beside(x: Any, make: Callable[..., Any], *numbers: Any) -> Any:
    """The array that a function makes of numbers, where ``x`` is; it is not written to, and crosses once."""
    return kept(cupy(), make, numbers) if is_cupy(x) else make(*numbers)


@lru_cache(maxsize=256)
def kept(library: Any, make: Callable[..., Any], numbers: tuple[Any, ...]) -> Any:
    return library.asarray(make(*numbers))


def may_share_memory(x: Any, y: Any) -> bool:
    """``np.may_share_memory``: what lies in two places shares none."""
    return is_cupy(x) is is_cupy(y) and bool(library_of((x,)).may_share_memory(x, y))


def library_of(values: Iterable[Any]) -> Any:
    """The module whose functions make arrays beside these: NumPy, or CuPy if one of them is on the device."""
    return cupy() if any(map(is_cupy, values)) else np
