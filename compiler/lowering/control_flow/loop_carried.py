"""The names and containers that a loop carries: those that its body leaves different.

A container that is written to in the body is carried by its content.  A name that holds another
container at the end of the body is carried *deep*: at the head it holds a container of its own.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator
from typing import Any

import gast

from retrograd.runtime.errors import UnsupportedSyntax

from ...analyses.shapes.infer import type_of
from ...frontend import exit_queries
from ...frontend.made_nodes import spoken
from ...frontend.upward_exposed_reads import exposed
from ...ir.containers import Pack, leaves, rebuild, structure_of
from ...ir.lattice import join
from ...ir.operations import (
    UNDEFINED,
    Const,
    Loop,
    Value,
)
from ...ir.types import Array, Type
from ..chosen_functions import as_one_of, extended, functions_in, is_carried, lasts, places_among
from ..interface.lowerer import Lowerer
from ..memory.array_kinds import is_constant_array
from ..memory.places import Lost, Unsettled, cell_name, is_cell
from ..memory.places import hidden as is_version
from ..nodes import (
    Collecting,
    Environment,
    Listed,
    Mapped,
    Node,
    OneOf,
    Ref,
    Within,
)
from .carried_entries import (
    entry_hint,
    is_collectable,
    is_function,
    left_by,
    packed,
    spelled,
)
from .list_collection import Collection
from .loop_aliasing import Slot
from .loop_plan import Plan, Shaped
from .one_sided.perhaps_none import (
    is_none_constant,
    is_perhaps,
    none_like,
    one_may_be_none,
    perhaps,
    types_beside_none,
)
from .split_aliases import twice
from .unbound_names import Conflict, Torn, Unsure, is_bound, same_constant
from .warm_starts.changes import (
    BeginChoice,
    BeginPerhaps,
    Carry,
    CarryMemory,
    CarryNone,
    Change,
    Collect,
    Deepen,
    HoldNone,
    Keep,
    LeaveOut,
    ListOuter,
    Lose,
    Part,
    Rebind,
    Settle,
    Unfix,
)

__all__ = ["Attempt"]

RUN_TIME = {Listed, Mapped}


class Attempt:
    """One lowering of a loop body, with the names it carries."""

    def __init__(
        self, lowerer: Lowerer, loop: Loop, plan: Plan, outer: Environment, node: gast.AST
    ) -> None:
        self.lowerer, self.loop, self.plan, self.node = lowerer, loop, plan, node
        self.outer: Environment = outer  # before the loop
        self.heads: dict[int, int] = {}  # containers before the loop -> at its head
        self.params: list[Value] = []
        self.params_of: dict[str, Node] = {}
        self.inits: list[Any] = []
        self.yields: list[Any] = []
        self.types: dict[str, Any] = {}
        self.reshaped: dict[str, Node] = {}  # names unbound before the loop that hold containers
        self.pairs: list[tuple[int, int]] = []
        self.walked: dict[
            int, tuple[str, int]
        ] = {}  # who holds a container first, and what at the end
        self.spans: dict[str, slice] = {}  # which of the carried values a name has
        self.ends: dict[str, list[Any]] = {}  # what they are at the end, before later writes
        self.collection = Collection(lowerer, self)
        self.changes: list[Change] = []  # of the plan, which did not hold
        self.nearer = False  # whether values turned out to share memory that were thought apart

    def settled(self) -> bool:
        """True if the body ends as it was thought to begin."""
        same = spelled(self.types) == spelled({n: self.plan.types[n] for n in self.types})
        return same and not self.reshaped and not self.nearer

    # -- the head --------------------------------------------------------------------

    def enter(self) -> None:
        """The carried names at the head of the loop."""
        for cell in self.plan.collected:
            self.lowerer.scope.env[cell_name(cell)] = Pack(Collecting, [], [])
        for name in self.plan.carried:
            kinds, start = iter(self.plan.types[name]), len(self.params)
            self.counter = itertools.count()
            self.params_of[name] = self.head(name, self.outer[name], kinds, self.hint(name))
            self.spans[name] = slice(start, len(self.params))
        shared, inits, params = (
            self.plan.shared,
            self.by_name(self.inits),
            self.by_name(self.params),
        )
        shared.enter(self.plan.carried, inits, params)
        for init, param in zip(self.inits, self.params, strict=True):
            if is_constant_array(init) or (init in self.plan.of_module):
                self.lowerer.versions.hold_of_module(param)
        self.lowerer.scope.env.update(self.params_of)
        self.ask_late(self.lowerer.scope.env)

    def ask_late(self, env: Environment) -> None:
        """Names that may be unbound: whether they are is asked where they are read."""
        for name in self.plan.carried:
            if is_bound(name) in self.plan.carried:
                env[name] = Unsure.carried(name, self.lowerer, env[name], env[is_bound(name)])

    def answer(self, env: Environment) -> None:
        """What these names hold at the end, and whether they are bound there."""
        for name in self.plan.carried:
            if is_bound(name) in self.plan.carried:
                end = env[name]
                known = isinstance(end, Unsure)
                if known:
                    end.ask()
                env[name] = end.content if known else end
                env[is_bound(name)] = end.as_flag() if known else Const(True)

    def packed_ends(self, name: str) -> Pack:
        return packed(self.ends[name]) if name in self.ends else packed([])

    def by_name(self, values: list[Any]) -> dict[str, Pack]:
        return {name: packed(values[at]) for name, at in self.spans.items()}

    def hint(self, name: str) -> str | None:
        found: str | None
        if is_version(name):
            found = self.lowerer.versions.cells[name].first.hint
        else:
            found = self.lowerer.cells.cell_hint(name) if is_cell(name) else spoken(name)
        return found

    def head(self, name: str, init: Node, kinds: Iterator[Type], hint: str | None) -> Node:
        if not isinstance(init, Pack) and self.is_fixed(name):
            return init
        if isinstance(init, Ref):
            return self.head_container(name, init, kinds, hint) if name in self.plan.deep else init
        if isinstance(init, Pack):
            items = [
                self.head(name, item, kinds, entry_hint(hint, key))
                for key, item in zip(init.keys, init.items, strict=True)
            ]
            return Pack(init.kind, list(init.keys), items)
        kind = next(kinds, None)
        if self.plan.as_none and is_none_constant(init):
            return init
        value = Value(hint, kind)
        value.hidden = name == "$result"
        if init is UNDEFINED or is_none_constant(init):
            self.lowerer.loops.begin_blank(value, self.plan)
        now = self.plan.first.get(init, init) if isinstance(init, Value) else init
        if isinstance(now, Lost):
            raise self.lost(name, now)
        self.params.append(value)
        self.inits.append(now)
        self.lowerer.loops.begin_with(value, init)
        return value

    def is_fixed(self, name: str) -> bool:
        """True if the next entry of a container stays as it is."""
        return next(self.counter) in self.plan.fixed.get(name, ())

    def lost(self, name: str, lost: Lost) -> Unsettled:
        """A name whose array may have been written to is not carried."""
        return Unsettled(Lose(name, lost))

    def head_container(self, name: str, init: Ref, kinds: Iterator[Type], hint: str | None) -> Ref:
        if init.cell not in self.heads:
            made = self.heads[init.cell] = self.lowerer.scope.program.next_cell()
            content = self.head(name, self.outer[cell_name(init.cell)], kinds, hint)
            self.lowerer.scope.env[cell_name(made)] = content
        return Ref(self.heads[init.cell])

    # -- the end ---------------------------------------------------------------------

    def close(self) -> None:
        """Set what the body yields, and the types it would like to carry."""
        lowerer, loop = self.lowerer, self.loop
        self.answer(lowerer.scope.env)
        for name in self.plan.carried:
            if name in lowerer.scope.env:
                lowerer.scope.env[name] = lowerer.items.settled(lowerer.scope.env[name])
        lowerer.versions.choices.at_end(loop.body, self.outer, self.plan.carried)
        self.env = dict(lowerer.scope.env)
        self.changes = [*self.find_written(), *self.find_moved(), *self.find_bound()]
        done: set[int] = set()
        try:
            for name in self.plan.carried:
                self.end_of(name, done)
        except Unsettled as found:
            if found.cell is not None:
                raise
            self.changes.append(found.change)
        if self.changes:
            return
        loop.inits, loop.body.yields = list(self.inits), list(self.yields)
        stacks = [self.collection.collect(cell) for cell in sorted(self.plan.collected)]
        stop = self.env["$stop"]
        if not (isinstance(stop, Const) and not stop.value):
            loop.stops = True
            loop.body.yields.append(stop)
        loop.results = [*left_by(loop, self.params), *stacks]
        for value, param in zip(loop.results, self.params, strict=False):
            value.hidden = param.hidden

    def find_written(self) -> list[Change]:
        """Containers and memories that the body writes to, and the loop does not carry yet."""
        changes: list[Change] = []
        for name, before in self.outer.items():
            if not is_cell(name) or name in self.plan.carried or isinstance(before, Lost):
                continue
            cell = int(name.removeprefix("$cell "))
            if cell in self.plan.collected or self.env.get(name) is before:
                continue
            if isinstance(before, Pack) and before.kind is Collecting:
                raise Unsettled(cell=cell)
            if is_collectable(before) and cell not in self.plan.tried:
                changes.append(Collect(name))
            else:
                fixed = self.unchanged(before, self.env.get(name))
                changes.append(Carry(name, frozenset(fixed)))
        rebound = self.find_rebound()
        if rebound:
            return rebound
        for name in self.lowerer.versions.changed_versions(self.outer, self.plan.carried):
            first = self.lowerer.versions.cells[name].first
            lost = isinstance(self.outer.get(name), Lost) and isinstance(self.env[name], Lost)
            if lost or self.lowerer.versions.born.get(first) is self.loop.body:
                continue
            changes.append(CarryMemory(name, self.env[name]))
        return changes

    def find_rebound(self) -> list[Change]:
        """Names that keep the array they hold, and is written to; and those that were thought to."""
        changes: list[Change] = []
        for name, keeps in self.plan.steady.items():
            before = self.outer[name]
            if keeps and not self.is_same(before, self.env.get(name)):
                changes.append(Rebind(name))
        for name, param in () if self.lowerer.scope.in_try else self.params_of.items():
            if name in self.plan.steady or is_version(name) or is_cell(name):
                continue
            held = self.lowerer.versions.rank0.is_written_by(self.outer[name])
            if held and self.is_written(param, self.env.get(name)):
                changes.append(Keep(name))
        return changes

    def is_written(self, param: Node, end: Node) -> bool:
        """True if a name still holds the array that it held at the head, with other content."""
        if not isinstance(param, Value) or not isinstance(param.type, Array):
            return False
        place = self.lowerer.versions.places.get(param)
        if place is None or not self.is_same(param, end):
            return False
        return self.lowerer.versions.latest_or_lost(param) is not param

    def find_moved(self) -> list[Change]:
        """Names from before the loop that hold an item which the body puts elsewhere."""
        bound = exit_queries.assigned(self.node)
        names = [
            n for n, held in self.outer.items()
            if any(isinstance(v, Within) for v in leaves(held)) and n not in bound
            and self.env.get(n) is not held
        ]  # fmt: skip
        return [Settle(n) for n in names]

    def find_bound(self) -> list[Change]:
        """Names that were thought to be None all the time."""
        names = [n for n in self.plan.nones if not is_none_constant(self.env.get(n))]
        return [CarryNone(n) for n in names]

    def unchanged(self, before: Node, after: Node) -> set[int]:
        """Which entries of a container are at the end of the body what they were at its head."""
        if structure_of(before) != structure_of(after):
            return set()
        pairs = enumerate(zip(leaves(before), leaves(after), strict=True))
        return {k for k, (a, b) in pairs if self.is_same(a, b)}

    def is_same(self, a: Node, b: Node) -> bool:
        return a is b or a == b or same_constant(a, b) or self.lowerer.versions.same_place(a, b)

    def end_of(self, name: str, done: set[int]) -> None:
        init, end = self.outer[name], self.env[name]
        around = self.lowerer.loops.blank.get(init) if isinstance(init, Value) else None
        nothing = init is UNDEFINED or is_none_constant(init) or around is not None
        if nothing and isinstance(end, (Pack, Ref)):
            whole = rebuild(self.lowerer.cells.seen(end), lambda v: v)
            whole = self.lowerer.loops.beside(init, whole)
            if around is not None and self.lowerer.loops.is_data(whole):
                raise Shaped(around, name, whole)
            if self.lowerer.loops.is_data(whole):
                self.reshaped[name] = whole
                self.types[name] = types_beside_none(whole)
                return
        if is_none_constant(init) and is_none_constant(end) and name not in self.plan.not_none:
            raise Unsettled(HoldNone(name))
        if self.plan.as_none and is_none_constant(init):
            return
        end = self.env[name] = self.function_at_end(name, init, end)
        if is_perhaps(init) is not is_perhaps(end) and one_may_be_none(init, end):
            end = self.env[name] = self.perhaps(name, init, end)
        start = len(self.yields)
        self.ends[name] = []
        self.counter = itertools.count()
        self.match(name, init, end, done)
        known = self.plan.types[name]
        made = [type_of(y) for y in self.yields[start:]]
        self.types[name] = [join(t, y) for t, y in zip(known, made, strict=False)]

    def function_at_end(self, name: str, init: Node, end: Node) -> Node:
        """One of several functions at the end, by its place; where a name holds one before the loop and another then."""
        if name.startswith("$") or is_cell(name) or not (is_carried(init) or lasts(init)):
            return end
        held = as_one_of(end)
        functions = functions_in(held)
        if (
            init is end
            or not all(map(lasts, functions))
            or (held is not end and end.kind is getattr(init, "kind", None))
        ):
            return end
        known = list(init.kind.functions) if is_carried(init) else [init]
        every = extended(known, functions)
        if len(every) == 1:
            return end
        if len(every) > len(known):
            raise Unsettled(BeginChoice(name, tuple(every)))
        places = places_among(known, functions)
        place: Any = Const(places[0])
        if isinstance(held, OneOf):
            outer = self.lowerer.scope.use(self.env)
            place = self.lowerer.operations.apply(
                operator.getitem, (Const(tuple(places)), held.place), {}
            )
            self.lowerer.scope.use(outer)
        return Pack(init.kind, ["place"], [place])

    def perhaps(self, name: str, init: Node, end: Node) -> Pack:
        """What a name holds at the end that may be None before the loop, or at its end."""
        if not is_perhaps(init):
            raise Unsettled(BeginPerhaps(name))
        if not is_none_constant(end):
            return perhaps(Const(False), end)
        blank = none_like(self.lowerer.loops.whole_of(init.items[1], self.outer))
        outer = self.lowerer.scope.use(self.env)
        made: Pack = self.lowerer.cells.stored(blank)
        self.lowerer.scope.use(outer)
        return made

    def match(self, name: str, init: Node, end: Node, done: set[int]) -> None:
        """The values at the end of the body, in the order of the carried ones."""
        if not isinstance(init, Pack) and self.is_fixed(name):
            if not self.is_same(init, end):
                raise Unsettled(Unfix(name))
            return
        if isinstance(init, Ref) and isinstance(end, Ref):
            if name not in self.plan.deep:
                if init == end:
                    return
                raise Unsettled(Deepen(name))
            walked = self.walked.setdefault(init.cell, (name, end.cell))
            if walked[1] != end.cell:
                raise self.parted(name, walked[0])
            self.pairs.append((init.cell, end.cell))
            if init.cell in done:
                return
            done.add(init.cell)
            self.contents(name, init.cell, end.cell, done)
        elif isinstance(init, Pack) and isinstance(end, Pack):
            if (init.kind, init.keys) != (end.kind, end.keys):
                if is_cell(name):
                    cell = int(name.removeprefix("$cell "))
                    end = self.lists(name, cell, init, end)
                if (init.kind, init.keys) != (end.kind, end.keys):
                    raise self.another(name)
            for a, b in zip(init.items, end.items, strict=True):
                self.match(name, a, b, done)
        elif isinstance(init, (Value, Const)) and isinstance(end, (Value, Const)):
            now = self.lowerer.versions.latest_or_lost(end)
            if isinstance(now, Lost):
                raise self.lost(name, now)
            if is_constant_array(end) and init not in self.plan.of_module:
                self.plan.of_module.append(init)
                self.nearer = True
            self.yields.append(now)
            self.ends[name].append(end)
        elif isinstance(end, Lost):
            raise self.lost(name, end)
        else:
            self.lowerer.boundary.open_rebound(init, end, self.node)
            raise self.another(name)

    def parted(self, name: str, other: str) -> Exception:
        """A container that two names hold before the loop is another for each of them in it."""
        if name == other:
            return twice(self.shown(name), self.lowerer.scope.place(self.node))
        return Unsettled(Part(name))

    def contents(self, name: str, a: int, b: int, done: set[int]) -> None:
        before, after = self.outer[cell_name(a)], self.env[cell_name(b)]
        if isinstance(before, Pack) and isinstance(after, Pack):
            after = self.env[cell_name(b)] = self.lists(name, a, before, after)
        self.match(name, before, after, done)

    def lists(self, name: str, cell: int, before: Pack, after: Pack) -> Pack:
        """A list whose length changes is one value at the head and at the end: what it is at the end."""
        kinds = {before.kind, after.kind}
        if not (kinds <= {list, Listed} or kinds <= {dict, Mapped}) or len(kinds & RUN_TIME) == len(
            kinds
        ):
            return after
        known = before.kind in (list, dict)
        if known and (after.kind in RUN_TIME or before.keys != after.keys):
            raise Unsettled(ListOuter(name, cell_name(cell)))
        if before.kind in RUN_TIME:
            return self.lowerer.cells.as_one(self.lowerer.cells.seen(after))  # type: ignore[no-any-return]
        return after

    def another(self, name: str) -> Exception:
        """A name holds something else at the end of the body; it may, if it is bound before it is read."""
        before, after = self.outer[name], self.env.get(name)
        unknown = is_function(after) or isinstance(after, Conflict)
        of_its_own = not name.startswith("$") and name not in exposed(self.node)
        if is_function(before) or (before is UNDEFINED and unknown) or of_its_own:
            return Unsettled(LeaveOut(name))
        return self.changed(name)

    def changed(self, name: str) -> UnsupportedSyntax:
        if name == "$result":
            found: UnsupportedSyntax = self.lowerer.boundary.returns_differ()
            return found
        now = self.lowerer.scope.env.get(name)
        if isinstance(now, Torn):
            return self.lowerer.names.unbound(name, now, self.node)  # type: ignore[no-any-return]
        shown = self.shown(name)
        refused = UnsupportedSyntax(
            f"{shown} changes its structure in this loop",
            place=self.lowerer.scope.place(self.node),
            fix=f"give {shown} the same containers before the loop and at its end",
        )
        refused.in_turn = True
        return refused

    def shown(self, name: str) -> str:
        hint = self.lowerer.cells.cell_hint(name) if is_cell(name) else name
        return f"`{hint}`" if hint else "a container"

    def result_at(self, slot: Slot) -> Value | None:
        name, k = slot
        if name not in self.spans:
            return None
        results = self.loop.results[self.spans[name]]
        if k >= len(results):  # it had more parts when the loop was planned
            raise self.changed(name)
        return results[k]
