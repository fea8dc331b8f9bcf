"""What a class answers when Python asks it: as the compiler takes for granted, or in a way of its own."""

from __future__ import annotations

import dataclasses
import inspect
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from .ir import Const, Value
from .types import Tree

__all__ = [
    "class_of", "foreign_in", "is_foreign", "is_fields_only", "is_foreign_operand", "method_in", "tells",
]  # fmt: skip

EXACT = {
    bool, int, float, complex, str, bytes, list, tuple, dict, range, slice, type(None), type(Ellipsis),
    np.ndarray,
}  # fmt: skip
BASES = (int, float, complex, str, bytes, tuple)
LIBRARIES = ("numpy", "scipy", "retrograd")
FUNCTIONS = (
    type, types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType,
    types.MethodDescriptorType, types.WrapperDescriptorType, types.GetSetDescriptorType,
)  # fmt: skip
OPERATORS = "add sub mul truediv floordiv mod divmod pow matmul and or xor lshift rshift".split()
ASKED = [
    *[f"__{side}{name}__" for name in OPERATORS for side in ("", "r", "i")],
    *[
        f"__{name}__"
        for name in (
            "neg pos invert abs eq ne lt le gt ge bool len iter next getitem contains reversed call "
            "float int complex index round trunc floor ceil array array_ufunc array_function "
            "getattribute getattr enter exit"
        ).split()
    ],
]  # what the compiler may have to know of a class, beside how its objects are made and printed


def is_foreign(cls: type) -> bool:
    """Whether objects of a class may answer otherwise than numbers, texts, arrays and their containers.

    >>> import collections
    >>> is_foreign(float), is_foreign(np.float64), is_foreign(collections.OrderedDict)
    (False, False, True)
    """
    if cls in EXACT or issubclass(cls, np.generic):
        return False
    if (cls.__module__ or "").partition(".")[0] in LIBRARIES:
        return issubclass(cls, np.ndarray)
    return not answers_as_base(cls)


def answers_as_base(cls: type) -> bool:
    """Whether a class below a number, a text or a tuple changes none of their answers.

    >>> answers_as_base(type("Rate", (float,), {}))
    True
    >>> answers_as_base(type("Rate", (float,), {"__mul__": lambda self, other: 0.0}))
    False
    """
    base = next((b for b in BASES if issubclass(cls, b)), None)
    return base is not None and all(tells(cls, n) is tells(base, n) for n in ASKED)


def tells(cls: type, name: str) -> Any:
    """What stands in a class, or those above it, under a name: as Python looks up special methods."""
    return inspect.getattr_static(cls, name, None)


def method_in(cls: type | None, name: str) -> types.FunctionType | None:
    """A special method that is text, to be lowered."""
    found = None if cls is None else tells(cls, name)
    return found if isinstance(found, types.FunctionType) else None


def class_of(node: Any) -> type | None:
    """The class of the object that an operand stands for, where it is no plain value."""
    if isinstance(node, Const):
        return None if isinstance(node.value, FUNCTIONS) else type(node.value)
    kind = node.type if isinstance(node, Value) else None
    return kind.cls if isinstance(kind, Tree) and kind.container == "object" else None


def is_foreign_operand(node: Any) -> bool:
    cls = class_of(node)
    return cls is not None and is_foreign(cls)


def foreign_in(operand: Any) -> Iterator[type]:
    """The foreign classes of what an operand stands for, or holds."""
    if isinstance(operand, (tuple, list)):
        for item in operand:
            yield from foreign_in(item)
    elif isinstance(operand, dict):
        yield from foreign_in(list(operand.values()))
    elif isinstance(operand, slice):
        yield from foreign_in([operand.start, operand.stop, operand.step])
    elif is_foreign_operand(operand):
        found = class_of(operand)
        assert found is not None
        yield found


def is_fields_only(cls: type) -> bool:
    """Whether the compiler knows the objects of a class by their fields."""
    return dataclasses.is_dataclass(cls) or hasattr(cls, "_fields")
