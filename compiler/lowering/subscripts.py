"""Subscripts and unpacking: of containers that are taken apart, and of values."""

from __future__ import annotations

import builtins
import operator
from typing import Any

import gast
import numpy as np

from retrograd.runtime.errors import UnsupportedSyntax
from retrograd.runtime.helpers import linear

from ..analyses.class_protocols import asks_always, is_opaque
from ..analyses.shapes.infer import type_of
from ..dependencies.object_reads import static
from ..ir.containers import Pack
from ..ir.operations import Block, Const, Operand, Value
from ..ir.types import CUT, Array, Stack, Tree
from .chosen_functions import chosen_function, chosen_of_module
from .interface.lowerer import Lowerer
from .iteration.iterables import Zip, written_out
from .iteration.unbounded_iterables import Flat
from .memory.node_kinds import as_of_number, is_whole_number
from .module_containers import is_container_constant
from .nodes import UNKNOWN, Lazy, Listed, Mapped, Node

__all__ = ["Subscripts", "tree_length"]


class Subscripts:
    """Items of containers and arrays."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope
        self.projections: dict[Any, tuple[Value, Value, Block]] = {}

    def item(self, pack: Pack, index: Node, node: gast.AST) -> Node:
        """A subscript of a container the compiler takes apart."""
        index = self.lowerer.constants.place_told(index)
        if self.becomes_run_time(pack, index):
            pack = self.lowerer.cells.known_at_run_time(pack)
        if pack.kind in (Listed, Mapped):
            return self.item_listed(pack, index)
        if pack.kind not in (tuple, list, dict) and not hasattr(pack.kind, "_fields"):
            return self.lowerer.container_writes.special(pack, "__getitem__", [index], node)
        if hasattr(pack.kind, "_fields"):  # a named tuple has its items by number
            pack = Pack(tuple, list(range(len(pack.items))), list(pack.items))
        if isinstance(index, slice):
            parts = [
                self.lowerer.operations.operand(p) for p in (index.start, index.stop, index.step)
            ]
            known = self.lowerer.known.of(index) if pack.kind is tuple else UNKNOWN
            if isinstance(known, slice):
                parts = [Const(p) for p in (known.start, known.stop, known.step)]
            if all(isinstance(p, Const) for p in parts) and pack.kind in (tuple, list):
                items = pack.items[slice(*[p.value for p in parts])]
                return Pack(pack.kind, list(range(len(items))), list(items))
            if pack.kind is list:
                return self.item_listed(self.lowerer.cells.as_one(pack), index)
        if isinstance(index, Const):
            try:
                return pack.get(index.value)
            except (IndexError, ValueError, KeyError):
                raise self.missing(index.value, pack.kind, node) from None
        function = chosen_function(self.lowerer, pack, index)
        if function is not None:
            return function
        self.lowerer.cells.chosen_among(pack.items)
        return self.getitem(self.bundle(pack), index)

    def missing(self, key: Any, kind: Any, node: gast.AST) -> UnsupportedSyntax:
        """The error of a container that has no such item."""
        refused = UnsupportedSyntax(f"there is no item {key!r} here", place=self.scope.place(node))
        if kind in (list, tuple, str):
            return refused.as_python(IndexError if hasattr(key, "__index__") else TypeError)
        return refused.as_python(KeyError) if kind is dict else refused

    def item_listed(self, pack: Pack, index: Node) -> Node:
        """A subscript of a list of run-time length; a slice is such a list."""
        made: Value = self.getitem(pack.items[0], index)
        if not isinstance(index, slice):
            return self.lowerer.items.opened(pack, index, made)
        made.type = type_of(pack.items[0])
        return Pack(Listed, [0], [made])

    def becomes_run_time(self, pack: Pack, index: Node) -> bool:
        """True if one of the containers in this is chosen when it runs, and such are written to."""
        if not self.scope.program.nested or pack.cell is None or pack.kind not in (list, dict):
            return False
        computed = not isinstance(index, (Const, slice))
        return computed and any(isinstance(i, Pack) for i in pack.items)

    def bundle_operand(self, operand: Operand) -> Value:
        """A container of operands as one value."""
        made: Value = self.lowerer.cells.bundled(operand, type_of(operand))
        return made

    def bundle(self, pack: Pack) -> Value:
        """A container as one value, for what cannot be resolved at compile time."""
        operand = self.lowerer.operations.operand(pack)
        return operand if isinstance(operand, Value) else self.bundle_operand(operand)

    def key(self, index: Node, base: Node = None) -> Node:
        """A subscript, a slice that has a name (``s = slice(1, n)``) as the one that it is.

        One that was chosen or handed over is taken apart where it cuts a container.
        """
        if isinstance(index, Const) and type(index.value) is slice:
            return slice(*map(Const, ends_of(index.value)))
        op = self.scope.program.known.asked.get(index) if isinstance(index, Value) else None
        if op is None or op.fn is not builtins.slice or op.kwargs:
            apart = type_of(index) == CUT and is_container(base)
            return slice(*self.ends(index)) if apart else index
        none = Const(None)
        start, stop, step = {1: (none, *op.args, none), 2: (*op.args, none)}.get(
            len(op.args), op.args
        )
        return slice(start, stop, step)

    def ends(self, cut: Value) -> list[Node]:
        """Where a slice that the run knows begins and ends, and its steps."""
        apply = self.lowerer.operations.apply
        return [apply(getattr, (cut, Const(name)), {}) for name in ("start", "stop", "step")]

    def part(self, base: Node, index: Node) -> Node:
        """A subscript of a value; a slice of a list of the arguments is a list of its own."""
        made = self.getitem(base, index)
        known = type_of(made) if isinstance(made, Value) else None
        several = isinstance(index, slice) and isinstance(known, Stack) and not known.fixed
        cut = several and isinstance(base, Value) and isinstance(type_of(base), Tree)
        return Pack(Listed, [0], [made]) if cut else made

    def getitem(self, base: Node, index: Node) -> Node:
        if isinstance(base, Flat):
            base = self.lowerer.operations.apply(np.ndarray.flatten, (base.value,), {})
        if is_container_constant(base) and (one := chosen_of_module(self.lowerer, base, index)):
            return one
        value, key = self.lowerer.operations.operand(base), self.lowerer.operations.operand(index)
        if isinstance(key, Const):
            memo = (id(value), key.key())
            known = self.projections.get(memo)
            if known is not None and known[0] is value and known[2] in self.open_blocks():
                return self.lowerer.known.settled(known[1])
        result = self.lowerer.operations.apply(operator.getitem, (value, key), {})
        self.extend_path(value, key, result)
        self.lowerer.known_results.part_of(result, value)
        if isinstance(key, Const) and isinstance(result, Value):
            self.projections[memo] = (value, result, self.scope.block)
        return self.lowerer.known.settled(result)

    def extend_path(self, base: Any, key: Any, result: Value) -> None:
        """Containers within the arguments are known by the way that leads to them."""
        path = self.scope.program.paths.get(base) if isinstance(base, Value) else None
        if path is not None and isinstance(key, Const):
            inner = (path[0], (*path[1], key.value))
            self.scope.program.known.learn(result, inner)
            if isinstance(result.type, Tree):
                self.scope.program.paths[result] = inner

    def forget(self, gone: set[Value]) -> None:
        """These values were taken back."""
        self.projections = {k: v for k, v in self.projections.items() if v[1] not in gone}

    def open_blocks(self) -> list[Block]:
        return self.scope.blocks

    def unpack(self, node: Node, n: int | None, at: gast.AST) -> list[Node]:
        """The items that ``a, b = node`` binds."""
        whole = node = self.lowerer.perhaps.taken_apart(node)
        if isinstance(node, Lazy):
            node = self.lowerer.comprehensions.gone_over(node)
        if not (is_opaque(node) and n is not None):
            node = written_out(self.lowerer.protocols.laid_out(node, at))
        if isinstance(node, Flat):
            node = self.lowerer.operations.operand(node)
        if isinstance(node, Zip):
            node = self.lowerer.higher_order.listing(node, at)
        node = self.lowerer.constants.own(node)
        if isinstance(node, Pack) and node.kind in (Listed, Mapped):
            node = node.items[0]
        if isinstance(node, Pack):
            items: list[Node] = (
                [Const(k) for k in node.keys] if node.kind is dict else list(node.items)
            )
        elif is_opaque(node) and n is not None:
            return self.lowerer.inactive.unpacked(node, n, at)
        elif isinstance(node, Value):
            known = node.type
            count = tree_length(known)
            repeated = self.lowerer.lists.repeated_items(node) if count is None else None
            if repeated is not None and n is None:
                return repeated
            if count is None and n is None:
                raise UnsupportedSyntax(
                    "unpacking something of unknown length", place=self.scope.place(at)
                )
            counted = known is None or isinstance(known, Stack) or getattr(known, "dims", None)
            if n not in (None, count) and counted:
                self.lowerer.operations.apply(linear.check_count, (node, Const(n)), {})
                self.lowerer.operations.last().effect = True
                count = None
            places = range(count if count is not None else n or 0)
            items = [self.getitem(node, Const(k)) for k in places]
        else:
            refused = UnsupportedSyntax("this cannot be unpacked", place=self.scope.place(at))
            raise as_of_number(refused, node, "cannot unpack non-iterable {} object")
        if n is not None and len(items) != n:  # it raises, if it is reached
            self.lowerer.operations.apply(
                linear.check_count, (Const((0,) * len(items)), Const(n)), {}
            )
            self.lowerer.operations.last().effect = True
            items = [*items, *[Const(0.0)] * n][:n]
        for item in items:
            self.lowerer.known_results.part_of(item, whole)
        return items

    def is_of_unknown_length(self, node: Node) -> bool:
        """True if this is a list or an array whose length is known when it runs."""
        whole = node.items[0] if isinstance(node, Pack) and node.kind is Listed else node
        known = whole.type if isinstance(whole, Value) else None
        unknown = isinstance(known, (Array, Stack)) and tree_length(known) is None
        return unknown and self.lowerer.lists.repeated_items(whole) is None

    def taken_for(self, fn: Any, node: Node, other: Node) -> Node:
        """A container of the arguments or the module, taken apart where Python joins it to another, or repeats it."""
        known = node.type if isinstance(node, Value) else None
        given = isinstance(known, Tree) and known.container in ("list", "tuple", "dict")
        if isinstance(known, Tree) and known.cls is not None:
            return node  # a dict of another class, and so would be the sum
        if not (given or is_container_constant(node)):
            return node
        joins = is_joined(other)
        if fn is operator.mul:
            joins = is_whole_number(other) or self.lowerer.lists.repeats(other)
        if not joins:
            return node
        parts = self.lowerer.construction.taken_apart if given else self.lowerer.constants.own
        return parts(node)

    def getitem_attribute(self, base: Value, name: str) -> Node:
        memo = (id(base), ("attribute", name))
        known = self.projections.get(memo)
        if known is not None and known[2] in self.open_blocks():
            return self.lowerer.known.settled(known[1])
        result = self.lowerer.operations.apply(builtins.getattr, (base, Const(name)), {})
        if isinstance(base.type, Tree) and isinstance(result, Value) and name in base.type.keys:
            result.type = base.type.item(name)
        if is_plainly_read(base.type, name):
            self.extend_path(base, Const(name), result)
        self.projections[memo] = (base, result, self.scope.block)
        return self.lowerer.known.settled(result)


def is_plainly_read(known: Any, name: str) -> bool:
    """Whether an attribute is what stands in the object under its name."""
    cls = known.cls if isinstance(known, Tree) else None
    if not isinstance(cls, type) or asks_always(cls):
        return False
    return hasattr(cls, "_fields") or not hasattr(type(static(cls, name)), "__set__")


def is_joined(node: Node) -> bool:
    if isinstance(node, Pack):
        return node.kind in (list, tuple, dict)
    known = type_of(node) if isinstance(node, Value) else None
    given = isinstance(known, Tree) and known.container in ("list", "tuple", "dict")
    return given or is_container_constant(node)


def tree_length(known: Any) -> int | None:
    if isinstance(known, Tree) and known.container in ("tuple", "list"):
        return len(known.items)
    if isinstance(known, Array) and known.dims and isinstance(known.dims[0], int):
        return known.dims[0]
    return None


def is_container(base: Node) -> bool:
    known = type_of(base) if isinstance(base, Value) else None
    return isinstance(base, Pack) or is_container_constant(base) or isinstance(known, (Tree, Stack))


def ends_of(cut: slice) -> tuple[Any, Any, Any]:
    return cut.start, cut.stop, cut.step
