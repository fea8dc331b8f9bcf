"""Slopes that change in steps: as functions of where they are taken they have a derivative, zero."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...batching.batched_array import zeros_beside
from ..observe.observers import recorded
from ..tensor.tensor import of_node, unwrapped, wrapped
from .node import GradFn, edge_of, shape_and_type
from .tangents import remember_tangents, same_tangents, tangents_of

__all__ = ["STEPWISE", "stepwise"]


class StepBackward0(GradFn):
    """The slope of a function with kinks, as a function of where it is taken: its derivative is zero."""

    __slots__ = ()

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        bar = bars[0]
        if bar is None:
            return None, None
        flat = zeros_beside(unwrapped(bars[0]), *self.outputs[0])
        return bar, wrapped(flat) if create else flat


# The slopes whose tangent is zeros in torch; it has none of the others.
DUAL = {"AbsBackward0", "ReluBackward0", "ThresholdBackward0"}

# With whether the slope is a function of the result, not of the input.
STEPWISE = {
    "AbsBackward0": False, "ReluBackward0": True, "HardtanhBackward0": False, "LeakyReluBackward0": False,
    "ThresholdBackward0": False, "SoftshrinkBackward0": False, "HardshrinkBackward0": False,
}  # fmt: skip


def flat_where_dual(node: GradFn, step: Any) -> None:
    """Zeros as the tangent at the levels where the result of the node has one, and the gradient has none."""
    known = {} if node.more is None else node.more.get("tangents", {}).get(0, {})
    missing = known.keys() - tangents_of(step).keys()
    if missing:
        zeros = {name: wrapped(np.zeros_like(step._array)) for name in missing}
        step._entries()["tangents"] = {**step._entries().get("tangents", {}), **zeros}


def behind_step(bar: Any, edge: Any) -> Any:
    """The gradient, with a node that leads to what the slope depends on, too."""
    node = StepBackward0((edge_of(bar), edge), (shape_and_type(bar._array),))
    return same_tangents(of_node(bar._array, node, 0), bar)


def stepwise(node: GradFn, bars: list[Any]) -> tuple[Any, ...]:
    """The gradients of inputs that the slope of the node depends on, if only in steps."""
    made = []
    of_result = STEPWISE[type(node).__name__]
    for bar, edge in zip(bars, node.edges, strict=True):
        if bar is not None and edge is not None:
            edge = (node, 0) if of_result else edge
            step = recorded(StepBackward0, (bar,), partial(behind_step, bar, edge))
            if type(node).__name__ in DUAL:
                flat_where_dual(node, step)
            if step._more is not None and "tangents" in step._more:
                remember_tangents(step._grad_fn, 0, step._more["tangents"])
            bar = step
        made.append(bar)
    return tuple(made)
