"""Loops over sets whose order nobody knows, where it cannot matter: ``for key in set(options) - names: options.pop(key)``.

The text of the loop says so (``frontend.any_order``), and lowering its iterations shows that nothing else happens:
no effect, no container that changes elsewhere than at the key of the iteration, no total that is no number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import gast

from ...analyses.aliasing.views_and_copies import Cell
from ...analyses.shapes.infer import type_of
from ...frontend.any_order import AnyOrder
from ...frontend.tree_nodes import nodes
from ...ir.containers import Pack, leaves
from ...ir.operations import Apply, Block, Const, Value, bodies_called, walk
from ...ir.types import is_numeric
from ..interface.lowerer import Lowerer
from ..library.sets import Scattered, is_set
from ..memory.places import cell_name, hidden, is_cell
from ..nodes import Code, Environment, LocalFunction, Node, Ref
from .unbound_names import Conflict

__all__ = ["in_any_order", "in_turn"]


def in_turn(lowerer: Lowerer, node: gast.AST, members: Pack, plan: AnyOrder) -> None:
    """Lower the iterations, one after the other, if it is certain that any order gives the same."""
    assert members.kind is Scattered
    loop = ScatteredLoop(lowerer, plan)
    if not loop.is_followed() or not all(loop.iteration(node, m) for m in members.items):
        raise lowerer.protocols.not_gone_over(set, node.iter)
    if not loop.is_the_same():
        raise lowerer.protocols.not_gone_over(set, node.iter)
    lowerer.scope.env.update({n: Conflict(n, in_order=True) for n in plan.own})


class ScatteredLoop:
    """One loop: what there was before it, and what each iteration does."""

    def __init__(self, lowerer: Lowerer, plan: AnyOrder) -> None:
        self.lowerer, self.scope, self.plan = lowerer, lowerer.scope, plan
        self.first: Environment = dict(self.scope.env)
        self.block, self.start = self.scope.block, len(self.scope.block.ops)
        self.changed: set[str] = set()  # the cells of containers that have changed
        self.sets: set[str] = set()  # and those of the members of sets

    def is_followed(self) -> bool:
        """True if what the loop adds to is numbers, and what it reads is no function that may read these."""
        held = [self.first.get(name) for name in self.plan.read]
        return self.are_numbers() and not any(map(is_local_function, held))

    def are_numbers(self) -> bool:
        return all(is_number(self.scope.env.get(name)) for name in self.plan.totals)

    def iteration(self, node: gast.AST, member: Const) -> bool:
        """Lower one; False if it does more than is known not to matter."""
        before, done = dict(self.scope.env), effects(self.block)
        self.lowerer.loops.unroll(node, Pack(list, [0], [member]))
        here = self.scope.block is self.block and not self.scope.dead
        names = before.keys() | self.scope.env.keys()
        now = self.scope.env
        others = [n for n in names if before.get(n) is not now.get(n) and not self.is_own(n)]
        written = all(self.is_written_at(n, before, member.value) for n in others)
        return here and effects(self.block) == done and self.are_numbers() and written

    def is_own(self, name: str) -> bool:
        """True of what each iteration binds anew, of totals, and of what is made in an iteration."""
        if hidden(name):
            return self.is_own_memory(self.lowerer.versions.cells[name])
        made = is_cell(name) and name not in self.first
        known = name in self.plan.own or name in self.plan.totals
        return known or made or name in ("$stop", "$left", "$returned")

    def is_own_memory(self, cell: Cell) -> bool:
        """True of an array that an iteration has made, and of one total that nothing else is a view of."""
        made = walk(Block(ops=self.block.ops[self.start :]))
        if any(cell.first in op.results for op in made):
            return True
        totals = [self.first[name] for name in self.plan.totals]
        others = [self.first.get(name) for name in self.plan.read | self.plan.keyed]
        places = [self.places(totals), self.places(v for node in others for v in self.held(node))]
        return [p.count(cell) for p in places] == [1, 0] and not cell.near

    def places(self, nodes: Iterable[Node]) -> list[Cell]:
        return [self.lowerer.versions.place_of(v).cell for v in nodes if isinstance(v, Value)]

    def held(self, node: Node) -> Iterator[Node]:
        """What a node holds, and what the containers hold that it leads to."""
        yield from leaves(node)
        for cell in self.lowerer.cells.reachable(node):
            yield from leaves(self.first.get(cell_name(cell)))

    def is_written_at(self, name: str, before: Environment, key: Any) -> bool:
        """True if a container that the loop takes by its key has changed at this one only."""
        was, now = before.get(name), self.scope.env.get(name)
        if name not in self.cells_by_key() or not (isinstance(was, Pack) and isinstance(now, Pack)):
            return False
        self.changed.add(name)
        moved = key in was.keys and key in now.keys and was.keys != now.keys
        others = entries(was, key) == entries(now, key)
        return was.kind is now.kind is dict and others and (name in self.sets or not moved)

    def cells_by_key(self) -> set[str]:
        """The cells of the dicts, and of the sets, that the loop takes by its key."""
        held = [self.first.get(name) for name in self.plan.keyed]
        return {cell_name(c) for ref in held if isinstance(ref, Ref) for c in self.own_cells(ref)}

    def own_cells(self, ref: Ref) -> list[int]:
        """That of a dict; that of the members of a set."""
        content = self.first.get(cell_name(ref.cell))
        if not is_set(content):
            return [ref.cell]
        inner = [i.cell for i in getattr(content, "items", ()) if isinstance(i, Ref)]
        self.sets |= {cell_name(cell) for cell in inner}
        return inner

    def is_the_same(self) -> bool:
        """True if nobody has read what has changed, and nobody can tell in which order it did."""
        held = [v for n, v in self.first.items() if n in self.plan.read]
        seen = {cell_name(c) for node in held for c in self.lowerer.cells.reachable(node)}
        ordered = self.changed - self.sets
        return seen.isdisjoint(self.changed) and all(map(self.keeps_order, ordered))

    def keeps_order(self, name: str) -> bool:
        """True if no more than one key is new: those that are left stand as they stood."""
        before, now = self.first[name].keys, self.scope.env[name].keys
        return sum(k not in before for k in now) < 2


def in_any_order(lowerer: Lowerer, visit: Callable[[], Node], node: gast.AST) -> Node:
    """The list of what a generator gives to a function that asks for no order, as ``sum`` of numbers.

    What is computed for a member changes nothing.
    """
    before, block = dict(lowerer.scope.env), lowerer.scope.block
    done = effects(block)
    made = visit()
    if made.kind is Scattered:
        same = all(lowerer.scope.env.get(n) is held for n, held in before.items())
        named = any(isinstance(n, gast.NamedExpr) for n in nodes(node))
        if named or not same or effects(block) != done or not all(map(is_number, made.items)):
            raise lowerer.protocols.not_gone_over(set, node)
        made.kind = list
    return made


def entries(content: Pack, key: Any) -> list[tuple[Any, Node]]:
    """The entries of a dict but the one of a key, in order."""
    return [(k, v) for k, v in zip(content.keys, content.items, strict=True) if k != key]


def is_number(node: Node) -> bool:
    """True of a number or an array: sums of them are the same in any order, but for rounding."""
    if isinstance(node, Const):
        return node.text is None and type(node.value) in (int, float, complex)
    return isinstance(node, Value) and is_numeric(type_of(node))


def is_local_function(node: Node) -> bool:
    parts = list(leaves(node))
    return any(isinstance(p, LocalFunction) for p in parts) or is_closure(node)


def is_closure(node: Node) -> bool:
    return isinstance(node, Pack) and (
        isinstance(node.kind, Code) or any(map(is_closure, node.items))
    )


def effects(block: Block) -> int:
    """How many operations do more than compute a value, here and in what is called."""
    blocks = [block, *bodies_called(block)]
    return sum(isinstance(op, Apply) and op.effect for b in blocks for op in walk(b))
