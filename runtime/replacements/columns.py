"""Jacobians, column by column, as the compiler reads them where they are called in a function that is differentiated."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["of_array", "of_number"]


def of_array(push: Any, x: Any, y: Any) -> Any:
    """The derivative of ``y`` by every entry of ``x``: the shape of ``y``, then that of ``x``."""
    columns = []
    for k in range(np.size(x)):
        direction = np.zeros(np.size(x))
        direction[k] = 1.0
        columns.append(push(np.reshape(direction, np.shape(x))))
    return np.reshape(np.stack(columns, axis=-1), np.shape(y) + np.shape(x))


def of_number(push: Any, x: Any, y: Any) -> Any:
    """The derivative of ``y`` by one number."""
    return push(1.0)
