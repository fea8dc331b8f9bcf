"""A point where a function has no derivative, or hardly one, and what we say it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .sample import A

__all__ = ["Kink", "at"]


@dataclass(frozen=True)
class Kink:
    """Where: an operation and its arguments; what: the gradient of each array argument."""

    where: str
    operation: Any
    args: tuple[Any, ...]
    gradients: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)
    cotangent: Any = 1.0
    why: str = ""  # it is not what PyTorch gives


def at(value: Any) -> A:
    """An argument that is differentiated."""
    array = np.asarray(value, complex if np.iscomplexobj(value) else float)
    return A(array.shape, lambda _: array.copy() if array.ndim else array[()])
