"""The class of sparse tensors, and how gradients become tensors: below the graph, which makes them of what arrives."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.grad_mode import modes
from ..tensor.tensor import Tensor, fresh, wrapped
from .coo_array import CooArray

__all__ = ["SparseTensor", "is_sparse", "of_bar"]


class SparseTensor(Tensor):
    """A tensor of coordinates and values; what it cannot do is refused (`refusals`)."""

    __slots__ = ()

    def _fresh(self, array: Any) -> Any:
        return sparse(array)


def sparse(array: CooArray) -> Any:
    """The tensor of such an array, with no history."""
    made = fresh(array, SparseTensor)
    made._more = {"inference": True} if modes.inference else {}  # it never goes a short way
    return made


def is_sparse(value: Any) -> bool:
    return type(value) is CooArray or isinstance(value, SparseTensor)


def of_bar(bar: Any) -> Any:
    """A gradient as a tensor."""
    return sparse(bar) if type(bar) is CooArray else wrapped(np.asarray(bar))
