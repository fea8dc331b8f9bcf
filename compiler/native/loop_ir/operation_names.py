"""Sizes that several modules ask about."""

from __future__ import annotations

__all__ = ["FEW", "SMALL", "TINY"]

FEW = 4  # iterations of a loop that are written out


SMALL = 32  # sizes that are taken as constants, the first time
TINY = 4  # a last axis that always is
