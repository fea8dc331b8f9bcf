"""Tensors put together."""

from __future__ import annotations

from typing import Any

import numpy as np

from .dtypes import result_type
from .funnel import attributed, cast, plain
from .registry import FUNCTIONS, function
from .tensor import Tensor

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
    return attributed(plain(np.concatenate, promoted(tensors), dim, name="CatBackward0"), dim=dim)


FUNCTIONS["concat"] = FUNCTIONS["concatenate"] = cat


@function
def stack(tensors: Any, dim: int = 0) -> Tensor:
    """Along a new axis."""
    return attributed(plain(np.stack, promoted(tensors), dim, name="StackBackward0"), dim=dim)


@function
def hstack(tensors: Any) -> Tensor:
    return cat(tensors, 0 if tensors[0]._array.ndim <= 1 else 1)


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
