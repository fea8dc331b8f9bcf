"""Lists of numbers, and lists of such lists: what is at the end of a path into one."""

from __future__ import annotations

from typing import Any

from ...ir.lattice import as_stack
from ...ir.operations import Apply, Const, Operand, Value
from ...ir.types import Array, Number, Stack, is_numeric
from .infer import type_of

__all__ = [
    "ends_in_list",
    "holds_numbers",
    "is_nest",
    "is_place",
    "is_scalar",
    "puts_number",
    "type_at",
]


def is_scalar(kind: Any) -> bool:
    """True of the type of a number, or of what NumPy has of rank 0."""
    return is_numeric(kind) and getattr(kind, "dims", None) == ()


def holds_numbers(kind: Any) -> bool:
    """True of the type of a list, or of a dict, of numbers."""
    kind = as_stack(kind)
    return isinstance(kind, Stack) and is_scalar(kind.item)


def is_nest(kind: Any) -> bool:
    """True of a list of numbers, and of containers of such lists."""
    kind = as_stack(kind)
    if not isinstance(kind, Stack):
        return False
    return is_nest(kind.item) or (is_scalar(kind.item) and is_list(kind))


def is_list(kind: Any) -> bool:
    """True of what is a list when it runs: something may be put into it."""
    kind = as_stack(kind)
    return isinstance(kind, Stack) and not kind.keyed and not kind.fixed


def type_at(kind: Any, path: tuple[Operand, ...]) -> Any:
    """The type of what a path leads to."""
    for key in path:
        kind = as_stack(kind)
        if not isinstance(kind, Stack):
            return None
        kind = kind if isinstance(key, slice) else kind.item
    return kind


def ends_in_list(kind: Any, path: tuple[Operand, ...]) -> bool:
    """True if the last key of a path is a place in a list, or a part of one."""
    at = isinstance(path[-1], slice) or is_place(path[-1])
    return at and is_list(type_at(kind, path[:-1]))


def puts_number(op: Apply) -> bool:
    """True if a write to an item of a list puts a number over another one."""
    items, where, _ = op.args
    path = where if isinstance(where, tuple) else (where,)
    kinds = [type_at(type_of(x), path) for x in (items, op.result)]
    return ends_in_list(type_of(items), path) and all(map(is_scalar, kinds))


def is_place(key: Operand) -> bool:
    """True of a whole number."""
    if isinstance(key, Const):
        return type(key.value) is int
    kind = key.type if isinstance(key, Value) else None
    return isinstance(kind, (Array, Number)) and kind.dims == () and kind.kind == "i"
