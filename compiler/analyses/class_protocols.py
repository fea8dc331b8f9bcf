"""Answers of a class to Python's protocols: as the compiler assumes, or in a way of its own."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

from retrograd.runtime.objects.class_protocols import (
    EXACT,
    FUNCTIONS,
    is_foreign,
    is_named_tuple,
    tells,
)
from retrograd.runtime.objects.container_classes import has_fields

from ..ir.operations import Const, Value
from ..ir.types import STRANGER, Opaque, Tree

__all__ = [
    "EXACT",
    "FUNCTIONS",
    "asks_always",
    "class_at",
    "foreign_in",
    "is_fields_only",
    "is_foreign",
    "is_foreign_operand",
    "is_opaque",
    "is_stranger",
    "method_in",
    "tells",
]


def method_in(cls: type | None, name: str) -> types.FunctionType | None:
    """A special method that is text, to be lowered."""
    found = None if cls is None else tells(cls, name)
    return found if isinstance(found, types.FunctionType) else None


def asks_always(cls: type) -> bool:
    """True if every read of an attribute is a call of the class."""
    return tells(cls, "__getattribute__") not in (
        vars(b).get("__getattribute__") for b in EXACT | {object}
    )


def class_at(node: Any) -> type | None:
    """The class of the object that an operand stands for, where it is no plain value."""
    if isinstance(node, Const):
        return None if isinstance(node.value, FUNCTIONS) else type(node.value)
    kind = node.type if isinstance(node, Value) else None
    return kind.cls if isinstance(kind, Tree) and kind.container == "object" else None


def is_opaque(node: Any) -> bool:
    """True if an object carries no derivative, and is of a class that is known when it runs."""
    return isinstance(node, Value) and isinstance(node.type, Opaque)


def is_stranger(node: Any) -> bool:
    """True if nobody knows of what class an object is."""
    kind = node.type if isinstance(node, Value) else None
    return kind == STRANGER or (isinstance(kind, Opaque) and not kind.own)


def is_foreign_operand(node: Any) -> bool:
    cls = class_at(node)
    return is_stranger(node) or (cls is not None and is_foreign(cls))


def foreign_in(operand: Any) -> Iterator[type]:
    """The foreign classes of what an operand stands for, or holds."""
    if isinstance(operand, (tuple, list)):
        for item in operand:
            yield from foreign_in(item)
    elif isinstance(operand, dict):
        yield from foreign_in(list(operand.values()))
    elif isinstance(operand, slice):
        yield from foreign_in([operand.start, operand.stop, operand.step])
    else:
        found = class_at(operand)
        if found is not None and (is_foreign(found) or is_named_tuple(found)):
            yield found


def is_fields_only(cls: type) -> bool:
    """True if the compiler knows the objects of a class by their fields."""
    return has_fields(cls)
