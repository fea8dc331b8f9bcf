"""The library that the C kernels of a process share: threads for their loops, memory for their arrays."""

from __future__ import annotations

import ctypes
import threading
from _thread import interrupt_main
from typing import Any

from .allocator import STORE
from .numpy_library import numpy_table
from .thread_pool import POOL
from .toolchain import library_of

__all__ = ["finder", "known"]

LOCK = threading.Lock()
LIBRARY: list[ctypes.CDLL | None] = []  # once it is asked for; None where it cannot be built


def known() -> ctypes.CDLL | None:
    """The library, if a kernel has asked for it."""
    return LIBRARY[0] if LIBRARY else None


def find(place: Any) -> None:
    """Put down where the addresses of its functions stand; without them kernels have one thread, and ``malloc``.

    C calls it, which knows no exceptions: a signal that comes meanwhile is sent once more.
    """
    try:
        with LOCK:  # kernels of several threads may ask at once
            if not LIBRARY:
                LIBRARY.append(loaded())
            library = LIBRARY[0]
        if library is not None:
            place[0] = library.rg_service(numpy_table())
    except BaseException:
        interrupt_main()


def loaded() -> ctypes.CDLL | None:
    try:
        library = library_of(POOL + STORE, trial=True, flags=("-pthread",))
    except Exception:  # the kernel goes on
        return None
    library.rg_service.argtypes, library.rg_service.restype = [ctypes.c_void_p], ctypes.c_void_p
    library.rg_kept.restype = ctypes.c_int64
    library.rg_keep_at_most.argtypes = [ctypes.c_int64]
    return library


FIND = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_void_p))(find)


def finder() -> int | None:
    """The address of ``find``: a kernel calls it when it meets its first large array or long loop."""
    return ctypes.cast(FIND, ctypes.c_void_p).value
