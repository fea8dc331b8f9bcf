"""``retrograd.backends.cuda``: there where CuPy finds a device."""

from __future__ import annotations

from retrograd.cuda import is_available

__all__ = ["is_built"]


def is_built() -> bool:
    """True if tensors can be on a device."""
    return is_available()
