"""Functions that are run anew for each example, or each entry of an input, where PyTorch runs them once.

What one run leaves to the next (a tensor that is written to, a number that is counted up) would silently
give other values: it is refused.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..graph.grad_mode import modes
from ..random import generator

__all__ = ["Draws", "Runs"]

WRITES = (
    "{0}: the function is run once for each {1}, and several of the runs write to the same tensor, of shape {2}: each would "
    "read what the one before has left there. Write to a clone() that is made in the function, or write outside of it."
)
OTHERS = (
    "{0}: the function is run once for each {1}, and has other values this time: it reads something that it changes itself, "
    "or random numbers. Compute those before, and hand them to the function."
)

REFUSED = (
    "vmap: called random operation while in randomness error mode. Please either use the 'same' or "
    "'different' randomness flags on vmap or perform the randomness operation out of vmap"
)


class Runs:
    """The runs of one call.  ``apart``: tensors of which each run has a part of its own."""

    def __init__(self, name: str, of: str, randomness: str, apart: Any = ()) -> None:
        self.name, self.of, self.draws = name, of, Draws(randomness)
        self.apart = {id(one._counter) for one in apart}
        self.writers: dict[int, tuple[Any, Any]] = {}  # by the counter of the memory, which is kept
        self.values: Any = None

    @contextmanager
    def run(self, k: Any) -> Iterator[None]:
        """In it the function runs once, for ``k``."""
        outer = modes.on_write
        modes.on_write = self.noting(k, outer)
        try:
            with self.draws:
                yield
        finally:
            modes.on_write = outer

    def noting(self, k: Any, outer: Any) -> Callable[[Any], None]:
        def note(tensor: Any) -> None:
            if outer is not None:
                outer(tensor)
            counter = tensor._counter
            if counter is None or id(counter) in self.apart:
                return
            if self.writers.setdefault(id(counter), (counter, k))[1] != k:
                raise RuntimeError(WRITES.format(self.name, self.of, list(tensor.shape)))

        return note

    def same(self, outputs: list[Any]) -> None:
        """Refuse a run with other values than the first one's."""
        if self.draws.randomness == "different":
            return
        values = [one._array.copy() for one in outputs]
        if self.values is None:
            self.values = values
        pairs = zip(self.values, values, strict=False)
        if len(values) != len(self.values) or not all(np.array_equal(a, b, True) for a, b in pairs):
            raise RuntimeError(OTHERS.format(self.name, self.of))


class Draws:
    """How random tensors are drawn while a function is run several times."""

    def __init__(self, randomness: str) -> None:
        self.randomness, self.random = randomness, generator
        same = randomness == "same"
        self.start = copy.deepcopy(generator.generator()) if same else None
        self.last: Any = None
        self.before: list[Any] = []

    def __enter__(self) -> None:
        drawing = self.random.drawing
        self.before.append((drawing.own, drawing.forbidden))
        if self.randomness == "error":
            drawing.forbidden = REFUSED
        else:
            drawing.forbidden = None
            if self.start is not None:
                drawing.own = copy.deepcopy(self.start)

    def __exit__(self, *error: Any) -> None:
        drawing = self.random.drawing
        self.last = drawing.own
        drawing.own, drawing.forbidden = self.before.pop()

    def finished(self) -> None:
        """Has the next draw be a new one."""
        if self.start is not None and self.last is not None:
            self.random.generator().bit_generator.state = self.last.bit_generator.state
