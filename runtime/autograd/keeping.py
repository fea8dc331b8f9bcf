"""How the values that an operation reads on the way back are kept."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from ..tape_box import Box
from ..tape_dispatch import map_tree
from .grad_mode import modes
from .node import stand_in
from .saved_tensors import Saved

__all__ = ["INFERENCE", "Several", "kept", "pack", "running"]

INFERENCE = (
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
    "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use "
    "it in autograd, or use `retrograd.no_grad()` instead of `retrograd.inference_mode()`."
)


class Running(threading.local):
    """The running call: what its node is called, and the counters of its constant arrays by id."""

    name: str | None = None
    pushes = True  # whether tangents are pushed for each operation, and not for the whole call

    def __init__(self) -> None:
        self.counters: dict[int, Any] = {}


running = Running()


class Several:
    """A kept list of arrays (those ``concatenate`` was given)."""

    __slots__ = ("items", "kind")

    def __init__(self, kind: Any, items: list[Any]) -> None:
        self.kind, self.items = kind, items

    def opened(self, since: int) -> Any:
        for item in self.items:
            if type(item) is Saved:
                item.check((None, 0), since)
        return self.kind([item.unpacked() if type(item) is Saved else item for item in self.items])


def kept(
    name: str,
    shape_only: bool,
    active: tuple[str, ...],
    own: dict[str, Any],
    given: dict[str, Any],
    z: Any,
    made: list[Any],
    several: bool,
) -> Any:
    """A value as the node keeps it."""
    if name == "z":
        if several:
            return z
        result = made[0]
        if shape_only:
            return stand_in(np.asarray(z))
        return Saved(result._array, result._counter) if hasattr(result, "_counter") else z
    value = own[name]
    if shape_only:
        return map_tree(lambda v: stand_in(v) if isinstance(v, np.ndarray) else v, value)
    box = given.get(name)
    if isinstance(box, (tuple, list)) and name in active:
        return Several(type(value), [saved_input(v, b) for v, b in zip(value, box, strict=True)])
    return saved_input(value, box)


def saved_input(value: Any, box: Any) -> Any:
    if type(box) is Box and box._mark is not None:
        source = box._mark
        if source._more is not None and source._more.get("inference"):
            raise RuntimeError(INFERENCE)
        return Saved(value, source._counter, source)
    counter = running.counters.get(id(value))
    if counter == "inference":
        raise RuntimeError(INFERENCE)
    return Saved(value, counter) if isinstance(value, np.ndarray) else value


def pack(node: Any) -> None:
    """Give what was saved to the default hooks."""
    from ..tensor.tensor import wrapped

    for saved in node.saved:
        if type(saved) is Saved and np.asarray(saved.array).dtype.kind in "fc":
            tensor = saved.source
            if tensor is None:
                tensor = wrapped(np.asarray(saved.array))
                tensor._counter = saved.counter or [0]
            saved.pack(modes.pack, tensor)
