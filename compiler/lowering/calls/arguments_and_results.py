"""Parameters and results of a function: containers keep their identity across a call.

A callee knows the containers of its arguments by number.  If it writes to one, what that holds
at the end is one of its results, and the caller takes it over.  The function that is
differentiated writes to the caller's containers themselves, when all else is done.
"""

from __future__ import annotations

import builtins
import operator
from typing import Any

import gast

from retrograd.runtime.errors import MutationError, UnsupportedSyntax
from retrograd.runtime.helpers import linear

from ...dependencies.state_types import containers_of
from ...frontend import exit_queries
from ...ir.argument_path import part_name
from ...ir.containers import LEAF, Pack
from ...ir.operations import Apply, Const, Operand, Value
from ...ir.primitives import DELETE_ITEM, SET_ATTRIBUTE, SET_CONTENT, SET_ITEM, SET_SLICE, Store
from ...ir.types import Number, Tree
from ..control_flow.one_sided.perhaps_none import holds_perhaps
from ..control_flow.one_sided.perhaps_set import holds_sometimes
from ..control_flow.unbound_names import Conflict
from ..interface.lowerer import Lowerer
from ..library.collections_inside import stays_inside
from ..memory.array_kinds import is_rank_0
from ..memory.places import Lost, cell_name, has_identity
from ..memory.restart import Reopen
from ..nodes import Collecting, Listed, Mapped, Node, Ref, values_of
from .callee import Callee

__all__ = ["KEPT", "Boundary", "numbered", "sent"]

Path = tuple[str, tuple[Any, ...]]  # a parameter, and the keys that lead into it


