"""Iterators that a name holds: ``it = iter(xs)``, items that ``next(it)`` takes, and the rest gone over.

::

    it = iter(x)          ->      first = x[0]
    first = next(it)              for v in x[1:]:
    for v in it:                      s += first * v
        s += first * v
"""

from __future__ import annotations

import operator

import gast

from retrograd.runtime.errors import UnsupportedSyntax

from ...analyses.shapes.infer import type_of
from ...frontend.iterator_uses import in_steps
from ...ir.containers import Pack
from ...ir.operations import Const
from ...ir.types import Array
from ..interface.lowerer import Lowerer
from ..known_items import listed
from ..nodes import Node
from .iterables import Behind, Entries, Enumerate, Range, Sequence, Zip

__all__ = ["SteppedIterators"]


class SteppedIterators:
    """Lowers ``iter`` and ``next``."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def builtin_iter(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        """``iter(d)``, which nobody keeps: see ``refuse_iterator``."""
        if len(args) != 1:
            raise UnsupportedSyntax(
                "this form of `iter` is not supported", place=self.scope.place(node)
            )
        found = self.lowerer.protocols.laid_out(args[0], node)
        if isinstance(found, Pack) and found.kind in (tuple, list):
            made = listed(list(found.items))
            made.steady = args[0].steady if isinstance(args[0], Pack) else ()
            return self.lowerer.iterators.live(
                made,
                lambda: self.builtin_iter([self.lowerer.iterators.refreshed(args[0])], {}, node),
            )
        return self.lowerer.containers.iteration(found, node)

    def builtin_next(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        """``next(iter(d))``: the first item.  What was computed at once (``map``) would be gone over to its end."""
        first = args[0] if args else None
        at_once = not isinstance(first, Pack) or first.live is None or bool(first.steady)
        if not at_once and first.kind in (tuple, list) and (first.items or len(args) == 2):  # type: ignore[union-attr]
            self.advance(node.args[0] if node.args else node)
            return [*first.items, *args[1:]][0]  # type: ignore[union-attr]
        in_order = isinstance(first, Entries) or is_in_order(first)
        if in_order and not first.steady and len(args) == 1:  # type: ignore[union-attr]
            behind = first if isinstance(first, Behind) else Behind(inner=first, taken=0)
            found = behind.first(self.lowerer)
            self.advance(node.args[0] if node.args else node)
            return found
        raise UnsupportedSyntax(
            "`next` of an iterator is not supported", place=self.scope.place(node),
            fix="take the items of a list by their indices, or write next(f(v) for v in xs)",
        )  # fmt: skip

    def is_in_steps(self, name: str, value: Node) -> bool:
        """True if a name holds an iterator over an array or a list, and `next` takes them one by one before a loop does."""
        known = isinstance(value, Pack) and value.kind is list and not value.steady
        known = known or is_in_order(value)
        own = "next" in self.scope.local_names or "next" in self.scope.python.__globals__
        return known and not own and in_steps(self.scope.tree, self.scope.statement_node, name)

    def advance(self, name: gast.AST) -> None:
        """The first item of the iterator of this name was taken."""
        held = self.scope.env.get(name.id) if isinstance(name, gast.Name) else None
        if isinstance(held, Pack) and held.live is not None:
            self.scope.env[name.id] = self.behind_first(held)
        elif isinstance(held, Sequence) and is_over_array(held):
            cut = slice(Const(1), Const(None), Const(None))
            rest = self.lowerer.operations.apply(operator.getitem, (held.value, cut), {})
            self.scope.env[name.id] = Sequence(value=rest, hint="k")
        elif isinstance(held, Behind):
            self.scope.env[name.id] = Behind(inner=held.inner, taken=held.taken + 1, hint="k")
        elif is_in_order(held):
            self.scope.env[name.id] = Behind(inner=held, hint="k")

    def behind_first(self, pack: Pack) -> Pack:
        made = Pack(list, list(range(len(pack.items) - 1)), pack.items[1:])
        made.live = lambda: self.behind_first(self.lowerer.iterators.refreshed(pack))
        return made


def is_in_order(node: Node) -> bool:
    """True of an iterator over arrays and lists, which sees what is written to them meanwhile."""
    if isinstance(node, Zip):
        return not node.strict and all(map(is_in_order, node.parts))
    if isinstance(node, (Enumerate, Behind)):
        return is_in_order(node.inner)
    return type(node) in (Sequence, Range) and not node.steady


def is_over_array(node: Node) -> bool:
    return (
        type(node) is Sequence
        and node.cell is None
        and not node.steady
        and isinstance(type_of(node.value), Array)
    )
