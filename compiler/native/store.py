"""What C kernels keep of memory that nobody holds any more, and how to give it back."""

from __future__ import annotations

import ctypes

__all__ = ["MOST", "STORED", "empty_cache", "kept_bytes"]

MOST = 2**29  # bytes that are kept at most
BLOCKS = 64


class Block(ctypes.Structure):
    _fields_ = (("start", ctypes.c_void_p), ("size", ctypes.c_int64))


class Store(ctypes.Structure):
    """The ``rg_store_t`` of ``store_c``."""

    _fields_ = (
        ("lock", ctypes.c_int64),
        ("kept", ctypes.c_int64),
        ("most", ctypes.c_int64),
        ("oldest", ctypes.c_int64),
        ("block", Block * BLOCKS),
    )


STORED = Store(most=MOST)


def kept_bytes() -> int:
    """How much memory is kept for the arrays to come."""
    return int(STORED.kept)


def empty_cache() -> None:
    """Give memory back to the system that compiled kernels keep for the arrays to come.

    >>> empty_cache()
    >>> kept_bytes()
    0
    """
    free = ctypes.CDLL(None).free
    free.argtypes, free.restype = [ctypes.c_void_p], None
    for block in STORED.block:
        if block.start:
            raw = ctypes.c_void_p.from_address(block.start - 2 * ctypes.sizeof(ctypes.c_void_p))
            STORED.kept -= block.size
            block.start, given = None, raw.value
            free(given)
