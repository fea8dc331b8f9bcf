"""``retrograd.autograd._functions``: functions that old programs take from there."""

from __future__ import annotations

from retrograd.runtime.eager.user_functions.resize import Resize

__all__ = ["Resize"]
