"""``retrograd.utils``: `checkpoint`."""

from __future__ import annotations

from retrograd.utils import checkpoint

__all__ = ["checkpoint"]
