"""The attempts at one loop: its body is lowered until it ends as it was thought to begin.

What an attempt has found out changes the plan; the tables that it wrote to are put back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import gast

from retrograd.runtime.errors import CompileError, UnsupportedSyntax

from ...frontend import exit_queries
from ...ir.containers import leaves
from ...ir.operations import Value
from ..interface.lowerer import Lowerer
from ..iteration.iterables import Iteration
from ..memory.places import Unsettled, cell_name, is_cell
from ..nodes import Environment, Node
from .loop_carried import Attempt
from .loop_plan import Shaped
from .one_sided.perhaps_none import blank_like, is_none_constant, types_beside_none
from .unbound_names import Conflict, Torn, Unsure
from .warm_starts.changes import Change, CollectNot, Draft, Reshape
from .warm_starts.remembered import Known, sizes_around

if TYPE_CHECKING:
    from .loops import Loops

__all__ = ["Attempts", "Tables"]

ROUNDS = 100  # plans for a loop that do not hold
ATTEMPTS = 12  # at types, and at what shares memory, until a loop body agrees with itself


class Tables:
    """What lowering has written by now, to go back to: where it stands, and what is known of containers and memories."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, program = lowerer, lowerer.scope.program
        self.env = dict(lowerer.scope.env)
        self.back = lowerer.loops.checkpoint()
        self.told = list(program.ambiguous.told)
        self.sets = [(s, set(s)) for s in (program.ambiguous, program.written, program.chosen)]
        self.near = {cell: set(cell.near) for cell in lowerer.versions.memory.cells.values()}

    def restore(self) -> None:
        """Go on as if nothing had been lowered since."""
        self.back()
        self.lowerer.scope.use(dict(self.env))
        for table, known in self.sets:
            table.intersection_update(known)
            table.update(known)
        self.lowerer.scope.program.ambiguous.told[:] = self.told
        for cell, near in self.near.items():
            cell.near = set(near)


class Attempts:
    """The attempts at one loop."""

    def __init__(
        self, loops: Loops, node: gast.AST, iterable: Iteration | None, known: Known
    ) -> None:
        self.loops, self.lowerer, self.scope = loops, loops.lowerer, loops.scope
        self.node, self.iterable, self.known = node, iterable, known
        self.outer = dict(self.scope.env)
        self.plan = loops.planned(node, self.outer)
        self.functions = loops.bound_to_functions(node, self.outer)
        assigned = exit_queries.assigned(node)
        self.unsure = [n for n in assigned if isinstance(self.outer.get(n), Unsure)]
        self.fixed: Environment = {}  # what names hold in the loop that it cannot carry
        self.draft = Draft(self.lowerer, self.plan, self.outer)
        self.sizes = sizes_around(self.outer)
        self.ambiguous = set(self.scope.program.ambiguous)
        self.patience, self.rounds = ATTEMPTS, 0
        self.begun = loops.warm.begun

    def settled(self) -> Attempt:
        """The attempt that holds."""
        self.begin_warm()
        while self.patience:
            attempt = self.once()
            if attempt is not None:
                return attempt
        raise UnsupportedSyntax(
            "a loop variable changes type from one iteration to the next", place=self.scope.place(self.node),
            fix="give what it changes the same types before the loop and at its end",
        )  # fmt: skip

    def begin_warm(self) -> None:
        """Begin with what was found out when this loop was lowered before."""
        if not self.known.is_empty():
            self.loops.warm.begun += 1
            self.scope.use(self.outer)
            self.known.begin(self.draft, self.sizes)

    def once(self) -> Attempt | None:
        """One attempt; None if it does not hold."""
        back = self.head()
        try:
            attempt = self.loops.attempt(self.node, self.iterable, self.plan, self.outer)
        except Unsettled as found:
            self.give_up(back)
            self.revise(found)
            self.another_round()
        except Shaped as found:
            if found.plan is not self.plan:
                raise
            self.give_up(back)
            self.reshape({found.name: found.whole})
            self.another_round()
        except CompileError as error:
            self.refused(error, back)
        else:
            return self.judged(attempt, back)
        return None

    def head(self) -> Callable[[], None]:
        """Go to the head of the loop, as it is planned; what goes back there is returned."""
        self.unmark()
        others = (*self.functions, *self.plan.others)
        self.fixed = {n: Conflict(n, in_loop=True) for n in others}
        self.fixed |= {n: Torn(by_loop=True) for n in self.unsure}
        self.plan.shared.restore()
        self.scope.use(self.outer | self.fixed)
        self.read_first()
        self.loops.warm.attempt()
        return self.loops.checkpoint()

    def judged(self, attempt: Attempt, back: Callable[[], None]) -> Attempt | None:
        """An attempt that came to its end, if it holds; else the plan is another one."""
        plan = self.plan
        if plan.as_none and not attempt.changes:
            if plan.refused and not attempt.reshaped:
                raise plan.refused
            plan.as_none = False
        if attempt.changes:
            plan.types |= {n: t for n, t in attempt.types.items() if n not in attempt.reshaped}
            self.give_up(back)
            for change in attempt.changes:
                self.make(change)
            self.another_round()
            return None
        if attempt.settled():
            return attempt
        self.patience -= 1
        self.reshape(attempt.reshaped)
        plan.types |= {n: t for n, t in attempt.types.items() if n not in attempt.reshaped}
        self.note_types()
        return None

    def refused(self, error: CompileError, back: Callable[[], None]) -> None:
        """What is refused may pass if names that are None before the loop are so in it."""
        plan = self.plan
        if self.loops.warm.begun > self.begun:
            raise error
        if plan.refused or not any(is_none_constant(self.outer[n]) for n in plan.carried):
            raise plan.refused or error from None
        self.give_up(back)
        plan.as_none, plan.refused = True, error

    # -- what was found out ----------------------------------------------------------------

    def give_up(self, back: Callable[[], None]) -> None:
        back()
        self.scope.use(self.outer)

    def another_round(self) -> None:
        self.note_types()
        self.rounds += 1
        self.patience *= self.rounds < ROUNDS

    def note_types(self) -> None:
        self.known.note_types(self.draft, self.sizes)

    def make(self, change: Change) -> None:
        """Change the plan, and remember that."""
        self.known.note(change, self.draft)
        change.make(self.draft)

    def revise(self, found: Unsettled) -> None:
        """The plan after one that did not hold; what an outer loop planned is passed on to it."""
        if found.cell is None:
            self.make(found.change)
        elif found.cell in self.plan.collected:
            self.make(CollectNot(cell_name(found.cell)))
        else:
            raise found

    def reshape(self, found: dict[str, Node]) -> None:
        """Names unbound before the loop that hold containers at its end are empty ones before."""
        self.scope.use(self.outer)
        for name, content in found.items():
            self.make(Reshape(name, blank_like(content), tuple(types_beside_none(content))))

    # -- the head of the loop --------------------------------------------------------------

    def unmark(self) -> None:
        """Forget what attempts did to containers that have others in their place, now, at the head of the loop."""
        whole = self.scope.use(self.outer)
        replaced = {
            c for name in self.plan.deep for c in self.lowerer.cells.reachable(self.outer[name])
        }
        self.scope.use(whole)
        self.scope.program.ambiguous -= replaced - self.ambiguous

    def read_first(self) -> None:
        """Read what a loop begins with where it begins: views of arrays that were written to."""
        for name in [*self.plan.carried, *filter(is_cell, self.outer)]:
            for v in leaves(self.outer[name]):
                if isinstance(v, Value) and v not in self.plan.first:
                    self.plan.first[v] = self.lowerer.versions.latest_or_lost(v)
