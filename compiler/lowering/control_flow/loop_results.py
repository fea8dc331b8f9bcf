"""What a loop leaves: its results under the names, and in the containers and memories, that it carried."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from retrograd.runtime.errors import MutationError

from ...ir.containers import Pack
from ..interface.lowerer import Lowerer
from ..memory.places import cell_name, is_cell
from ..memory.places import hidden as is_version
from ..nodes import Node, Ref

if TYPE_CHECKING:
    from .loop_carried import Attempt

__all__ = ["LoopResults"]


class LoopResults:
    """Binds what an attempt that has settled leaves behind the loop."""

    def __init__(self, lowerer: Lowerer, attempt: Attempt) -> None:
        self.lowerer, self.attempt = lowerer, attempt

    def leave(self) -> None:
        """Bind the results of the loop, in the environment before it."""
        lowerer = self.lowerer
        lowerer.scope.use(self.attempt.outer)
        values = iter(self.attempt.loop.results)
        made: dict[int, int] = {}
        after = {n: self.whole_result(n, values, made) for n in self.attempt.plan.carried}
        if (
            "$returned" in after
            and self.attempt.env["$returned"] is self.attempt.params_of["$returned"]
        ):
            after |= {n: self.attempt.outer[n] for n in ("$returned", "$result") if n in after}
        self.attempt.ask_late(after)
        lowerer.scope.env.update(after)
        self.settle()
        self.attempt.collection.leave_lists(values)
        pairs = [
            (a, b, new) for a, b in self.attempt.pairs for new in (made[a], self.attempt.heads[a])
        ]
        program = lowerer.scope.program
        program.mark_shared(
            [(a, b, made[a]) for a, b in self.attempt.pairs], lowerer.cells.alive(lowerer.scope.env)
        )
        if any(made[a] in program.ambiguous for a, _, _ in pairs):
            changed = {a for a in self.attempt.heads if cell_name(a) in self.attempt.plan.carried}
            written = changed or {
                a for a in self.attempt.heads if self.attempt.heads[a] in program.written
            }
            program.ambiguous |= {self.attempt.heads[a] for a in self.attempt.heads}
            if written:
                raise MutationError(
                    "a container is written to that is aliased by another name in the next iteration",
                    place=lowerer.scope.place(self.attempt.node), fix="write to a copy: dict(p), list(p)",
                )  # fmt: skip

    def settle(self) -> None:
        """Records that the results of the loop share the memory that the carried values did."""
        versions, block = self.lowerer.versions, self.lowerer.scope.block
        for name, at in self.attempt.spans.items():
            for result, param in zip(
                self.attempt.loop.results[at], self.attempt.params[at], strict=True
            ):
                versions.made_in([result], block)
                if is_version(name):
                    versions.stands_for(result, versions.cells[name])
                elif param in versions.places:
                    versions.share(result, versions.places[param].cell.near)
                    if versions.may_be_of_module(param):
                        versions.hold_of_module(result)
                versions.rank0.join(result, param, param)
        for pair in self.attempt.plan.shared.pairs:  # two results in one memory
            results = [r for r in map(self.attempt.result_at, pair) if versions.may_be_array(r)]
            if len(results) == 2:
                versions.memory.relate(*[versions.place_of(r).cell for r in results])

    def whole_result(self, name: str, values: Any, made: dict[int, int]) -> Node:
        self.attempt.counter = itertools.count()
        return self.result(name, self.attempt.outer[name], values, made)

    def result(self, name: str, init: Node, values: Any, made: dict[int, int]) -> Node:
        if not isinstance(init, Pack) and self.attempt.is_fixed(name):
            return init
        if isinstance(init, Ref):
            if name not in self.attempt.plan.deep:
                return init
            if init.cell not in made:
                new = made[init.cell] = self.lowerer.scope.program.next_cell()
                content = self.result(name, self.attempt.outer[cell_name(init.cell)], values, made)
                self.lowerer.scope.env[cell_name(new)] = content
            return Ref(made[init.cell])
        if isinstance(init, Pack):
            items = [self.result(name, i, values, made) for i in init.items]
            return Pack(init.kind, list(init.keys), items)
        value = next(values)
        k = self.attempt.loop.results.index(value)
        return init if is_cell(name) and self.attempt.yields[k] is self.attempt.params[k] else value
