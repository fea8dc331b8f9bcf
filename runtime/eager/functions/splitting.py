"""Tensors taken apart along an axis."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ..graph.record_call import as_views
from ..tensor.registry import FUNCTIONS, method
from ..tensor.tensor import Tensor
from .shaping import taken

__all__: list[str] = []


@method
def unbind(self: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    if not self._array.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")

    def shows(array: Any, k: int) -> Any:  # NumPy's are numbers where there is one axis only
        return np.moveaxis(array, dim, 0)[k, ...]

    return tuple(as_views(np.unstack, self, name="UnbindBackward0", shows=shows, axis=dim))


@method
def split(self: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Parts of a size, or of these sizes."""
    if not self._array.ndim:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    n = self._array.shape[dim]
    given = split_size_or_sections
    check_sections(given, n, dim)
    cuts = list(range(given, n, given)) if isinstance(given, int) else list(np.cumsum(given)[:-1])
    return tuple(as_views(np.split, self, [int(c) for c in cuts], dim, name="SplitBackward0"))


def check_sections(given: Any, n: int, dim: int) -> None:
    if not isinstance(given, int):
        if sum(given) != n or any(k < 0 for k in given):
            raise RuntimeError(
                f"split_with_sizes expects split_sizes to sum exactly to {n} (input tensor's size at dimension {dim}), "
                f"but got split_sizes={list(given)}"
            )
    elif given < 0:
        raise RuntimeError(f"split expects split_size be non-negative, but got split_size={given}")
    elif not given and n:
        raise RuntimeError(
            f"split_size can only be 0 if dimension size is 0, but got dimension size of {n}"
        )


@method
def chunk(self: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    if not self._array.ndim:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    n = self._array.shape[dim]
    return split(self, -(-n // chunks), dim) if n else split(self, [0] * chunks, dim)


@method
def tensor_split(self: Tensor, indices_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Parts of nearly equal size, or those between indices."""
    if not self._array.ndim:
        raise RuntimeError(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        )
    given = indices_or_sections
    given = given._array.tolist() if isinstance(given, Tensor) else given
    n = self._array.shape[dim]
    if isinstance(given, int):
        if given <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {given}")
        given = [k * (n // given) + min(k, n % given) for k in range(1, given)]
    whole = (slice(None),) * (dim % self._array.ndim)
    ends = [None, *given, None]
    return tuple(
        taken(self, (*whole, slice(a, b)), "SliceBackward0") for a, b in itertools.pairwise(ends)
    )


@method
def split_with_sizes(self: Tensor, split_sizes: Any, dim: int = 0) -> Any:
    return self.split(list(split_sizes), dim)


def splitting(name: str, dim: int, least: int) -> None:
    """``hsplit``, ``vsplit``, ``dsplit``: parts of equal size, or those between indices."""

    def apply(self: Tensor, parts: Any) -> Any:
        ndim = self._array.ndim
        if ndim < least:
            raise RuntimeError(
                f"retrograd.{name} requires a tensor with at least {least} dimension, but got a tensor with {ndim} "
                "dimensions!"
            )
        at = 0 if name == "hsplit" and ndim == 1 else dim
        n = self._array.shape[at]
        if isinstance(parts, int) and (parts < 1 or n % parts):
            raise RuntimeError(
                f"retrograd.{name} attempted to split along dimension {at}, but the size of the dimension {n} is not "
                f"divisible by the split_size {parts}!"
            )
        return self.tensor_split(parts, at)

    apply.__name__ = apply.__qualname__ = name
    method(apply)


splitting("hsplit", 1, 1)
splitting("vsplit", 0, 2)
splitting("dsplit", 2, 3)


def unsafe(name: str) -> None:
    """``unsafe_split`` and its like: parts that may be written to; who does so must not use the whole afterwards."""
    parted = FUNCTIONS[name]

    def apply(self: Tensor, *args: Any, **options: Any) -> tuple[Tensor, ...]:
        parts: tuple[Tensor, ...] = parted(self, *args, **options)
        for part in parts:
            part._view = None
            part._counter = [0]
        return parts

    apply.__name__ = apply.__qualname__ = f"unsafe_{name}"
    method(apply)


for _name in ("split", "split_with_sizes", "chunk"):
    unsafe(_name)
