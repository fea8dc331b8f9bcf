"""The calls of backward that are running, the innermost last."""

from __future__ import annotations

from typing import Any

__all__ = ["TASKS"]

TASKS: list[Any] = []
