"""Boxes of the tape that stand for tensors: each is marked with its tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...batching.batched_array import as_array, is_array
from ...helpers import linear
from ...objects.pytree import at, map_paths
from ...rules.book import Rule
from ...tape.box import Box, Level, is_float, raw
from ..observe.observers import recorded, watch
from ..tensor.tensor import Tensor, wrapped
from .tangents import is_dual

__all__ = ["EAGER", "boxed", "is_array", "tensor", "unboxed"]


class EagerLevel(Level):
    """Operations on tensors: a box is marked with the tensor it stands for.

    ``recorder`` makes the results and their node; it is entered by `recorded_operation`, which is above.
    """

    recorder: Callable[..., Any]

    def record(self, op: Any, rule: Rule, given: dict[str, Any], active: list[str], z: Any) -> Any:
        first = next(iter(given.values()), None)
        if op in (linear.unbroadcast, linear.stretch) and type(first) is Box and z is first._value:
            return first
        if watch.on:
            made = recorded(op, given.values(), lambda: self.recorder(op, rule, given, active, z))
        else:
            made = self.recorder(op, rule, given, active, z)
        return map_paths(
            lambda part, path: Box(self, part, at(made, path)) if is_float(part) else part, z
        )

    def constant(self, z: Any) -> Any:
        return z


EAGER = EagerLevel()


def boxed(value: Any) -> Any:
    """A tensor as a box, if what is done with it is recorded or pushed; else its array."""
    if not isinstance(value, Tensor):
        return value
    needs = value._requires or value._grad_fn is not None or is_dual(value)
    return Box(EAGER, value._array, value) if needs else value._array


def tensor(part: Any) -> Any:
    """The result of an operation on boxes, as a tensor."""
    if type(part) is Box:
        return part._mark if part._mark is not None else wrapped(as_array(raw(part)))
    return wrapped(as_array(part))


def unboxed(leaf: Any) -> Any:
    """The tensor a box stands for."""
    return leaf._mark if type(leaf) is Box and leaf._mark is not None else leaf