class Boundary:
    """Parameters and results of the function that is lowered."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope
        self.is_root = False
        self.given: dict[int, Ref] = {}
        self.opened: list[tuple[Value | Const, Ref]] = []
        self.looked_into: list[tuple[Path, Ref, Node]] = []
        self.parts: list[Value] = []  # the arrays that opened containers hold
        self.updates: list[int] = []
        self.doubtful: set[int] = set()
        self.within: set[int] = set()  # cells that containers of the caller alone lead to
        self.lost: set[int] = set()  # those of them that may have been written to
        self.entry: dict[int, Node] = {}
        self.opened_entry: list[Node] = []

    # -- entry -----------------------------------------------------------------------

    def admit(self, params: dict[str, Node], root: bool) -> None:
        """Bind the parameters; their containers are those of the caller."""
        self.is_root = root
        self.scope.use({})
        for name, node in params.items():
            if isinstance(node, Value):
                ours = root or node in self.scope.program.paths  # else the caller made it
                self.scope.env[name] = self.opening(node, (name, ())) if ours else node
        for name, node in params.items():
            if not isinstance(node, Value):
                self.scope.env[name] = self.admitted(node)
        self.entry = {n: self.scope.env[cell_name(ref.cell)] for n, ref in self.given.items()}
        self.opened_entry = [self.scope.env[cell_name(ref.cell)] for _, ref in self.opened]
        self.check_separate(params)
        self.lowerer.states.admit_states(params)
        opened = [*(ref for _, ref in self.opened), *(ref for _, ref, _ in self.looked_into)]
        self.lowerer.cells.held_by_caller([*self.given.values(), *opened])

    def admitted(self, node: Node, within: bool = False) -> Node:
        """A parameter; ``within``: an item of a container of the caller."""
        if not isinstance(node, Pack):
            return node
        if node.cell in self.given:
            if not within:
                self.within.discard(self.given[node.cell].cell)
            return self.given[node.cell]
        within_it = within or has_identity(node.kind)
        items = [self.admitted(i, within_it) for i in node.items]
        content = Pack(node.kind, list(node.keys), items)
        if not has_identity(node.kind):
            return content
        made = self.lowerer.cells.new_cell(content)
        if within:
            self.within.add(made.cell)
        if node.cell is not None:
            self.given[node.cell] = made
            path = self.scope.program.arriving.get(node.cell)
            if path is not None:
                self.scope.program.cell_paths[made.cell] = path
        return made

    def lose(self, cells: set[int]) -> None:
        """These, which are in containers of the caller, may have been written to."""
        self.lost |= cells

    def lost_numbers(self) -> set[int]:
        """The same as the caller counts them."""
        return {n for n, ref in self.given.items() if ref.cell in self.lost}

    def opening(self, value: Value, path: Path) -> Node:
        """An argument; one that is written to somewhere is read at entry, and lives in a cell."""
        if isinstance(value.type, Tree):
            self.scope.program.paths.setdefault(value, path)
        kind = value.type
        if path not in self.scope.program.opened or not isinstance(
            kind, Tree
        ):  # or one of that name
            return self.focused(value, path) if path in self.scope.program.focused else value
        more = [k for k in self.scope.program.opened[path] if k is not None and k not in kind.keys]
        keys = [*kind.keys, *more]
        if kind.container in ("list", "dict"):
            keys = list(kind.keys)
        items = []
        for key in keys:
            fn = builtins.getattr if kind.container == "object" else operator.getitem
            part = self.lowerer.operations.apply(fn, (value, Const(key)), {})
            part.type, part.hint = kind.item(key), key if isinstance(key, str) else None
            self.lowerer.operations.last().effect = True  # before anything is written
            self.scope.program.known.learn(part, (path[0], (*path[1], key)))
            items.append(self.opening(self.part(part), (path[0], (*path[1], key))))
        content = Pack(CONTAINERS.get(kind.container, kind.cls), keys, items)
        if not has_identity(content.kind):
            return content
        made = self.lowerer.cells.new_cell(content)
        self.opened.append((value, made))
        self.scope.program.cell_paths[made.cell] = path
        return made

    def open(self, handle: Value | Const, content: Ref) -> None:
        """A container of the arguments, or an object of the module, that is read at entry."""
        self.opened.append((handle, content))
        self.opened_entry.append(self.scope.env[cell_name(content.cell)])

    def open_rebound(self, node: Node, other: Node, at: gast.AST = None) -> None:
        """Begin anew where a name holds a container of the arguments, or another of its kind."""
        if not isinstance(other, (Ref, Pack)):
            return
        while isinstance(node, Value) and node in self.lowerer.loops.carried_from:
            node = self.lowerer.loops.carried_from[node]
        path = self.scope.program.paths.get(node) if isinstance(node, Value) else None
        if path is None or None in self.scope.program.opened.get(path, ()):
            return
        kind = CONTAINERS.get(node.type.container, node.type.cls if node.type.keys else None)
        same = has_identity(kind) if isinstance(other, Ref) else other.kind is kind
        if same:
            raise Reopen(path, None, at)

    def focused(self, value: Value, path: Path) -> Node:
        """An argument of which a part is differentiated by itself: its parts are read at entry."""
        kind = value.type
        if not isinstance(kind, Tree) or not kind.keys:
            return value
        fn = builtins.getattr if kind.container == "object" else operator.getitem
        items = []
        for key in kind.keys:
            part = self.lowerer.operations.apply(fn, (value, Const(key)), {})
            part.type, part.hint = kind.item(key), part_name(path[0], key)
            inner = (path[0], (*path[1], key))
            if isinstance(part.type, Tree):
                self.scope.program.paths.setdefault(part, inner)
            items.append(self.opening(part, inner))
        made = self.lowerer.cells.new_cell(
            Pack(CONTAINERS.get(kind.container, kind.cls), list(kind.keys), items)
        )
        self.looked_into.append((path, made, self.scope.env[cell_name(made.cell)]))
        self.scope.program.cell_paths[made.cell] = path
        return made

    def part(self, v: Value) -> Value:
        """An item of a container of the arguments: an array of its own, which is seen to later."""
        self.lowerer.versions.stand_alone(v)
        if not isinstance(v.type, (Tree, Number)):
            self.parts.append(v)
            self.lowerer.versions.keep_rank0([v] if is_rank_0(v) else [])
        return v

    def check_separate(self, params: dict[str, Node]) -> None:
        """A container that is written to must be there once: other places would see the writes."""
        handles = [v for v in params.values() if isinstance(v, Value) and containers_of(v.type)]
        if self.opened and sum(map(containers_of, (v.type for v in handles))) > 1:
            written = tuple(value for value, _ in self.opened)
            op = Apply([Value(None)], None, linear.check_separate, (written, tuple(handles)))
            op.effect = True
            self.lowerer.operations.emit(op)

    # -- the end ---------------------------------------------------------------------

    def results(self, root: bool) -> tuple[list[Any], Any]:
        """The values a function returns, and how they are packed."""
        result = self.scope.env.get("$result", Const(None))
        if isinstance(result, Conflict):
            raise self.returns_differ()
        result = self.lowerer.cells.stored(self.lowerer.closures.handed_on(result))
        if root:
            self.write_into()
            self.write_back()
            stays_inside(self.lowerer, self.lowerer.cells.seen(result))
            if holds_perhaps(self.lowerer.cells.seen(result)):
                raise self.returns_differ()
            if holds_sometimes(self.lowerer.cells.seen(result)):
                raise self.not_set()
            whole = bare(self.lowerer.cells.seen(result))
            return list(values_of(whole)), skeleton(whole)
        numbers = {ref.cell: -1 - n for n, ref in self.given.items()}
        updates = [n for n, ref in self.given.items() if self.is_written(n, ref)]
        self.updates = updates
        outgoing: dict[int, int] = dict(numbers)
        nodes = [self.outward(self.changed_content(n), outgoing) for n in updates]
        nodes.append(self.outward(result, outgoing))
        node = nodes[0] if not updates else Pack(tuple, list(range(len(nodes))), nodes)
        if updates and is_none(nodes[-1]):
            node.items[-1] = Ref(NOTHING)
        marked = {new for old, new in outgoing.items() if old in self.scope.program.ambiguous}
        self.doubtful = marked
        return list(values_of(node)), skeleton(node)

    def returns_differ(self) -> UnsupportedSyntax:
        return UnsupportedSyntax(
            f"the `return` statements of `{self.scope.tree.name}` have different types",
            place=self.scope.place(exit_queries.last_return(self.scope.tree)),
            fix="return one type everywhere: a number or an array, or containers of one structure",
        )

    def not_set(self) -> UnsupportedSyntax:
        return UnsupportedSyntax(
            f"`{self.scope.tree.name}` returns an object, an attribute of which only some ways set",
            place=self.scope.place(exit_queries.last_return(self.scope.tree)),
            fix="give the attribute a value in the class, or on every way",
        )

    def is_written(self, number: int, ref: Ref) -> bool:
        before, after = self.entry[number], self.scope.env.get(cell_name(ref.cell))
        if not isinstance(after, Pack):
            raise self.two_kinds()
        return not same_content(before, after)

    def changed_content(self, number: int) -> Pack:
        """The content of a container of the caller at the end, but for what it held before."""
        before, after = self.entry[number], self.scope.env[cell_name(self.given[number].cell)]
        old = dict(zip(before.keys, before.items, strict=True))
        items = [
            Ref(KEPT) if k in old and same_leaf(old[k], i) else i
            for k, i in zip(after.keys, after.items, strict=True)
        ]
        return Pack(after.kind, list(after.keys), items)

    def outward(self, node: Node, outgoing: dict[int, int]) -> Node:
        """A result: containers of the arguments by their numbers, new ones with what they hold."""
        if isinstance(node, Ref):
            if node.cell == KEPT:
                return node
            if node.cell in outgoing:
                return Ref(outgoing[node.cell])
            outgoing[node.cell] = sum(n >= 0 for n in outgoing.values())
            content = self.scope.env.get(cell_name(node.cell))
            if isinstance(content, Pack) and content.kind is Collecting:
                self.lowerer.cells.seen(node)
            if not isinstance(content, Pack):
                return self.lowerer.cells.seen(node)
            made = self.outward(content, outgoing)
            made.cell = outgoing[node.cell]
            return made
        if isinstance(node, Pack):
            items = [self.outward(i, outgoing) for i in node.items]
            return Pack(node.kind, list(node.keys), items)
        left = self.lowerer.cells.stored(
            self.lowerer.closures.handed_on(node)
        )  # a function, in a container
        return node if left is node else self.outward(left, outgoing)

    def taken_over(self, callee: Callee, results: list[Operand], node: gast.AST) -> Node:
        """The result of a call, and what it left in the containers it was given."""
        cells = {-1 - n: Ref(outer) for n, outer in callee.cells.items()}
        facts, values = callee.function.facts, iter(results)
        tree, updates = callee.result_tree(), facts.updates
        for n, content in zip(updates, tree.items if updates else (), strict=False):
            outer = callee.cells[n]
            items = [self.sent_item(k, content, outer, values, cells) for k in content.keys]
            if content.kind in (Listed, Mapped):
                items[0].hint = items[0].hint or self.lowerer.cells.cell_hint(cell_name(outer))
            self.lowerer.cells.check_one(outer, node)
            self.scope.program.written.add(outer)
            self.lowerer.items.left_by_callee(outer, content, callee.cells.values(), node)
            self.scope.env[cell_name(outer)] = Pack(content.kind, list(content.keys), items)
        self.lowerer.items.lose({callee.cells[n] for n in facts.lost})
        result = sent(tree.items[-1] if updates else tree, values, cells, self.lowerer)
        self.scope.program.ambiguous.update({cells[n].cell for n in facts.doubtful if n in cells})
        return self.lowerer.cells.seen(result)

    def sent_item(
        self, key: Any, content: Pack, outer: int, values: Any, cells: dict[int, Ref]
    ) -> Node:
        """An item of a container that a callee wrote to."""
        item = content.get(key)
        if isinstance(item, Ref) and item.cell == KEPT:
            return self.lowerer.cells.content(outer).get(key)
        made = sent(item, values, cells, self.lowerer)
        self.lowerer.container_writes.name_entry(made, key)
        return made

    # -- the caller's own containers ---------------------------------------------------

    def write_into(self) -> None:
        """Write into the arrays that the caller's containers hold what they hold at the end."""
        written = [
            v
            for v in self.parts
            if self.lowerer.versions.held(self.lowerer.versions.place_of(v).cell) is not v
        ]
        for v in written:
            held = self.lowerer.versions.choices.read(self.lowerer.versions.place_of(v).cell)
            if isinstance(held, Lost):
                raise MutationError(
                    f"this may write to `{v.hint}`, which a container of the arguments holds, or may not",
                    place=held.place, fix="write to a copy (`.copy()`)",
                )  # fmt: skip
            self.store(SET_CONTENT, v, Const(None), held)
        if written:
            arguments = [p for p in self.scope.blocks[0].params if not isinstance(p.type, Number)]
            checked = Apply(
                [Value(None)],
                None,
                linear.check_apart,
                (tuple(written), tuple(arguments)),
                effect=True,
            )
            ops = self.scope.blocks[0].ops
            last = max(k for k, op in enumerate(ops) if set(op.results) & set(written))
            ops.insert(last + 1, checked)

    def write_back(self) -> None:
        """Write to the caller's containers what they hold at the end."""
        for path, ref, before in self.looked_into:
            if not same_content(before, self.scope.env.get(cell_name(ref.cell))):
                raise Reopen(path, None, self.scope.tree)
        for (handle, ref), before in zip(self.opened, self.opened_entry, strict=True):
            after = self.scope.env.get(cell_name(ref.cell))
            if not isinstance(after, Pack):
                raise self.two_kinds()
            if not same_content(before, after):
                self.write_content(handle, before, after)

    def two_kinds(self) -> UnsupportedSyntax:
        return UnsupportedSyntax(
            "an argument is a different kind of container at different ends of this function",
            place=self.scope.source.place(self.scope.tree), fix="return the new container instead",
        )  # fmt: skip

    def write_content(self, handle: Value | Const, before: Pack, after: Pack) -> None:
        if before.kind is list and (after.kind is Listed or len(after.items) != len(before.items)):
            value = self.lowerer.operations.operand(self.lowerer.cells.seen(after))
            return self.store(SET_SLICE, handle, Const(None), value)
        store = SET_ITEM if before.kind in (list, dict) else SET_ATTRIBUTE
        gone = [k for k in before.keys if k not in after.keys]
        for key in gone:
            self.store(DELETE_ITEM, handle, Const(key), Const(None))
        old = dict(zip(before.keys, before.items, strict=True))
        for key, item in zip(after.keys, after.items, strict=True):
            if key not in old or not same_leaf(old[key], item):
                self.store(store, handle, Const(key), self.handle_of(item))

    def handle_of(self, item: Node) -> Any:
        """An item to be stored: one of the caller's own containers is stored itself."""
        for handle, ref in self.opened:
            if item == ref:
                return handle
        return self.lowerer.operations.operand(self.lowerer.cells.seen(item))

    def store(self, fn: Store, handle: Value | Const, key: Const, value: Any) -> None:
        op = Apply([Value(None)], None, fn, (handle, key, value), effect=True)
        self.lowerer.operations.emit(op)


