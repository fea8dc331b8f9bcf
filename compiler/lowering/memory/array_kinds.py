"""Questions about arrays that a version of memory is asked: constants, rank 0, one of several results."""

from __future__ import annotations

import operator
from collections.abc import Container, Iterable, Iterator
from typing import Any

import numpy as np

from retrograd.runtime.errors import MutationError, Place
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.aliasing.memory_facts import gives_array, is_fresh, is_surely_array
from ...analyses.shapes.infer import type_of
from ...ir.operations import Apply, Block, Const, Value
from ...ir.types import Array, Tree, kind_of

__all__ = [
    "OfRank0",
    "constants_in",
    "is_constant_array",
    "is_doubtful",
    "is_item",
    "is_number_kind",
    "is_numpy_scalar",
    "is_rank_0",
    "shows_constant",
]


def is_constant_array(operand: Any) -> bool:
    return isinstance(operand, Const) and isinstance(operand.value, np.ndarray)


def shows_constant(op: Apply) -> bool:
    """True if a result may be the memory of an array that is a constant, or in a container of the module."""
    found = any(map(is_constant_array, constants_in(op.args))) or is_read_of_constant(op)
    return found and not is_fresh(op) and gives_array(op, op.result)


def is_read_of_constant(op: Apply) -> bool:
    """True if an item or an attribute is read of a constant."""
    return traits_of(op.fn).reads == "part" and isinstance(op.args[0], Const)


def is_item(op: Apply) -> bool:
    """True if this is one of the results of a function that gives several."""
    at = op.args[1] if op.fn is operator.getitem else None
    kind = getattr(op.args[0], "type", None)
    counted = isinstance(at, Const) and type(at.value) is int and at.value >= 0
    return counted and isinstance(kind, Tree)


def constants_in(operand: Any) -> Iterator[Const]:
    """The constants of an operand, containers of them included."""
    if isinstance(operand, Const):
        yield operand
    elif isinstance(operand, (tuple, list, dict)):
        for item in operand.values() if isinstance(operand, dict) else operand:
            yield from constants_in(item)


class OfRank0(set[Any]):
    """What has rank 0 and is perhaps an array, no NumPy scalar: the values that were entered, and arrays of the module."""

    def __contains__(self, v: object) -> bool:
        return (is_constant_array(v) and v.value.ndim == 0) or super().__contains__(v)  # type: ignore[attr-defined]

    def shown_by(self, op: Apply) -> bool:
        """True if a result is such an array, or may be one of the module, or a container that holds it."""
        if is_rank_0(op.result) and gives_array(op, op.result):
            return True
        return shows_constant(op) and any(c in self for c in constants_in(op.args))


def of_module(target: Value, place: Place) -> MutationError:
    """What is said of a write to what may be an array of the module."""
    name = f"`{target.hint}`" if target.hint else "this array"
    return MutationError(
        f"{name} may be an array of the module, which is not made in this function",
        place=place, fix="write to a copy (`.copy()`), or pass it as an argument",
    )  # fmt: skip


def check_kinds(target: Value, value: Any, place: Place) -> None:
    """Refuse to write into an array what its dtype cannot hold."""
    kind, given = kind_of(type_of(target)), kind_of(type_of(value))
    if kind in ("b", "i", "u") and given in ("f", "c"):
        name = f"`{target.hint}`" if target.hint else "this array"
        raise MutationError(
            f"{name} holds integers, and writing {'a fraction' if given == 'f' else 'a complex number'}"
            " to it cuts it off", place=place, fix="make it an array of floats: dtype=float",
        )  # fmt: skip


def is_rank_0(v: Value) -> bool:
    return isinstance(v.type, Array) and v.type.dims == ()


def is_numpy_scalar(node: Any, rank_0: Container[Value]) -> bool:
    """True of what has rank 0 and cannot be written to; those in ``rank_0`` may be arrays."""
    return isinstance(node, Value) and is_rank_0(node) and node not in rank_0


def is_doubtful(v: Value, blocks: Iterable[Block]) -> bool:
    """True of what has rank 0 and may be an array as well as NumPy's scalar, by the operation that made it."""
    if not is_rank_0(v):
        return False
    made = next((op for block in blocks for op in block.ops if v in op.results), None)
    return not (isinstance(made, Apply) and is_surely_array(made))


def is_number_kind(v: Value) -> bool:
    """True if ``+=`` on an array is addition: not of booleans or objects."""
    return not isinstance(v.type, Array) or v.type.kind in ("f", "c", None)
