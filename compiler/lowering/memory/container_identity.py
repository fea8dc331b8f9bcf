"""Mutable containers by identity: two names of one list see the same writes.

A list, a dict or an object that may be written to lives in a *cell*: the names and containers
that hold it hold a ``Ref``, and the environment holds its present content under a hidden name.
So branches and loops merge what a container holds as they merge any variable.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

import gast

from retrograd.runtime.errors import MutationError
from retrograd.runtime.helpers import linear

from ...analyses.shapes.infer import type_of
from ...ir.containers import Pack, leaves
from ...ir.lattice import as_stack, join
from ...ir.operations import UNDEFINED, Apply, Loop, Value
from ...ir.primitives import BUNDLE
from ...ir.types import Stack
from ..control_flow.one_sided.perhaps_none import NO_PART
from ..interface.lowerer import Lowerer
from ..nodes import Collecting, Environment, Listed, Mapped, Method, Node, Ref, Within
from .places import Change, Lost, Unsettled, cell_name, cells_in, has_identity, is_cell
from .restart import Reopen

__all__ = ["Cells"]


class Cells:
    """Keeps the identity of containers."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope
        self.noted: list[Change] = []
        self.of_caller: list[Ref] = []  # the containers that came in, which the caller holds

    def held_by_caller(self, containers: list[Ref]) -> None:
        """These came in with the arguments: the caller holds them as well."""
        self.of_caller = containers

    def new_cell(self, content: Pack) -> Ref:
        made = Ref(self.scope.program.next_cell())
        self.scope.program.held.born[made.cell] = self.scope.loops
        self.scope.env[cell_name(made.cell)] = content
        return made

    def stored(self, node: Node) -> Node:
        """The node that a name or a container keeps: mutable containers by reference."""
        self.lowerer.iterators.refuse_iterator(node, self.scope.statement_node)
        if not isinstance(node, Pack):
            return node
        if node.cell is not None:
            return Ref(node.cell)
        if node.home is not None:
            home = self.lowerer.items.present_home(node)
            return self.lowerer.operations.operand(node) if home is None else home
        content = Pack(node.kind, list(node.keys), [self.stored(i) for i in node.items])
        content.made = node.made
        if not has_identity(node.kind):
            return content
        return self.new_cell(self.lowerer.items.settled(content))

    def seen(self, node: Node) -> Node:
        """A stored node with what its containers hold now."""
        if isinstance(node, Ref):
            content = self.scope.env.get(cell_name(node.cell), UNDEFINED)
            if isinstance(content, Lost):
                raise self.lowerer.versions.unclear(content, Value("this container"))
            if not isinstance(content, Pack):
                raise self.lowerer.names.unbound(cell_name(node.cell), content, self.scope.node)
            if content.kind is Collecting:
                raise Unsettled(cell=node.cell)
            made = Pack(content.kind, list(content.keys), [self.seen(i) for i in content.items])
            made.cell = node.cell
            return made
        if isinstance(node, Within):
            return self.lowerer.items.read(node)
        if isinstance(node, Pack):
            if node.home is not None:
                return self.seen(self.stored(node))
            if node.live is not None:  # an iterator, whether or not its items stand in a list
                return node.live()
            if node.cell is not None:
                return self.seen(Ref(node.cell))
            again = Pack(node.kind, list(node.keys), [self.seen(i) for i in node.items])
            again.made = node.made
            return again
        return node

    def anchored(self, node: Node) -> Node:
        """An evaluated expression, every new container in it with an identity of its own."""
        return self.seen(self.stored(node)) if isinstance(node, Pack) else node

    def content(self, cell: int) -> Pack:
        found = self.scope.env[cell_name(cell)]
        assert isinstance(found, Pack)
        return found

    def rewrite(self, pack: Pack, keys: list[Any], items: list[Node], node: gast.AST) -> None:
        """Give a container this content from now on."""
        if pack.cell is None:
            return  # a container that nobody has a name for
        self.check_one(pack.cell, node)
        self.scope.program.written.add(pack.cell)
        kept = [self.lowerer.items.settled(self.stored(i)) for i in items]
        if any(cell == pack.cell for item in kept for cell in self.reachable(item)):
            raise MutationError(
                "a container that holds itself is not supported", place=self.scope.place(node),
                fix="keep the two apart, or store a copy",
            )  # fmt: skip
        self.change_content(pack.cell, Pack(pack.kind, list(keys), kept))

    def change_content(self, cell: int, content: Pack, inside: bool = False) -> None:
        """Sets the content of a container from now on; a ``try`` around asks when that was.

        ``inside``: the same containers as before, one of which was written to.
        """
        name = cell_name(cell)
        if inside:
            self.lowerer.items.lose_shared(cell)
        else:
            self.lowerer.items.moved(cell)
        change = Change(
            name,
            self.scope.env.get(name),
            content,
            self.scope.blocks[-1],
            len(self.scope.blocks[-1].ops),
        )
        self.noted.append(change)
        self.scope.env[name] = content

    def reachable(self, node: Node) -> Iterator[int]:
        for cell in cells_in(node):
            yield cell
            content = self.scope.env.get(cell_name(cell))
            if isinstance(content, Pack):
                yield from self.reachable(content)

    # -- one of several containers ---------------------------------------------------

    def chosen_among(self, items: list[Node], made: Node = None) -> Node:
        """One of these was chosen when it runs, ``made``: a write to any of them is not seen in the other."""
        cells = {p.cell for item in items for p in packs_in(item) if p.cell is not None}
        self.scope.program.chosen |= cells
        if not cells or not isinstance(made, Pack):
            return made
        made = self.anchored(made)
        self.scope.program.chosen |= {p.cell for p in packs_in(made) if p.cell is not None}
        return made

    def check_one(self, cell: int, node: gast.AST) -> None:
        """Refuse to write to what may be one of several containers: the others would not see it."""
        if cell in self.scope.program.chosen:
            if not self.scope.program.nested:
                raise Reopen(None, None, node)
            self.scope.program.ambiguous.add(cell)
        if cell in self.scope.program.ambiguous:
            raise MutationError(
                "this may be one of several containers, and is written to",
                place=self.scope.place(node),
                fix="write to a copy (dict(p), list(p)), or build the new container in one expression",
            )

    def alive(self, env: Environment, but: Container[int] = ()) -> set[int]:
        """The containers that some name of ``env``, or of a call under way, leads to, or the caller holds, but these."""
        found: set[int] = set()
        todo: list[Node] = [ref for ref in self.of_caller if ref.cell not in but]
        todo += [
            v for e in (env, *self.scope.frames.values()) for n, v in e.items() if not is_cell(n)
        ]
        while todo:
            for cell in cells_of(todo.pop()):
                if cell not in found:
                    found.add(cell)
                    todo.append(env.get(cell_name(cell)))
        return found

    def cell_hint(self, name: str | None) -> str | None:
        """The user's name for a container."""
        held = [
            n for n, v in self.scope.env.items() if isinstance(v, Ref) and cell_name(v.cell) == name
        ]
        return held[0] if held and not held[0].startswith("$") else None

    # -- lists of a length known at run time -----------------------------------------

    def as_one(self, pack: Pack) -> Pack:
        """The content of a list or a dict as one value that holds it when it runs."""
        if pack.kind in (Listed, Mapped):
            return pack
        blank = next((item for item in pack.items if item in (UNDEFINED, NO_PART)), None)
        if blank is not None:  # it stands for one that is not bound yet, or None
            return Pack(Mapped if pack.kind is dict else Listed, [0], [blank])
        for at, item in enumerate(pack.items):
            self.note_held(item, (pack.cell, at), already=pack.cell is not None)
        items = [self.lowerer.operations.operand(i) for i in pack.items]
        keyed = pack.kind is dict
        held = dict(zip(pack.keys, items, strict=True)) if keyed else items
        made = self.bundled(held, as_stack(type_of(held)))
        made.hint = None if pack.cell is None else self.cell_hint(cell_name(pack.cell))
        return Pack(Mapped if keyed else Listed, [0], [made])

    def note_held(self, item: Node, where: Any, *loops: Loop, already: bool = False) -> None:
        """This is put into a container known at run time, at a place in the text, in these loops too.

        ``already``: it was in that container before, which is known at run time from here on.
        """
        around = None if already else (*self.scope.loops, *loops)
        self.scope.program.hold(self.reachable(self.stored(item)), where, around)

    def known_at_run_time(self, pack: Pack) -> Pack:
        """A list or a dict that has been taken apart, as one value from here on."""
        if pack.kind in (Listed, Mapped):
            return pack
        made = self.as_one(pack)
        if pack.cell is not None:
            self.scope.env[cell_name(pack.cell)] = made
            return self.content_of(pack.cell, made)
        return made

    def content_of(self, cell: int, content: Pack) -> Pack:
        made = Pack(content.kind, list(content.keys), list(content.items))
        made.cell = cell
        return made

    def bundled(self, items: Any, kind: Any) -> Value:
        """A container of operands as one value; what is in it shares its memory."""
        made = Value(None, kind, self.scope.location(self.scope.node))
        op = Apply([made], made.loc, BUNDLE, (items,))
        self.lowerer.versions.learn_place(op)
        self.lowerer.operations.emit(op)
        return made

    def append_listed(self, pack: Pack, item: Node) -> Pack:
        """One item more on a list of run-time length."""
        return self.list_operation(linear.appended, pack, item)

    def list_operation(self, fn: Any, pack: Pack, *args: Node) -> Pack:
        """A new list of run-time length, from one and values that go into it."""
        for arg in args:
            self.note_held(arg, id(self.scope.node))
        made = self.lowerer.operations.apply(
            fn, (pack.items[0], *map(self.lowerer.operations.operand, args)), {}
        )
        known = type_of(pack.items[0])
        item = known.item if isinstance(known, Stack) else None
        kind = join(item, type_of(self.lowerer.operations.operand(args[-1]))) if args else item
        return self.one_list(made, Stack(kind, user=True), pack.items[0].hint)

    def one_list(self, made: Value, kind: Any, hint: str | None) -> Pack:
        made.type, made.hint = kind, hint
        return Pack(Listed, [0], [made])

    def one_dict(self, made: Value, kind: Any, hint: str | None) -> Pack:
        made.type, made.hint = kind, hint
        return Pack(Mapped, [0], [made])

    # -- what was evaluated before -------------------------------------------------------

    def present(self, node: Node) -> Node:
        """A node evaluated a while ago, every container in it with its present content."""
        return self.seen(node) if isinstance(node, Pack) else node

    def method(self, owner: Pack, name: str) -> Pack:
        """``owner.name``: whoever keeps it keeps the owner."""
        return Pack(Method(name), [0], [owner])


def packs_in(node: Node) -> Iterator[Pack]:
    """A container, and those in it."""
    if isinstance(node, Pack):
        yield node
        for item in node.items:
            yield from packs_in(item)


def cells_of(node: Node) -> Iterator[int]:
    """The containers that a stored node refers to, and those around what it refers to."""
    yield from cells_in(node)
    for leaf in leaves(node):
        if isinstance(leaf, Within):
            yield leaf.cell
