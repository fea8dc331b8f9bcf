"""``sorted``, ``xs.sort()``, ``min`` and ``max`` with a key: the order is found at run time, as Python finds it."""

from __future__ import annotations

import builtins
import operator
from typing import Any

import gast

from retrograd.runtime.helpers import linear

from ...ir.containers import Pack
from ...ir.operations import Const, Value
from ..interface.lowerer import Lowerer
from ..iteration.iterables import Filtered, Iteration, Sequence
from ..known_items import is_plain, is_true, is_written_out, items_of, listed
from ..nodes import Listed, Node

__all__ = ["Sorting"]


class Sorting:
    """Items in the order of their keys."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def sorted_items(self, items: Node, kwargs: dict[str, Node], node: gast.AST) -> Node:
        """``sorted``: the items in the order that their keys have when they are there."""
        items = self.lowerer.construction.taken_apart(items)
        items = (
            self.lowerer.higher_order.listing(items, node)
            if isinstance(items, Iteration)
            else items
        )
        if not isinstance(items, (Pack, Value)) or set(kwargs) - {"key", "reverse"}:
            return None
        reverse = self.lowerer.operations.operand(kwargs.get("reverse", Const(False)))
        plain = "key" not in kwargs and is_plain(kwargs.get("reverse", Const(False)))
        if plain and is_written_out(items) and all(map(is_plain, items_of(items))):
            found = sorted(items_of(items), key=lambda i: i.value, reverse=is_true(kwargs))
            return listed(found)
        keys = self.lowerer.operations.operand(self.keys_of(items, kwargs, node))
        places = self.lowerer.operations.apply(linear.order_of, (keys, reverse), {})
        if is_written_out(items):
            whole = self.lowerer.subscripts.bundle(listed(items_of(items)))
            chosen = [
                self.lowerer.subscripts.getitem(places, Const(k)) for k in range(len(items.items))
            ]
            return listed([self.chosen(items_of(items), whole, k) for k in chosen])
        held = items.items[0] if isinstance(items, Pack) else items
        inner = Sequence(value=held, hint="k")
        return self.lowerer.higher_order.listing(
            Filtered(value=places, inner=inner, hint="k"), node
        )

    def sort_list(self, pack: Pack, kwargs: dict[str, Node], node: gast.AST) -> Node:
        """``xs.sort()``: the list itself is put in order."""
        made = self.sorted_items(pack, kwargs, node)
        if not isinstance(made, Pack):
            self.lowerer.expressions.refuse_write(node)
        if made.kind is Listed:
            self.lowerer.container_writes.rewrite_listed(
                pack, Pack(Listed, [0], list(made.items)), node
            )
        else:
            self.lowerer.cells.rewrite(pack, list(made.keys), list(made.items), node)
        return Const(None)

    def keys_of(self, items: Node, kwargs: dict[str, Node], node: gast.AST) -> Node:
        key = kwargs.get("key", Const(None))
        if isinstance(key, Const) and key.value is None:
            return listed(items_of(items)) if is_written_out(items) else items
        return self.lowerer.higher_order.map_over(key, [items], node)

    def best(self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        """``min`` and ``max`` with a key: the first item whose key is the least or the greatest."""
        items = listed(args) if len(args) > 1 else self.lowerer.construction.taken_apart(args[0])
        items = (
            self.lowerer.higher_order.listing(items, node)
            if isinstance(items, Iteration)
            else items
        )
        if "default" in kwargs and isinstance(items, (Pack, Value)):
            return self.best_or(fn, items, kwargs, node)
        if not isinstance(items, (Pack, Value)) or set(kwargs) - {"key"}:
            return None
        keys = self.lowerer.operations.operand(self.keys_of(items, kwargs, node))
        at = self.lowerer.operations.apply(linear.best_of, (keys, Const(fn is builtins.max)), {})
        held = (
            self.lowerer.subscripts.bundle(listed(items_of(items)))
            if is_written_out(items)
            else items
        )
        held = held.items[0] if isinstance(held, Pack) else held
        return self.chosen(items_of(items) if is_written_out(items) else [], held, at)

    def best_or(self, fn: Any, items: Node, kwargs: dict[str, Node], node: gast.AST) -> Node:
        """The first of the best items; where there are none, the ``default``."""
        others = {k: v for k, v in kwargs.items() if k != "default"}

        def found() -> Node:
            return self.lowerer.calls.call(Const(fn, fn.__name__), [items], others, node)

        count = self.lowerer.calls.call(Const(len, "len"), [items], {}, node)
        if isinstance(count, Const):
            return found() if count.value else kwargs["default"]
        some = self.lowerer.operations.apply(operator.gt, (count, Const(0)), {})
        return self.lowerer.branches.either(some, found, lambda: kwargs["default"], node)

    def chosen(self, items: list[Node], whole: Node, at: Node) -> Node:
        """One of these items, at a place that is known when it runs."""
        made = self.lowerer.subscripts.getitem(whole, at)
        made = self.lowerer.construction.taken_apart(made)
        return self.lowerer.cells.chosen_among(items, made)
