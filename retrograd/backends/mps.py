"""``retrograd.backends.mps``: not built, and not there."""

from __future__ import annotations

from retrograd.mps import is_available

__all__ = ["is_available", "is_built"]


def is_built() -> bool:
    """False."""
    return False
