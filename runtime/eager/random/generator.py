"""Where random tensors are drawn from."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from ...batching.batch import Batch
from ...batching.borders import closed
from ...batching.loop import example
from ...objects.pytree import map_operands
from ..graph.grad_mode import modes
from ..stacks import carried

__all__ = ["Generator", "common", "drawing", "generator", "no_random_numbers", "refused", "seed"]

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


REFUSED = (
    "vmap: called random operation while in randomness error mode. Please either use the 'same' or "
    "'different' randomness flags on vmap or perform the randomness operation out of vmap"
)


class Drawing(threading.local):
    """Whether random numbers are drawn at all."""

    forbidden: str | None = None  # why none are


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


class OfExamples:
    """A generator that draws anew for each example of a batch."""

    def __init__(self, numbers: Any, frame: Any) -> None:
        self.numbers, self.frame = numbers, frame

    def __getattr__(self, name: str) -> Any:
        draw, frame = getattr(self.numbers, name), self.frame

        def drawn(*args: Any, **kwargs: Any) -> Any:
            batch = Batch(frame.level, frame.count)
            parts = [
                draw(
                    *map_operands(partial(example, batch, k), args),
                    **map_operands(partial(example, batch, k), kwargs),
                )
                for k in range(frame.count)
            ]
            return closed(np.stack(parts), frame.level)

        return drawn


def refused() -> str | None:
    """Why no random numbers are drawn; None where they are."""
    if any(frame.randomness == "error" for frame in modes.frames):
        return REFUSED
    return drawing.forbidden


def common() -> Any:
    """The one generator that all others are drawn from."""
    if not state:
        state.append(np.random.default_rng())
    return state[0]


def generator(given: Any = None) -> Any:
    """NumPy's generator: that of the caller, or the one that all others are drawn from."""
    why = refused()
    if why:
        raise RuntimeError(why)
    found = common() if given is None else getattr(given, "numbers", given)
    for frame in modes.frames:
        if frame.randomness == "different":
            found = OfExamples(found, frame)
    return found


def seed(number: int) -> Any:
    """Start it anew from a seed."""
    state[:] = [np.random.default_rng(number)]
    return state[0]
