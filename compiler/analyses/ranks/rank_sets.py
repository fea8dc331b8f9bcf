"""Sets of ranks as bits: bit 2 for matrices, the last for all ranks from there on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from retrograd.runtime.records import dataclass

from ...ir.lattice import is_array
from ...ir.operations import UNDEFINED, Const, Operand, Value
from ...ir.types import Array, Number, Numeric, Type

__all__ = ["ANY", "MOST", "Items", "only", "ranks_in", "set_of", "set_of_type", "unknown_rank"]

MOST = 6  # so many dimensions, or more
ANY = (1 << (MOST + 1)) - 1


@dataclass(frozen=True)
class Items:
    """Of an array, a list or a tuple that is read by item alone: the ranks of each."""

    each: Any


def only(rank: int) -> int:
    return 1 << min(rank, MOST)


def ranks_in(ranks: int) -> Iterator[int]:
    """The ranks in a set.

    >>> list(ranks_in(only(0) | only(2)))
    [0, 2]
    """
    return (k for k in range(MOST + 1) if ranks >> k & 1)


def unknown_rank(kind: Type) -> bool:
    """True of what may be an array of a rank that nobody knows."""
    return (
        kind is None or isinstance(kind, Numeric) or (isinstance(kind, Array) and kind.dims is None)
    )


def set_of_type(kind: Type) -> int:
    known = isinstance(kind, (Array, Number)) and kind.dims is not None
    return only(len(kind.dims)) if known else ANY  # type: ignore[union-attr, arg-type]


def set_of(operand: Operand, known: dict[Value, int]) -> int:
    """The ranks that an operand may have; none of a name that is not bound."""
    if operand is UNDEFINED:
        return 0
    if isinstance(operand, Value):
        return known.get(operand, set_of_type(operand.type))
    value: Any = operand.value if isinstance(operand, Const) else operand
    if isinstance(value, (bool, int, float, complex)) or is_array(value):
        return only(np.ndim(value))
    return ANY
