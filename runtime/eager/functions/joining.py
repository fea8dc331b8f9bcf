"""Tensors put together."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.record_call import attributed, cast, plain
from ..tensor.dtypes import result_type
from ..tensor.out_argument import into, refuse_out
from ..tensor.registry import FUNCTIONS, function
from ..tensor.tensor import Tensor

__all__ = ["cat", "stack"]


def promoted(tensors: Any) -> list[Tensor]:
    """The tensors in one type."""
    kinds = {x._array.dtype for x in tensors}
    if len(kinds) == 1:
        return list(tensors)
    kind = result_type([x._array for x in tensors])
    return [cast(x, kind) for x in tensors]


@function
def cat(tensors: Any, dim: int = 0, *, out: Any = None) -> Tensor:
    """One after the other along an axis."""
    refuse_out("cat", out, *tensors)
    given = promoted(tensors)
    given = fitting(given, dim)
    check_joinable(given, dim)
    made = attributed(plain(np.concatenate, given, dim, name="CatBackward0"), dim=dim)
    return into(out, made)


def fitting(tensors: list[Tensor], dim: int) -> list[Tensor]:
    """Vectors of nothing fit everywhere."""
    filled = [x._array.shape for x in tensors if x._array.shape != (0,)]
    if not filled or not filled[0] or len(filled) == len(tensors):
        return tensors
    shape = list(filled[0])
    shape[dim] = 0
    return [x.reshape(shape) if x._array.shape == (0,) else x for x in tensors]


def check_joinable(tensors: list[Tensor], dim: int) -> None:
    """Refuse tensors that differ in another axis than the one they are joined along."""
    first = tensors[0]._array.shape
    if not first:
        raise RuntimeError("zero-dimensional tensor (at position 0) cannot be concatenated")
    for k, one in enumerate(tensors):
        shape = one._array.shape
        if not shape:
            raise RuntimeError(f"zero-dimensional tensor (at position {k}) cannot be concatenated")
        if len(shape) != len(first):
            raise RuntimeError(
                f"Tensors must have same number of dimensions: got {len(first)} and {len(shape)}"
            )
        for d, (n, m) in enumerate(zip(first, shape, strict=True)):
            if n != m and d != dim % len(first):
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {dim % len(first)}. Expected size {n} but got "
                    f"size {m} for tensor number {k} in the list."
                )


FUNCTIONS["concat"] = FUNCTIONS["concatenate"] = cat


@function
def stack(tensors: Any, dim: int = 0) -> Tensor:
    """Along a new axis."""
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    first = tensors[0]._array.shape
    for k, one in enumerate(tensors):
        if one._array.shape != first:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(tensors[0].shape)} at entry 0 and "
                f"{list(one.shape)} at entry {k}"
            )
    return attributed(plain(np.stack, promoted(tensors), dim, name="StackBackward0"), dim=dim)


@function
def hstack(tensors: Any) -> Tensor:
    given = [x.reshape(1) if not x._array.ndim else x for x in tensors]
    return cat(given, 0 if given[0]._array.ndim <= 1 else 1)


@function
def vstack(tensors: Any) -> Tensor:
    return cat([x.reshape(1, -1) if x._array.ndim <= 1 else x for x in tensors], 0)


@function
def meshgrid(*tensors: Any, indexing: str = "ij") -> tuple[Tensor, ...]:
    """Coordinate tensors of a grid."""
    given = (
        list(tensors[0])
        if len(tensors) == 1 and isinstance(tensors[0], (tuple, list))
        else list(tensors)
    )
    n = len(given)
    shape = [x.numel() for x in given]
    made = [
        x.reshape(*[-1 if j == k else 1 for j in range(n)]).expand(*shape)
        for k, x in enumerate(given)
    ]
    return tuple(x.transpose(0, 1) for x in made) if indexing == "xy" and n > 1 else tuple(made)
