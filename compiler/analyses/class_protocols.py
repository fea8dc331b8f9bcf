"""What a class answers when Python asks it: as the compiler takes for granted, or in a way of its own."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterator
from typing import Any

from retrograd.runtime.errors import UnsupportedOperation
from retrograd.runtime.objects.class_protocols import (
    EXACT,
    FUNCTIONS,
    is_foreign,
    is_named_tuple,
    tells,
)
from retrograd.runtime.objects.eager_tensors import TO_ARRAY, has_tensor

from ..ir.operations import Const, Value
from ..ir.types import STRANGER, Tree
from ..lowering.interface.lowerer import Lowerer

__all__ = [
    "EXACT",
    "asks_always",
    "class_at",
    "foreign_in",
    "is_fields_only",
    "is_foreign",
    "is_foreign_operand",
    "is_stranger",
    "method_in",
    "refuse_tensors",
    "tells",
]


def method_in(cls: type | None, name: str) -> types.FunctionType | None:
    """A special method that is text, to be lowered."""
    found = None if cls is None else tells(cls, name)
    return found if isinstance(found, types.FunctionType) else None


def asks_always(cls: type) -> bool:
    """Whether every read of an attribute is a call of the class."""
    return tells(cls, "__getattribute__") not in (
        vars(b).get("__getattribute__") for b in EXACT | {object}
    )


def class_at(node: Any) -> type | None:
    """The class of the object that an operand stands for, where it is no plain value."""
    if isinstance(node, Const):
        return None if isinstance(node.value, FUNCTIONS) else type(node.value)
    kind = node.type if isinstance(node, Value) else None
    return kind.cls if isinstance(kind, Tree) and kind.container == "object" else None


def is_stranger(node: Any) -> bool:
    """Whether nobody knows of what class an object is."""
    return isinstance(node, Value) and node.type == STRANGER


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
    """Whether the compiler knows the objects of a class by their fields."""
    return dataclasses.is_dataclass(cls) or hasattr(cls, "_fields")


def refuse_tensors(lowerer: Lowerer, name: str, value: Any, node: Any) -> None:
    """Tensors among the constants: what is computed with them is a tensor, and nobody follows it."""
    if has_tensor(value):
        raise UnsupportedOperation(
            f"`{name}` is a tensor of the eager API, or holds one, and this is a function of arrays",
            place=lowerer.scope.place(node),
            fix=TO_ARRAY,
        )
