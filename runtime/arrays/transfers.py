"""Where arrays are: fetched to the host, put beside others, and the library that computes with them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .libraries import cupy, is_cupy

__all__ = [
    "beside",
    "dtype_of",
    "is_ndarray",
    "is_plain_array",
    "library_of",
    "may_share_memory",
    "on_host",
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


def beside(x: Any, made: Any) -> Any:
    """An array of the host as one of the device, if ``x`` is there."""
    return cupy().asarray(made) if is_cupy(x) else made


def may_share_memory(x: Any, y: Any) -> bool:
    """``np.may_share_memory``: what lies in two places shares none."""
    return is_cupy(x) is is_cupy(y) and bool(library_of((x,)).may_share_memory(x, y))


def library_of(values: Iterable[Any]) -> Any:
    """The module whose functions make arrays beside these: NumPy, or CuPy if one of them is on the device."""
    return cupy() if any(map(is_cupy, values)) else np
