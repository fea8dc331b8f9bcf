"""Names that one side of a branch alone has bound: what they hold is made a result of the branch where it is read."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...ir.containers import Pack, rebuild
from ...ir.operations import UNDEFINED, Const, If, Operand, Value
from ...ir.types import Array, Numeric
from ..memory.places import Lost, cell_name, hidden
from ..nodes import Collecting, LocalFunction, Node, Ref

if TYPE_CHECKING:
    from ..interface.lowerer import Lowerer
    from .join import Merge

__all__ = [
    "Conflict",
    "Torn",
    "Unsure",
    "is_bound",
    "is_looked_at",
    "is_unbound",
    "one_sided",
    "same_constant",
]


class Conflict:
    """A name whose two definitions cannot be one value, or are one only: an error if it is read."""

    def __init__(
        self, name: str | None, unbound: bool = False, in_loop: bool = False, in_order: bool = False
    ) -> None:
        self.name, self.unbound, self.in_loop = name, unbound, in_loop
        self.in_order = in_order  # the last iteration over a set has bound it


class Torn:
    """Stands for a name where a ``try`` may have failed before or after binding it, or a loop may not have run."""

    def __init__(self, by_loop: bool = False) -> None:
        self.by_loop = by_loop


class Unsure(Conflict):
    """A name that may be bound: ``content`` is what it holds then, ``bound == when`` if it is.

    They are known once somebody has asked; ``content`` is a Conflict where no value can stand for it.
    """

    def __init__(
        self, name: str, lowerer: Lowerer, around: list[Any], find: Callable[[Unsure], None]
    ) -> None:
        super().__init__(name, unbound=True)
        self.lowerer, self.around, self.find = lowerer, around, find
        self.content: Node = None
        self.bound: Operand = Const(False)
        self.when = True
        self.cells: dict[str, Node] = {}  # the containers that the one side has made
        self.asked = False

    @staticmethod
    def carried(name: str, lowerer: Lowerer, content: Node, bound: Node) -> Unsure:
        """A name that a loop carries, with whether it is bound."""
        found = Unsure(name, lowerer, [], lambda _: None)
        found.content, found.bound, found.asked = content, bound, True
        return found

    def out_of(self, around: list[Any], export: Callable[[Node], Node]) -> Unsure:
        """The same name after the region that the branch is in, whose results ``export`` makes."""

        def bring_out(outer: Unsure) -> None:
            self.ask()
            outer.content, outer.when = self.content, self.when
            if not isinstance(self.content, Conflict):
                outer.content = rebuild(self.content, export)
                outer.bound = export(self.bound)
                outer.cells = {n: rebuild(v, export) for n, v in self.cells.items()}

        return Unsure(self.name or "", self.lowerer, around, bring_out)

    def ask(self) -> None:
        """Make the value and its condition results of the branch, once."""
        if self.asked:
            return
        self.asked = True
        before = self.lowerer.scope.go_to(self.around)
        self.find(self)
        self.lowerer.scope.go_to(before)

    def as_flag(self) -> Operand:
        """True if the name is bound."""
        if self.when:
            return self.bound
        if isinstance(self.bound, Const):
            return Const(not self.bound.value)
        return self.lowerer.operations.apply(operator.not_, (self.bound,), {})


class OneSided:
    """Finds out what a name holds that one side of a branch has bound, or may have."""

    def __init__(self, name: str, merge: Merge, sides: tuple[Node, Node]) -> None:
        self.name, self.merge, self.sides = name, merge, sides
        self.memories = {n: v for n, v in merge.merged.items() if hidden(n)}  # after the branch

    def find(self, unsure: Unsure) -> None:
        unsure.content = self.found(unsure)

    def found(self, unsure: Unsure) -> Node:
        known, flags = list(self.sides), []
        self.cells = unsure.cells
        for k, v in enumerate(self.sides):
            if isinstance(v, Unsure):
                v.ask()
                if isinstance(v.content, Conflict):
                    return Conflict(self.name)
                known[k] = v.content
                self.cells |= v.cells
            flags.append(self.flag(v, k))
        if any(isinstance(v, (Torn, Lost)) for v in known):
            return Conflict(self.name)
        unbound = [isinstance(f, Const) and not f.value for f in flags]
        if any(unbound):
            side = unbound.index(False)
            content = self.of_one_side(known[side], side)
        else:
            content = self.of_either(*known)
        unsure.bound, unsure.when = self.condition(flags)
        return content

    def of_either(self, a: Node, b: Node) -> Node:
        """The content of the name if both sides may bind it: one of two containers is a third, which nobody else holds."""
        merge, sides, before = self.merge, self.merge.sides, {*self.merge.pairs}
        then, orelse = ({**env, **found_by(v)} for env, v in zip(sides, self.sides, strict=True))
        merge.sides = then, orelse
        content = merge.kept(merge.node(self.name, *merge.at_end(a, b)), self.name)
        merge.sides = sides
        new = [pair for pair in merge.pairs if pair not in before]
        if any(one in self.held_elsewhere(k) for k in (0, 1) for one in {p[k] for p in new}):
            return Conflict(self.name)
        for pair in new:
            held = cell_name(merge.pairs[pair].cell)
            if held in merge.merged:
                self.cells[held] = merge.merged[held]
        return content

    def held_elsewhere(self, side: int) -> set[int]:
        """The containers that other names lead to at the end of one side."""
        env = {n: v for n, v in self.merge.sides[side].items() if n != self.name}
        unsure = [v for v in env.values() if isinstance(v, Unsure)]
        for v in unsure:
            v.ask()
            env |= v.cells
        held = {f"{n} held": v.content for n, v in enumerate(unsure)}
        return self.merge.lowerer.cells.alive(env | held)

    def flag(self, v: Node, side: int) -> Operand:
        """True if the name is bound at the end of one side."""
        if not isinstance(v, Unsure):
            return Const(not is_unbound(v))
        scope = self.merge.lowerer.scope
        scope.enter_again(self.block(side))
        made = v.as_flag()
        scope.leave()
        return made

    def condition(self, flags: list[Any]) -> tuple[Operand, bool]:
        known = [f.value if isinstance(f, Const) else None for f in flags]
        if type(self.merge.op) is If and None not in known:
            return self.merge.op.cond, bool(known[0])
        return self.merge.leaf("bound", *flags), True

    def block(self, side: int) -> Any:
        return (self.merge.op.then, self.merge.op.orelse)[side]

    def of_one_side(self, node: Node, side: int) -> Node:
        """The content of the name if one side alone binds it; its containers are the same after the branch."""
        merge = self.merge
        node = merge.lowerer.versions.as_of(self.block(side), merge.sides[side], node)
        if isinstance(node, Ref):
            held = cell_name(node.cell)
            if held in merge.sides[1 - side] or held in merge.merged or held in self.cells:
                return node
            content = merge.sides[side].get(held)
            if not isinstance(content, Pack) or content.kind is Collecting:
                return Conflict(self.name)
            made = self.of_one_side(content, side)
            if isinstance(made, Pack):
                self.cells[held] = made
            return node if isinstance(made, Pack) else made
        if isinstance(node, Pack):
            items = [self.of_one_side(item, side) for item in node.items]
            lost = next((i for i in items if isinstance(i, Conflict)), None)
            return Pack(node.kind, list(node.keys), items) if lost is None else lost
        if isinstance(node, (Const, LocalFunction)):
            return node
        return self.value(node, side) if isinstance(node, Value) else Conflict(self.name)

    def value(self, v: Value, side: int) -> Node:
        """A value of one side: a result, unless it was there before."""
        merge, scope = self.merge, self.merge.lowerer.scope
        born = merge.lowerer.versions.born.get(v)
        if born is None or born in scope.blocks:
            return v
        if born is not self.block(side) or self.is_stale(v, side):
            return Conflict(self.name)
        if (v, side) not in merge.exported:
            ends = (v, UNDEFINED) if side == 0 else (UNDEFINED, v)
            made = merge.leaf(self.name, *ends)  # type: ignore[arg-type]
            if isinstance(made.type, Array):
                made.type = Numeric.one_sided(made.type)  # it may be None
            merge.exported[v, side] = made
        return merge.exported[v, side]

    def is_stale(self, v: Value, side: int) -> bool:
        """True if an array from outside that the value may show was written to since the branch."""
        versions = self.merge.lowerer.versions
        place = versions.places.get(v)
        cells = () if place is None else (place.cell, *place.cell.near)
        outside = [c for c in cells if versions.born.get(c.first) is not self.block(side)]
        return any(versions.held(c) is not versions.held(c, self.memories) for c in outside)


def is_bound(name: str) -> str:
    """The hidden name that says in a loop, and behind it, whether a name is bound."""
    return f"$bound_{name}"


def one_sided(merge: Merge, name: str, a: Node, b: Node) -> Conflict:
    """A name that is not bound on each of two ways."""
    if any(not is_unbound(v) or isinstance(v, Unsure) for v in (a, b)):
        return Unsure(name, merge.lowerer, merge.around, OneSided(name, merge, (a, b)).find)
    return Conflict(name, unbound=True)


def is_looked_at(a: Node, b: Node) -> bool:
    """True if ``a`` is what may be bound, and ``b`` the same after a read of it."""
    return isinstance(a, Unsure) and a.asked and b is a.content


def found_by(node: Node) -> dict[str, Node]:
    """The containers that a name which may be bound leads to."""
    return node.cells if isinstance(node, Unsure) else {}


def is_unbound(node: Node) -> bool:
    return node is UNDEFINED or (isinstance(node, Conflict) and node.unbound)


def same_constant(a: Node, b: Node) -> bool:
    return isinstance(a, Const) and isinstance(b, Const) and a.key() == b.key()
