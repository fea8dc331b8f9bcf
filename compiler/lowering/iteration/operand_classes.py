"""Classes of operands: which answer operators in a way of their own."""

from __future__ import annotations

import builtins
import types
from typing import Any

import numpy as np

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.objects.own_attributes import home_of, own_attribute
from retrograd.runtime.rules.book import book, is_constant

from ...analyses.class_protocols import (
    EXACT,
    class_at,
    is_fields_only,
    is_foreign,
    tells,
)
from ...ir.operations import Apply, Const, Value
from ...ir.primitives import Primitive
from ...ir.types import Array, Number, Tree
from ..nodes import Node

__all__ = [
    "is_array_class",
    "is_array_like",
    "is_default",
    "is_field",
    "is_known",
    "is_numpy",
    "is_of_objects",
    "is_record",
    "kinds_of",
    "makes_objects",
    "plainly",
    "replaces",
]


def is_array_class(operand: Any) -> bool:
    cls = operand.value if isinstance(operand, Const) else None
    return isinstance(cls, type) and issubclass(cls, np.ndarray) and cls is not np.ndarray


def is_numpy(fn: Any) -> bool:
    home = own_attribute(fn, "__module__") or getattr(
        own_attribute(fn, "__objclass__"), "__module__", ""
    )
    return str(home).partition(".")[0] == "numpy"


def is_of_objects(operand: Any) -> bool:
    """The dtype that makes an array of objects."""
    value = operand.value if isinstance(operand, Const) else None
    named = isinstance(value, str) and value in ("O", "object")
    return named or value is object or (isinstance(value, np.dtype) and value.hasobject)


def is_record(operand: Any) -> bool:
    """The dtype that makes an array of records: what has fields, or is a piece of memory."""
    given = plainly(operand)
    if not isinstance(given, (str, list, np.dtype)):
        return False
    try:
        return np.dtype(given).kind == "V"
    except (TypeError, ValueError):
        return False


def plainly(operand: Any) -> Any:
    """An operand of constants as Python would have it."""
    if isinstance(operand, (list, tuple)):
        return type(operand)(map(plainly, operand))
    return operand.value if isinstance(operand, Const) else operand


def replaces(operand: Any, method: Any) -> bool:
    """True if the class of an object has another method of that name."""
    cls = class_at(operand)
    found = None if cls is None else tells(cls, method.__name__)
    return found is not None and found is not method and cls is not None and is_foreign(cls)


def kinds_of(known: Array | Number) -> tuple[type, ...]:
    """The classes that a value of a type may be of."""
    if isinstance(known, Number):
        return (float,)
    return (np.ndarray,) if known.dims else (np.ndarray, np.generic, float)


def is_default(node: Node, name: str, default: Any) -> bool:
    """True of ``getattr(x, "shape", ())`` of what has rank 0, whether it is NumPy's or has no such attribute.

    NumPy's function of that name, `np.shape`, says of every number what the attribute is.
    """
    asked, of_arrays = own_attribute(np, name), own_attribute(np.ndarray, name)
    if isinstance(asked, type) or not is_constant(asked):
        return False
    rank_0 = isinstance(node, Value) and isinstance(node.type, Array) and node.type.rank == 0
    told = rank_0 and isinstance(of_arrays, types.GetSetDescriptorType)
    return told and type(default) is type(asked(0.0)) and default == asked(0.0)


def is_array_like(node: Node) -> bool:
    """True if NumPy's operators take over."""
    if isinstance(node, Const):
        return is_ndarray(node.value) or isinstance(node.value, np.generic)
    return isinstance(node, Value) and isinstance(node.type, Array)


def makes_objects(op: Apply) -> bool:
    """True if a call may give an object of any class: of a class, or of a builtin, that nobody has read."""
    if isinstance(op.fn, (Primitive, types.GetSetDescriptorType)) or op.fn is builtins.getattr:
        return False
    home = home_of(op.fn).partition(".")[0]
    if isinstance(op.fn, type) and (op.fn in EXACT or op.fn is range):
        return False
    known = home in ("numpy", "scipy", "retrograd", "math", "cmath", "_operator")
    return not known and not own_attribute(op.fn, "__objclass__") and not is_known(op.fn)


def is_known(fn: Any) -> bool:
    try:
        return fn in book or is_constant(fn)
    except TypeError:
        return False


def is_field(op: Apply) -> bool:
    """A field of a dataclass or a named tuple: what the signature says of it is all that is said."""
    if op.fn is not builtins.getattr:
        return False
    cls, known = class_at(op.args[0]), getattr(op.args[0], "type", None)  # constants have none
    fields = cls is not None and is_fields_only(cls) and isinstance(known, Tree)
    return fields and op.args[1].value in known.keys  # type: ignore[union-attr]
