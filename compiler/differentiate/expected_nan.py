"""Where a program expects nan: in whatever flows into an operation that passes over it, or asks for it.

``np.nanmean``, ``np.isnan``, ``np.nan_to_num`` say by being there that data may be missing; then the data are
no finite numbers to rely on, and neither is anything they are computed from::

    np.nanmean((d - a * x) ** 2)        d, a, x may be nan
    np.mean((d - a * x) ** 2)           nothing may
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from retrograd.runtime.traits.lookup import traits_of

from ..ir.operations import (
    Apply,
    Block,
    Call,
    Const,
    If,
    Loop,
    Op,
    Operand,
    Value,
    bodies_called,
    values_in,
    walk,
)
from ..ir.types import kind_of

__all__ = ["expected_nan"]

Origins = dict[Value, list[Value]]


def expected_nan(body: Block) -> set[Value] | None:
    """The values of a program that may be nan, as an operation that they flow into says; None if there is no such operation."""
    ops = walk(body)
    asking = [expecting(op) for op in ops]
    if all(operands is None for operands in asking):
        return None
    ends = [v for operands in asking for v in operands or ()]
    origins: Origins = {}
    for op in ops:
        for value, operands in come_from(op):
            origins.setdefault(value, []).extend(values_in(operands))
    found: set[Value] = set()
    while ends:
        value = ends.pop()
        if value not in found and kind_of(value.type) not in ("b", "i"):
            found.add(value)
            ends += origins.get(value, [])
    return found


def expecting(op: Op) -> list[Value] | None:
    """What flows into an operation that expects nan, or into a function in which there is one."""
    if isinstance(op, Call):
        inside = any(
            expects(inner) for body in bodies_called(Block(ops=[op])) for inner in walk(body)
        )
        return values_in(op.args) if inside else None
    return operands_of(op) if isinstance(op, Apply) and expects(op) else None


def expects(op: Op) -> bool:
    if not isinstance(op, Apply):
        return False
    expects = traits_of(op.fn).expects
    if expects == "nan in both":
        return op.args[0] is op.args[-1] or same_constant(*op.args[:2])
    return expects == "nan"


def same_constant(x: Operand, y: Operand) -> bool:
    return isinstance(x, Const) and isinstance(y, Const) and x.value is y.value


def operands_of(op: Apply) -> list[Value]:
    return values_in([*op.args, *op.kwargs.values()])


def come_from(op: Op) -> Iterator[tuple[Value, list[Operand]]]:
    """The values that an operation makes, in its regions too, each with what it may be computed from."""
    if isinstance(op, Loop):
        yield from carried_from(op)
    elif isinstance(op, If):
        for result, *ends in zip(op.results, op.then.yields, op.orelse.yields, strict=False):
            yield result, ends
    else:
        read: Any = operands_of(op) if isinstance(op, Apply) else getattr(op, "args", ())
        for result in op.results:
            yield result, list(read)


def carried_from(op: Loop) -> Iterator[tuple[Value, list[Operand]]]:
    for (stack, _), element in zip(op.feeds, op.elements, strict=True):
        yield element, [stack]
    for param, result, *ends in zip(op.carried, op.results, op.inits, op.body.yields, strict=False):
        yield param, ends
        yield result, [param, *ends]
    for stack, value in zip(op.stacks, op.collected(), strict=True):
        yield stack, [value]
