"""``retrograd.autograd.variable``: the old name of a tensor that may require grad."""

from __future__ import annotations

import warnings
from typing import Any

from retrograd.runtime.eager.api import Tensor

__all__ = ["Variable", "VariableMeta"]


NEW: Any = Tensor  # its constructor is entered where tensors are made of data


class VariableMeta(type):
    """Every tensor is a variable."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Tensor)


class Variable(metaclass=VariableMeta):
    """The old name of a tensor that may require grad."""

    def __new__(cls, data: Any = (), requires_grad: bool = False, volatile: Any = None) -> Any:
        if volatile is not None:
            warnings.warn(
                "volatile was removed and now has no effect. Use `with retrograd.no_grad():` instead.",
                stacklevel=2,
            )
        made = data.data if isinstance(data, Tensor) else NEW(data)
        return made.requires_grad_(requires_grad) if requires_grad else made
