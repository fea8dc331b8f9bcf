"""Tensors of the eager API where arrays are meant: they remember their own history, and no text reads it."""

from __future__ import annotations

import sys
from typing import Any

from .homes import RUNTIME

__all__ = ["TO_ARRAY", "has_tensor"]

TO_ARRAY = (
    "pass the array in it (`t.detach().numpy()`); or use tensors throughout, and `backward()`"
)


def has_tensor(x: Any, depth: int = 3) -> bool:
    """True if a value is a tensor, or a container with one in it."""
    module = sys.modules.get(f"{RUNTIME}eager.tensor.tensor")
    if module is None:
        return False
    if type(x) in (list, tuple, dict) and depth:
        inner = x.values() if type(x) is dict else x
        return any(has_tensor(item, depth - 1) for item in tuple(inner))
    return isinstance(x, module.Tensor)
