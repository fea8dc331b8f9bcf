"""Where random tensors are drawn from."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..stacks import carried

__all__ = ["Generator", "drawing", "generator", "no_random_numbers", "seed"]

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
    forbidden: str | None = None  # why it draws none


drawing = Drawing()
carried.append(drawing)


@contextmanager
def no_random_numbers(why: str) -> Iterator[None]:
    """A context in which drawing is refused."""
    before, drawing.forbidden = drawing.forbidden, why
    try:
        yield
    finally:
        drawing.forbidden = before


def generator(given: Any = None) -> Any:
    """NumPy's generator: that of the caller, or the one that all others are drawn from."""
    if drawing.forbidden:
        raise RuntimeError(drawing.forbidden)
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
