"""The user's own derivatives: ``@rg.custom_gradient`` and ``rg.on_gradient``."""

from __future__ import annotations

from retrograd.runtime.custom import custom_gradient, on_gradient

__all__ = ["custom_gradient", "on_gradient"]
