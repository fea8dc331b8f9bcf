"""The program that a function belongs to, as lowering sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from retrograd.runtime.errors import CompileError

from ...analyses.module_objects import Taken
from ...dependencies.object_reads import Reading
from ...frontend.source import Source
from ...ir.operations import Const, Function, Value
from ...ir.types import Type
from ..attempt import Attempt
from ..call_facts import CallFacts, Known
from ..calls.callee import Callee
from ..memory.array_kinds import OfRank0
from ..memory.held_containers import Doubtful, Held
from ..nodes import Node

__all__ = ["Program"]


class Program(Protocol):
    """All that is known of the functions of one compilation."""

    @property
    def callees(self) -> dict[Any, Function]: ...

    readings: dict[Any, Reading]

    def forget(
        self, before: dict[Any, Reading], taken: int | None = None, fn: Any = None
    ) -> None: ...

    captures: dict[str, Any]
    known: CallFacts
    opened: dict[Any, list[Any]]
    focused: set[Any]
    states: list[Const]
    cell_paths: dict[int, Any]
    taken: list[Taken]
    records: bool
    copies: bool
    derived: dict[Any, Any]
    under_way: list[Any]
    tape: bool
    refused: dict[Any, CompileError]
    arriving: dict[int, Any]
    paths: dict[Value, Any]
    draws: list[Any]
    texts: dict[str, Any]
    seeded: set[Value]
    written: set[int]
    chosen: set[int]
    inert: set[Value]
    raised: set[Value]
    learned: dict[Any, bool]
    ambiguous: Doubtful
    held: Held
    nested: bool
    alias_check: bool
    alias_matters: bool
    attempt: Attempt

    @property
    def unwrap(self) -> Callable[[Any], Any]: ...

    def next_cell(self) -> int: ...

    def hold(self, cells: Iterable[int], where: Any, loops: tuple[Any, ...] | None) -> None: ...

    def mark_shared(
        self, pairs: Any, alive: set[int], then: Any = ..., orelse: Any = ...
    ) -> None: ...

    def lower(
        self, fn: Any, source: Source, params: dict[str, Node], root: bool = False, code: Any = None
    ) -> Function: ...

    def read(self, fn: Any, source: Source) -> None: ...

    def next_frame(self) -> int: ...

    def callee(
        self,
        fn: Any,
        params: dict[str, Node],
        code: Any = None,
        numbers: Callable[[Node], Known | None] | None = None,
        rank_0: OfRank0 | None = None,
    ) -> Callee: ...

    def put_refused(self, refused: dict[Any, CompileError]) -> None: ...

    def refuse(self, fn: Any, error: CompileError) -> None: ...

    def name_of(self, fn: Any) -> str: ...

    def known_text(self, value: Any) -> str | None: ...

    def note(self, how: str, owner: Any, name: Any, value: Any) -> Reading: ...

    def note_call(self, fn: Any, args: list[Any], kwargs: dict[str, Any], value: Any) -> None: ...

    def note_function(self, fn: Any) -> None: ...

    def capture(self, fn: Any, name: str, value: Any) -> None: ...

    def capture_builtin(self, fn: Any, name: str) -> Any: ...

    def capture_attribute(self, owner: Any, name: str, value: Any) -> None: ...

    def attribute(self, owner: Any, name: str) -> Any: ...

    def capture_kind(self, owner: Any, name: str) -> Type: ...

    def state_number(self, value: Any) -> int | None: ...

    def new_state(self, base: Const) -> str: ...

    def capture_entry(self, owner: Any, key: Any, value: Any) -> None: ...

    def capture_entries(self, owner: Any) -> None: ...

    def text_for(self, name: str, value: Any) -> str: ...
