"""``retrograd.backends.mps``: not built, and not there."""

from __future__ import annotations

from retrograd.backends.cuda import is_built
from retrograd.cuda import is_available

__all__ = ["is_available", "is_built"]
