"""Helpers that look at memory, on the device: its arrays cannot be made read-only, and what overlaps is read before it is written."""

from __future__ import annotations

from typing import Any

from ..arrays.libraries import is_cupy
from ..errors import MutationError
from ..helpers import functional_writes
from .copies import instead

__all__: list[str] = []


@instead("functional_writes.check_overlap")
def check_overlap(part: Any, v: Any) -> None:
    """Nothing: CuPy copies an operand that overlaps the target."""


@instead("functional_writes.check_single")
def check_single(x: Any) -> None:
    if is_cupy(x) and functional_writes.shows_twice(x):
        raise MutationError(
            "an array that this function writes to shows one place of its memory several times",
            fix="pass a copy of it (`.copy()`)",
        )
