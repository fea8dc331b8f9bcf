"""Functions of all unit vectors at once, for Jacobians: one run for so many of them at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...arrays.transfers import library_of
from ...batching.batched_array import memory_of
from ..batches.borders import all_examples, one_example
from ..batches.frames import entered_frame, new_frame
from ..functions.joining import cat
from ..tensor.tensor import wrapped

__all__ = ["basis", "ends", "in_chunks"]


def basis(tensors: list[Any]) -> list[Any]:
    """All unit vectors over the entries of several tensors: for each of these a batch."""
    ends = np.cumsum([x.numel() for x in tensors])
    whole = library_of([memory_of(x._array) for x in tensors]).eye(sum(x.numel() for x in tensors))
    parts = np.split(whole, [int(end) for end in ends[:-1]], 1)
    return [
        wrapped(part.astype(x._array.dtype).reshape(len(whole), *x.shape))
        for part, x in zip(parts, tensors, strict=True)
    ]


def in_chunks(
    units: list[Any],
    size: int,
    chunk_size: int | None,
    act: Callable[[list[Any]], list[Any]],
    randomness: str = "error",
) -> list[Any]:
    """``act`` of each row of batches, for so many at a time; the results with the rows first."""
    if not size:
        return [x.new_zeros((0, *x.shape)) for x in act([u.new_zeros(u.shape[1:]) for u in units])]
    step = chunk_size or size
    made = []
    for start in range(0, size, step):
        frame = new_frame(min(step, size - start), randomness)
        rows = [one_example(u.narrow(0, start, frame.count), 0, frame) for u in units]
        with entered_frame(frame):
            made.append([all_examples(one, 0, frame) for one in act(rows)])
    return made[0] if len(made) == 1 else [cat(parts) for parts in zip(*made, strict=True)]


def ends(tensors: list[Any]) -> list[int]:
    """Where the entries of each tensor begin among those of all."""
    return [0, *np.cumsum([x.numel() for x in tensors])[:-1].tolist()]
