"""Jacobians column by column, as the compiler reads them where they are called in a function that is differentiated."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["columns"]


def columns(push: Any, x: Any) -> Any:
    """The derivative of an array by every entry of ``x``: its shape, then that of ``x``; ``push`` gives tangents."""
    made = []
    for k in range(np.size(x)):
        direction = np.zeros(np.size(x))
        direction[k] = 1.0
        made.append(push(np.reshape(direction, np.shape(x))))
    return np.reshape(np.stack(made, axis=-1), np.shape(made[0]) + np.shape(x))
