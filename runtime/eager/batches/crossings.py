"""Gradients that leave a batch: what all examples share gets the sum of theirs."""

from __future__ import annotations

from typing import Any

from ...batching.borders import summed
from ..graph.grad_mode import modes
from ..graph.node import Edge, GradFn, edge_of
from ..graph.tangents import at_each_level, below, set_tangent, tangent_of
from ..tensor.tensor import fresh, of_node
from .frames import Frame, outer_frames

__all__ = ["edge_into"]


def edge_into(tensor: Any) -> Edge | None:
    """Where the gradient of an operand goes, from a node that is being made."""
    edge = edge_of(tensor)
    if edge is None or not modes.frames:
        return edge
    frames = outer_frames(edge[0])
    return (SumOfExamples(edge, frames), 0) if frames else edge


class SumOfExamples(GradFn):
    """The border of batches: the gradient of what is the same for all examples."""

    __slots__ = ("frames",)

    def __init__(self, edge: Edge, frames: tuple[Frame, ...]) -> None:
        node, k = edge
        super().__init__((edge,), (node.outputs[k],))
        self.frames = frames

    def name(self) -> str:
        return "SumBackward1"

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        bar = bars[0]
        if bar is None:
            return (None,)
        return (self.of_tensor(bar) if create else self.of_array(bar),)

    def of_array(self, bar: Any) -> Any:
        for frame in reversed(self.frames):
            bar = summed(bar, frame.level, frame.count)
        return bar

    def of_tensor(self, bar: Any) -> Any:
        array, edge = self.of_array(bar._array), edge_of(bar)
        made = fresh(array) if edge is None else of_node(array, SameForAll(edge, array), 0)

        def push() -> None:
            tangent = tangent_of(bar)
            with below():
                tangent = None if tangent is None else self.of_tensor(tangent)
            set_tangent(made, tangent)

        at_each_level(push)
        return made


class SameForAll(GradFn):
    """The way back from such a sum: every example gets the same."""

    __slots__ = ()

    def __init__(self, edge: Edge, array: Any) -> None:
        super().__init__((edge,), ((array.shape, array.dtype),))

    def name(self) -> str:
        return "ExpandBackward0"

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        return (bars[0],)
