"""Branches: two sides lowered apart, and one environment made of what they leave."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import gast

from retrograd.runtime.cell_names import name_for_people
from retrograd.runtime.errors import CompileError, UnsupportedSyntax
from retrograd.runtime.helpers import linear

from ...analyses.shapes.infer import type_of
from ...analyses.third_party import is_of_package
from ...frontend import exit_queries
from ...frontend.made_nodes import spoken
from ...frontend.tree_nodes import nodes
from ...ir.containers import rebuild
from ...ir.operations import UNDEFINED, Block, Const, If, Operand, Value
from ...ir.primitives import RAISE
from ...ir.types import Array, Numeric
from ..interface.lowerer import Lowerer
from ..memory.held_containers import Sides
from ..memory.places import Lost, cell_name, cells_in, is_cell
from ..memory.places import hidden as is_version
from ..nodes import Environment, Node
from .join import Merge
from .unbound_names import Conflict, Unsure

__all__ = ["Branches"]


class Branches:
    """Lowers ``if``, and whatever else runs one of two things."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def do_If(self, node: gast.AST) -> None:
        self.branch(node, node.body, node.orelse)

    def branch_that_exits(self, node: gast.AST, rest: list[Any]) -> None:
        """``if c: return a`` and what follows: the rest moves into the branch that goes on."""
        if exit_queries.always(node.body):
            self.branch(node, node.body, node.orelse + rest)
        elif exit_queries.always(node.orelse):
            self.branch(node, node.body + rest, node.orelse)
        else:
            self.branch(node, node.body, node.orelse)
            self.unless_left(node, rest)

    def unless_left(self, node: gast.AST, rest: list[Any]) -> None:
        """The statements after something that may have left this iteration or function."""
        left = self.scope.env.get("$left", Const(False))
        if isinstance(left, Const):
            self.scope.end(self.scope.dead or bool(left.value))
            self.lowerer.statements(rest)
        elif rest:
            self.scope.end(False)
            self.scope.env["$left"] = Const(False)
            self.choose(
                left, lambda: self.leave_again(), lambda: self.lowerer.statements(rest), node
            )

    def leave_again(self) -> None:
        self.lowerer.ways.rejoined()
        self.scope.env["$left"] = Const(True)
        self.scope.end()

    def branch(self, node: gast.AST, body: list[gast.AST], orelse: list[gast.AST]) -> None:
        self.lowerer.known_results.expect(node.test)
        test = self.lowerer.protocols.truth_of(self.lowerer.expressions.condition(node.test), node)
        if isinstance(test, Const) and not is_named(test):
            return self.lowerer.statements(body if test.value else orelse)
        taken = self.is_true(test)
        if taken is not None:
            return self.lowerer.statements(body if taken else orelse)
        self.choose(
            test,
            lambda: self.side(body, node, True),
            lambda: self.side(orelse, node, False),
            node,
        )

    def side(self, body: list[gast.AST], node: gast.AST, taken: bool) -> None:
        """One side; where a package wrote it, or it fills a name outside, it may be refused when it is taken, and not before."""
        attempt, side = self.scope.program.attempt, (self.scope.place(node), taken)
        if side in attempt.left:
            return self.refuse_when_taken(attempt.left[side], node)
        try:
            self.lowerer.statements(body)
        except CompileError as error:
            if is_of_package(self.scope.python) or bound_outside(body, self.scope.outside):
                attempt.refuse(side, error)
            raise

    def refuse_when_taken(self, error: CompileError, node: gast.AST) -> None:
        place = error.place
        where = (
            f" (line {place.line} of {name_for_people(place.file)})" if place is not None else ""
        )
        told = (Const(error.reason + where), Const(error.fix))
        made = self.lowerer.operations.apply(linear.refusal, told, {})
        self.lowerer.operations.emit_effect(RAISE, (made,), node)
        self.scope.end(raised=True)

    def is_true(self, test: Node) -> bool | None:
        """What a branch is taken by: what is known, or, in the code of a package, what an object answers now."""
        known = self.lowerer.known.is_true(test)
        return self.answer(test) if known is None else known

    def answer(self, test: Node) -> bool | None:
        """What an object answers now, in the code of a package."""
        if not is_of_package(self.scope.python):
            return None
        found = self.lowerer.constants.answer(test)
        return self.lowerer.objects_now.answer(test) if found is None else found

    def choose(
        self, test: Node, then: Callable[[], None], orelse: Callable[[], None], node: gast.AST
    ) -> None:
        """Lower two branches and merge the names they leave different; or one, if it is known which."""
        taken = self.lowerer.known.is_true(test)
        if taken is not None and not is_named(test):
            return then() if taken else orelse()
        before, loc, cond = (
            dict(self.scope.env),
            self.scope.location(node),
            self.lowerer.operations.operand(test),
        )
        sides, known, doubts = [], [], Sides(self.scope.program.ambiguous)
        for side, true in ((then, True), (orelse, False)):
            self.scope.use(dict(before))
            block = self.scope.enter()
            self.lowerer.parted.assume(block, cond, true)
            known.append(self.lowerer.perhaps.know(cond, true))
            self.or_asking(test, side)
            self.scope.leave()
            sides.append((block, self.scope.env, self.scope.dead, self.scope.raised))
            doubts.end(0 if true else 1)
            self.scope.end(False, raised=False)
        (
            (then_block, then_env, then_dead, then_raised),
            (else_block, else_env, else_dead, else_raised),
        ) = sides
        op = If([], loc, cond, then_block, else_block)
        for env, other_raised, narrowed in zip(
            (then_env, else_env), (else_raised, then_raised), known, strict=True
        ):
            if not other_raised:
                self.lowerer.perhaps.forget(narrowed, env)
        if then_raised or else_raised:
            return self.branch_that_raises(op, then_env, else_env, then_raised, else_raised)
        self.scope.block.ops.append(op)
        merged = self.merge(op, then_env, else_env, doubts)
        self.lowerer.parted.after(
            *(b for b, _, dead, _ in sides if not dead or then_dead is else_dead)
        )
        self.scope.use(merged)
        self.scope.end(then_dead and else_dead)
        if then_dead != else_dead:  # what follows runs after one side only
            env, gone = (else_env, then_env) if then_dead else (then_env, else_env)
            found = self.survivors(op, before, env, then=else_dead)
            self.scope.use(merged | self.lowerer.ways.on_one_way(found, merged, gone))
        self.lowerer.ways.one_way_still(then_env, self.scope.env)
        self.lowerer.ways.one_way_still(else_env, self.scope.env)

    def or_asking(self, test: Node, side: Callable[[], Any]) -> Any:
        """One side; where that is refused, the test is to be known, if a question about classes gave it."""
        try:
            return side()
        except CompileError:
            self.lowerer.known_results.ask_answer(test)
            raise

    def branch_that_raises(
        self, op: If, then_env: Environment, else_env: Environment, t: bool, e: bool
    ) -> None:
        """A branch that raises has no successor: what the other one does stands after the ``if``."""
        other = else_env if t else then_env
        going_on = op.orelse if t else op.then
        self.scope.block.ops.append(op)
        self.scope.block.ops += going_on.ops
        self.lowerer.parted.after(going_on)
        going_on.ops = []
        self.scope.use(dict(other))
        self.scope.end(t and e, raised=t and e)
        left = self.scope.env.get("$left")
        self.scope.end(self.scope.dead or (isinstance(left, Const) and bool(left.value)))

    def merge(
        self, op: If, then_env: Environment, else_env: Environment, found: Sides | None = None
    ) -> dict[str, Node]:
        return Merge(self.lowerer, op, then_env, else_env, found).run()

    def after_loop_that_returns(self, node: gast.AST, rest: list[Any]) -> None:
        """Runs what follows a loop with ``return`` in it unless the loop returned."""
        returned = self.scope.env.get("$returned", Const(False))
        if isinstance(returned, Const) and not returned.value:
            return self.lowerer.statements(rest)
        if self.scope.loop_depth == 0:
            self.scope.env["$returned"] = Const(False)
        if exit_queries.endless(node):
            return self.leave_function()
        self.choose(returned, self.leave_function, lambda: self.lowerer.statements(rest), node)

    def leave_function(self) -> None:
        if self.scope.loop_depth:
            self.scope.env["$stop"] = self.scope.env["$returned"] = Const(True)
        self.lowerer.simple_statements.exit()

    # -- expressions that evaluate one of two others -------------------------------------

    def either(
        self, test: Node, then: Callable[[], Node], orelse: Callable[[], Node], node: gast.AST
    ) -> Node:
        """An expression that evaluates one of two others."""
        test = self.lowerer.protocols.truth_of(test, node)
        if isinstance(test, Const) and test.text is None:
            return then() if test.value else orelse()
        taken = self.is_true(test)
        if taken is not None:
            return then() if taken else orelse()
        results, raised, before = [], [], self.scope.env
        for side, true in ((then, True), (orelse, False)):
            self.scope.use(dict(before))
            block = self.scope.enter()
            self.lowerer.parted.assume(block, test, true)
            known = self.lowerer.perhaps.know(test, true)
            result, ended = self.or_raising(block, test, side)
            self.lowerer.perhaps.forget(known, self.scope.env)
            result = self.lowerer.cells.stored(result)
            self.scope.leave()
            results.append((block, result, self.scope.env))
            raised.append(ended)
        (then_block, a, then_env), (else_block, b, else_env) = results
        op = If(
            [],
            self.scope.location(node),
            self.operand_before(test, before),
            then_block,
            else_block,
            True,
        )
        if any(raised):
            with self.scope.apart(None):
                self.branch_that_raises(op, then_env, else_env, *raised)
            if all(raised):
                self.scope.end_here()
            return self.lowerer.cells.seen(b if raised[0] else a)
        self.scope.block.ops.append(op)
        merge = Merge(self.lowerer, op, then_env, else_env)
        self.scope.use(self.named(op, before, merge))
        chosen = merge.chosen(a, b)
        self.scope.env.update(merge.made())
        merge.mark_within(self.scope.env)
        if isinstance(chosen, Lost):
            raise self.lowerer.versions.unclear(chosen, Value(None))
        if isinstance(chosen, Conflict):
            raise UnsupportedSyntax(
                "both branches must have the same type",
                place=self.scope.place(node), fix="make both numbers, arrays, or equal containers",
            )  # fmt: skip
        self.scope.program.known.note_choice(chosen, (test, a, b))
        return self.lowerer.cells.seen(chosen)

    def or_raising(self, block: Block, test: Node, side: Callable[[], Node]) -> tuple[Node, bool]:
        """One side of an expression, and whether it raises; nothing is asked of what would follow then."""
        with self.scope.apart(block) as ended:
            try:
                return self.or_asking(test, side), ended()
            except CompileError as error:
                fails, there = self.lowerer.simple_statements.fails, self.scope.block is block
                if not (there and (ended() or fails(error, self.scope.statement_node))):
                    raise
                return Const(None), True

    def operand_before(self, node: Node, env: Environment) -> Operand:
        """An operand as it is before either side of an expression has run."""
        outer = self.scope.use(env)
        try:
            return self.lowerer.operations.operand(node)
        finally:
            self.scope.use(outer)

    # -- names that one side alone leaves ------------------------------------------------

    def survivors(
        self, op: If, before: Environment, env: Environment, then: bool
    ) -> dict[str, Node]:
        """The names that one side binds, for statements that run after that side only."""
        merged = self.scope.env
        lost = {n: v for n, v in env.items() if is_lost(merged.get(n)) and not is_lost(v)}
        names = {n: v for n, v in lost.items() if not n.startswith("$")}
        lost = names | self.containers_of(names, env, lost)
        if not lost:
            return {}
        return self.exported(op, before, lost, then, env)

    def containers_of(
        self, names: dict[str, Node], env: Environment, lost: dict[str, Node]
    ) -> dict[str, Node]:
        """The containers that names lead to, and what those hold, as far as it is not known."""
        found: dict[str, Node] = {
            n: v for n, v in lost.items() if is_cell(n) and n in self.scope.env
        }
        todo = [*names.values(), *found.values()]
        while todo:
            for cell in cells_in(todo.pop()):
                name = cell_name(cell)
                if name in lost and name not in found:
                    found[name] = lost[name]
                    todo.append(lost[name])
        return found

    def exported(
        self,
        op: If,
        before: Environment,
        after: Environment,
        then: bool,
        env: Environment | None = None,
    ) -> dict[str, Node]:
        """The names after a side of a branch that is known to have run: its values are results.

        If the other side may have run, too, they may be None: nobody asks them for a shape.  ``env``:
        all names of the side then, of which ``after`` are some.
        """
        certain = env is None
        mine, other = (op.then, op.orelse) if then else (op.orelse, op.then)
        nodes = {n: v for n, v in after.items() if before.get(n) is v or is_version(n)}
        now = after if env is None else env
        nodes |= {
            n: self.lowerer.versions.as_of(mine, now, v) for n, v in after.items() if n not in nodes
        }
        made = results_in(mine)
        table: dict[Value, Value] = {}

        def export(name: str, leaf: Node) -> Node:
            if leaf not in made:
                return leaf
            if leaf not in table:
                kind = type_of(leaf)
                if isinstance(kind, Array) and not certain:
                    kind = Numeric.one_sided(kind)
                result = Value(leaf.hint or spoken(name), kind, op.loc)
                result.hidden = name == "$result"
                mine.yields.append(leaf)
                other.yields.append(UNDEFINED)
                op.results.append(result)
                self.lowerer.versions.join_places(op, result, leaf, UNDEFINED)
                if is_version(name):
                    self.lowerer.versions.stands_for(result, self.lowerer.versions.cells[name])
                table[leaf] = result
            return table[leaf]

        def export_late(name: str, leaf: Node) -> Node:
            made.update(results_in(mine))
            return export(name, leaf)

        unsure = [n for n, v in nodes.items() if isinstance(v, Unsure) and before.get(n) is not v]
        around = list(self.scope.blocks)
        nodes |= {n: nodes[n].out_of(around, functools.partial(export_late, n)) for n in unsure}
        known = {n: v for n, v in nodes.items() if not is_version(n) or self.survives(n, v)}
        exports = {name: functools.partial(export, name) for name in known}
        kept = {n for n, v in known.items() if before.get(n) is v or isinstance(v, Lost)}
        found = {n: v if n in kept else rebuild(v, exports[n]) for n, v in known.items()}
        self.lowerer.ways.one_way_still(after, found)
        return found

    def survives(self, name: str, version: Node) -> bool:
        return self.lowerer.versions.outlives(self.lowerer.versions.cells[name])

    def named(self, op: If, before: Environment, merge: Merge) -> dict[str, Node]:
        """The names after an expression that may bind some (``:=``): unbound if that did not run."""
        sides = merge.sides
        if all(side.get(n) is before.get(n) for side in sides for n in side):
            return dict(before)
        self.scope.use(merge.run())
        for side, first in zip(sides, (True, False), strict=True):
            self.scope.env.update(self.survivors(op, before, side, first))
        return self.scope.env


def results_in(block: Block) -> set[Value]:
    return {r for op in block.ops for r in op.results} | set(block.params)


def bound_outside(body: list[gast.AST], outside: dict[str, bool]) -> bool:
    """True of `known = table()` where `known` is a name of the function around, which is filled once."""
    stored = (n for part in body for n in nodes(part) if isinstance(n, gast.Name))
    return any(isinstance(n.ctx, gast.Store) and n.id in outside for n in stored)


def is_named(test: Node) -> bool:
    """A constant known by a name may change between calls: its branch stays a branch."""
    return isinstance(test, Const) and test.text is not None


def is_lost(node: Node) -> bool:
    return (
        node is None or node is UNDEFINED or type(node).__name__ in ("Conflict", "Unsure", "Torn")
    )
