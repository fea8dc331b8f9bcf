"""Parameters: leaves that require grad."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..functions.creation import REQUIRING
from ..tensor.dtypes import is_differentiable
from ..tensor.tensor import Tensor, fresh

__all__ = ["Parameter"]


class Parameter(Tensor):
    """A tensor that is learned: a leaf with the memory of ``data`` that requires grad."""

    __slots__ = ()

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Any:
        array = np.empty(0, np.float32) if data is None else data._array
        if requires_grad and not is_differentiable(array.dtype):
            raise RuntimeError(REQUIRING)
        made = fresh(array, cls)
        if data is not None:
            made._counter = data._counter
        made._requires = requires_grad
        return made

    def __init__(self, data: Any = None, requires_grad: bool = True) -> None:
        pass

    def __repr__(self, *, tensor_contents: Any = None) -> str:  # type: ignore[override]
        return "Parameter containing:\n" + super().__repr__()

    __str__ = __repr__

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if id(self) not in memo:
            memo[id(self)] = type(self)(fresh(self._array.copy()), self._requires)
        return memo[id(self)]

    def __reduce__(self) -> Any:
        return Parameter, (fresh(self._array), self._requires)
