"""``retrograd.autograd.variable``: the old name of a tensor that may require grad."""

from __future__ import annotations

import warnings
from typing import Any

from retrograd.runtime.eager.api import Tensor
from retrograd.runtime.eager.graph.engine import queue_callback

__all__ = ["Variable", "VariableMeta"]


NEW: Any = Tensor  # its constructor is entered where tensors are made of data


class VariableMeta(type):
    """Every tensor is a variable."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Tensor)


class ImperativeEngine:
    """What runs a way back, as far as programs speak to it."""

    queue_callback = staticmethod(queue_callback)


class Variable(metaclass=VariableMeta):
    """The old name of a tensor that may require grad."""

    _execution_engine = ImperativeEngine()

    def __new__(cls, data: Any = (), requires_grad: bool = False, volatile: Any = None) -> Any:
        if volatile is not None:
            warnings.warn(
                "volatile was removed and now has no effect. Use `with retrograd.no_grad():` instead.",
                stacklevel=2,
            )
        made = data.data if isinstance(data, Tensor) else NEW(data)
        return made.requires_grad_(requires_grad) if requires_grad else made
