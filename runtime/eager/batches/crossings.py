"""Gradients that leave a batch: what all examples share gets the sum of theirs."""

from __future__ import annotations

from typing import Any

from ...batching.borders import summed
from ..graph.grad_mode import modes
from ..graph.node import Edge, GradFn, edge_of, shape_and_type
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
    if not frames:
        return edge
    node, k = edge
    return SumOfExamples(edge, node.outputs[k], frames), 0


class Crossing(GradFn):
    """The border of batches, at what is the same for all of their examples."""

    __slots__ = ("frames",)

    def __init__(self, edge: Edge, output: Any, frames: tuple[Frame, ...]) -> None:
        super().__init__((edge,), (output,))
        self.frames = frames

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        bar = bars[0]
        if bar is None:
            return (None,)
        return (self.of_tensor(bar) if create else self.of_array(bar),)

    def of_array(self, bar: Any) -> Any:
        raise NotImplementedError

    back: type[Crossing]

    def of_tensor(self, bar: Any) -> Any:
        """The same of a gradient that is recorded: the way back is the other crossing."""
        array, edge = self.of_array(bar._array), edge_of(bar)
        back = None if edge is None else self.back(edge, shape_and_type(array), self.frames)
        made = fresh(array) if back is None else of_node(array, back, 0)

        def push() -> None:
            tangent = tangent_of(bar)
            with below():
                tangent = None if tangent is None else self.of_tensor(tangent)
            set_tangent(made, tangent)

        at_each_level(push)
        return made


class SumOfExamples(Crossing):
    """Out of the batches: the gradient of what is the same for all examples is the sum of theirs."""

    __slots__ = ()

    def name(self) -> str:
        return "SumBackward1"

    def of_array(self, bar: Any) -> Any:
        for frame in reversed(self.frames):
            bar = summed(bar, frame.level, frame.count)
        return bar


class SameForAll(Crossing):
    """Into the batches: every example gets the same."""

    __slots__ = ()

    def name(self) -> str:
        return "ExpandBackward0"

    def of_array(self, bar: Any) -> Any:
        return bar


SumOfExamples.back, SameForAll.back = SameForAll, SumOfExamples
