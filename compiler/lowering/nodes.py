"""What an expression is while its function is lowered: a value, a constant, a container, or one of the things here.

These stand for what is no value: a method before it is called, ``super()``, a generator expression.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from retrograd.runtime.objects.own_attributes import own_attribute

from ..ir.containers import Pack
from ..ir.operations import Const, Value
from ..ir.types import Number

__all__ = [
    "BoundConstant", "BoundMethod", "BoundUser", "Lazy", "Method", "Node", "Nothing", "Super",
    "describe",
]  # fmt: skip

Node = Any  # Value, Const, Pack, Ref, Iteration, a slice of nodes, a LocalFunction, or what follows


@dataclass(frozen=True)
class Method:
    """The kind of a method of a list, a dict or an object before it is called: the item is its owner."""

    name: str

    @property
    def __name__(self) -> str:
        return f"method {self.name}"


@dataclass(frozen=True, eq=False)
class BoundMethod:
    """``x.sum`` before it is called."""

    descriptor: Any
    value: Value


@dataclass(frozen=True, eq=False)
class BoundConstant:
    """``table.sum`` where ``table`` is a global array."""

    descriptor: Any
    value: Const


@dataclass(frozen=True, eq=False)
class BoundUser:
    """A method written in Python, bound to a value or a container."""

    function: Any
    base: Node


@dataclass(frozen=True, eq=False)
class Super:
    """``super()``: the methods of the classes after ``cls``."""

    base: Node
    cls: type


class Nothing:
    """``object.__init__``, which does nothing."""


@dataclass(frozen=True, eq=False)
class Lazy:
    """A generator expression, evaluated by the call it is an argument of."""

    node: Node


def describe(node: Node) -> str:
    if isinstance(node, Pack):
        return f"a {own_attribute(node.kind, '__name__', node.kind)}"
    if isinstance(node, BoundMethod):
        return f"the method {node.descriptor.__name__}"
    if isinstance(node, Number):
        return "a number"
    return {"Const": "a constant", "LocalFunction": "a function", "Range": "a range"}.get(
        type(node).__name__, f"a {type(node).__name__}"
    )
