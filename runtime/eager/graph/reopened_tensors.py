"""Kept values as tensors again, with their history and tangent: for derivatives of derivatives."""

from __future__ import annotations

from typing import Any

from ...batching.batched_array import as_array
from ...objects.pytree import remade
from ...tape.box import Box
from ..tensor.tensor import fresh, of_edge, of_node, wrapped
from .node import AccumulateGrad
from .saved_tensors import Saved
from .saving import Several
from .tangents import is_dual, remembered

__all__ = ["again", "boxed_again", "counted", "counter_of", "result"]


def again(array: Any, saved: Any, edge: Any) -> Any:
    """An input that was kept: itself where it is as it was, else an array with its history and tangent.

    What hooks gave back is a tensor of its own, whose gradient goes where that of the input does.
    """
    source = getattr(saved, "source", None)
    if source is not None and is_dual(source):
        return source
    hooked = getattr(saved, "hooks", None) is not None
    if edge is None:
        made = wrapped(array)
    elif not hooked:
        return of_edge(array, edge)
    elif isinstance(edge[0], AccumulateGrad):
        made = leaf_again(array, edge[0])
    else:
        made = of_node(array, *edge)
    if hooked and saved.tangents:
        made._entries()["tangents"] = dict(saved.tangents)
    return made


def leaf_again(array: Any, accumulator: AccumulateGrad) -> Any:
    """Another array for a leaf: what is sent to it arrives at the leaf."""
    made = fresh(array)
    made._requires, made._accumulator = True, lambda: accumulator
    return made


def boxed_again(level: Any, value: Any, saved: Any, path: tuple[Any, ...], edge: Any) -> Any:
    """The value with a box at ``path``."""
    if not path:
        if edge is None and type(saved) is not Saved:
            return value
        made = again(as_array(value), saved, edge)
        if edge is None and not is_dual(made):
            return value
        return Box(level, value, counted(made, counter_of(saved)))
    items = list(value)
    part = saved.items[path[0]] if type(saved) is Several else None
    items[path[0]] = boxed_again(level, items[path[0]], part, path[1:], edge)
    return remade(value, items)


def counter_of(saved: Any) -> Any:
    """The counter of the writes to a kept value."""
    return saved[1] if type(saved) is tuple else getattr(saved, "counter", None)


def counted(made: Any, counter: Any) -> Any:
    """A kept value as a tensor again: writes to its memory are writes to it."""
    if counter is not None and getattr(made, "_view", None) is None and made._grad_fn is not None:
        made._counter = counter
    return made


def result(node: Any, array: Any, k: int) -> Any:
    """A result of a node again."""
    return remembered(of_node(array, node, k))
