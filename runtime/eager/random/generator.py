"""Where random tensors are drawn from."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from ..stacks import carried

__all__ = ["Generator", "drawing", "generator", "seed"]

state: list[Any] = []


class Generator:
    """Random numbers apart from the common ones: for ``generator=``."""

    def __init__(self, device: Any = "cpu") -> None:
        self.numbers, self.first = np.random.default_rng(), 0

    def manual_seed(self, seed: int) -> Generator:
        self.numbers, self.first = np.random.default_rng(seed), seed
        return self

    def initial_seed(self) -> int:
        return self.first


class Drawing(threading.local):
    """`vmap`'s choice for random tensors: one generator for each example, or none at all."""

    own: Any = None
    forbidden = False


drawing = Drawing()
carried.append(drawing)


def generator(given: Any = None) -> Any:
    """NumPy's generator: that of the caller, or the one that all others are drawn from."""
    if drawing.forbidden:
        raise RuntimeError(
            "vmap: called random operation while in randomness error mode. Please either use the 'same' or "
            "'different' randomness flags on vmap or perform the randomness operation out of vmap"
        )
    if given is not None:
        return getattr(given, "numbers", given)
    if drawing.own is not None:
        return drawing.own
    if not state:
        state.append(np.random.default_rng())
    return state[0]


def seed(number: int) -> Any:
    """Start it anew from a seed."""
    state[:] = [np.random.default_rng(number)]
    return state[0]
