"""``sorted``, ``xs.sort()``, ``min`` and ``max`` with a key: the order is found at run time, as Python finds it."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

from retrograd.runtime.helpers import linear

from ...ir.containers import Pack
from ...ir.operations import Const, Value
from ..iteration.iterables import Filtered, Iteration, Sequence
from ..known_items import is_plain, is_true, is_written_out, items_of, listed
from ..memory.container_identity import Listed

__all__ = ["Sorting"]

Node = Any


class Sorting:
    """Items in the order of their keys."""

    if TYPE_CHECKING:  # what the classes beside this one add
        apply: Any
        bundle: Any
        call: Any
        getitem: Any
        listing: Any
        map_over: Any
        operand: Any
        refuse_write: Any
        rewrite: Any
        rewrite_listed: Any
        taken_apart: Any

    def sorted_items(self, items: Node, kwargs: dict[str, Node], node: Any) -> Node:
        """``sorted``: the items in the order that their keys have when they are there."""
        items = self.taken_apart(items)
        items = self.listing(items, node) if isinstance(items, Iteration) else items
        if not isinstance(items, (Pack, Value)) or set(kwargs) - {"key", "reverse"}:
            return None
        reverse = self.operand(kwargs.get("reverse", Const(False)))
        plain = "key" not in kwargs and is_plain(kwargs.get("reverse", Const(False)))
        if plain and is_written_out(items) and all(map(is_plain, items_of(items))):
            found = sorted(items_of(items), key=lambda i: i.value, reverse=is_true(kwargs))
            return listed(found)
        keys = self.operand(self.keys_of(items, kwargs, node))
        places = self.apply(linear.order_of, (keys, reverse), {})
        if is_written_out(items):
            whole = self.bundle(listed(items_of(items)))
            chosen = [self.getitem(places, Const(k)) for k in range(len(items.items))]
            return listed([self.taken_apart(self.getitem(whole, k)) for k in chosen])
        held = items.items[0] if isinstance(items, Pack) else items
        inner = Sequence(value=held, hint="k")
        return self.listing(Filtered(value=places, inner=inner, hint="k"), node)

    def sort_list(self, pack: Pack, kwargs: dict[str, Node], node: Any) -> Node:
        """``xs.sort()``: the list itself is put in order."""
        made = self.sorted_items(pack, kwargs, node)
        if not isinstance(made, Pack):
            self.refuse_write(node)
        if made.kind is Listed:
            self.rewrite_listed(pack, Pack(Listed, [0], list(made.items)), node)
        else:
            self.rewrite(pack, list(made.keys), list(made.items), node)
        return Const(None)

    def keys_of(self, items: Node, kwargs: dict[str, Node], node: Any) -> Node:
        key = kwargs.get("key", Const(None))
        if isinstance(key, Const) and key.value is None:
            return listed(items_of(items)) if is_written_out(items) else items
        return self.map_over(key, [items], node)

    def best(self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        """``min`` and ``max`` with a key: the first item whose key is the least or the greatest."""
        items = listed(args) if len(args) > 1 else self.taken_apart(args[0])
        items = self.listing(items, node) if isinstance(items, Iteration) else items
        if is_written_out(items) and "default" in kwargs:
            if not items.items:
                return kwargs["default"]
            kwargs = {k: v for k, v in kwargs.items() if k != "default"}
            if not kwargs:
                return self.call(Const(fn, fn.__name__), [items], {}, node)
        if not isinstance(items, (Pack, Value)) or set(kwargs) - {"key"}:
            return None
        keys = self.operand(self.keys_of(items, kwargs, node))
        at = self.apply(linear.best_of, (keys, Const(fn is builtins.max)), {})
        held = self.bundle(listed(items_of(items))) if is_written_out(items) else items
        held = held.items[0] if isinstance(held, Pack) else held
        return self.taken_apart(self.getitem(held, at))
