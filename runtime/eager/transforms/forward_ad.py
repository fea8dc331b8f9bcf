"""Forward mode as users see it: levels, dual tensors and their two parts."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from ...batching.batched_array import levels_of
from ..functions.storage import owner
from ..graph.tangents import (
    levels,
    set_tangent,
    tangent_of,
)
from ..tensor.tensor import address
from ..tensor.transfers import check_one_place

__all__ = [
    "UnpackedDualTensor", "dual_level", "enter_dual_level", "exit_dual_level", "inner_level", "make_dual", "unpack_dual",
]  # fmt: skip


class UnpackedDualTensor(NamedTuple):
    """The two parts of a dual tensor."""

    primal: Any
    tangent: Any


OPENED: list[Any] = []


def enter_dual_level() -> int:
    """Open a level."""
    if levels.current >= 0:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    OPENED.append(levels.opened())
    return levels.current


def exit_dual_level(*, level: int | None = None) -> None:
    """Close the level: its tangents are gone."""
    if level is None:
        level = levels.current
    if level < 0 and levels.current < 0:
        raise RuntimeError("Dual level must be a positive number.")
    if level != levels.current:
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This is not supported."
        )
    levels.closed(OPENED.pop())


@contextmanager
def inner_level() -> Iterator[None]:
    """A level, above those that are open: its tangents have tangents at the levels below."""
    before = levels.opened()
    try:
        yield
    finally:
        levels.closed(before)


class dual_level:
    """The context of forward mode; a decorator too."""

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(self, *error: Any) -> None:
        exit_dual_level()

    def __call__(self, function: Any) -> Any:
        @functools.wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            with type(self)():
                return function(*args, **kwargs)

        return wrapped


def make_dual(tensor: Any, tangent: Any, *, level: int | None = None) -> Any:
    """A view of the tensor that carries a tangent."""
    if levels.current < 0:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first."
        )
    for what, x in (("primal", tensor), ("tangent", tangent)):
        if not (x.is_floating_point() or x.is_complex()):
            raise ValueError(f"Expected {what} to be floating point or complex, but got: {x.dtype}")
    if tangent_of(tangent) is not None:
        raise RuntimeError(
            f"Setting a forward grad that itself has a forward gradient at the same level{levels.current} is not "
            "supported."
        )
    check_one_place(tensor, tangent)
    if tensor._array.shape != tangent._array.shape:
        raise RuntimeError(
            "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not "
            f"supported. Tensor is of size {list(tensor.shape)} while the given forward gradient is of size "
            f"{list(tangent.shape)}."
        )
    made = tensor.view_as(tensor)
    if tangent._array.dtype != tensor._array.dtype:
        tangent = tangent.to(tensor.dtype)
    elif tensor._array.size and tangent._array.strides != tensor._array.strides:
        tangent = tangent._copied_into(np.empty_like(tensor._array))
    set_tangent(made, with_memory_of(tensor, tangent))
    return made


def with_memory_of(tensor: Any, tangent: Any) -> Any:
    """The tangent, in memory where every view of the tensor's memory is one of its own."""
    if levels_of(tensor._array) or levels_of(
        tangent._array
    ):  # views of batches are made by what made them
        return tangent
    memory, own = owner(tensor._array), owner(tangent._array)
    if memory.size == own.size or not tensor._array.size or not memory.flags.forc:
        return tangent
    start = address(tensor._array) - address(memory)
    whole = np.zeros(memory.nbytes, np.uint8)
    part = np.ndarray(tensor._array.shape, tensor._array.dtype, whole, start, tensor._array.strides)
    return tangent._copied_into(part)


def unpack_dual(tensor: Any, *, level: int | None = None) -> UnpackedDualTensor:
    """The primal, a view without tangent, and the tangent, None if there is none."""
    tangent = tangent_of(tensor)
    primal = tensor.view_as(tensor)
    set_tangent(primal, None)
    return UnpackedDualTensor(primal, tangent)
