"""Operations on sparse tensors in the graph: each says by tensors what goes back, so that it may be recorded again."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..graph.grad_mode import modes, set_grad_enabled
from ..graph.node import GradFn, edge_of, leads_on
from ..graph.saved_tensors import FREED
from ..graph.tangents import is_dual, levels
from ..tensor.tensor import Tensor
from .sparse_tensor import of_bar

__all__ = ["recorded_as"]

Pull = Callable[[Any], tuple[Any, ...]]


class SparseNode(GradFn):
    """``pull(bar)``: the gradients of the inputs, as tensors."""

    __slots__ = ("pull",)

    pull: Pull | None

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        if self.pull is None:
            raise RuntimeError(FREED)
        bar = bars[0]
        if bar is None:
            return (None,) * len(self.edges)
        self.check_guards()
        with set_grad_enabled(create):
            found = self.pull(bar if isinstance(bar, Tensor) else of_bar(bar))
        return tuple(one if one is None or create else one._array for one in found)

    def release(self) -> None:
        self.pull = None


@functools.cache
def node_class(name: str) -> type[SparseNode]:
    return type(name, (SparseNode,), {"__slots__": ()})


def recorded_as(name: str, array: Any, inputs: tuple[Any, ...], pull: Pull) -> Any:
    """The tensor of an array that was made of these, recorded where one of them requires grad."""
    made = of_bar(array)
    if levels.current >= 0 and any(is_dual(one) for one in inputs):
        raise NotImplementedError(
            f"{name.removesuffix('Backward0')} of sparse tensors has no derivative in forward mode"
        )
    if not modes.grad or modes.inference:
        return made
    edges = tuple(edge_of(one) for one in inputs)
    if not any(leads_on(edge) for edge in edges):
        return made
    node = node_class(f"{name}Backward0")(edges, ((array.shape, array.dtype),))
    node.pull = pull
    made._grad_fn, made._nr, made._requires = node, 0, True
    return made
