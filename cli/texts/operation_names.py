"""How a program writes an operation."""

from __future__ import annotations

from typing import Any

__all__ = ["spelled"]


def spelled(operation: Any) -> str:
    """The name of an operation in a program, with its module's."""
    from retrograd.compiler.analyses.library_names import name_of

    name = name_of(operation)
    if name is None and hasattr(operation, "__objclass__"):
        return f"np.{operation.__qualname__}"
    return name or str(getattr(operation, "__name__", repr(operation)))
