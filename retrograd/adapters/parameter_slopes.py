"""The derivatives of ``model(x, *params)`` by its parameters, as many as a call has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import retrograd as rg

__all__ = ["parameter_slopes"]


def parameter_slopes(model: Callable[..., Any], backend: str | None) -> Callable[..., list[Any]]:
    """``(x, *params)`` to an array for each parameter, as long as what the model gives."""
    made: dict[int, Callable[..., Any]] = {}

    def slopes(x: Any, *params: Any) -> list[Any]:
        count = len(params)
        if count not in made:
            made[count] = rg.jacobian(model, tuple(range(1, count + 1)), backend=backend)
        found = made[count](x, *map(float, params))
        size = np.broadcast_shapes(*map(np.shape, found))
        return [np.broadcast_to(one, size) for one in found]

    return slopes
