"""The modules of the double by their names: classes find functions here that are made from the classes."""

from __future__ import annotations

from types import ModuleType
from typing import Any

__all__ = ["MODULES", "function"]

MODULES: dict[str, ModuleType] = {}


def function(name: str, home: str = "cupy") -> Any:
    return getattr(MODULES[home], name)
