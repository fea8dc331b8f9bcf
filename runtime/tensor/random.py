"""The generator of random tensors."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

__all__ = ["drawing", "generator", "seed"]

state: list[Any] = []


class Drawing(threading.local):
    """What `vmap` says of random tensors: one generator for each example, or none at all."""

    own: Any = None
    forbidden = False


drawing = Drawing()


def generator() -> Any:
    """NumPy's generator that all random tensors are drawn from."""
    if drawing.forbidden:
        raise RuntimeError(
            "vmap: called random operation while in randomness error mode. Please either use the 'same' or "
            "'different' randomness flags on vmap or perform the randomness operation out of vmap"
        )
    if drawing.own is not None:
        return drawing.own
    if not state:
        state.append(np.random.default_rng())
    return state[0]


def seed(number: int) -> Any:
    """Start it anew from a seed."""
    state[:] = [np.random.default_rng(number)]
    return state[0]
