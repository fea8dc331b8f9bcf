"""Mutable containers by identity: two names of one list see the same writes.

A list, a dict or an object that may be written to lives in a *cell*: the names and containers
that hold it hold a ``Ref``, and the environment holds its present content under a hidden name.
So branches and loops merge what a container holds as they merge any variable.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import gast

from retrograd.runtime.errors import MutationError
from retrograd.runtime.helpers import linear

from ...analyses.shapes.infer import join, type_of
from ...ir.containers import Pack
from ...ir.operations import UNDEFINED, Apply, Value
from ...ir.primitives import BUNDLE
from ...ir.types import BOTTOM, Stack
from ..interface.lowerer import Lowerer
from ..nodes import Collecting, Environment, Listed, Method, Node, Ref
from .places import Change, Lost, Unsettled, cell_name, cells_in, is_cell, is_mutable

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
        self.scope.env[cell_name(made.cell)] = content
        return made

    def stored(self, node: Node) -> Node:
        """The node that a name or a container keeps: mutable containers by reference."""
        self.lowerer.iterators.refuse_iterator(node, self.scope.statement_node)
        if not isinstance(node, Pack):
            return node
        if node.cell is not None:
            return Ref(node.cell)
        content = Pack(node.kind, list(node.keys), [self.stored(i) for i in node.items])
        return self.new_cell(content) if is_mutable(node.kind) else content

    def seen(self, node: Node) -> Node:
        """A stored node with what its containers hold now."""
        if isinstance(node, Ref):
            content = self.scope.env.get(cell_name(node.cell), UNDEFINED)
            if isinstance(content, Lost):
                raise self.lowerer.versions.unclear(content, Value("this container"))
            if not isinstance(content, Pack):
                raise self.lowerer.names.unbound("this container", content, self.scope.node)
            if content.kind is Collecting:
                raise Unsettled(cell=node.cell)
            made = Pack(content.kind, list(content.keys), [self.seen(i) for i in content.items])
            made.cell = node.cell
            return made
        if isinstance(node, Pack):
            if node.live is not None:  # an iterator, whether or not its items stand in a list
                return node.live()
            if node.cell is not None:
                return self.seen(Ref(node.cell))
            return Pack(node.kind, list(node.keys), [self.seen(i) for i in node.items])
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
        kept = [self.stored(i) for i in items]
        if any(cell == pack.cell for item in kept for cell in self.reachable(item)):
            raise MutationError(
                "a container that holds itself is not supported", place=self.scope.place(node),
                fix="keep the two apart, or store a copy",
            )  # fmt: skip
        self.change_content(pack.cell, Pack(pack.kind, list(keys), kept))

    def change_content(self, cell: int, content: Pack) -> None:
        """Sets the content of a container from now on; a ``try`` around asks when that was."""
        name = cell_name(cell)
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

    def check_one(self, cell: int, node: gast.AST) -> None:
        """Refuse to write to what may be one of several containers: the others would not see it."""
        if cell in self.scope.program.ambiguous:
            raise MutationError(
                "this may be one of several containers, and is written to",
                place=self.scope.place(node),
                fix="write to a copy (dict(p), list(p)), or build the new container in one expression",
            )

    def alive(self, env: Environment) -> set[int]:
        """The containers that some name of ``env``, or of a call under way, leads to, or the caller holds."""
        found: set[int] = set()
        todo: list[Node] = list(self.of_caller)
        todo += [
            v for e in (env, *self.scope.frames.values()) for n, v in e.items() if not is_cell(n)
        ]
        while todo:
            for cell in cells_in(todo.pop()):
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
        """The content of a list as one value that holds a list when it runs."""
        if pack.kind is Listed:
            return pack
        self.scope.program.ambiguous.update(
            {c for i in pack.items for c in self.reachable(self.stored(i))}
        )
        items = [self.lowerer.operations.operand(i) for i in pack.items]
        kind: Any = functools.reduce(join, [BOTTOM, *map(type_of, items)])
        made = self.bundled(items, Stack(kind, user=True))
        made.hint = None if pack.cell is None else self.cell_hint(cell_name(pack.cell))
        return Pack(Listed, [0], [made])

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
            self.scope.program.ambiguous.update(set(self.reachable(self.stored(arg))))
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

    # -- what was evaluated before -------------------------------------------------------

    def present(self, node: Node) -> Node:
        """A node evaluated a while ago, every container in it with its present content."""
        return self.seen(node) if isinstance(node, Pack) else node

    def method(self, owner: Pack, name: str) -> Pack:
        """``owner.name``: whoever keeps it keeps the owner."""
        return Pack(Method(name), [0], [owner])
