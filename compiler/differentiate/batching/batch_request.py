"""What a batch is of."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.records import dataclass

from ...ir.operations import Const, Operand
from ...ir.types import Dim, Size

__all__ = ["EXAMPLES", "Batch", "is_all", "literal", "out_axes", "varies"]

EXAMPLES = Dim("examples")


@dataclass(frozen=True)
class Batch:
    """For each parameter the axes of the examples in it, and for each result where they are wanted.

    An axis is a number, None (all examples share it), or a container of these; ``size`` is the size of that axis.
    """

    axes: tuple[Any, ...]
    out: Any = 0
    size: Size = EXAMPLES


def varies(axes: Any) -> bool:
    """True if any part of an argument has examples."""
    if isinstance(axes, dict):
        return any(map(varies, axes.values()))
    return any(map(varies, axes)) if isinstance(axes, (tuple, list)) else axes is not None


def is_all(axes: Any, value: Any) -> bool:
    if isinstance(axes, dict):
        return all(is_all(a, value) for a in axes.values())
    return all(is_all(a, value) for a in axes) if isinstance(axes, (tuple, list)) else axes == value


def literal(axes: Any) -> Operand:
    """Axes as the text writes them."""
    if isinstance(axes, dict):
        return {key: literal(item) for key, item in axes.items()}
    return tuple(map(literal, axes)) if isinstance(axes, (tuple, list)) else Const(axes)


def out_axes(out: Any, count: int) -> list[Any]:
    """The axes of the examples in each of some results."""
    if isinstance(out, list):
        return out
    return [out] * count
