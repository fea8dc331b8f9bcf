"""How the values that an operation reads on the way back are kept."""

from __future__ import annotations

import threading
from typing import Any

from ...batching.batched_array import as_array, is_array
from ...objects.pytree import LEAVES, children, map_operands, remade, with_items
from ...tape.box import Box
from ..stacks import carried
from ..tensor.tensor import wrapped
from .grad_mode import modes
from .node import stand_in
from .saved_tensors import Saved

# What these read of their result, PyTorch's do not: it may be written to all the same.
OF_RESULT = ("DivBackward0", "ErfinvBackward0")

__all__ = ["INFERENCE", "OF_RESULT", "Several", "each", "frozen", "kept", "pack", "running"]

INFERENCE = (
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
    "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use "
    "it in autograd, or use `retrograd.no_grad()` instead of `retrograd.inference_mode()`."
)


class Running(threading.local):
    """The running call: what its node is called, and the counters of its constant arrays by id."""

    name: str | None = None
    users = False  # whether what it was given may be written to by users
    pushes = True  # whether tangents are pushed for each operation, and not for the whole call

    def __init__(self) -> None:
        self.counters: dict[int, Any] = {}


running = Running()
carried.append(running)


class Several:
    """A kept list of arrays (those ``concatenate`` was given, or the results of ``eigh``)."""

    __slots__ = ("items", "like")

    def __init__(self, like: Any, items: list[Any]) -> None:
        self.like, self.items = stripped(like), items

    def opened(self, since: int, node: Any = None) -> Any:
        """The arrays, if nobody has written to them; ``node``: whose results they are."""
        for k, item in enumerate(self.items):
            if type(item) is Saved:
                item.check((node, k), since)
        return remade(
            self.like, [item.unpacked() if type(item) is Saved else item for item in self.items]
        )


def stripped(like: Any) -> Any:
    """The container without its items, which it would keep alive."""
    return remade(like, [None] * len(like)) if hasattr(like, "_fields") else type(like)()


def frozen(value: Any) -> Any:
    """A copy of what a user may change later: arrays and lists have no counter of their writes.

    >>> shape = [2, 3]
    >>> kept = frozen((shape, 1))
    >>> shape[0] = 5
    >>> kept
    ([2, 3], 1)
    """
    kind = type(value)
    if kind is tuple or kind is list:
        return kind(map(frozen, value))
    if is_array(value):
        return value.copy()
    inner = None if kind in LEAVES else children(value)
    return value if inner is None else with_items(value, [frozen(item) for _, item in inner])


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
        if shape_only:
            return map_operands(lambda part: stand_in(as_array(part)), z)
        parts = [saved_result(p, t) for p, t in zip(z if several else [z], made, strict=True)]
        return Several(z, parts) if several else parts[0]
    value = own[name]
    if shape_only:
        return map_operands(lambda v: stand_in(v) if is_array(v) else v, value)
    box = given.get(name)
    if isinstance(box, (tuple, list)) and name in active:
        return Several(value, [saved_input(v, b) for v, b in zip(value, box, strict=True)])
    return saved_input(value, box)


def saved_result(value: Any, tensor: Any) -> Any:
    """A result: that of a whole number type has no tensor yet, and is copied."""
    counted = hasattr(tensor, "_counter")
    return Saved(tensor._array, tensor._counter) if counted else frozen(value)


def saved_input(value: Any, box: Any) -> Any:
    if type(box) is Box and box._mark is not None:
        source = box._mark
        if source._more is not None and source._more.get("inference"):
            raise RuntimeError(INFERENCE)
        return Saved(value, source._counter, source)
    counter = running.counters.get(id(value))
    if counter == "inference":
        raise RuntimeError(INFERENCE)
    if counter is None and running.users:
        value = frozen(value)
    return Saved(value, counter) if is_array(value) else value


def each(kept: Any) -> Any:
    """The kept values one by one, of lists too."""
    for one in kept:
        yield from one.items if type(one) is Several else (one,)


def pack(node: Any) -> None:
    """Give what was saved to the default hooks."""
    own = type(node).__name__ in OF_RESULT and not modes.steady  # hooks would miss its writes
    node.open()
    names = [name for name, _ in node.plan.keep]
    for saved in each(s for s, n in zip(node.saved, names, strict=True) if not (own and n == "z")):
        if type(saved) is Saved and as_array(saved.array).dtype.kind in "fc":
            tensor = saved.source
            if tensor is None:
                tensor = wrapped(as_array(saved.array))
                tensor._counter = saved.counter or [0]
            saved.pack(modes.pack, tensor)
