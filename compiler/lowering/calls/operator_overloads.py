"""The operators of the user's classes: ``a + b``, ``-a``, ``abs(a)``, ``a < b``, ``c in a``, by their methods."""

from __future__ import annotations

import operator
import sys
import types
from typing import Any

import gast
import numpy as np

from retrograd.runtime.errors import UnsupportedSyntax
from retrograd.runtime.objects.library_functions import is_library
from retrograd.runtime.objects.own_attributes import home_of
from retrograd.runtime.objects.spoken_classes import a, array_of

from ...analyses.shapes.infer import type_of
from ...dependencies.object_reads import class_of, static
from ...ir.containers import Pack
from ...ir.operations import Apply, Const, Value
from ...ir.primitives import IN, NOT_IN
from ...ir.types import Array, Number, Tree, is_record
from ..interface.lowerer import Lowerer
from ..iteration.iterables import written_out
from ..nodes import Node

__all__ = ["Overloads", "own_class"]


MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}


class Overloads:
    """Looks operators up on the class of an operand."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def operator_method(self, fn: Any, left: Node, right: Node, node: gast.AST) -> Node | None:
        """``a + b``: what one of the two makes of it."""
        name = fn.__name__.strip("_")
        return self.first_of(left, right, f"__{name}__", f"__r{name}__", node)

    def augmenting_method(self, fn: Any, old: Node, value: Node, node: gast.AST) -> Node | None:
        """``a += b``: by the method for it, else ``a + b``."""
        name = f"__i{fn.__name__.strip('_')}__"
        cls = own_class(old)
        builtin = None if cls is None else static(cls, name)
        if builtin is not None and method_of_class(old, name) is None:
            raise UnsupportedSyntax(
                f"`{name}` of a {cls.__name__} is not supported", place=self.scope.place(node),  # type: ignore[union-attr]
                fix="write a = a + b",
            )  # fmt: skip
        left, right = old.type if isinstance(old, Value) else None, own_class(value)
        if isinstance(left, Array) and right is not None and answers_ufuncs(right):
            raise self.numpy_first(right, node)
        made = self.by_method(old, name, [value], node)
        is_open = made is None or is_left_open(made)
        return self.operator_method(fn, old, value, node) if is_open else made

    def comparison_method(self, fn: Any, left: Node, right: Node, node: gast.AST) -> Node | None:
        """``a < b``, or ``b > a``; ``!=`` is the contrary of ``==`` where a class says nothing of it."""
        if fn in (IN, NOT_IN):
            found = self.by_method(right, "__contains__", [left], node)
            return None if found is None else self.truth(found, fn is IN)
        name = fn.__name__.strip("_")
        if name not in MIRRORED:
            return None
        made = self.first_of(left, right, f"__{name}__", f"__{MIRRORED[name]}__", node)
        if made is None and name == "ne" and not any(map(tells_unequal, (left, right))):
            made = self.first_of(left, right, "__eq__", "__eq__", node)
            return None if made is None else self.truth(made, False)
        return made

    def unary_method(self, fn: Any, inner: Node, node: gast.AST) -> Node | None:
        """``-a``, ``+a``, ``~a``."""
        return self.by_method(inner, f"__{fn.__name__.strip('_')}__", [], node)

    def builtin_abs(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        return self.by_method(args[0], "__abs__", [], node) if len(args) == 1 else None

    def builtin_sum(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        """A sum of the user's objects, one after the other."""
        items = written_out(args[0]) if args else None
        if not (isinstance(items, Pack) and items.kind in (list, tuple)):
            return None
        added = ("__add__", "__radd__")
        if not any(method_of_class(i, name) for i in items.items for name in added):
            return None
        total = [*args[1:], kwargs.get("start", Const(0))][0]
        for item in items.items:
            total = self.lowerer.expressions.binary(operator.add, total, item, node)
        return total

    def first_of(
        self, left: Node, right: Node, name: str, mirrored: str, node: gast.AST
    ) -> Node | None:
        """The first method of the two that makes something of it; a subclass is asked before its base."""
        asked = [(left, right, name), (right, left, mirrored)]
        if comes_first(right, left, mirrored):
            asked.reverse()
        for side, other, method in asked:
            if side is right and method_of_class(side, method) is not None:
                self.check_left(left, right, node)
            made = self.by_method(side, method, [other], node)
            if made is not None and not is_left_open(made):
                return made
        return None

    def by_method(self, owner: Node, name: str, args: list[Node], node: gast.AST) -> Node | None:
        """A special method of a user's class; None if the class has none."""
        found = method_of_class(owner, name)
        if found is None:
            return None
        made = self.lowerer.calls.call_user(found, [owner, *args], {}, node)
        last = self.scope.block.ops[-1] if self.scope.block.ops else None
        if (
            isinstance(last, Apply) and last.fn is found
        ):  # not compiled: Python asks it, and the other one
            self.scope.block.ops.pop()
            return None
        return made

    def check_left(self, left: Node, right: Node, node: gast.AST) -> None:
        """An array on the left makes an array of objects of what is on the right, unless that objects."""
        kind = type_of(left) if isinstance(left, Value) else None
        own = own_class(right)
        if isinstance(kind, Number) and own is not None and issubclass(own, (int, float, complex)):
            python = {"b": bool, "i": int, "f": float, "c": complex}[kind.kind]
            if not issubclass(own, python):
                raise UnsupportedSyntax(
                    f"a {python.__name__} answers before a {own.__name__} on its right",
                    place=self.scope.place(node), fix=f"put the {own.__name__} on the left",
                )  # fmt: skip
        if not isinstance(kind, Array) or own is None:
            return
        if hasattr(own, "__array_ufunc__"):
            asked_first = bool(kind.dims) and issubclass(own, np.ndarray)
            if answers_ufuncs(own) and not asked_first:
                raise self.numpy_first(own, node)
            return
        is_sequence = hasattr(own, "__len__") and hasattr(own, "__getitem__")
        is_sequence = is_sequence or issubclass(own, (int, float, complex, str, bytes))
        if is_sequence or (kind.dims and not hasattr(own, "__array_priority__")):
            raise UnsupportedSyntax(
                f"NumPy makes an array of a {own.__name__} on the right of one of its own",
                place=self.scope.place(node),
                fix=f"write `__array_ufunc__ = None` in the class {own.__name__}, "
                "or put the array on the right",
            )

    def numpy_first(self, own: type, node: gast.AST) -> UnsupportedSyntax:
        way = array_of(own, "x")
        return UnsupportedSyntax(
            f"NumPy answers before {a(own)} on the right of one of its own, by `__array_ufunc__`",
            place=self.scope.place(node),
            fix=f"put the {own.__name__} on the left{(way and f', or take its numbers: `{way}`') or ''}",
        )  # fmt: skip

    def truth(self, found: Node, wanted: bool) -> Node:
        """``bool(found)``, or the contrary."""
        if isinstance(found, Const) and found.text is None:
            return Const(bool(found.value) is wanted)
        return self.lowerer.operations.apply(
            operator.truth if wanted else operator.not_,
            (self.lowerer.operations.operand(found),),
            {},
        )


