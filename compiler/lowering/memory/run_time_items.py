"""Containers in a container that is known at run time: ``m[i]`` of a list of lists, by the way that leads to it.

A name that holds such an item holds a `Within`: reading it reads the item anew, so that it sees every write, and
writing to it gives the whole a new content.  Once items of the whole are put elsewhere (``m[k] = row``), a name
holds what its item was then, and nobody may write to that any more.  `exclusive_items` looks at the result:
what is written to is in no second place that is read afterwards.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import gast

from retrograd.runtime.errors import MutationError
from retrograd.runtime.helpers import linear

from ...analyses.aliasing.exclusive_items import shared_write
from ...analyses.shapes.infer import type_of
from ...ir.containers import Pack, leaves, rebuild
from ...ir.lattice import as_stack
from ...ir.operand_key import key as key_of
from ...ir.operations import Const, Function, Operand, Value, values_in
from ...ir.types import Stack, is_record
from ..interface.lowerer import Lowerer
from ..iteration.records import is_recordable
from ..nodes import Environment, Listed, Mapped, Node, Ref, Within
from .places import Lost, cell_name

__all__ = ["Items"]

Lent = list[tuple[int, Pack, Pack]]  # a cell for the time of a call, the item, what it held


class Items:
    """The items of containers known at run time that are containers themselves."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope
        self.moves: dict[int, int] = {}  # how often items of a container were put elsewhere

    # -- reading -----------------------------------------------------------------------

    def opened(self, pack: Pack, index: Node, made: Value) -> Node:
        """An item of a container; where it is one itself, with the way that leads to it."""
        known: Any = type_of(made)
        record = is_record(known)
        kind = known.cls if record else kind_of_item(made)
        base = self.home_of(pack)
        if (
            not self.scope.program.nested
            or base is None
            or kind is None
            or isinstance(index, slice)
        ):
            return made
        key = self.lowerer.operations.operand(index)
        home = Within(base.cell, (*base.path, key), self.moves.get(base.cell, 0))
        if record:
            return self.record(made, home)
        made.type = as_stack(made.type)
        item = Pack(kind, [0], [made])
        item.home = home
        return item

    def record(self, made: Value, home: Within) -> Node:
        """An object in a list: its attributes, those that are containers with the way that leads to them."""
        item = Pack(made.type.cls, [], [])  # type: ignore[union-attr]
        item.home = home
        for name in made.type.keys:  # type: ignore[union-attr]
            part = self.lowerer.subscripts.getitem(made, Const(name))
            item.items.append(self.opened(item, Const(name), part))
            item.keys.append(name)
        return item

    def copied(self, pack: Pack) -> Pack:
        """``list(xs)`` and ``dict(d)``: where such are written to, another one of the same items."""
        made = pack.items[0]
        if self.scope.program.nested:
            kind = made.type
            made = self.lowerer.operations.apply(linear.shallow, (made,), {})
            made.type = kind
        return Pack(pack.kind, [0], [made])

    def home_of(self, pack: Pack) -> Within | None:
        if pack.cell is not None:
            return Within(pack.cell, (), self.moves.get(pack.cell, 0))
        return self.present_home(pack)

    def present_home(self, pack: Pack) -> Within | None:
        """The way that leads to an item, unless that may be elsewhere by now."""
        home: Within | None = pack.home
        if home is None or home.moves != self.moves.get(home.cell, 0):
            return None
        return home

    def of_cell(self, cell: int | None, index: Node, made: Node) -> Node:
        """The item that a loop over a container has come to."""
        if cell is None or not isinstance(made, Value) or not self.scope.program.nested:
            return made
        content = self.scope.env.get(cell_name(cell))
        if not isinstance(content, Pack) or content.kind not in (Listed, Mapped):
            return made
        whole = Pack(content.kind, list(content.keys), list(content.items))
        whole.cell = cell
        return self.opened(whole, index, made)

    def read(self, within: Within) -> Node:
        """The item that a way leads to, as it is now."""
        node: Node = self.lowerer.cells.seen(Ref(within.cell))
        for key in within.path:
            of_object = isinstance(node, Pack) and is_recordable(node.kind)
            node = (
                node.get(key.value)
                if of_object
                else self.lowerer.subscripts.item(node, key, self.scope.node)
            )
        return node

    def settled(self, node: Node) -> Node:
        """A stored node with what its items are now, in place of the ways that lead to them."""
        if not any(isinstance(v, Within) for v in leaves(node)):
            return node
        return rebuild(node, lambda v: self.value_of(v) if isinstance(v, Within) else v)

    def value_of(self, within: Within) -> Operand:
        return self.lowerer.operations.operand(self.read(within))

    # -- writing -----------------------------------------------------------------------

    def put(self, pack: Pack, index: Node, value: Node, node: gast.AST) -> None:
        """``m[i][j] = value``: an item of an item."""
        home = self.writable(pack, node)
        self.write(
            linear.put_at, home, (*home.path, self.lowerer.operations.operand(index)), value, node
        )

    def renew(self, pack: Pack, content: Pack, node: gast.AST) -> None:
        """An item has this content from now on."""
        home = self.writable(pack, node)
        self.write(linear.renewed_at, home, home.path, content, node)

    def writable(self, pack: Pack, node: gast.AST) -> Within:
        home = self.present_home(pack)
        if home is None:
            raise MutationError(
                "this container is written to after items of the one around it were put elsewhere",
                place=self.scope.place(node), fix="write to it as an item: rows[i][j] = ...",
            )  # fmt: skip
        return home

    def write(
        self, fn: Any, home: Within, path: tuple[Any, ...], value: Node, node: gast.AST
    ) -> None:
        cells = self.lowerer.cells
        cells.check_one(home.cell, node)
        if self.lowerer.boundary.is_root and home.cell in {r.cell for r in cells.of_caller}:
            raise MutationError(
                "this writes to a container inside a container of the caller, at a place that is computed",
                place=self.scope.place(node), fix="write to a copy: [list(row) for row in rows]",
            )  # fmt: skip
        whole = cells.content(home.cell)
        cells.note_held(value, id(node))
        outer = self.scope.turn_to(node)
        given = self.lowerer.operations.operand(value)
        made = self.lowerer.operations.apply(fn, (whole.items[0], path, given), {})
        self.scope.turn_to(outer)
        made.hint = getattr(whole.items[0], "hint", None)
        self.scope.program.written.add(home.cell)
        cells.change_content(home.cell, Pack(whole.kind, [0], [made]), inside=True)

    # -- calls -----------------------------------------------------------------------------

    def lent(self, params: dict[str, Node]) -> tuple[dict[str, Node], Lent]:
        """The arguments of a call, an item as a container of its own meanwhile; and which those are."""
        lent: Lent = []
        return {name: self.lent_item(node, lent, whole=True) for name, node in params.items()}, lent

    def lent_item(self, node: Node, lent: Lent, whole: bool = False) -> Node:
        if not isinstance(node, Pack):
            return node
        if node.home is None:
            if not any(isinstance(i, Pack) for i in node.items) or node.cell is not None:
                return node
            return Pack(node.kind, list(node.keys), [self.lent_item(i, lent) for i in node.items])
        if not whole or self.present_home(node) is None:
            return node.items[0]
        items = [self.lent_item(i, lent) for i in node.items]
        made = self.lowerer.cells.new_cell(Pack(node.kind, list(node.keys), items))
        lent.append((made.cell, node, self.lowerer.cells.content(made.cell)))
        return self.lowerer.cells.seen(made)

    def given_back(self, lent: Lent, params: dict[str, Node], node: gast.AST) -> None:
        """What a callee left in items that it was given goes back to where they are."""
        if not lent:
            return
        changed = [x for x in lent if self.lowerer.cells.content(x[0]) is not x[2]]
        roots = [pack.home.cell for _, pack, _ in lent]
        others = {
            c
            for p in params.values()
            for c in self.lowerer.cells.reachable(self.lowerer.cells.stored(p))
        }
        moved = any(self.present_home(pack) is None for _, pack, _ in lent)
        if (changed or moved) and (len(set(roots)) < len(roots) or others & set(roots) or moved):
            raise MutationError(
                "a function writes to a container that it was given together with the one around it",
                place=self.scope.place(node), fix="give it the whole, and the index",
            )  # fmt: skip
        for cell, pack, _ in changed:
            self.renew(pack, self.lowerer.cells.content(cell), node)
        self.scope.program.hold((cell for cell, _, _ in lent), None, None)

    def left_by_callee(
        self, cell: int, content: Pack, given: Iterable[int], node: gast.AST
    ) -> None:
        """A callee wrote to a container, or to those in it."""
        self.moved(cell)
        if not self.scope.program.nested or content.kind not in (Listed, Mapped):
            return
        if self.scope.program.held.cells & (set(given) - {cell}):
            raise MutationError(
                "a function writes to a container that it was given together with one that is in it",
                place=self.scope.place(node), fix="give it the whole, and the index",
            )  # fmt: skip
        self.lose_shared(cell)

    def check_exclusive(self, function: Function) -> None:
        """Refuse a function where something else may hold what is written to, and is read."""
        found = shared_write(function) if self.scope.program.nested else None
        if found is None:
            return
        if found[1] is None and not self.scope.program.held.twice:
            return
        write, other = found
        name = f"`{other.hint}`" if other is not None and other.hint else "another container"
        raise MutationError(
            f"the list or dict that is written to may be held by {name} as well",
            place=self.scope.source.place(write.loc or self.scope.tree),
            fix="put a copy into the other one: list(row), row[:], dict(record)",
        )

    # -- what a write does to names ------------------------------------------------------

    def moved(self, cell: int) -> None:
        """Items of a container are put elsewhere: a name holds what its item is now, and is not written to."""
        self.moves[cell] = self.moves.get(cell, 0) + 1
        self.moved_of(self.scope.env, self.settled, cell)
        for frame, env in self.scope.frames.items():
            self.moved_of(env, functools.partial(self.settled_there, frame, cell), cell)

    def moved_of(self, env: Environment, settled: Callable[[Node], Node], cell: int) -> None:
        """The same for the names of one call."""
        for name, node in list(env.items()):
            held = [v for v in leaves(node) if isinstance(v, Within) and v.cell == cell]
            if held:
                env[name] = settled(node) if all(map(self.is_open, held)) else self.lost(cell)

    def settled_there(self, frame: int, cell: int, node: Node) -> Node:
        """What a name of a call that waits holds: read where that waits, as all that follows there reads it."""
        around = self.scope.waits.get(frame)
        if around is None or len(around) == len(self.scope.blocks):
            return self.settled(node)
        inner = self.scope.blocks[len(around) :]
        made = {r for block in inner for op in block.ops for r in op.results}
        ways = [v.path for v in leaves(node) if isinstance(v, Within)]
        read = [*leaves(self.lowerer.cells.content(cell)), *ways]
        if any(block.params for block in inner) or not made.isdisjoint(values_in(read)):
            return self.lost(cell)  # a loop may begin anew, or what is read was made in between
        before = self.scope.go_to(list(around))
        try:
            return self.settled(node)
        finally:
            self.scope.go_to(before)

    def is_open(self, within: Within) -> bool:
        """True if the keys of a way are known here: those of a loop, or a call, that is over are not."""
        born = [self.lowerer.versions.born.get(v) for v in values_in(within.path)]
        return all(block is None or block in self.scope.blocks for block in born)

    def is_held(self, cell: int) -> bool:
        """True if one of those is in a container known at run time by now, and not only later on."""
        places = self.scope.program.held.where.get(cell, ())
        return not all(isinstance(p, tuple) and self.is_taken_apart(*p) for p in places)

    def is_taken_apart(self, cell: int | None, at: Any) -> bool:
        content = None if cell is None else self.scope.env.get(cell_name(cell))
        return isinstance(at, int) and isinstance(content, Pack) and content.kind in (list, dict)

    def lost(self, cell: int) -> Lost:
        name = self.lowerer.cells.cell_hint(cell_name(cell))
        return Lost(f"`{name}`" if name else "a container", self.scope.place(self.scope.node))

    def lose_shared(self, cell: int) -> None:
        """An item is written to: containers that were put in somewhere may be that item."""
        program = self.scope.program
        shared = set(filter(self.is_held, program.held.cells - {cell}))
        if shared:  # and whatever may be one of those
            self.lose(shared | program.ambiguous - program.held.cells - {cell}, cell)

    def lose(self, cells: set[int], written: int | None = None) -> None:
        """These may have been written to; those that only a container of the caller led to are for him to lose."""
        within = self.lowerer.boundary.within
        alive = self.lowerer.cells.alive(self.scope.env, within) if cells else set()
        self.lowerer.boundary.lose(cells & within - alive)
        for cell in cells & alive:
            self.scope.env[cell_name(cell)] = self.lost(cell if written is None else written)


def kind_of_item(made: Value) -> Any:
    """How an item is known that is a list or a dict when it runs."""
    kind = as_stack(type_of(made))
    if not isinstance(kind, Stack):
        return None
    return Mapped if kind.keyed else Listed


def same_way(a: Node, b: Node) -> bool:
    """True if two names hold the same item."""
    both = isinstance(a, Within) and isinstance(b, Within)
    return both and a.cell == b.cell and a.moves == b.moves and key_of(a.path) == key_of(b.path)
