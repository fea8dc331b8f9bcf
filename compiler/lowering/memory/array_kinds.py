"""Questions about arrays that a version of memory is asked: constants, rank 0, one of several results."""

from __future__ import annotations

import operator
from collections.abc import Container, Iterable
from typing import Any

import numpy as np

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.errors import MutationError, Place
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.aliasing.memory_facts import (
    gives_array,
    is_fresh,
    is_surely_array,
    makes_array,
    stays_array,
)
from ...analyses.shapes.infer import type_of
from ...ir.operand_constants import constants_in
from ...ir.operations import Apply, Block, Const, Operand, Value
from ...ir.types import Array, Tree, kind_of

__all__ = [
    "OfRank0",
    "added",
    "is_constant_array",
    "is_doubtful",
    "is_item",
    "is_numpy_scalar",
    "is_rank_0",
    "shows_constant",
]


def is_constant_array(operand: Any) -> bool:
    return isinstance(operand, Const) and is_ndarray(operand.value)


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


class OfRank0(set[Any]):
    """What has rank 0 and is perhaps an array, no NumPy scalar: the values that were entered, and arrays of the module.

    ``arrays`` are certainly arrays, and their types do not tell: ``y[..., 0]`` shows the memory of ``y``, and so does
    ``y[..., 0][None]``.  ``witnesses`` tell of what was computed for ``x += e``, where nobody knows whether ``x`` is an
    array: the ``x``, which stays what it is.
    """

    def __init__(self) -> None:
        super().__init__()
        self.arrays: set[Value] = set()
        self.witnesses: dict[Value, Value] = {}

    def __contains__(self, v: object) -> bool:
        return (is_constant_array(v) and v.value.ndim == 0) or super().__contains__(v)  # type: ignore[attr-defined]

    def is_array(self, v: Any) -> bool:
        """True if this is certainly an array, be it of rank 0 or of a rank that is not known."""
        return isinstance(v, Value) and v in self.arrays

    def is_written_by(self, v: Any) -> bool:
        """True if ``v += e`` certainly writes to an array: the type tells, or what it was made by."""
        known = isinstance(v, Value) and isinstance(v.type, Array) and has_axes(v)
        return known or self.is_array(v)

    def learn(self, v: Value, cls: type | None) -> None:
        """``v`` is of this class, if it is known."""
        if cls is not None and issubclass(cls, np.ndarray):
            self.arrays.add(v)
        elif cls is not None:
            self.discard(v)

    def take(self, v: Value, a: Any, b: Any) -> None:
        """``v`` is certainly an array if both of these are."""
        if all(self.is_array(u) or has_axes(u) for u in (a, b)) and not has_axes(v):
            self.arrays.add(v)

    def enter(self, op: Apply, kind: str) -> None:
        """Notes a result that may be an array of rank 0; ``kind`` tells if it is new memory, or a view."""
        if self.shown_by(op):
            self.add(op.result)
        if not may_have_rank_0(op):
            return
        base = op.args[0] if op.args else None
        shown = kind == "view" and has_axes(base)
        if makes_array(op) or shown or (self.is_array(base) and stays_array(op)):
            self.arrays.add(op.result)

    def follow(self, v: Value, first: Value) -> None:
        """``v`` is what the memory of ``first`` holds later."""
        if first in self:
            self.add(v)
        if first in self.arrays:
            self.arrays.add(v)
        if first in self.witnesses:
            self.witnesses[v] = self.witnesses[first]

    def augmented(self, v: Value, x: Value) -> None:
        """``v`` is computed for ``x += e``, a number: if ``x`` is an array, it stays one."""
        self.witnesses[v] = self.witness(x)

    def witness(self, v: Any) -> Any:
        """What tells, when it runs, whether this is an array."""
        return self.witnesses.get(v, v) if isinstance(v, Value) else v

    def join(self, v: Value, a: Any, b: Any) -> None:
        """``v`` is one or the other, by a branch."""
        if a in self or b in self:
            self.add(v)
        self.take(v, a, b)
        told = [self.witnesses[u] for u in (a, b) if isinstance(u, Value) and u in self.witnesses]
        if told and self.witness(a) is self.witness(b):
            self.witnesses[v] = told[0]

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


def has_axes(v: Any) -> bool:
    """True if the type tells that this is an array."""
    return bool(getattr(getattr(v, "type", None), "dims", ()))


def may_have_rank_0(op: Apply) -> bool:
    """True if a result is one array or number, of which no axis is known."""
    kind = op.result.type
    return not has_axes(op.result) and (
        isinstance(kind, Array) or (kind is None and traits_of(op.fn).creates is True)
    )


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


def added(apply: Any, target: Value, fn: Any, value: Operand) -> Operand | None:
    """What ``target[i] += value``, or ``-=``, adds, if that is a sum of numbers.

    Only floats are subtracted by adding: the negative of an unsigned number is a large one, and booleans have none.
    """
    if fn is operator.add and is_number_kind(target):
        return value
    if fn is not operator.sub or not is_number_kind(target) or not has_negative(value):
        return None
    return apply(operator.neg, (value,), {})  # type: ignore[no-any-return]


def has_negative(value: Operand) -> bool:
    if isinstance(value, Const):
        return type(value.value) in (int, float, complex)
    return kind_of(type_of(value)) in ("f", "c")


def is_number_kind(v: Value) -> bool:
    """True if ``+=`` on an array is addition: not of booleans or objects."""
    return not isinstance(v.type, Array) or v.type.kind in ("f", "c", None)