def own_class(node: Node) -> type | None:
    """The class of an object that may have methods of the user's: made here, an argument, or a constant."""
    kind: Any = None
    if isinstance(node, Pack):
        kind = node.kind
    elif isinstance(node, Value) and isinstance(node.type, Tree):
        kind = node.type.cls if node.type.container == "object" or is_record(node.type) else None
    elif isinstance(node, Const):
        kind = class_of(node.value)
    library = not isinstance(kind, type) or kind.__module__ in ("builtins", "numpy", "cupy")
    return None if library else kind


def answers_ufuncs(cls: type) -> bool:
    return getattr(cls, "__array_ufunc__", None) is not None


def tells_unequal(node: Node) -> bool:
    """True if a class has a ``!=`` that is not the contrary of its ``==``: that of a text, a number or a list."""
    kind = own_class(node)
    return kind is not None and static(kind, "__ne__") is not object.__ne__


def method_of_class(owner: Node, name: str) -> Any:
    kind = own_class(owner)
    found = None if kind is None else static(kind, name)
    mine = isinstance(found, types.FunctionType) and is_users(found) and has_text(found)
    return found if mine else None


def is_users(fn: types.FunctionType) -> bool:
    """True if it is text to be lowered: not NumPy's, nor the standard library's."""
    return not is_library(fn) and home_of(fn).partition(".")[0] not in sys.stdlib_module_names


def has_text(fn: types.FunctionType) -> bool:
    """True if it was written in a file: not the ``__eq__`` that ``dataclass`` makes."""
    return fn.__code__.co_filename != "<string>"


def comes_first(right: Node, left: Node, mirrored: str) -> bool:
    """True if the right operand is of a class below the left one's, with a method of its own."""
    above, below = own_class(left), own_class(right)
    if above is None or below is None or above is below or not issubclass(below, above):
        return False
    own = method_of_class(right, mirrored)
    return own is not None and own is not method_of_class(left, mirrored)


def is_left_open(made: Node) -> bool:
    return isinstance(made, Const) and made.value is NotImplemented
