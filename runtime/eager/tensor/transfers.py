"""Tensors that are moved between the main memory and the device, as part of the graph."""

from __future__ import annotations

import sys
from typing import Any

from ...arrays.libraries import CUPY, is_cupy
from ...batching.batched_array import memory_of
from ..batches.crossings import edge_into
from ..graph.grad_mode import modes
from ..graph.node import GradFn, shape_and_type
from ..graph.tangents import at_each_level, below, levels, set_tangent, tangent_of
from .devices import device, is_there, mixed, moved, place
from .dtypes import is_differentiable
from .tensor import Tensor, of_node, wrapped

__all__ = ["at_one_place", "check_one_place", "sent"]


class ToCopyBackward0(GradFn):
    """A tensor at another place: the gradient goes back to where it was."""

    __slots__ = ("home",)

    def __init__(self, tensor: Tensor, array: Any) -> None:
        super().__init__((edge_into(tensor),), (shape_and_type(array),))
        self.home = place(tensor._array)

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        if bars[0] is None:
            return (None,)
        return (sent(bars[0], self.home) if create else moved(bars[0], self.home),)


def sent(tensor: Tensor, where: device) -> Tensor:
    """The tensor at another place, with its history; itself, if it is there."""
    if is_there(tensor._array, where):
        return tensor
    array = moved(tensor._array, where)
    recorded = modes.grad and not modes.inference and tensor.requires_grad
    if not recorded or not is_differentiable(array.dtype):
        made = wrapped(array)
    else:
        made = of_node(array, ToCopyBackward0(tensor, array), 0)
    if levels.current >= 0:
        at_each_level(send_tangent, made, tensor, where)
    return made


def send_tangent(made: Tensor, tensor: Tensor, where: device) -> None:
    tangent = tangent_of(tensor)
    if tangent is not None:
        with below():
            tangent = sent(tangent, where)
        set_tangent(made, tangent)


def at_one_place(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The arguments of a call with its numbers (tensors without axes) where its other tensors are.

    Tensors at several places are refused, as PyTorch refuses them.
    """
    found = list(tensors_in((args, kwargs)))
    far = [one for one in found if is_cupy(memory_of(one._array))]
    if not far or len(far) == len(found):
        return None
    where = place(far[0]._array)
    for one in found:
        if one._array.ndim and not is_cupy(memory_of(one._array)):
            raise mixed(where, place(one._array))
    return sent_all(args, where), sent_all(kwargs, where)


def check_one_place(*values: Any) -> None:
    """Refuse tensors at several places; what is no tensor is not asked."""
    if CUPY not in sys.modules:
        return
    tensors = [one for one in values if isinstance(one, Tensor)]
    for one in tensors[1:]:
        if is_cupy(memory_of(one._array)) is not is_cupy(memory_of(tensors[0]._array)):
            raise mixed(place(one._array), place(tensors[0]._array))


def tensors_in(tree: Any) -> Any:
    if isinstance(tree, Tensor):
        yield tree
    elif type(tree) in (tuple, list):
        for one in tree:
            yield from tensors_in(one)
    elif type(tree) is dict:
        yield from tensors_in(list(tree.values()))


def sent_all(tree: Any, where: device) -> Any:
    if isinstance(tree, Tensor):
        return sent(tree, where)
    if type(tree) in (tuple, list):
        return type(tree)(sent_all(one, where) for one in tree)
    if type(tree) is dict:
        return {name: sent_all(one, where) for name, one in tree.items()}
    return tree
