"""Nodes, the expressions of a function that is lowered: values, constants, containers, and the things here.

These stand for what is no value: a method before it is called, ``super()``, a generator expression.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.records import dataclass

from ..frontend.source import Source
from ..ir.containers import Pack
from ..ir.operations import Const, Value
from ..ir.types import Number

__all__ = [
    "PERHAPS",
    "SOMETIMES",
    "UNKNOWN",
    "Applied",
    "BoundConstant",
    "BoundMethod",
    "BoundUser",
    "Choice",
    "Code",
    "Collecting",
    "Derived",
    "Environment",
    "Lazy",
    "LentName",
    "Listed",
    "LocalFunction",
    "Mapped",
    "Method",
    "Node",
    "Nothing",
    "OneOf",
    "Perhaps",
    "Ref",
    "Rest",
    "Sometimes",
    "Super",
    "Unknown",
    "Within",
    "describe",
    "values_of",
]  # fmt: skip

Node = Any  # Value, Const, Pack, Ref, Iteration, a slice of nodes, a LocalFunction, or what follows
Environment = dict[
    str, Node
]  # what names hold, and (by names that nobody can write) containers and arrays


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
    """A method written in Python, bound to a value or a container; ``decorated``: with `rg.differentiate`."""

    function: Any
    base: Node
    decorated: Any = None


@dataclass(frozen=True, eq=False)
class Super:
    """``super()``: the methods of the classes after ``cls``."""

    base: Node
    cls: type


class NotKnown:
    """In place of a value that only running the function tells."""


UNKNOWN: Any = NotKnown()


class Nothing:
    """``object.__init__``, which does nothing."""


@dataclass(frozen=True, eq=False)
class Rest:
    """The last argument of a call that spreads a list of unknown length: the tuple that ``*args`` stands for."""

    whole: Node


@dataclass(frozen=True, eq=False)
class OneOf:
    """One of several functions: that of this place among them, which is known when the program runs."""

    place: Node
    functions: list[Node]


@dataclass(frozen=True, eq=False)
class Choice:
    """The kind of a container of one number: the place of one of several functions, which a loop carries."""

    functions: tuple[Node, ...]


@dataclass(frozen=True, eq=False)
class Lazy:
    """A generator expression, evaluated by the call it is an argument of; or a call of a generator function."""

    node: Node
    call: Any = None


@dataclass(frozen=True)
class Unknown:
    """A part of a result that has no derivative and is not computed: it must not be read."""

    what: str


def describe(node: Node) -> str:
    """What a node is to the user; what has no words of its own is a value."""
    if isinstance(node, Unknown):
        return node.what
    if isinstance(node, BoundMethod):
        return f"the method {node.descriptor.__name__}"
    if isinstance(node, BoundUser):
        return f"the method {own_attribute(node.function, '__name__', '')}".rstrip()
    if isinstance(node, Number):
        return "a number"
    if isinstance(node, Pack) and isinstance(node.kind, type):
        return f"a {node.kind.__name__}"
    kind = node.kind if isinstance(node, Pack) else node
    return WORDS.get(type(kind).__name__, "what stands here")


WORDS = {
    "Applied": "a function",
    "BoundConstant": "a method",
    "BoundMethod": "a method",
    "BoundUser": "a method",
    "Code": "a function",
    "Collecting": "a list",
    "Const": "a constant",
    "Derived": "a derivative",
    "Lazy": "a generator",
    "Listed": "a list",
    "LocalFunction": "a function",
    "Mapped": "a dict",
    "Method": "a method",
    "NotKnown": "a value that only running the function tells",
    "Nothing": "a function that does nothing",
    "Choice": "one of several functions",
    "OneOf": "one of several functions",
    "Perhaps": "what may be None",
    "Range": "a range",
    "Ref": "a container",
    "Rest": "arguments of a number that is not known",
    "Sometimes": "an attribute that may not be set",
    "Super": "super()",
    "Value": "a value",
    "Within": "a container",
}


class LocalFunction:
    """An inner function or a lambda: called by lowering its body in place.

    ``frame`` is the call it was defined in, whose names it reads as they are when it is called;
    ``defaults`` are what they were when it was defined.  ``home`` is the Python function around it,
    its source and its local names: where names are looked up.
    """

    def __init__(
        self, node: gast.AST, frame: int, defaults: list[Node], home: tuple[Any, ...]
    ) -> None:
        self.node, self.frame, self.defaults = node, frame, defaults
        self.python, self.source, names = home
        self.names = frozenset(names)


@dataclass(frozen=True)
class Code:
    """The kind of a closure: its text, the module it reads, the inner functions it knows."""

    node: Any
    source: Source
    python: Any
    siblings: tuple[tuple[str, Any], ...] = ()
    names: frozenset[str] = frozenset()

    @property
    def __name__(self) -> str:
        return str(getattr(self.node, "name", "lambda_"))


@dataclass(frozen=True)
class Applied:
    """The kind of a function given its first arguments: the items are it and them."""

    count: int
    names: tuple[str, ...] = ()

    @property
    def __name__(self) -> str:
        return "partial"


class Derived:
    """The kind of a function that a transformation made: the items are what it was made of."""

    __name__ = "derivative"
    same_arguments = True  # it is called as what it was made of

    def call(
        self, lowerer: Any, made: Pack, args: list[Node], kwargs: dict[str, Node], at: gast.AST
    ) -> Node:
        """A call of it."""
        raise NotImplementedError


@dataclass(frozen=True)
class Ref:
    """A container by its identity."""

    cell: int


@dataclass(frozen=True, eq=False)
class Within:
    """A container that is an item of one known at run time: the keys that lead to it from what ``cell`` holds.

    ``moves`` says how often items of that had been put elsewhere when this was found.
    """

    cell: int
    path: tuple[Any, ...]
    moves: int = 0


class Listed:
    """The kind of a container that holds one value: a list whose length is known at run time."""


class Mapped:
    """The kind of a container that holds one value: a dict whose keys are known at run time."""


class Perhaps:
    """The kind of what may be None: the items are whether it is, and what it is if it is not."""

    __name__ = "value that may be None"


PERHAPS = Perhaps()


class Sometimes:
    """The kind of an attribute that may not be set: the items are whether it is, and what it is if it is."""

    __name__ = "attribute that may not be set"


SOMETIMES = Sometimes()


class Collecting:
    """The kind of a list that a loop body only appends to: its items of one iteration."""


LentName = tuple[int, bool, str]  # of this frame, or (if False) of one around it


def values_of(node: Node) -> Iterator[Node]:
    """The values of a result, in order."""
    if isinstance(node, Pack):
        for item in node.items:
            yield from values_of(item)
    elif not isinstance(node, Ref):
        yield node
