"""The lowerer as its parts see it: where it stands, and the other parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import gast

from ..nodes import Node
from ..scope import Scope
from .calls import (
    Calls,
    Closures,
    Construction,
    Draws,
    GeneratorCalls,
    HandedBack,
    HigherOrder,
    Inactive,
    KnownResults,
    Lending,
    ObjectsNow,
    Overloads,
    Sorting,
    Vectorizing,
)
from .control_flow import (
    Assignment,
    Branches,
    Comprehensions,
    Filters,
    ItertoolsCalls,
    LiveIterators,
    Loops,
    Protocols,
    SimpleStatements,
    SteppedIterators,
    Ways,
)
from .expressions import (
    Attributes,
    Containers,
    Expressions,
    KnownValues,
    ModuleConstants,
    Names,
    Operations,
    Subscripts,
)
from .memory import (
    ArrayWrites,
    Assumptions,
    Boundary,
    CallEffects,
    Cells,
    ContainerWrites,
    Dicts,
    HandedArrays,
    Items,
    Lists,
    Parted,
    PerhapsNone,
    PerhapsSet,
    States,
    Versions,
)

__all__ = ["Lowerer"]


class Lowerer(Protocol):
    """One function being lowered."""

    scope: Scope
    operations: Operations
    versions: Versions
    handed: HandedArrays
    parted: Parted
    perhaps: PerhapsNone
    perhaps_set: PerhapsSet
    assumptions: Assumptions
    cells: Cells
    container_writes: ContainerWrites
    items: Items
    lists: Lists
    dicts: Dicts
    array_writes: ArrayWrites
    containers: Containers
    expressions: Expressions
    known: KnownValues
    names: Names
    attributes: Attributes
    subscripts: Subscripts
    constants: ModuleConstants
    assignment: Assignment
    simple_statements: SimpleStatements
    branches: Branches
    ways: Ways
    loops: Loops
    comprehensions: Comprehensions
    filters: Filters
    protocols: Protocols
    iterators: LiveIterators
    steps: SteppedIterators
    itertools_calls: ItertoolsCalls
    calls: Calls
    inactive: Inactive
    known_results: KnownResults
    handed_back: HandedBack
    objects_now: ObjectsNow
    boundary: Boundary
    states: States
    call_effects: CallEffects
    closures: Closures
    lending: Lending
    higher_order: HigherOrder
    sorting: Sorting
    generators: GeneratorCalls
    vectorizing: Vectorizing
    construction: Construction
    overloads: Overloads
    draws: Draws

    def statements(self, body: list[gast.AST]) -> None: ...

    def expression(self, node: gast.AST) -> Node: ...

    def builtin(self, name: str) -> Callable[..., Node] | None: ...
