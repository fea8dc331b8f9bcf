"""One function lowered to structured SSA: names become values, exits become branches.

``return``, ``break`` and ``continue`` bind hidden names (``$result``, ``$stop``, ``$left``);
the statements after an ``if`` that may exit move into the branch that does not.  A lowerer is made
of parts, each with a state of its own; what they share is the `Scope`: where lowering stands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from retrograd.runtime.errors import CompileError

from ..frontend import exit_queries
from ..frontend.function_names import bound_in
from ..frontend.source import Source, as_definition
from ..ir.containers import Pack, leaves
from ..ir.operations import Function, Value
from .assignments import Assignment
from .attributes import Attributes
from .calls.alias_summaries import CallEffects
from .calls.arguments_and_results import Boundary
from .calls.captured_names import Lending
from .calls.closures import Closures
from .calls.constructors import Construction
from .calls.generator_calls import GeneratorCalls
from .calls.higher_order import HigherOrder
from .calls.operator_overloads import Overloads
from .calls.resolve import Calls
from .calls.sort_with_key import Sorting
from .calls.vectorize import Vectorizing
from .control_flow.branches import Branches
from .control_flow.comprehensions import Comprehensions
from .control_flow.early_exit_join import Ways
from .control_flow.filtering_comprehensions import Filters
from .control_flow.loops import Loops
from .control_flow.match_statement import Patterns
from .control_flow.one_sided.perhaps_none import PerhapsNone, is_perhaps
from .control_flow.one_sided.perhaps_set import PerhapsSet
from .control_flow.try_statement import Guards
from .control_flow.with_statement import Managers
from .expressions import Expressions
from .interface import calls, control_flow, expressions, memory
from .interface.program import Program
from .iteration.itertools_calls import ItertoolsCalls
from .iteration.mutation_during_iteration import LiveIterators
from .iteration.object_protocols import Protocols
from .iteration.stepped_iterators import SteppedIterators
from .known_arguments import known_object
from .known_values import KnownValues
from .library.random_draws import Draws
from .memory.alias_assumptions import Assumptions
from .memory.array_kinds import is_rank_0
from .memory.array_versions import Versions
from .memory.container_identity import Cells
from .memory.container_writes import ContainerWrites
from .memory.containers import Containers
from .memory.dict_methods import Dicts
from .memory.handed_arrays import HandedArrays
from .memory.parted_arrays import Parted
from .memory.run_time_items import Items
from .memory.run_time_lists import Lists
from .memory.writing_calls import ArrayWrites
from .module_containers import ModuleConstants
from .module_state import States
from .names import Names
from .nodes import Code, Node
from .opaque.handed_back import HandedBack
from .opaque.inactive import Inactive
from .opaque.known_results import KnownResults
from .opaque.objects_now import ObjectsNow
from .operations import Operations
from .scope import Scope
from .statements import SimpleStatements
from .subscripts import Subscripts

__all__ = ["Lowerer"]


class Lowerer:
    """Lowers the body of one function; its parts know each other through it."""

    def __init__(self, program: Program, source: Source, function: Any) -> None:
        self.scope = Scope(program, source, function)
        self.code: Code | None = None  # the inner function that is lowered on its own
        self.operations: expressions.Operations = Operations(self)
        self.versions: memory.Versions = Versions(self)
        self.handed: memory.HandedArrays = HandedArrays(self)
        self.parted: memory.Parted = Parted(self)
        self.perhaps: memory.PerhapsNone = PerhapsNone(self)
        self.perhaps_set: memory.PerhapsSet = PerhapsSet(self)
        self.assumptions: memory.Assumptions = Assumptions(self)
        self.cells: memory.Cells = Cells(self)
        self.container_writes: memory.ContainerWrites = ContainerWrites(self)
        self.items: memory.Items = Items(self)
        self.lists: memory.Lists = Lists(self)
        self.dicts: memory.Dicts = Dicts(self)
        self.array_writes: memory.ArrayWrites = ArrayWrites(self)
        self.containers: expressions.Containers = Containers(self)
        self.expressions: expressions.Expressions = Expressions(self)
        self.known: expressions.KnownValues = KnownValues(self)
        self.names: expressions.Names = Names(self)
        self.attributes: expressions.Attributes = Attributes(self)
        self.subscripts: expressions.Subscripts = Subscripts(self)
        self.constants: expressions.ModuleConstants = ModuleConstants(self)
        self.assignment: control_flow.Assignment = Assignment(self)
        self.simple_statements: control_flow.SimpleStatements = SimpleStatements(self)
        self.branches: control_flow.Branches = Branches(self)
        self.ways: control_flow.Ways = Ways(self)
        self.loops: control_flow.Loops = Loops(self)
        self.guards = Guards(self)
        self.managers = Managers(self)
        self.patterns = Patterns(self)
        self.comprehensions: control_flow.Comprehensions = Comprehensions(self)
        self.filters: control_flow.Filters = Filters(self)
        self.protocols: control_flow.Protocols = Protocols(self)
        self.iterators: control_flow.LiveIterators = LiveIterators(self)
        self.steps: control_flow.SteppedIterators = SteppedIterators(self)
        self.itertools_calls: control_flow.ItertoolsCalls = ItertoolsCalls(self)
        self.calls: calls.Calls = Calls(self)
        self.inactive: calls.Inactive = Inactive(self)
        self.known_results: calls.KnownResults = KnownResults(self)
        self.handed_back: calls.HandedBack = HandedBack(self)
        self.objects_now: calls.ObjectsNow = ObjectsNow(self)
        self.boundary: memory.Boundary = Boundary(self)
        self.states: memory.States = States(self)
        self.call_effects: memory.CallEffects = CallEffects(self)
        self.closures: calls.Closures = Closures(self)
        self.lending: calls.Lending = Lending(self)
        self.higher_order: calls.HigherOrder = HigherOrder(self)
        self.sorting: calls.Sorting = Sorting(self)
        self.generators: calls.GeneratorCalls = GeneratorCalls(self)
        self.vectorizing: calls.Vectorizing = Vectorizing(self)
        self.construction: calls.Construction = Construction(self)
        self.overloads: calls.Overloads = Overloads(self)
        self.draws: calls.Draws = Draws(self)

    def function(
        self, name: str, params: dict[str, Node], doc: str = "", root: bool = False
    ) -> Function:
        """The whole function, its parameters bound to ``params`` (values or packs of them)."""
        body = self.scope.enter()
        body.params = [v for node in params.values() for v in leaves(node) if isinstance(v, Value)]
        known = self.scope.program.known
        known.enter_classes(body.params)
        self.versions.keep_rank0(v for v in body.params if is_rank_0(v) and v not in known.scalars)
        self.versions.rank0.arrays.update(v for v in body.params if v in known.arrays)
        self.boundary.admit(params, root)
        self.scope.env.update(self.siblings())
        self.statements(exit_queries.completed(self.scope.tree.body))
        values, tree = self.boundary.results(root)
        body.yields = [
            self.versions.current(self.operations.checked(v, self.scope.tree)) for v in values
        ]
        made = Function(
            name, body, tree, self.scope.source, doc=doc, captures=self.scope.program.captures
        )
        self.call_effects.summarise(made.facts, body.params, values)
        made.facts.updates, made.facts.doubtful = self.boundary.updates, self.boundary.doubtful
        made.facts.lost, made.facts.raises = self.boundary.lost_numbers(), self.scope.raised
        self.scope.leave()
        self.assumptions.flush()
        self.assumptions.drop_sleeping(made)
        self.items.check_exclusive(made)
        return made

    def enter_code(self, code: Code) -> None:
        """Lower an inner function, on its own, instead of the function around it."""
        self.code, self.scope.tree = code, code.node
        self.scope.local_names = set(bound_in(code.node))
        if not isinstance(code.node.body, list):
            self.scope.tree = as_definition(code.node)

    def siblings(self) -> dict[str, Node]:
        """The inner functions that an inner function on its own may call, itself among them."""
        if self.code is None:
            return {}
        names = [
            n for n in self.scope.env if not n.startswith("$") and n not in bound_in(self.code.node)
        ]
        held = Pack(self.code, names, [self.cells.seen(self.scope.env[n]) for n in names])
        return self.closures.sibling_closures(self.code, held)

    # -- statements and expressions ------------------------------------------------------

    def statements(self, body: list[gast.AST]) -> None:
        for at, statement in enumerate(body):
            if self.scope.dead:
                return
            self.scope.statement_node = statement
            rest = body[at + 1 :]
            self.scope.following = self.iterators.next_reader(rest)
            if isinstance(statement, gast.If) and exit_queries.may(statement):
                self.or_failing(
                    lambda _: self.branches.branch_that_exits(statement, rest),  # noqa: B023
                    statement.test,
                )
                return
            name = f"do_{type(statement).__name__}"
            part = PART_OF.get(name)
            if part is None:
                return self.simple_statements.refuse(statement)
            self.scope.program.attempt.enter(self.scope, statement)
            self.or_failing(getattr(getattr(self, part), name), statement)
            if isinstance(statement, exit_queries.GUARDED) and exit_queries.may(statement):
                self.branches.unless_left(statement, rest)
                return
            if isinstance(statement, (gast.For, gast.While)) and exit_queries.may(statement):
                self.branches.after_loop_that_returns(statement, rest)
                return

    def or_failing(self, lower: Callable[[gast.AST], Any], node: gast.AST) -> None:
        """Lower a statement; if it is certain to fail, what is raised stands in its place.

        Nothing is asked of what stands behind a call that never returns.
        """
        block = self.scope.block
        try:
            with self.scope.statement():
                lower(node)
        except CompileError as error:
            here = self.scope.block is block
            if not (here and (self.scope.dead or self.simple_statements.fails(error, node))):
                raise

    def expression(self, node: gast.AST) -> Node:
        scope, name = self.scope, f"on_{type(node).__name__}"
        outer, scope.node = scope.node, node
        try:
            part = PART_OF.get(name)
            if part is None:
                return self.expressions.refuse(node)
            made = known_object(scope.program, getattr(getattr(self, part), name)(node))
            return self.perhaps.read(made, node) if is_perhaps(made) else made
        finally:
            scope.node = outer

    def builtin(self, name: str) -> Callable[..., Node] | None:
        """How a call of a builtin is lowered; None where it is a call like any other."""
        part = PART_OF.get(f"builtin_{name}")
        return None if part is None else getattr(getattr(self, part), f"builtin_{name}")


# The parts that say by the names of their methods which statements (`do_If`), expressions (`on_Call`) and
# calls of builtins (`builtin_zip`) they lower.
HANDLERS: dict[str, type] = {
    "containers": Containers,
    "expressions": Expressions,
    "names": Names,
    "attributes": Attributes,
    "assignment": Assignment,
    "simple_statements": SimpleStatements,
    "branches": Branches,
    "loops": Loops,
    "guards": Guards,
    "managers": Managers,
    "patterns": Patterns,
    "comprehensions": Comprehensions,
    "protocols": Protocols,
    "steps": SteppedIterators,
    "calls": Calls,
    "construction": Construction,
    "overloads": Overloads,
}
PART_OF = {
    name: part
    for part, cls in HANDLERS.items()
    for name in vars(cls)
    if name.startswith(("do_", "on_", "builtin_"))
}
