"""What both runs of a call have in common: the random numbers, and a sum of the values to compare."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...batching.batched_array import memory_of
from ...device.places import is_far
from ..graph.grad_mode import modes
from ..random import generator

__all__ = ["random_state", "random_state_of", "steady", "sum_of"]


@contextmanager
def steady() -> Iterator[None]:
    """Nodes keep the same in both runs, though the inputs may have hooks by then, or retain their gradients."""
    before, modes.steady = modes.steady, True
    try:
        yield
    finally:
        modes.steady = before


def random_state_of(preserves: bool) -> Any:
    """The state that the random numbers of a call begin in; None where it is not asked for, or none are drawn."""
    if not preserves or generator.refused():
        return None
    return generator.common().bit_generator.state, generator.begun_anew()


@contextmanager
def random_state(state: Any) -> Iterator[None]:
    """Random numbers begin in that state, and go on afterwards as if none had been drawn."""
    if state is None:
        yield
        return
    numbers = generator.common().bit_generator
    now, numbers.state = numbers.state, state[0]
    try:
        with generator.on_device_from(state[1]):
            yield
    finally:
        numbers.state = now


def sum_of(tensor: Any) -> int | None:
    """A checksum of the values; None where they would be waited for."""
    if is_far(memory_of(tensor._array)):
        return None
    flat: Any = np.ascontiguousarray(memory_of(tensor._array)).reshape(-1)
    return zlib.crc32(flat.view(np.uint8))
