"""Kinds of nodes: arrays, counts, None, and the classes of arguments."""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.errors import UnsupportedSyntax

from ...analyses.shapes.infer import type_of
from ...ir.containers import Pack
from ...ir.operations import Const, Value
from ...ir.types import BOTTOM, STRANGER, Array, Number, Opaque, Tree
from ..nodes import Listed, LocalFunction, Mapped, Node
from .container_writes import is_slot

__all__ = [
    "NOT_ITERABLE",
    "as_of_number",
    "class_of",
    "is_array",
    "is_count",
    "is_data",
    "is_none",
    "is_whole_number",
    "joined",
]

NUMBERS_OR_NONE = (bool, int, float, complex, type(None))
NOT_ITERABLE = "'{}' object is not iterable"


def joined(kind: Any, items: list[Node]) -> Pack:
    return Pack(kind, list(range(len(items))), items)


def is_data(found: Any) -> bool:
    """True if what stands in a class comes before what stands in the object."""
    return hasattr(type(found), "__set__") and not is_slot(found)


def is_count(node: Node) -> bool:
    return isinstance(node, Const) and isinstance(node.value, int) and node.text is None


def is_whole_number(node: Node) -> bool:
    """True if this is a Python integer, for all its type says."""
    known = type_of(node) if isinstance(node, (Value, Const)) else None
    return isinstance(known, Number) and known.kind in "bi"


def is_array(node: Node) -> bool:
    """True if NumPy's operators take over: an array or a NumPy scalar."""
    if isinstance(node, Const):
        return is_ndarray(node.value) or isinstance(node.value, np.generic)
    return isinstance(node, Value) and isinstance(type_of(node), Array)


def is_none(node: Node) -> bool | None:
    """True if something is None; None if its type does not tell."""
    if isinstance(node, (Pack, LocalFunction)):
        return False
    if isinstance(node, Const) and (
        is_ndarray(node.value) or isinstance(node.value, (type, types.FunctionType))
    ):
        return False  # of whose identity, or kind, the text depends
    if not isinstance(node, Value) or node.type in (None, BOTTOM, STRANGER):
        return None
    if isinstance(node.type, Opaque):
        return False if node.type.own else None
    return isinstance(node.type, Tree) and node.type.cls is type(None)


def is_object(node: Node) -> bool:
    """True of an object of a class that was taken apart."""
    kind = node.kind if isinstance(node, Pack) else None
    return isinstance(kind, type) and kind not in (list, tuple, dict, Listed, Mapped)


def as_of_number(refused: UnsupportedSyntax, node: Node, said: str) -> UnsupportedSyntax:
    """What Python says where a number or None is unpacked, called, or gone over; of other nodes, the refusal as it is."""
    plain = isinstance(node, Const) and node.text is None
    if not (plain and type(node.value) in NUMBERS_OR_NONE):
        return refused
    return refused.as_python(TypeError, said.format(type(node.value).__name__))


def class_of(kind: Any) -> type | None:
    """The class of the values of a type, where it says so."""
    if isinstance(kind, Tree):
        plain = {"tuple": tuple, "list": list, "dict": dict}.get(kind.container)
        return plain if kind.cls is None else kind.cls
    if isinstance(kind, Array):
        return np.ndarray if kind.dims else None  # or a NumPy scalar
    return None
