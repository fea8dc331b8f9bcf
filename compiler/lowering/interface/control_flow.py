"""Protocols of the parts for control flow and iteration."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

import gast

from retrograd.runtime.errors import CompileError, UnsupportedSyntax

from ...ir.containers import Pack
from ...ir.operations import Apply, Block, If, Operand, Value
from ..control_flow.loop_plan import Plan
from ..nodes import Environment, Lazy, Node

if TYPE_CHECKING:
    from ..iteration.iterables import Iteration, Sequence

__all__ = [
    "Assignment",
    "Branches",
    "Comprehensions",
    "Filters",
    "ItertoolsCalls",
    "LiveIterators",
    "Loops",
    "Protocols",
    "SimpleStatements",
    "SteppedIterators",
    "Ways",
]


class Branches(Protocol):
    """Lowers ``if``, and whatever else runs one of two things."""

    def branch_that_exits(self, node: gast.AST, rest: list[Any]) -> None: ...

    def unless_left(self, node: gast.AST, rest: list[Any]) -> None: ...

    def is_true(self, test: Node) -> bool | None: ...

    def choose(
        self, test: Node, then: Callable[[], None], orelse: Callable[[], None], node: gast.AST
    ) -> None: ...

    def merge(
        self, op: If, then_env: Environment, else_env: Environment, found: Any = ...
    ) -> dict[str, Node]: ...

    def after_loop_that_returns(self, node: gast.AST, rest: list[Any]) -> None: ...

    def either(
        self, test: Node, then: Callable[[], Node], orelse: Callable[[], Node], node: gast.AST
    ) -> Node: ...

    def survivors(
        self, op: If, before: Environment, env: Environment, then: bool
    ) -> dict[str, Node]: ...

    def exported(
        self,
        op: If,
        before: Environment,
        after: Environment,
        then: bool,
        env: Environment | None = None,
    ) -> dict[str, Node]: ...


class Ways(Protocol):
    """``one_way``: what names hold where nobody has left, and what they are where it is not known who has."""

    def on_one_way(
        self, found: dict[str, Node], merged: Environment, gone: Environment
    ) -> dict[str, Node]: ...

    def one_way_still(self, before: Environment, now: dict[str, Node]) -> None: ...

    def rejoined(self) -> None: ...


class Comprehensions(Protocol):
    """Lowers comprehensions; the class below this one lowers loops."""

    def gone_over(self, lazy: Lazy) -> Node: ...

    def call_lazily(
        self, fn: Node, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Any: ...

    def number(self) -> int: ...

    def collect(
        self, target: gast.AST, iterable: Iteration, elt: gast.AST, node: gast.AST
    ) -> Value: ...

    def known_to_collect(self, node: gast.AST) -> set[int]: ...


class Filters(Protocol):
    """Lowers the filters of comprehensions, and ``any``, ``all`` and ``next`` of a generator."""

    def collected(self, node: gast.AST, iterable: Iteration) -> Value: ...

    def in_loops(self, node: gast.AST, empty: Pack, put: Callable[[str], gast.AST]) -> Node: ...

    def quick(self, fn: Any, node: gast.AST) -> Node: ...

    def next_of(self, node: gast.AST, default: Node) -> Node: ...


class Loops(Protocol):
    """Lowers ``for`` and ``while``."""

    blank: dict[Value, Plan]
    carried_from: dict[Value, Node]
    leaves_early: bool

    def begin_blank(self, value: Value, plan: Plan) -> None: ...

    def begin_with(self, value: Value, init: Node) -> None: ...

    def begin_as_container(self, name: str, node: Node, whole: Node) -> None: ...

    def beside(self, node: Node, whole: Pack) -> Pack: ...

    def unroll(self, node: gast.AST, pack: Pack) -> None: ...

    def loop(self, node: gast.AST, iterable: Iteration | None, snapshots: int = 0) -> None: ...

    def checkpoint(self) -> Callable[[], None]: ...

    def is_data(self, node: Node) -> bool: ...

    def whole_of(self, node: Node, env: Environment) -> Node: ...

    def list_outer(self, plan: Plan, name: str, cell: int) -> None: ...


class Protocols(Protocol):
    """Questions that Python puts to the class of an object."""

    def gone_over_by(self, fn: Any, args: list[Node], node: gast.AST) -> list[Node]: ...

    def laid_out(self, node: Node, at: gast.AST) -> Node: ...

    def not_gone_over(self, cls: Any, at: gast.AST) -> UnsupportedSyntax: ...

    def truth_of(self, node: Node, at: gast.AST) -> Node: ...

    def introduce(self, op: Apply) -> None: ...

    def beside_array(self, node: Node, other: Node) -> Node: ...

    def vouch(self, x: Operand) -> Value: ...

    def vouched(self, fn: Any, args: tuple[Operand, ...]) -> tuple[Operand, ...]: ...


class LiveIterators(Protocol):
    """Lowers reads of the items of what may be written to meanwhile."""

    def refreshed(self, node: Node) -> Node: ...

    def live(self, made: Node, again: Callable[[], Node]) -> Node: ...

    def steady(self, made: Node, sources: list[Node], node: gast.AST) -> Node: ...

    def check_steady(self, iterable: Iteration, carried: list[str], at: gast.AST) -> None: ...

    def at_turn(self, pack: Pack, node: gast.AST) -> Pack: ...

    def each_item(self, pack: Pack, node: gast.AST) -> Iterator[Node]: ...

    def refuse_iterator(self, node: Node, at: gast.AST) -> None: ...

    def next_reader(self, rest: list[gast.AST]) -> gast.AST | None: ...

    def in_passing(self, name: str, following: gast.AST | None) -> bool: ...

    def handed_over(self, fn: Any, params: dict[str, Node], node: gast.AST) -> None: ...

    def watched(self, found: Node, pack: Node) -> Node: ...

    def sequence_now(self, over: Sequence) -> Node: ...

    def check_unchanged(self, over: Sequence) -> None: ...

    def check_lengths(
        self, iterable: Iteration, body: Block, env: Environment, at: gast.AST
    ) -> None: ...


class SteppedIterators(Protocol):
    """Lowers ``iter`` and ``next``."""

    def is_in_steps(self, name: str, value: Node) -> bool: ...


class ItertoolsCalls(Protocol):
    """Lowers calls of functions that make iterators."""

    def call_iterator(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node: ...

    def shape_of(self, value: Node, node: gast.AST) -> list[Node]: ...


class SimpleStatements(Protocol):
    """Lowers statements that hold no others."""

    def refuse(self, node: gast.AST) -> None: ...

    def fails(self, error: CompileError, node: gast.AST) -> bool: ...

    def exit(self) -> None: ...


class Assignment(Protocol):
    """Lowers what binds and unbinds names."""

    def refuse_outside(self, node: gast.AST) -> None: ...

    def written(self, base: Node, target: gast.AST) -> Value: ...

    def assign(self, target: gast.AST, value: Node) -> None: ...

    def name_value(self, node: Node, name: str) -> None: ...

    def augmented(self, node: gast.AST, old: Node, value: Node) -> Node: ...
