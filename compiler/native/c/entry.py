"""The entry of a compiled kernel as a Python function."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from types import CellType
from typing import Any

from .. import thread_count
from ..argument_kinds import WRITES
from . import shared_library
from .argument_writes import OVERLAP
from .numpy_library import factorisations, numpy_table, products
from .toolchain import library_of, options

__all__ = ["entry_of"]


class Method(ctypes.Structure):
    """``PyMethodDef``."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


FASTCALL = 0x80
LOADED: list[Any] = []  # what must live as long as the functions


def entry_of(
    text: str, name: str, fallback: Callable[..., Any], captured: Sequence[Any] = ()
) -> Callable[..., Any]:
    """The entry of a kernel as a Python function; what it does not take goes to ``fallback``.

    It looks at no guards, until it is told of some: see `own_guards`.
    ``captured``: the arrays that it gets besides its arguments.
    """
    library = library_of(text, flags=options(text))
    setup = library.rg_setup
    setup.argtypes = [ctypes.c_void_p] * 6
    setup.restype = None
    shared = shared_library.finder(), ctypes.addressof(thread_count.COUNT)
    setup(numpy_table(), *products(), *shared, ctypes.addressof(factorisations()))
    address = ctypes.cast(library.rg_entry, ctypes.c_void_p).value
    method = Method(name.encode(), address, FASTCALL, WRITES.encode() if OVERLAP in text else None)
    LOADED.append((library, method))
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    make.restype = ctypes.py_object
    made: Callable[..., Any] = make(
        ctypes.addressof(method), (fallback, CellType(), *captured), None
    )
    return made
