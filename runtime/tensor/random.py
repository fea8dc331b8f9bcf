"""The generator of random tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["generator", "seed"]

state: list[Any] = []


def generator() -> Any:
    """NumPy's generator that all random tensors are drawn from."""
    if not state:
        state.append(np.random.default_rng())
    return state[0]


def seed(number: int) -> Any:
    """Start it anew from a seed."""
    state[:] = [np.random.default_rng(number)]
    return state[0]
