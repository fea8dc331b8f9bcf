"""Protocols of the parts for operations, names and containers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import gast

from retrograd.runtime.errors import UnsupportedSyntax

from ...ir.containers import Pack
from ...ir.operations import Apply, Block, Const, Op, Operand, Value
from ...ir.primitives import Primitive
from ...ir.types import Tree
from ..nodes import Node

if TYPE_CHECKING:
    from ..iteration.iterables import Iteration

__all__ = [
    "Attributes",
    "Containers",
    "Expressions",
    "ModuleConstants",
    "Names",
    "Operations",
    "Subscripts",
]


class Operations(Protocol):
    """Enters operations, their operands as they are now."""

    def operation(self, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> Node: ...

    def array_of(self, node: Node) -> Value: ...

    def apply(self, fn: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> Value: ...

    def emit(self, op: Op) -> Value: ...

    def last(self) -> Apply: ...

    def emit_effect(self, kind: Primitive, parts: tuple[Operand, ...], node: gast.AST) -> None: ...

    def operand(self, node: Node) -> Operand: ...

    def checked(self, node: Node, at: gast.AST) -> Any: ...

    def mark(self) -> tuple[Block, int]: ...

    def rewind(self, mark: tuple[Block, int]) -> None: ...


class Expressions(Protocol):
    """Lowers expressions into the current block."""

    def refuse(self, node: gast.AST) -> Node: ...

    def binary(self, fn: Any, left: Node, right: Node, node: gast.AST) -> Node: ...

    def compare(self, left: Node, op: gast.AST, right: Node) -> Node: ...

    def index(self, node: gast.AST) -> Node: ...

    def refuse_write(self, target: gast.AST) -> None: ...


class Names(Protocol):
    """Looks names up."""

    def load(self, name: str, node: gast.AST) -> Node: ...

    def unbound(self, name: str, found: Any, node: gast.AST) -> UnsupportedSyntax: ...


class Attributes(Protocol):
    """Reads attributes."""

    def attribute(self, base: Node, name: str, node: gast.AST) -> Node: ...

    def note_attribute(self, owner: Any, name: str, value: Any, node: gast.AST) -> None: ...


class Subscripts(Protocol):
    """Items of containers and arrays."""

    def item(self, pack: Pack, index: Node, node: gast.AST) -> Node: ...

    def item_listed(self, pack: Pack, index: Node) -> Node: ...

    def bundle_operand(self, operand: Operand) -> Value: ...

    def bundle(self, pack: Pack) -> Value: ...

    def getitem(self, base: Node, index: Node) -> Node: ...

    def forget(self, gone: set[Value]) -> None: ...

    def unpack(self, node: Node, n: int | None, at: gast.AST) -> list[Node]: ...

    def taken_for(self, fn: Any, node: Node, other: Node) -> Node: ...

    def getitem_attribute(self, base: Value, name: str) -> Node: ...


class ModuleConstants(Protocol):
    """Entries of tuples, lists and dicts that the module holds."""

    def constant_item(self, base: Const, key: Any) -> Node: ...

    def spoken_of(self, node: Node) -> Node: ...

    def constant_pack(self, base: Const) -> Pack: ...


class Containers(Protocol):
    """Lowers operations on tuples, lists, dicts and objects of known structure."""

    def pack_arithmetic(self, fn: Any, left: Node, right: Node, node: gast.AST) -> Node: ...

    def builtin_zip(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node: ...

    def iteration(self, node: Node, at: gast.AST) -> Iteration: ...

    def pack_attribute(self, pack: Pack, name: str, node: gast.AST) -> Node: ...

    def dict_attribute(self, base: Value, known: Tree, name: str, node: gast.AST) -> Node: ...

    def object_attribute(self, base: Value, known: Tree, name: str, node: gast.AST) -> Node: ...

    def call_pack(
        self, method: Pack, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node: ...

    def iterable(self, node: gast.AST) -> Iteration | Pack: ...
