"""``alias="check"``: what cannot be decided about memory is presumed, and looked at when it runs.

Two arrays that may be one memory are taken for two, a reshaped array for a view.  The check stands
where the second of them comes into being; it stays in the text only if one of them is written to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import gast

from retrograd.runtime.helpers import linear

from ...analyses.aliasing.memory_facts import needs_order
from ...analyses.aliasing.views_and_copies import Cell
from ...ir.containers import Pack, leaves
from ...ir.operand_key import key
from ...ir.operations import Apply, Const, Function, Op, Value, walk
from ...ir.types import Array
from ..interface.lowerer import Lowerer
from ..iteration.records import is_recordable
from ..nodes import Listed, Mapped, Node
from .places import Check, cell_name

__all__ = ["Assumptions"]


class Assumptions:
    """Assumptions about the memory of values."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope
        self.pairs: dict[frozenset[Cell], Check] = {}
        self.views_presumed: dict[Cell, list[Check]] = {}
        self.pending: list[Check] = []
        self.asleep: set[Op] = set()
        self.views_only = False  # what is reshaped now has to be a view

    def check_for(self, fn: Any, x: Value, y: Value) -> Check:
        """A check of two values; it is written where ``x`` has been computed."""
        op = Apply([Value(None)], self.scope.location(self.scope.node), fn, (x, y), effect=True)
        made = Check(op, self.scope.block, x, self.scope.statement_node)
        self.pending.append(made)
        self.asleep.add(op)
        return made

    def apart(self, v: Value, cells: Iterable[Cell]) -> None:
        """Presume that ``v`` is not the memory of any of these."""
        if not self.scope.program.alias_check:
            return
        own = self.lowerer.versions.place_of(v).cell
        for cell in sorted(cells, key=lambda c: str(c.first.hint)):
            held = self.lowerer.versions.held(cell)
            if cell is not own and isinstance(held, Value):
                self.pairs[frozenset((own, cell))] = self.check_for(linear.check_unshared, v, held)

    def is_presumed_view(self, op: Apply, base: Any) -> bool:
        """True if a reshaped array is taken for a view: a whole one, a copy of which lies in C order."""
        presumes = self.scope.program.alias_check or self.views_only
        if not presumes or not needs_order(op.fn) or op.kwargs:
            return False
        return (
            isinstance(base, Value)
            and is_array(base)
            and not self.lowerer.versions.place_of(base).path
        )

    @contextmanager
    def presuming_views(self) -> Iterator[None]:
        """What is reshaped here would raise in Python if it were no view."""
        before, self.views_only = self.views_only, True
        try:
            yield
        finally:
            self.views_only = before

    def presume_view(self, result: Value, base: Value) -> None:
        made = self.check_for(linear.check_shared, result, base)
        self.views_presumed.setdefault(self.lowerer.versions.place_of(base).cell, []).append(made)

    def flush(self, op: Op | None = None, before: bool = False) -> None:
        """Write the checks of what has been computed by now; of ``op``, once it stands there."""
        for check in list(self.pending):
            mine = op is not None and check.value in op.results
            if not (mine and before):
                check.block.ops.append(check.op)
                self.pending.remove(check)

    # -- items of lists ------------------------------------------------------------------

    def is_alone(self, x: Value, base: Node) -> bool:
        """True if an item that is written to, a number or an array, is nobody's but this list's: a check sees that it stands there once."""
        if not isinstance(base, Pack):
            return False
        of_object = base.home is not None and is_recordable(base.kind)
        if not of_object and (self.scope.frames or base.kind not in (Listed, Mapped)):
            return False
        whole = self.whole_of(base)
        if whole is None or whole.cell in {ref.cell for ref in self.lowerer.cells.of_caller}:
            return False
        versions, (held,) = self.lowerer.versions, whole.items
        cells = {versions.place_of(v).cell for v in (x, held, *base.items)}
        near = cells.union(*map(self.lowerer.parted.near, cells))
        shown = {versions.place_of(v).cell for v in self.values_named() if v is not held}
        foreign = any(versions.born.get(c.first) is None for c in near - cells)
        if shown & near or foreign or any(versions.may_be_of_module(c.first) for c in near):
            return False
        loc = self.scope.location(self.scope.node)
        check = Apply([Value(None)], loc, linear.check_alone, (x, held), effect=True)
        self.scope.block.ops.append(check)
        return True

    def whole_of(self, base: Pack) -> Pack | None:
        """A list or a dict that is known at run time, or the one around it that it is an item of."""
        if base.home is None:
            return base
        home = self.lowerer.items.present_home(base)
        if home is None:
            return None
        content = self.scope.env.get(cell_name(home.cell))
        if not isinstance(content, Pack) or content.kind not in (Listed, Mapped):
            return None
        whole = Pack(content.kind, list(content.keys), list(content.items))
        whole.cell = home.cell
        return whole

    # -- a write: what is presumed matters now -------------------------------------------

    def settles(self, cell: Cell, near: Cell, node: gast.AST) -> bool:
        """True if a check makes certain that a write to one memory is none to the other."""
        check = self.pairs.get(frozenset((cell, near)))
        if check is None or check.op not in check.block.ops or not self.is_named(near):
            return False
        self.wake(check, near, cell, node, "shares the memory of")
        self.settle_views(near, node)  # which are then apart from it as well
        return True

    def settle_views(self, cell: Cell, node: gast.AST) -> None:
        for check in self.views_presumed.get(cell, ()):
            if self.is_shown(check.value) or check.statement is self.scope.statement_node:
                self.wake(check, check.value, cell, node, "is a copy, and no view, of")

    def wake(self, check: Check, one: Any, other: Cell, node: gast.AST, what: str) -> None:
        values = [v.first if isinstance(v, Cell) else v for v in (one, other)]
        names = [v.hint or "an array" for v in values]
        line = self.scope.place(node).line
        text = f"`{names[0]}` {what} `{names[1]}`, and line {line} writes to it"
        check.op.args = (*check.op.args[:2], Const(text))
        self.asleep.discard(check.op)
        self.scope.program.alias_matters = True

    def is_named(self, cell: Cell) -> bool:
        """True if a name, or a container that one leads to, holds an array of this memory."""
        return any(self.lowerer.versions.place_of(v).cell is cell for v in self.values_named())

    def is_shown(self, value: Value) -> bool:
        """True if a name holds a value, or a view of it."""
        place = self.lowerer.versions.place_of(value)
        n, path = len(place.path), key(place.path)
        return any(
            v is value or (p.cell is place.cell and key(p.path[:n]) == path)
            for v in self.values_named()
            for p in (self.lowerer.versions.place_of(v),)
        )

    def values_named(self) -> Iterator[Value]:
        for env in (self.scope.env, *self.scope.frames.values()):
            for name, node in env.items():
                if not name.startswith("$memory"):
                    yield from (v for v in leaves(node) if isinstance(v, Value))

    def drop_sleeping(self, function: Function) -> None:
        """Take out the checks that nobody needs."""
        if not self.asleep:
            return
        inner = [block for op in walk(function.body) for block in op.blocks]
        for block in [function.body, *inner]:
            block.ops = [op for op in block.ops if op not in self.asleep]


def is_array(v: Value) -> bool:
    return isinstance(v.type, Array)
