"""What a text is written for: NumPy's arrays, or CuPy's, which lie on the device.

It is one for all of a program, and known before the program is read.  On the device a result of rank 0 is an array, and
an item of an array is a view of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from retrograd.runtime.arrays.libraries import CUPY, NUMPY

from .types import Array, Given, Tree

__all__ = ["compiled_for", "is_on_device", "library_in"]

_library: ContextVar[str] = ContextVar("library", default=NUMPY)


def is_on_device() -> bool:
    """True while a program is compiled for CuPy's arrays."""
    return _library.get() == CUPY


@contextmanager
def compiled_for(library: str) -> Iterator[None]:
    token = _library.set(library)
    try:
        yield
    finally:
        _library.reset(token)


def library_in(kinds: Any) -> str:
    """Whose the arrays are among arguments of these kinds."""
    return CUPY if any(map(holds_device_arrays, kinds)) else NUMPY


def holds_device_arrays(kind: Any) -> bool:
    if isinstance(kind, Given):
        return holds_device_arrays(kind.type)
    if isinstance(kind, Tree):
        return any(map(holds_device_arrays, kind.items))
    return isinstance(kind, Array) and kind.library == CUPY
