"""Loops: their bodies are lowered until what they carry agrees with itself."""

from __future__ import annotations

import operator
from collections.abc import Callable

import gast

from retrograd.runtime.errors import CompileError, UnsupportedSyntax

from ...analyses.raised_exceptions import may_raise
from ...analyses.shapes.infer import type_of
from ...frontend import exit_queries
from ...frontend.any_order import in_any_order
from ...frontend.desugar import tested_in_body
from ...frontend.split_tries import StepFor
from ...frontend.upward_exposed_reads import begins, exposed
from ...ir.containers import Pack, leaves, rebuild
from ...ir.operations import UNDEFINED, Apply, Block, Const, If, Loop, Op, Value
from ...ir.types import Number
from ..calls.checkpoint_marks import asked, not_unrolled
from ..chosen_functions import lasts
from ..interface.lowerer import Lowerer
from ..iteration.iterables import Iteration, Late, Range, Sequence, goes_on, is_const, is_strict
from ..library.sets import Scattered
from ..memory.places import cell_name, hidden, is_cell
from ..nodes import UNKNOWN, Choice, Environment, Node, Ref
from .loop_aliasing import Sharing
from .loop_attempts import Attempts, Tables
from .loop_carried import Attempt
from .loop_plan import Plan, Shaped
from .loop_results import LoopResults
from .one_sided.perhaps_none import (
    is_none_constant,
    is_perhaps,
    perhaps,
)
from .scattered_loops import in_turn
from .sure_exceptions import caught_by
from .unbound_names import Conflict, Torn, Unsure, is_bound
from .warm_starts.remembered import Known, WarmStarts

__all__ = ["Loops"]

FEW = 8  # iterations that are written out, where they cannot be lowered as one


class WrittenTest(Exception):
    """The test of a ``while`` writes to an array or a container."""


class NeverRuns(Exception):
    """The test of a ``while`` is false before its first iteration."""


