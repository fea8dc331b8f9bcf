"""``retrograd.mps``: there is no such device, and programs that ask are told so."""

from __future__ import annotations

from retrograd.cuda import device_count, is_available

__all__ = ["device_count", "is_available"]