KEPT = -(10**9) - 1  # an item of a container that is what it was
NOTHING = -(10**9)  # in place of a container: the function returns None


def is_none(node: Node) -> bool:
    return isinstance(node, Const) and node.value is None


CONTAINERS = {"list": list, "dict": dict, "tuple": tuple}


def same_leaf(a: Node, b: Node) -> bool:
    if isinstance(a, Const) and isinstance(b, Const):
        return a.key() == b.key()
    return a is b or (isinstance(a, Ref) and a == b)


def same_content(a: Node, b: Node) -> bool:
    """True if a container holds what it held."""
    if isinstance(a, Pack) and isinstance(b, Pack):
        return (a.kind, a.keys) == (b.kind, b.keys) and all(map(same_content, a.items, b.items))
    return same_leaf(a, b)


def bare(node: Node) -> Node:
    """A node without the identity of its containers."""
    if isinstance(node, Pack) and node.kind is Listed:
        return node.items[0]
    if isinstance(node, Pack):
        return Pack(node.kind, list(node.keys), [bare(i) for i in node.items])
    return node


def skeleton(node: Node) -> Any:
    """A result with a ``LEAF`` for every value; containers keep their numbers."""
    if isinstance(node, Pack):
        made = Pack(node.kind, list(node.keys), [skeleton(i) for i in node.items])
        made.cell = node.cell
        return made
    return node if isinstance(node, Ref) else LEAF


def numbered(node: Node, numbers: dict[int, int]) -> None:
    """Number the containers of an argument in order of appearance."""
    if isinstance(node, Pack):
        if node.cell is not None:
            numbers.setdefault(node.cell, len(numbers))
        for item in node.items:
            numbered(item, numbers)


def sent(tree: Any, values: Any, cells: dict[int, Ref], lowerer: Lowerer) -> Node:
    """A result of a call in the caller: ``cells`` are its containers by their numbers."""
    if isinstance(tree, Ref):
        return Const(None) if tree.cell == NOTHING else cells[tree.cell]
    if isinstance(tree, Pack):
        items = [sent(i, values, cells, lowerer) for i in tree.items]
        content = Pack(tree.kind, list(tree.keys), items)
        if not has_identity(tree.kind):
            return content
        made = lowerer.cells.new_cell(content)
        if tree.cell is not None:
            cells[tree.cell] = made
        return made
    return next(values)
