"""``retrograd.backends.cuda``: not built."""

from __future__ import annotations

__all__ = ["is_built"]


def is_built() -> bool:
    """False."""
    return False
