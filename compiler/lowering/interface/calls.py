"""Protocols of the parts for calls."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import gast

from ...ir.containers import Pack
from ...ir.operations import Const, Op, Operand, Value
from ..nodes import Code, Environment, Lazy, LentName, LocalFunction, Node, Super

__all__ = [
    "Calls",
    "Closures",
    "Construction",
    "Draws",
    "GeneratorCalls",
    "HandedBack",
    "HigherOrder",
    "Inactive",
    "KnownResults",
    "Lending",
    "ObjectsNow",
    "Overloads",
    "Sorting",
    "Vectorizing",
]


class Calls(Protocol):
    """Names, attributes of constants, and calls."""

    def local_function(self, node: gast.AST) -> LocalFunction: ...

    def call(self, fn: Node, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node: ...

    def call_container(
        self, fn: Pack, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node: ...

    def call_user(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node: ...

    def call_code(self, code: Code, params: dict[str, Node], node: gast.AST) -> Node: ...


class Closures(Protocol):
    """Calls of inner functions, and what becomes of them when they are handed on."""

    def handed_on(self, node: Node) -> Node: ...

    def applied(self, fn: Node, args: list[Node], kwargs: dict[str, Node]) -> Pack: ...

    def call_local(
        self, fn: LocalFunction, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node: ...

    def call_closure(
        self, pack: Pack, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node: ...

    def in_module(
        self, fn: Any, env: Environment, params: dict[str, Node], result: str = "$result"
    ) -> Node: ...

    def sibling_closures(self, code: Code, pack: Pack) -> dict[str, Node]: ...

    def in_place(
        self,
        node: gast.AST,
        env: Environment,
        params: dict[str, Node],
        names: Any = frozenset(),
        result: str = "$result",
    ) -> Node: ...

    def parts_of_applied(
        self, pack: Pack, kwargs: dict[str, Node]
    ) -> tuple[Node, list[Node], dict[str, Node]]: ...

    def call_applied(
        self, pack: Pack, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node: ...


class Lending(Protocol):
    """Watches the names that closures took with them."""

    lent: list[LentName]

    def lend(self, frame: int, names: list[str]) -> None: ...

    def keep_lent(self, since: int, *ends: Node) -> None: ...

    def note_bound(self, name: str) -> None: ...

    def check_kept(self, node: Node, at: gast.AST) -> None: ...


class HigherOrder(Protocol):
    """Calls of functions that take functions, and of what they make."""

    def functional(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node | None: ...

    def on_values(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node | None: ...

    def refuse_opaque(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node | None: ...

    def copied(self, x: Node, deep: bool, known: dict[Any, Node], node: gast.AST) -> Node: ...

    def map_over(self, fn: Node, lists: list[Node], node: gast.AST) -> Node: ...

    def listing(self, items: Node, node: gast.AST) -> Pack: ...

    def call_getter(self, pack: Pack, args: list[Node], node: gast.AST) -> Node: ...

    def run(
        self, text: str, names: dict[str, Node], node: gast.AST, result: str = "made"
    ) -> Node: ...


class Inactive(Protocol):
    """What carries no derivative, and calls of it."""

    def is_inert(self, node: Node) -> bool: ...

    def are_inert(self, nodes: Iterable[Any]) -> bool: ...

    def note_words(self, result: Node, ends: Iterable[Any]) -> None: ...

    def is_asked_late(self, node: Node) -> bool: ...

    def concerns(self, fn: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> bool: ...

    def late(self, fn: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> Value: ...

    def operand(self, node: Node) -> Operand: ...

    def stays(self, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> bool: ...

    def is_given_late(self, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> bool: ...

    def call(self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Value: ...

    def called(
        self, fn: Value, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Value: ...

    def method(
        self, base: Node, name: str, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node | None: ...

    def attribute(self, base: Node, name: str) -> Node: ...

    def item(self, base: Node, index: Node) -> Node: ...

    def unpacked(self, base: Value, n: int, node: gast.AST) -> list[Node]: ...

    def write(self, fn: Any, base: Node, key: Operand, value: Node, target: gast.AST) -> None: ...


class KnownResults(Protocol):
    """The calls of a program that give functions and namespaces."""

    def note(self, made: Node, node: gast.AST) -> Node: ...

    def part_of(self, part: Value, whole: Node) -> None: ...

    def ask(self, value: Node) -> None: ...

    def known(
        self,
        fn: Any,
        args: list[Node],
        kwargs: dict[str, Node],
        node: gast.AST,
        asked: bool = False,
    ) -> Node | None: ...

    def like(
        self, args: list[Node], kwargs: dict[str, Node]
    ) -> tuple[list[Any], dict[str, Any]] | None: ...

    def ask_call(self, fn: Any, node: gast.AST) -> None: ...

    def ask_answer(self, test: Node) -> None: ...

    def expect(self, node: gast.AST) -> None: ...

    def constant(self, value: Any) -> Const | None: ...


class HandedBack(Protocol):
    """Calls of functions that give back what they are given."""

    def call(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node | None: ...

    def long_one(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node | None: ...


class ObjectsNow(Protocol):
    """Objects that are asked when the function runs, as they are while it is compiled."""

    def note(self, result: Any, end: Any) -> None: ...

    def note_call(self, made: Node, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> None: ...

    def function(self, node: Node) -> Const | None: ...

    def known(self, node: Node, asked: Callable[[Any], bool] = ...) -> Any: ...

    def answer(self, test: Node) -> bool | None: ...

    def parameters(self, node: Node) -> Node: ...

    def is_answered(self, op: Op) -> bool: ...

    def words(self, node: Node) -> Any: ...

    def method(self, base: Node, name: str) -> Const | None: ...

    def stays_item(self, table: Const, getitem: types.FunctionType, key: Node) -> bool: ...

    def gives_items(self, args: list[Node]) -> bool: ...


class GeneratorCalls(Protocol):
    """Calls of generator functions."""

    def called(self, fn: Any, params: dict[str, Node], node: gast.AST) -> Lazy | None: ...

    def lazy(
        self, code: Any, env: Environment, params: dict[str, Node], node: gast.AST
    ) -> Lazy: ...

    def gone_over(self, lazy: Lazy) -> Node: ...

    def yields_nothing(self, lazy: Lazy) -> bool: ...

    def step_by_step(self, lazy: Lazy) -> Node: ...


class Sorting(Protocol):
    """Items in the order of their keys."""

    def sorted_items(self, items: Node, kwargs: dict[str, Node], node: gast.AST) -> Node: ...

    def sort_list(self, pack: Pack, kwargs: dict[str, Node], node: gast.AST) -> Node: ...

    def best(self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node: ...


class Vectorizing(Protocol):
    """Calls of vectorized functions."""

    def vectorized(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node: ...

    def call_vectorize_object(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node: ...

    def call_vectorized(
        self, pack: Pack, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node: ...


class Construction(Protocol):
    """Calls of classes."""

    def constructed(
        self, cls: type, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node | None: ...

    def replaced(self, pack: Node, kwargs: dict[str, Node], node: gast.AST) -> Node: ...

    def inlined(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node: ...

    def taken_apart(self, node: Node) -> Node: ...

    def as_keywords(self, node: Node) -> Node: ...

    def super_attribute(self, base: Super, name: str, node: gast.AST) -> Node: ...


class Overloads(Protocol):
    """Looks operators up on the class of an operand."""

    def operator_method(self, fn: Any, left: Node, right: Node, node: gast.AST) -> Node | None: ...

    def augmenting_method(self, fn: Any, old: Node, value: Node, node: gast.AST) -> Node | None: ...

    def comparison_method(
        self, fn: Any, left: Node, right: Node, node: gast.AST
    ) -> Node | None: ...

    def unary_method(self, fn: Any, inner: Node, node: gast.AST) -> Node | None: ...

    def by_method(
        self, owner: Node, name: str, args: list[Node], node: gast.AST
    ) -> Node | None: ...


class Draws(Protocol):
    """Methods of NumPy's generators: a global, passed, or made in the function."""

    def method_of(self, base: Node, name: str) -> Node: ...

    def of_parameters(self, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> Node | None: ...

    def drawn(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node]
    ) -> tuple[Any, list[Node]]: ...
