"""What a batch is of: the axes of the examples in what a function is given, and in what it gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from retrograd.runtime.helpers.batches import examples as runtime
from retrograd.runtime.records import dataclass

from ...analyses.shapes.infer import type_of
from ...ir.operations import Block, Const, Operand, Value
from ...ir.types import Array, Dim, Number, Size
from .example_types import moved_type

if TYPE_CHECKING:
    from .examples import ExampleWalker

__all__ = ["EXAMPLES", "Batch", "entered", "left", "varies"]

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


# -- what a function is given, and gives ----------------------------------------------------------


def entered(
    m: ExampleWalker, batch: Batch, own: list[Value], given: list[Value], block: Block
) -> None:
    """Bring the examples of each argument to the first axis."""
    outer, m.b = m.b, m.b.within(block)
    for p, v, axes in zip(own, given, batch.axes, strict=True):
        if p not in m.on or axes == 0:
            continue
        made = first(m, v, axes)
        made.hint = v.hint
        made.type = m.wider(p.type)
        v.type = moved_type(made.type, axes)
        m.table[p] = made
    m.b = outer


def first(m: ExampleWalker, v: Value, axes: Any) -> Value:
    if isinstance(axes, int):
        return m.b.emit(np.moveaxis, v, Const(axes), Const(0))
    if is_all(axes, 0):
        return v
    return m.b.emit(runtime.examples_first, v, literal(axes), m.k())


def left(m: ExampleWalker, batch: Batch, body: Block, block: Block) -> None:
    """Bring the examples of each result to where they were asked for."""
    outer, m.b = m.b, m.b.within(block)
    outs = out_axes(batch.out, len(body.yields))
    body.yields = [moved(m, y, axis) for y, axis in zip(body.yields, outs, strict=True)]
    m.b = outer


def moved(m: ExampleWalker, y: Operand, axis: Any) -> Operand:
    if axis == 0 or (isinstance(y, Const) and not isinstance(type_of(y), (Array, Number))):
        return y
    if isinstance(axis, int) and isinstance(type_of(y), Array):
        return m.b.emit(np.moveaxis, y, Const(0), Const(axis))
    return m.b.emit(runtime.examples_moved, y, literal(axis))
