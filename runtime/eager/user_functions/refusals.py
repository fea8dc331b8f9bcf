"""Functions that change nothing going forward, and refuse or drop what comes back."""

from __future__ import annotations

from typing import Any

from ..batches.crossings import edge_into
from ..graph.grad_mode import modes
from ..graph.node import GradFn, shape_and_type
from ..tensor.tensor import Tensor, of_node

__all__ = ["DelayedError", "UndefinedGrad"]


class Identity(GradFn):
    """A node whose instance is called with tensors, and gives them again as its results."""

    def __init__(self) -> None:
        super().__init__()

    def __call__(self, *tensors: Tensor) -> Any:
        if not (modes.grad and any(t.requires_grad for t in tensors)):
            return tensors[0] if len(tensors) == 1 else tensors
        self.edges = tuple(edge_into(t) for t in tensors)
        self.outputs = tuple(shape_and_type(t._array) for t in tensors)
        made = tuple(of_node(t._array.copy(), self, k) for k, t in enumerate(tensors))
        return made[0] if len(made) == 1 else made


class DelayedError(Identity):
    """The way back is refused with this message.

    >>> DelayedError("not differentiable").message
    'not differentiable'
    """

    def __init__(self, message: str, num_inputs: int = 1) -> None:
        super().__init__()
        self.message, self.num_inputs = message, num_inputs

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        raise RuntimeError(self.message)


class UndefinedGrad(Identity):
    """Nothing goes back."""

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        return (None,) * len(self.edges)
