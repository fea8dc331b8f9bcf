"""Lists whose length is known when they run: displays with a starred part, and where an item stands in one."""

from __future__ import annotations

import operator
from typing import Any

import gast

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.errors import UnsupportedSyntax
from retrograd.runtime.helpers import linear

from ...analyses.shapes.infer import type_of
from ...ir.containers import Pack
from ...ir.operations import Apply, Const, Value
from ...ir.primitives import BUNDLE
from ...ir.types import Array, Number, Stack, Tree
from ..interface.lowerer import Lowerer
from ..nodes import UNKNOWN, Listed, Node
from .array_kinds import is_numpy_scalar
from .container_writes import joined_type
from .node_kinds import is_array, joined

__all__ = ["Lists"]

PLACES = {"index": linear.index_of, "count": linear.times_in}


class Lists:
    """Lowers what is made of lists of run-time length."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    # -- displays --------------------------------------------------------------------

    def display(self, items: list[Node], spread: Node, rest: list[Any], node: gast.AST) -> Pack:
        """``[a, *xs, b]``: the items before a starred part of unknown length, that part, and what follows it."""
        whole = self.lowerer.cells.as_one(self.of_items(items))
        whole = self.longer(whole, spread, node)
        run: list[Node] = []
        for element in rest:
            if not isinstance(element, gast.Starred):
                run.append(self.lowerer.expression(element))
                continue
            part = self.lowerer.expression(element.value)
            whole = self.longer(self.longer(whole, self.of_items(run), node), part, element)
            run = []
        return self.longer(whole, self.of_items(run), node)

    def operands(self, nodes: list[Node]) -> tuple[Any, ...]:
        return tuple(map(self.lowerer.operations.operand, nodes))

    def of_items(self, items: list[Node]) -> Pack:
        return joined(list, list(map(self.lowerer.cells.present, items)))

    def longer(self, whole: Pack, part: Node, node: gast.AST) -> Pack:
        """A list with the items of another one behind its own."""
        if isinstance(part, Pack) and part.kind is list and not part.items:
            return whole
        if isinstance(part, Value) and not isinstance(part.type, (Array, Stack, Tree)):
            raise UnsupportedSyntax(
                "unpacking something of unknown length", place=self.scope.place(node)
            )
        first, second = whole.items[0], self.lowerer.container_writes.sequence(part, node)
        made = self.lowerer.operations.apply(linear.joined, (first, second), {})
        return self.lowerer.cells.one_list(made, joined_type(first, second), None)

    def repeated_items(self, whole: Value) -> list[Node] | None:
        """The items of ``[a] * n``, where ``n`` is known at the call."""
        op = self.maker(whole)
        if op is None or op.fn is not linear.repeated_list:
            return None
        made, count = op.args
        bundle, times = self.maker(made), self.lowerer.known.of(count)
        if bundle is None or bundle.fn is not BUNDLE or type(times) is not int:
            return None
        (items,) = bundle.args
        return [self.item(i) for i in items] * times if isinstance(items, (list, tuple)) else None

    def item(self, operand: Any) -> Node:
        """An item of a container of operands; nobody writes to it under this name."""
        if isinstance(operand, dict):
            made = Pack(dict, list(operand), list(map(self.item, operand.values())))
        elif isinstance(operand, (list, tuple)):
            made = joined(type(operand), list(map(self.item, operand)))
        else:
            return operand
        made = self.lowerer.cells.anchored(made)
        return self.lowerer.cells.chosen_among([made], made)

    def holds_others(self, whole: Value) -> bool:
        """True of a container of known structure whose items may be arrays, as far as can be seen here."""
        return isinstance(whole.type, Tree) and not self.holds_numbers(whole)

    def holds_numbers(self, whole: Any) -> bool:
        """True of a container made here, or one in it, of numbers and NumPy's scalars alone."""
        op = None if whole in self.scope.blocks[0].params else self.maker(whole)
        if op is None:
            return False
        if op.fn is operator.getitem:
            return self.holds_numbers(op.args[0])
        return op.fn is BUNDLE and self.are_numbers(op.args[0])

    def are_numbers(self, operand: Any) -> bool:
        if isinstance(operand, (list, tuple)):
            return all(map(self.are_numbers, operand))
        if isinstance(operand, Const):
            return not is_ndarray(operand.value)
        number = isinstance(type_of(operand), Number)
        return number or is_numpy_scalar(operand, self.lowerer.versions.rank0)

    def maker(self, value: Any) -> Apply | None:
        """The operation of one of the open regions that made a value."""
        blocks = reversed(self.scope.blocks)
        ops = (op for block in blocks for op in reversed(block.ops) if value in op.results)
        found = next(ops, None)
        return found if isinstance(found, Apply) else None

    def renew(self, pack: Pack, content: Pack, node: gast.AST) -> None:
        """A list has this content from now on."""
        writes = self.lowerer.container_writes
        if content.kind is Listed:
            return writes.rewrite_listed(pack, content, node)
        self.lowerer.cells.rewrite(pack, list(content.keys), list(content.items), node)

    def repeats(self, other: Node) -> bool:
        """True if this is a scalar of NumPy's that repeats a list, as a whole number does; False of an array."""
        known = type_of(other) if is_array(other) else None
        if not isinstance(known, Array) or known.dims or other in self.lowerer.versions.rank0:
            return False
        if known.dims is None and known.kind in ("f", "c"):
            return False  # a scalar is no count
        if known.dims == () and known.kind == "i":
            return True
        raise UnsupportedSyntax(
            "a list times something that may be a number or an array",
            place=self.scope.place(self.scope.node),
            fix="make an array of it first, np.array(...), or a whole number of the other: int(n)",
        )

    # -- where an item stands ------------------------------------------------------------

    def place(self, pack: Pack, name: str, args: list[Node]) -> Node | None:
        """``xs.index(v)`` and ``xs.count(v)`` of numbers and texts; None of anything else."""
        if not args:
            return None
        items = [self.lowerer.operations.operand(pack)] if pack.kind is Listed else pack.items
        known = self.lowerer.known.of([*pack.items, *args]) if pack.kind is not Listed else UNKNOWN
        if known is not UNKNOWN and known[len(pack.items)] in known[: len(pack.items)]:
            asked = getattr(known[: len(pack.items)], name)
            return Const(asked(*known[len(pack.items) :]))
        kinds = [type_of(i) if isinstance(i, (Value, Const)) else None for i in [*items, *args]]
        kinds = [k.item if isinstance(k, Stack) else k for k in kinds]
        if not all(map(is_plain, kinds, [*items, *args])):
            return None
        return self.lowerer.operations.apply(PLACES[name], self.operands([pack, *args]), {})


def is_plain(kind: Any, item: Node) -> bool:
    """True of a number or a text: Python compares them as it does."""
    if isinstance(item, Const):
        return type(item.value) in (str, bool, int, float, complex)
    word = isinstance(kind, Tree) and kind.cls is str
    return word or (isinstance(kind, (Number, Array)) and kind.dims == ())
