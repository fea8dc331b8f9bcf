"""Memory that C kernels keep when nobody holds it any more, and how to give it back."""

from __future__ import annotations

from . import shared_library

__all__ = ["empty_cache", "kept_bytes"]


def kept_bytes() -> int:
    """How much memory is kept for the arrays to come."""
    library = shared_library.known()
    return 0 if library is None else int(library.rg_kept())


def empty_cache() -> None:
    """Give memory back to the system that compiled kernels keep for the arrays to come.

    >>> empty_cache()
    >>> kept_bytes()
    0
    """
    library = shared_library.known()
    if library is not None:
        library.rg_empty_cache()
