"""The library that the C kernels of a process share: threads for their loops, memory for their arrays."""

from __future__ import annotations

import ctypes

from retrograd.runtime.errors import BackendUnavailable

from .pool_c import POOL
from .store_c import STORE

__all__ = ["known", "table"]

LIBRARY: list[ctypes.CDLL | None] = []  # once it is asked for; None where it cannot be built


def known() -> ctypes.CDLL | None:
    """The library, if a kernel has loaded it."""
    return LIBRARY[0] if LIBRARY else None


def table(numpy_table: int) -> int | None:
    """Where the addresses of its functions stand; without them kernels have one thread, and ``malloc``."""
    if not LIBRARY:
        LIBRARY.append(loaded())
    library = LIBRARY[0]
    if library is None:
        return None
    library.rg_service.argtypes, library.rg_service.restype = [ctypes.c_void_p], ctypes.c_void_p
    return int(library.rg_service(numpy_table))


def loaded() -> ctypes.CDLL | None:
    from .toolchain import library_of

    try:
        library = ctypes.CDLL(library_of(POOL + STORE, trial=True, flags=("-pthread",)))
    except (BackendUnavailable, OSError):
        return None
    library.rg_kept.restype = ctypes.c_int64
    library.rg_keep_at_most.argtypes = [ctypes.c_int64]
    return library
