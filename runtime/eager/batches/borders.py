"""Tensors at the border of a batch: one example of a tensor, and the results of all examples together."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...batching.batched_array import levels_of, memory_of
from ...batching.borders import closed, opened
from ..graph.grad_mode import modes
from ..graph.node import Edge, GradFn, edge_of
from ..graph.tangents import at_each_level, below, is_dual, levels, set_tangent, tangent_of
from ..tensor.tensor import Tensor, fresh, of_node
from ..tensor.views import viewed
from .crossings import edge_into
from .frames import Frame, is_outside

__all__ = ["all_examples", "is_of_examples", "one_example"]


def one_example(whole: Any, dim: int, frame: Frame) -> Tensor:
    """A tensor as one example sees it, which are counted along an axis: a view."""
    edge = edge_into(whole) if modes.grad else None
    array = example_array(whole._array, dim, frame)
    made = (
        fresh(array) if edge is None else of_node(array, SelectExample(edge, array, dim, frame), 0)
    )

    def replay(base: Any) -> Any:
        return (
            one_example(base, dim, frame)
            if isinstance(base, Tensor)
            else example_array(base, dim, frame)
        )

    return viewed(made, whole, replay)


def example_array(array: Any, dim: int, frame: Frame) -> Any:
    return closed(np.moveaxis(array, dim, 0), frame.level)


def all_examples(one: Any, dim: int, frame: Frame) -> Tensor:
    """The results of all examples along a new axis."""
    edge = edge_into(one) if modes.grad else None
    array = all_arrays(one._array, dim, frame)
    made = (
        fresh(array) if edge is None else of_node(array, StackExamples(edge, array, dim, frame), 0)
    )

    def push() -> None:
        tangent = tangent_of(one)
        with below():
            tangent = None if tangent is None else all_examples(tangent, dim, frame)
        set_tangent(made, tangent)

    if levels.current >= 0:
        at_each_level(push)
    return made


def all_arrays(array: Any, dim: int, frame: Frame) -> Any:
    """In memory of their own: of a view, or of what is the same for all examples, they would share it."""
    found = np.moveaxis(opened(array, frame.level, frame.count), 0, dim)
    return found if memory_of(found).base is None else found.copy()


def is_of_examples(x: Any, frame: Frame) -> bool:
    """True if a value of a batch, its gradient or its tangent may differ from example to example."""
    if not isinstance(x, Tensor):
        return False
    if frame.level in levels_of(x._array) or is_dual(x):
        return True
    edge = edge_of(x)
    return edge is not None and not is_outside(edge[0], frame)


class Border(GradFn):
    """A node at the border of a batch."""

    __slots__ = ("dim", "frame")

    def __init__(self, edge: Edge, array: Any, dim: int, frame: Frame) -> None:
        super().__init__((edge,), ((array.shape, array.dtype),))
        self.dim, self.frame = dim, frame

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        if bars[0] is None:
            return (None,)
        of_tensor, of_array = self.ways
        return ((of_tensor if create else of_array)(bars[0], self.dim, self.frame),)

    ways: Any


class SelectExample(Border):
    """From all examples to one of them."""

    __slots__ = ()
    ways = all_examples, all_arrays

    def name(self) -> str:
        return "UnbindBackward0"


class StackExamples(Border):
    """From one example to all of them."""

    __slots__ = ()
    ways = one_example, example_array

    def name(self) -> str:
        return "StackBackward0"
