"""The user's own derivatives: ``@rg.custom_gradient``, ``@rg.finite_differences``, ``rg.on_gradient``."""

from __future__ import annotations

from retrograd.runtime.user.custom_rules import custom_gradient, finite_differences, on_gradient

__all__ = ["custom_gradient", "finite_differences", "on_gradient"]
