"""The batches that are being computed: one for each running call of `vmap` or of what is made of it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...batching.batched_array import levels_of
from ...batching.borders import closed
from ..graph.grad_mode import modes
from ..graph.node import AccumulateGrad, Nowhere, peek

__all__ = [
    "Frame",
    "entered_frame",
    "is_outside",
    "new_frame",
    "outer_frames",
    "reopened",
    "with_room",
]

LEVELS = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Frame:
    """One running batch.

    ``level``: of its arrays; ``start``: nodes with this number and later ones are made inside.  ``fills``: new
    tensors have room for all examples, since the function may write to them.
    """

    level: int
    count: int
    start: int
    randomness: str = "error"
    fills: bool = False


def new_frame(count: int, randomness: str = "error", fills: bool = False) -> Frame:
    return Frame(next(LEVELS), count, peek(), randomness, fills)


class entered_frame:
    """A context in which operations are those of the examples of a batch."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    def __enter__(self) -> Frame:
        self.before = modes.frames
        modes.frames = (*modes.frames, self.frame)
        return self.frame

    def __exit__(self, *error: Any) -> None:
        modes.frames = self.before


class reopened:
    """A context in which a function runs on that was recorded in these batches, besides those that run now."""

    def __init__(self, frames: tuple[Frame, ...]) -> None:
        self.frames = frames

    def __enter__(self) -> None:
        self.before = modes.frames
        if self.frames:
            both = {frame.level: frame for frame in (*self.frames, *self.before)}
            modes.frames = tuple(both[level] for level in sorted(both))

    def __exit__(self, *error: Any) -> None:
        modes.frames = self.before


def with_room(array: Any) -> Any:
    """A new array with room for what each example may write to it."""
    for frame in modes.frames:
        if frame.fills and frame.level not in levels_of(array):
            examples = np.broadcast_to(array, (frame.count, *array.shape))
            array = closed(examples.copy(), frame.level)
    return array


def outer_frames(node: Any) -> tuple[Frame, ...]:
    """The running batches outside of which a node was made, the innermost last."""
    frames: tuple[Frame, ...] = modes.frames
    for k, frame in enumerate(frames):
        if is_outside(node, frame):
            return frames[k:]
    return ()


def is_outside(node: Any, frame: Frame) -> bool:
    if isinstance(node, Nowhere):
        return False
    if isinstance(node, AccumulateGrad):  # a leaf of its own knows the batch that it was made in
        more = node.variable._more
        return more is None or more.get("frame", 0) < frame.level
    return bool(node.seq < frame.start)
