"""``retrograd.utils``: `checkpoint`."""

from __future__ import annotations

from typing import Any

from retrograd.scope import missing
from retrograd.utils import checkpoint

__all__ = ["checkpoint"]


def __getattr__(name: str) -> Any:
    raise missing(__name__, name)