class Loops:
    """Lowers ``for`` and ``while``."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope
        self.blank: dict[Value, Plan] = {}  # what stands for names that are not bound before a loop
        self.carried_from: dict[Value, Node] = {}  # what the heads of loops held at first
        self.warm = WarmStarts()
        self.leaves_early = False  # the loop whose iterable is lowered now may

    def begin_blank(self, value: Value, plan: Plan) -> None:
        """This stands for a name that is not bound before the loop of a plan."""
        self.blank[value] = plan

    def begin_with(self, value: Value, init: Node) -> None:
        """The head of a loop holds this at first."""
        self.carried_from[value] = init

    def begin_as_container(self, name: str, node: Node, whole: Node) -> None:
        """A name that was not bound before a loop, or None, holds a container at the end of one way through it."""
        while isinstance(node, Value) and node not in self.blank:
            node = self.carried_from.get(node)
        plan = self.blank.get(node) if isinstance(node, Value) else None
        if plan is not None and isinstance(whole, Pack) and self.is_data(whole):
            raise Shaped(plan, name, self.beside(node, whole))

    def beside(self, node: Node, whole: Pack) -> Pack:
        """What a name may hold that held ``node`` before a loop, and this container at its end."""
        while isinstance(node, Value) and node in self.carried_from:
            node = self.carried_from[node]
        none_before = is_none_constant(node) and not is_perhaps(whole)
        return perhaps(Const(False), whole) if none_before else whole

    def do_For(self, node: gast.AST) -> None:
        source, snapshots = asked(self.lowerer, node.iter)
        leaves = any(map(exit_queries.stops, node.body))
        outer, self.leaves_early = self.leaves_early, leaves
        start, plan = len(self.scope.block.ops), in_any_order(node)
        try:
            iterable = self.lowerer.containers.iterable(source, plan is not None)
        finally:
            self.leaves_early = outer
        if isinstance(node, StepFor):
            self.must_not_fail(node, iterable, self.scope.block.ops[start:])
        not_unrolled(self.lowerer, node, snapshots, iterable)
        if isinstance(iterable, Pack) and iterable.kind is Scattered and plan is not None:
            return in_turn(self.lowerer, node, iterable, plan)
        if isinstance(iterable, Pack):
            rows = many(iterable, self.scope.block.ops[start:]) if may_leave(node) else None
            if rows is None or not self.as_one(node, rows, snapshots):
                self.unroll(node, iterable)
            return None
        assert isinstance(iterable, Iteration)
        if is_strict(iterable) and leaves:
            raise UnsupportedSyntax(
                "a loop over zip(strict=True) that may be left before its end is not supported",
                place=self.scope.place(node), fix="compare the lengths before the loop, and leave out strict",
            )  # fmt: skip
        if iterable.bounds is None and not isinstance(iterable, Late):
            iterable.measure(self.lowerer)
        tables = Tables(self.lowerer)
        try:
            self.loop(node, iterable, snapshots)
        except CompileError as error:
            if isinstance(iterable, Late):  # perhaps there is nothing to go over
                self.lowerer.known_results.ask(iterable.value)
            numbers = self.few(iterable) if error.in_turn and not snapshots else None
            if numbers is None:
                raise
            tables.restore()
            self.unroll(node, numbers)

    def as_one(self, node: gast.AST, iterable: Iteration, snapshots: int) -> bool:
        """Lower a loop whose iterations might be written out as one all the same, if that can be done."""
        iterable.measure(self.lowerer)
        tables, before = Tables(self.lowerer), dict(self.scope.env)
        try:
            self.loop(node, iterable, snapshots)
        except CompileError:
            tables.restore()
            return False
        known = [name for name, was in before.items() if isinstance(was, Pack)]
        if all(isinstance(self.scope.env.get(name), Pack) for name in known):
            return True
        tables.restore()  # item by item, a container is known better
        return False

    def few(self, iterable: Iteration) -> Pack | None:
        """The numbers of a range, if these are a few, and known: each makes an iteration of its own."""
        bounds = iterable.bounds if type(iterable) is Range else None
        known = UNKNOWN if bounds is None else self.lowerer.known.of(list(bounds))
        if known is UNKNOWN or len(range(*known)) > FEW:
            return None
        items = [Const(k) for k in range(*known)]
        return Pack(list, list(range(len(items))), items)

    do_StepFor = do_For

    def must_not_fail(self, node: StepFor, iterable: Node, ops: list[Op]) -> None:
        """Going over this raises nothing that the handlers of a `try` around it catch."""
        classes = caught_by(self.lowerer, node.handlers)
        if classes is None or not goes_on(iterable) or may_raise(ops, classes):
            raise UnsupportedSyntax(
                "a `for` in a `try` that may fail between its iterations is not supported",
                place=self.scope.place(node), fix="make a list of what it goes over before the `try`",
            )  # fmt: skip

    def do_While(self, node: gast.AST) -> None:
        test, snapshots = asked(self.lowerer, node.test)
        before, back = dict(self.scope.env), self.checkpoint()
        try:
            self.loop(node, None, snapshots)
        except NeverRuns:
            back()
            self.scope.use(before)
        except WrittenTest:  # it is evaluated in the body, then
            back()
            self.scope.use(before)
            self.loop(tested_in_body(node, test), None, snapshots)

    def loop(self, node: gast.AST, iterable: Iteration | None, snapshots: int = 0) -> None:
        """Lower a loop: beginning with what was found out of it before, or else as if it were the first time."""
        tables, warm = Tables(self.lowerer), self.warm
        begun = warm.begun
        with warm.loop(self.scope.way_to(node)) as known:
            try:
                return self.settle(node, iterable, snapshots, known)
            except CompileError as error:
                if warm.begun == begun or warm.is_final(error):
                    raise
            tables.restore()
            known.forget()
            with warm.forgotten():
                self.settle(node, iterable, snapshots, known)

    def settle(
        self, node: gast.AST, iterable: Iteration | None, snapshots: int, known: Known
    ) -> None:
        """Attempt to lower a loop until that holds, and leave what it leaves."""
        attempts = Attempts(self, node, iterable, known)
        attempt = attempts.settled()
        if iterable is not None:
            self.lowerer.iterators.check_lengths(iterable, attempt.loop.body, attempt.env, node)
            self.lowerer.iterators.check_steady(iterable, attempt.plan.carried, node)
        attempt.loop.snapshots = snapshots
        self.scope.block.ops.append(attempt.loop)
        LoopResults(self.lowerer, attempt).leave()
        self.scope.env.update(attempts.fixed)

    def planned(self, node: gast.AST, outer: Environment) -> Plan:
        """The first plan of a loop: what is known before it."""
        carried = self.carried_names(node, outer)
        types = {
            n: [type_of(v) for v in leaves(outer[n]) if not isinstance(v, Ref)] for n in carried
        }
        plan = Plan(carried, types, Sharing(self.lowerer.versions))
        for name in self.kept_by_name(node, outer, carried):
            plan.keep(name)
        plan.collected |= self.lowerer.comprehensions.known_to_collect(node)
        return plan

    def checkpoint(self) -> Callable[[], None]:
        """A function that undoes what an attempt left half done."""
        self.lowerer.assumptions.flush()
        place, mark = self.scope.checkpoint(), self.lowerer.operations.mark()
        held = self.scope.program.held.checkpoint()

        def back() -> None:
            place()
            held()
            self.lowerer.operations.rewind(mark)

        return back

    def carried_names(self, node: gast.AST, outer: Environment) -> list[str]:
        """The names a loop changes, hidden ones last; an unbound one only if another iteration reads it, or what follows."""
        assigned = exit_queries.assigned(node)
        read = exit_queries.read_outside(self.scope.tree, node) | exposed(node)
        for name in assigned:
            if isinstance(outer.get(name), Unsure) and begins(node) and name not in exposed(node):
                outer[name] = UNDEFINED  # it is bound anew, for certain
            if name in outer:
                outer[name] = self.lowerer.items.settled(outer[name])
            if name in exposed(node) and lasts(outer.get(name)):
                outer[name] = Pack(Choice((outer[name],)), ["place"], [Const(0)])
            if name not in outer and name in read:
                outer[name] = UNDEFINED
        flags = [flag for name in assigned if name in read for flag in self.flag_of(name, outer)]
        names = [n for n in assigned if n in outer and self.is_data(outer[n])] + flags
        for name, default in exit_queries.hidden_names(node, self.scope.loop_depth):
            outer.setdefault(name, default)
            if name != "$stop":
                names.append(name)
        return names

    def flag_of(self, name: str, outer: Environment) -> list[str]:
        """The hidden name that says whether a name is bound, if that is not known before the loop."""
        found = outer.get(name)
        if not isinstance(found, Unsure):
            return []
        found.ask()
        if found.cells or not all(isinstance(v, (Value, Const)) for v in leaves(found.content)):
            return []
        outer[name], outer[is_bound(name)] = found.content, found.as_flag()
        return [is_bound(name)]

    def kept_by_name(self, node: gast.AST, outer: Environment, carried: list[str]) -> list[str]:
        """The names that ``x += e`` alone binds, which leaves ``x`` the array that it is.

        In a ``try`` the loop carries the name: of a memory that was written to, a handler's side does not know
        the content.
        """
        if self.scope.in_try:
            return []
        names = exit_queries.augmented_only(node)
        known = self.lowerer.versions.rank0
        return [n for n in carried if n in names and known.is_written_by(outer[n])]

    def bound_to_functions(self, node: gast.AST, outer: Environment) -> list[str]:
        """The names that a loop binds anew which it cannot carry: of functions, of iterators."""
        found = [n for n in exit_queries.assigned(node) if n in outer and outer[n] is not UNDEFINED]
        found = [n for n in found if not isinstance(outer[n], (Conflict, Torn))]
        return [n for n in found if not self.is_data(outer[n])]

    def is_data(self, node: Node) -> bool:
        found = list(leaves(node))
        if any(isinstance(v, Ref) for v in found):
            found = list(leaves(self.lowerer.cells.seen(node)))
        return all(isinstance(v, (Value, Const)) for v in found)

    def whole_of(self, node: Node, env: Environment) -> Node:
        """A node with the content of its containers in some environment."""
        outer = self.scope.use(env)
        try:
            return self.lowerer.cells.seen(node)
        finally:
            self.scope.use(outer)

    def list_outer(self, plan: Plan, name: str, cell: int) -> None:
        """Make a list one value of run-time length, before the loop."""
        held = cell_name(cell)
        value = self.lowerer.cells.as_one(self.lowerer.cells.seen(Ref(cell)))
        if isinstance(value.items[0], Value):
            value.items[0].hint = self.lowerer.cells.cell_hint(held)
        self.scope.env[held] = value
        for carried in plan.carried:
            if carried in (name, held):
                node = (
                    self.lowerer.cells.seen(self.scope.env[carried])
                    if carried in plan.deep
                    else self.scope.env[carried]
                )
                plan.fix(carried, node, set())

    def attempt(
        self, node: gast.AST, iterable: Iteration | None, plan: Plan, outer: Environment
    ) -> Attempt:
        """Lower the body once, the carried values having the types of the plan."""
        loop = Loop([], self.scope.location(node), [], Block())
        if iterable is not None:
            loop.bounds, loop.header = iterable.bounds, iterable
        if isinstance(iterable, Late):
            loop.feeds = [(self.lowerer.operations.operand(iterable.value), False)]
        index = [Value(iterable.hint, iterable.index_type)] if iterable is not None else []
        attempt = Attempt(self.lowerer, loop, plan, outer, node)
        attempt.enter()
        if iterable is None:
            loop.cond = self.lower_condition(node, attempt.params)
            if is_known_false(loop.cond.yields[0]):
                raise NeverRuns
        loop.body = self.scope.enter()
        self.lowerer.versions.made_in([*index, *attempt.params], loop.body)
        around = self.scope.in_body(loop.body)
        self.scope.enter_loop(loop)
        self.scope.env["$stop"] = self.scope.env["$left"] = Const(False)
        if iterable is not None:
            self.lowerer.assignment.assign(node.target, iterable.element(self.lowerer, index[0]))
        self.lowerer.statements(node.body)
        self.lowerer.ways.rejoined()
        self.scope.end(False, raised=False)
        self.scope.leave_loop()
        self.scope.in_body(around)
        late = isinstance(iterable, Late)
        loop.body.params = attempt.params + index if late else index + attempt.params
        attempt.close()  # in the body: it reads arrays as they are at its end
        self.scope.leave()
        ends = {name: attempt.packed_ends(name) for name in plan.carried}
        attempt.nearer |= plan.shared.leave(plan.carried, ends)
        return attempt

    def lower_condition(self, node: gast.AST, params: list[Value]) -> Block:
        """The test of a ``while``, as a region over its own copies of the carried values."""
        saved = dict(self.scope.env)
        copies = {p: Value(p.hint, p.type) for p in params}
        renamed = {
            name: rebuild(held, lambda v: copies.get(v, v) if isinstance(v, Value) else v)
            for name, held in self.scope.env.items()
        }
        self.scope.use(renamed)
        self.lowerer.versions.stand_in(copies)
        before = dict(self.scope.env)
        block = self.scope.enter()
        test = self.lowerer.protocols.truth_of(
            self.lowerer.expressions.condition(asked(self.lowerer, node.test)[0]), node
        )
        block.yields = [self.lowerer.operations.operand(test)]
        self.scope.leave()
        block.params = list(copies.values())
        self.check_test(before, node)
        self.scope.use(saved)
        return block

    def check_test(self, before: Environment, node: gast.AST) -> None:
        """The test of a loop is evaluated apart from its body: it writes to nothing."""
        lasting = [
            n
            for n in self.scope.env
            if (hidden(n) and self.lowerer.versions.outlives(self.lowerer.versions.cells[n]))
            or is_cell(n)
        ]
        default = {
            n: self.lowerer.versions.cells[n].first if hidden(n) else self.scope.env[n]
            for n in lasting
        }
        if any(self.scope.env[n] is not before.get(n, default[n]) for n in lasting):
            raise WrittenTest

    # -- containers of known length: iterations one after another ------------------------

    def unroll(self, node: gast.AST, pack: Pack) -> None:
        """A loop over a container of known length: its iterations one after another."""
        if not may_leave(node):
            for item in self.lowerer.iterators.each_item(pack, node):
                self.lowerer.assignment.assign(node.target, item)
                self.lowerer.statements(node.body)
            return
        outer = {name: self.scope.env.get(name) for name in ("$stop", "$left")}
        self.scope.env.setdefault("$returned", Const(False))
        self.scope.enter_loop()
        self.iterations(node, pack, 0)
        self.scope.leave_loop()
        self.scope.env.update(
            {name: Const(False) if kept is None else kept for name, kept in outer.items()}
        )

    def iterations(self, node: gast.AST, pack: Pack, k: int) -> None:
        """An iteration, and the later ones unless it stops the loop."""
        if self.scope.raised:
            return
        now = self.lowerer.iterators.at_turn(pack, node)
        if k == len(now.items):
            return
        self.scope.env["$stop"] = self.scope.env["$left"] = Const(False)
        self.lowerer.assignment.assign(
            node.target, Const(now.keys[k]) if now.kind is dict else now.items[k]
        )
        self.lowerer.statements(node.body)
        self.lowerer.ways.rejoined()
        self.scope.end(False)
        stop = self.condition_of(self.scope.env["$stop"])
        if isinstance(stop, Const):
            return None if stop.value else self.iterations(node, pack, k + 1)
        self.lowerer.branches.choose(
            stop, lambda: None, lambda: self.iterations(node, pack, k + 1), node
        )

    def condition_of(self, flag: Node) -> Node:
        """The condition of the branch that set a flag, where the flag says nothing else."""
        last = self.scope.blocks[-1].ops[-1] if self.scope.blocks[-1].ops else None
        if type(last) is not If or flag not in last.results:
            return flag
        at = last.results.index(flag)
        ends = [getattr(block.yields[at], "value", None) for block in (last.then, last.orelse)]
        return last.cond if ends == [True, False] else flag


def may_leave(node: gast.AST) -> bool:
    """True if an iteration of a loop may be its last one, or end before its last statement."""
    return bool(exit_queries.may(node) or exit_queries.loop_exits(node.body))


def many(pack: Pack, ops: list[Op]) -> Sequence | None:
    """The container of the module whose items ``ops`` have read, where these are floats, and not a few.

    Whole numbers may be sizes or axes, which have to be known.
    """
    reads = {op.result: op for op in ops if isinstance(op, Apply) and op.fn is operator.getitem}
    found = [reads[v] for v in pack.items if isinstance(v, Value) and v in reads]
    if len(pack.items) <= FEW or len(found) < len(pack.items):
        return None
    whole, kind = found[0].args[0], found[0].result.type
    in_order = all(op.args[0] is whole and is_const(op.args[1], k) for k, op in enumerate(found))
    floats = isinstance(kind, Number) and kind.kind == "f"
    if not (isinstance(whole, Const) and in_order and floats):
        return None
    alike = all(op.result.type == kind for op in found)
    return Sequence(value=whole, hint="k", item=kind) if alike else None


def is_known_false(test: Node) -> bool:
    return isinstance(test, Const) and test.text is None and not test.value
