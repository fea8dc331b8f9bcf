"""The orders in which the axes of a tensor may lie in memory, by name."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["FORMATS", "has_format", "in_format"]


class memory_format:
    """One of the orders: that of the axes, or the channels after the places."""

    def __init__(self, name: str, rank: int | None) -> None:
        self.name, self.rank = name, rank

    def __repr__(self) -> str:
        return f"retrograd.{self.name}"


FORMATS: dict[str, memory_format] = {
    name: memory_format(name, rank)
    for name, rank in (
        ("preserve_format", None), ("contiguous_format", None), ("channels_last", 4), ("channels_last_3d", 5),
    )
}  # fmt: skip


def order_of(wanted: memory_format, rank: int) -> tuple[int, ...]:
    """The axes from the longest step to the shortest."""
    if wanted.rank is None:
        return tuple(range(rank))
    if rank != wanted.rank:
        raise RuntimeError(f"required rank {wanted.rank} tensor to use {wanted.name} format")
    return (0, *range(2, rank), 1)


def has_format(array: Any, wanted: Any) -> bool:
    """True if an array lies so in memory, without gaps."""
    if wanted is None or wanted.rank is None:
        return bool(array.flags.c_contiguous)
    if array.ndim != wanted.rank:
        return False
    return bool(array.transpose(order_of(wanted, array.ndim)).flags.c_contiguous)


def in_format(array: Any, wanted: memory_format) -> Any:
    """The array, or a copy that lies so in memory.

    >>> in_format(np.zeros((2, 3, 4, 5)), FORMATS["channels_last"]).strides
    (480, 8, 120, 24)
    """
    order = order_of(wanted, array.ndim)
    return np.ascontiguousarray(array.transpose(order)).transpose(np.argsort(order))
