"""``retrograd.xpu``: there is no such device, and programs that ask are told so."""

from __future__ import annotations

__all__ = ["device_count", "is_available"]


def is_available() -> bool:
    """False."""
    return False


def device_count() -> int:
    """None of them: 0."""
    return 0
