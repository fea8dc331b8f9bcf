"""Loops: their bodies are lowered until what they carry agrees with itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from retrograd.runtime.errors import UnsupportedSyntax

from ...analyses.shapes.infer import type_of
from ...frontend import exit_queries
from ...frontend.desugar import tested_in_body
from ...frontend.upward_exposed_reads import exposed
from ...ir.containers import Pack, leaves, rebuild
from ...ir.operations import UNDEFINED, Block, Const, Loop, Value
from ..calls.checkpoint_marks import asked, not_unrolled
from ..iteration.iterables import Iteration, is_strict
from ..memory.array_versions import hidden
from ..memory.container_identity import Ref, Unsettled, cell_name, is_cell
from .join import Conflict, Torn
from .loop_aliasing import Sharing
from .loop_carried import Attempt, Plan, Shaped

__all__ = ["Loops"]

Node = Any
ROUNDS = 100  # plans for a loop that do not hold
ATTEMPTS = 12  # at types, and at what shares memory, until a loop body agrees with itself


class WrittenTest(Exception):
    """The test of a ``while`` writes to an array or a container."""


class Loops:
    """Lowers ``for`` and ``while``."""

    if TYPE_CHECKING:  # what the classes beside this one add
        env: dict[str, Node]
        tree: Any
        truth_of: Any
        blocks: list[Block]
        block: Any
        born: dict[Value, Block]
        cells: dict[str, Any]
        memory: Any
        loop_depth: int
        dead: bool
        raised: bool
        rejoined: Any
        as_one: Any
        assign: Any
        cell_hint: Any
        check_lengths: Any
        check_steady: Any
        enter: Any
        expression: Any
        flush: Any
        iterable: Any
        known_to_collect: Any
        latest_or_lost: Any
        leave: Any
        location: Any
        mark: Any
        operand: Any
        outlives: Any
        place: Any
        rewind: Any
        seen: Any
        stand_in: Any
        statements: Any
        stored: Any
        unroll: Any

    def do_For(self, node: Any) -> None:
        source, snapshots = asked(self, node.iter)
        iterable = self.iterable(source)
        not_unrolled(self, node, snapshots, iterable)
        if isinstance(iterable, Pack):
            return self.unroll(node, iterable)  # type: ignore[no-any-return]
        assert isinstance(iterable, Iteration)
        if is_strict(iterable) and any(map(exit_queries.stops, node.body)):
            raise UnsupportedSyntax(
                "a loop over zip(strict=True) that may be left before its end is not supported",
                place=self.place(node), fix="compare the lengths before the loop, and leave out strict",
            )  # fmt: skip
        if iterable.bounds is None:
            iterable.measure(self)
        self.loop(node, iterable, snapshots)

    def do_While(self, node: Any) -> None:
        test, snapshots = asked(self, node.test)
        before, back = dict(self.env), self.checkpoint()
        try:
            self.loop(node, None, snapshots)
        except WrittenTest:  # it is evaluated in the body, then
            back()
            self.env = before
            self.loop(tested_in_body(node, test), None, snapshots)

    def loop(self, node: Any, iterable: Iteration | None, snapshots: int = 0) -> None:
        outer = dict(self.env)
        carried = self.carried_names(node, outer)
        types = {
            n: [type_of(v) for v in leaves(outer[n]) if not isinstance(v, Ref)] for n in carried
        }
        plan = Plan(carried, types, Sharing(self.memory))
        plan.collected |= self.known_to_collect(node)
        fixed = {n: Conflict(n, in_loop=True) for n in self.bound_to_functions(node, outer)}
        patience, rounds = ATTEMPTS, 0
        while patience:
            plan.shared.restore()
            self.env = outer | fixed
            self.read_first(plan, outer)
            back = self.checkpoint()
            try:
                attempt = self.attempt(node, iterable, plan, outer)
            except Unsettled as found:
                back()
                self.env = outer
                plan.revise(found)
                rounds += 1
                patience *= rounds < ROUNDS
                continue
            except Shaped as found:
                if found.plan is not plan:
                    raise
                back()
                self.reshape(plan, {found.name: found.whole}, outer)
                rounds += 1
                patience *= rounds < ROUNDS
                continue
            if attempt.changes:
                plan.types |= attempt.types
                back()
                self.env = outer
                for change in attempt.changes:
                    change(plan)
                rounds += 1
                patience *= rounds < ROUNDS
                continue
            if attempt.settled():
                if iterable is not None:
                    self.check_lengths(iterable, attempt.loop.body, attempt.env, node)
                    self.check_steady(iterable, plan.carried, node)
                break
            patience -= 1
            self.reshape(plan, attempt.reshaped, outer)
            plan.types |= attempt.types
        else:
            raise UnsupportedSyntax(
                "a loop variable changes type from one iteration to the next", place=self.place(node),
                fix="give what it changes the same types before the loop and at its end",
            )  # fmt: skip
        attempt.loop.snapshots = snapshots
        self.block.ops.append(attempt.loop)
        self.finished = attempt
        attempt.leave()
        self.env |= fixed

    def reshape(self, plan: Plan, found: dict[str, Node], outer: dict[str, Node]) -> None:
        """Names unbound before the loop that hold containers at its end are empty ones before."""
        self.env = outer
        for name, content in found.items():
            plan.types[name] = [type_of(v) for v in leaves(content)]
            outer[name] = self.stored(rebuild(content, lambda _: UNDEFINED))
            plan.shared.forget(name)
            if any(isinstance(v, Ref) for v in leaves(outer[name])):
                plan.deep.add(name)

    def read_first(self, plan: Plan, outer: dict[str, Node]) -> None:
        """Read what a loop begins with where it begins: views of arrays that were written to."""
        for name in [*plan.carried, *filter(is_cell, outer)]:
            for v in leaves(outer[name]):
                if isinstance(v, Value) and v not in plan.first:
                    plan.first[v] = self.latest_or_lost(v)

    def checkpoint(self) -> Any:
        """A function that undoes what an attempt left half done."""
        self.flush()
        names = ("dead", "raised", "loop_depth", "inline_depth", "frame", "tree", "local_names", "node",
                 "python", "source", "statement_node", "pinned", "trying", "outside")  # fmt: skip
        kept = {name: getattr(self, name) for name in names}
        blocks, mark = list(self.blocks), self.mark()

        def back() -> None:
            self.__dict__.update(kept)
            self.blocks[:] = blocks
            self.rewind(mark)

        return back

    def carried_names(self, node: Any, outer: dict[str, Node]) -> list[str]:
        """The names a loop changes, hidden ones last; an unbound one only if another iteration reads it, or what follows."""
        assigned = exit_queries.assigned(node)
        read = exit_queries.read_outside(self.tree, node) | exposed(node)
        for name in assigned:
            if name not in outer and name in read:
                outer[name] = UNDEFINED
        names = [n for n in assigned if n in outer and self.is_data(outer[n])]
        for name, default in exit_queries.hidden_names(node, self.loop_depth):
            outer.setdefault(name, default)
            if name != "$stop":
                names.append(name)
        return names

    def bound_to_functions(self, node: Any, outer: dict[str, Node]) -> list[str]:
        """The names that a loop binds anew which it cannot carry: of functions, of iterators."""
        found = [n for n in exit_queries.assigned(node) if n in outer and outer[n] is not UNDEFINED]
        found = [n for n in found if not isinstance(outer[n], (Conflict, Torn))]
        return [n for n in found if not self.is_data(outer[n])]

    def is_data(self, node: Node) -> bool:
        found = list(leaves(node))
        if any(isinstance(v, Ref) for v in found):
            found = list(leaves(self.seen(node)))
        return all(isinstance(v, (Value, Const)) for v in found)

    def whole_of(self, node: Node, env: dict[str, Node]) -> Node:
        """A node with the content of its containers in some environment."""
        outer, self.env = self.env, env
        try:
            return self.seen(node)
        finally:
            self.env = outer

    def list_outer(self, plan: Plan, name: str, cell: int) -> None:
        """Make a list one value of run-time length, before the loop."""
        held = cell_name(cell)
        value = self.as_one(self.seen(Ref(cell)))
        value.items[0].hint = self.cell_hint(held)
        self.env[held] = value
        for carried in plan.carried:
            if carried in (name, held):
                node = self.seen(self.env[carried]) if carried in plan.deep else self.env[carried]
                plan.fix(carried, node, set())

    def attempt(
        self, node: Any, iterable: Iteration | None, plan: Plan, outer: dict[str, Node]
    ) -> Attempt:
        """Lower the body once, the carried values having the types of the plan."""
        loop = Loop([], self.location(node), [], Block())
        if iterable is not None:
            loop.bounds, loop.header = iterable.bounds, iterable
        index = [Value(iterable.hint, iterable.index_type)] if iterable is not None else []
        attempt = Attempt(self, loop, plan, outer, node)
        attempt.enter()
        if iterable is None:
            loop.cond = self.lower_condition(node, attempt.params)
        loop.body = self.enter()
        self.born.update((v, loop.body) for v in [*index, *attempt.params])
        self.loop_depth += 1
        self.env["$stop"] = self.env["$left"] = Const(False)
        if iterable is not None:
            self.assign(node.target, iterable.element(self, index[0]))
        self.statements(node.body)
        self.rejoined()
        self.dead = self.raised = False
        self.loop_depth -= 1
        loop.body.params = index + attempt.params
        attempt.close()  # in the body: it reads arrays as they are at its end
        self.leave()
        ends = {name: attempt.packed_ends(name) for name in plan.carried}
        attempt.nearer |= plan.shared.leave(self, plan.carried, ends)
        return attempt

    def lower_condition(self, node: Any, params: list[Value]) -> Block:
        """The test of a ``while``, as a region over its own copies of the carried values."""
        saved = dict(self.env)
        copies = {p: Value(p.hint, p.type) for p in params}
        self.env = {
            name: rebuild(held, lambda v: copies.get(v, v) if isinstance(v, Value) else v)
            for name, held in self.env.items()
        }
        self.stand_in(copies)
        before = dict(self.env)
        block = self.enter()
        test = self.truth_of(self.expression(asked(self, node.test)[0]), node)
        block.yields = [self.operand(test)]
        self.leave()
        block.params = list(copies.values())
        self.check_test(before, node)
        self.env = saved
        return block  # type: ignore[no-any-return]

    def check_test(self, before: dict[str, Node], node: Any) -> None:
        """The test of a loop is evaluated apart from its body: it writes to nothing."""
        lasting = [
            n for n in self.env if (hidden(n) and self.outlives(self.cells[n])) or is_cell(n)
        ]
        default = {n: self.cells[n].first if hidden(n) else self.env[n] for n in lasting}
        if any(self.env[n] is not before.get(n, default[n]) for n in lasting):
            raise WrittenTest
