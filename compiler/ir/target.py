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
from retrograd.runtime.errors import SignatureMismatch

from .types import Array, Given, Tree

__all__ = ["asked_library", "compiled_for", "is_on_device", "library_in"]

_library: ContextVar[str] = ContextVar("library", default=NUMPY)


def asked_library() -> str:
    """The library that a program is compiled for now."""
    return _library.get()


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


def library_in(types: dict[str, Any]) -> str | None:
    """Whose the arrays are among arguments of these kinds, if there are any; a program is compiled for one library."""
    found = {library: name for name, kind in types.items() for library in libraries(kind)}
    if len(found) > 1:
        device, host = found[CUPY], found[NUMPY]
        raise SignatureMismatch(
            f"argument `{device}` has an array of CuPy, on the device, and `{host}` one of NumPy, on the host: hand over both "
            f"from one place, by cupy.asarray({host}) or {device}.get()"
        )
    return next(iter(found), None)


def libraries(kind: Any) -> Iterator[str]:
    """Whose arrays are in an argument; numbers of NumPy's are nobody's."""
    if isinstance(kind, Given):
        yield from libraries(kind.type)
    elif isinstance(kind, Tree):
        for item in kind.items:
            yield from libraries(item)
    elif isinstance(kind, Array) and (kind.library == CUPY or kind.dims):
        yield kind.library
