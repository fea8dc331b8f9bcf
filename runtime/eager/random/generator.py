"""Where random tensors are drawn from."""

from __future__ import annotations

import itertools
import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from ...arrays.devices import count, is_loaded
from ...arrays.libraries import cupy
from ...batching.batch import Batch
from ...batching.borders import closed
from ...batching.loop import example
from ...objects.pytree import map_operands
from ..graph.grad_mode import modes
from ..stacks import carried
from ..tensor import devices

__all__ = [
    "Generator",
    "common",
    "drawing",
    "generator",
    "no_random_numbers",
    "refused",
    "seed",
    "seed_device",
]

state: list[Any] = []
on_devices: dict[Any, Any] = {}  # by library, made when the first numbers are drawn there
seeds: list[int] = []  # the last one
branches = itertools.count()  # numbers that the device has begun anew from


class Generator:
    """Random numbers apart from the common ones: for ``generator=``."""

    def __init__(self, device: Any = "cpu") -> None:
        self.device = devices.device(device)
        self.library = devices.library_at(self.device)
        self.numbers, self.first = drawn_by(self.library), 0

    def manual_seed(self, seed: int) -> Generator:
        self.numbers, self.first = drawn_by(self.library, seed), seed
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


class OnDevice:
    """A generator of CuPy's, with what it lacks of NumPy's."""

    def __init__(self, numbers: Any) -> None:
        self.numbers = numbers

    def __getattr__(self, name: str) -> Any:
        return getattr(self.numbers, name)

    def uniform(self, low: Any, high: Any, shape: Any) -> Any:
        return low + (high - low) * self.numbers.random(shape)

    def permutation(self, n: int) -> Any:
        return cupy().argsort(self.numbers.random(n))

    def standard_cauchy(self, shape: Any) -> Any:
        return cupy().tan(math.pi * (self.numbers.random(shape) - 0.5))

    def lognormal(self, mean: Any, std: Any, shape: Any) -> Any:
        return cupy().exp(mean + std * self.numbers.standard_normal(shape))

    def gumbel(self, *, size: Any) -> Any:
        return -cupy().log(self.numbers.standard_exponential(size))

    def exponential(self, scale: Any, shape: Any) -> Any:
        return scale * self.numbers.standard_exponential(shape)


def drawn_by(library: Any, seed: int | None = None) -> Any:
    """A new generator of a library's."""
    made = library.random.default_rng(seed)
    return made if library is np else OnDevice(made)


def common(library: Any = np) -> Any:
    """The one generator that all others are drawn from, of those of a library."""
    if library is np:
        if not state:
            state.append(np.random.default_rng())
        return state[0]
    if library not in on_devices:
        on_devices[library] = drawn_by(library, seeds[-1] if seeds else None)
    return on_devices[library]


def generator(given: Any = None, library: Any = np) -> Any:
    """The library's generator: that of the caller, or the one that all others are drawn from."""
    why = refused()
    if why:
        raise RuntimeError(why)
    if isinstance(given, Generator) and given.library is not library:
        wanted = "cpu" if library is np else "cuda"
        raise RuntimeError(
            f"Expected a '{wanted}' device type for generator but found '{given.device.type}'"
        )
    found = common(library) if given is None else getattr(given, "numbers", given)
    for frame in modes.frames:
        if frame.randomness == "different":
            found = OfExamples(found, frame)
    return found


def seed(number: int) -> Any:
    """Start it anew from a seed."""
    state[:], seeds[:] = [np.random.default_rng(number)], [number]
    on_devices.clear()
    return state[0]


def begun_anew() -> Any:
    """Begin the numbers of the device from a seed that is told; None where there is none, or nobody draws there."""
    if not is_loaded() or not count():
        return None
    library = cupy()
    made = np.random.SeedSequence([*seeds, next(branches)] if seeds else None)
    first = int(made.generate_state(1)[0])
    on_devices[library] = drawn_by(library, first)
    return first


@contextmanager
def on_device_from(first: Any) -> Iterator[None]:
    """The numbers of the device begin from that seed, and go on afterwards as if none had been drawn."""
    if first is None:
        yield
        return
    library = cupy()
    before = common(library)
    on_devices[library] = drawn_by(library, first)
    try:
        yield
    finally:
        on_devices[library] = before


def seed_device(number: int | None) -> None:
    """The same for the device alone (None: from a seed that nobody knows)."""
    seeds[:] = [] if number is None else [number]
    on_devices.clear()
