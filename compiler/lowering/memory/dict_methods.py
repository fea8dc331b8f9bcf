"""Dicts whose keys are known at run time: ``d[i] = v``, ``d.get(k, 0.0)``, ``for k, v in d.items()``."""

from __future__ import annotations

from typing import Any

import gast

from retrograd.runtime.errors import UnsupportedSyntax
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import own_attribute

from ...analyses.class_protocols import class_at
from ...ir.containers import Pack
from ...ir.operations import Const
from ..interface.lowerer import Lowerer
from ..iteration.iterables import Entries
from ..nodes import Listed, Mapped, Node

__all__ = ["Dicts", "has_keys", "is_computed_entry"]

GET = "made = d[key] if key in d else default\n"
ENTER = "if key not in d:\n    d[key] = default\n"
UPDATE = "for key in other:\n    d[key] = other[key]\n"
UPDATE_KEYS = "for key in other.keys():\n    d[key] = other[key]\n"
UPDATE_PAIRS = "for key, value in other:\n    d[key] = value\n"
POP = "made = default\nif key in d:\n    made = d[key]\n    del d[key]\n"


class Dicts:
    """What lowering does with dicts that live when they run."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def with_entry(self, pack: Pack, key: Node, value: Node) -> Pack:
        """The content with one entry more, or another one."""
        self.lowerer.cells.note_held(value, id(self.scope.node))
        operands = map(self.lowerer.operations.operand, (pack.items[0], key, value))
        return self.made(linear.entered, pack, *operands)

    def without(self, pack: Pack, key: Node) -> Pack:
        return self.made(linear.dropped, pack, pack.items[0], self.lowerer.operations.operand(key))

    def made(self, fn: Any, pack: Pack, *operands: Any) -> Pack:
        made = self.lowerer.operations.apply(fn, operands, {})
        return self.lowerer.cells.one_dict(made, made.type, getattr(pack.items[0], "hint", None))

    def entries(self, pack: Pack, gives: str = "keys") -> Entries:
        keys = self.lowerer.operations.apply(linear.keys_of, (pack.items[0],), {})
        return Entries(keys=keys, whole=pack, gives=gives)

    def values(self, pack: Pack) -> Pack:
        """All the values at once."""
        made = self.lowerer.operations.apply(linear.values_of, (pack.items[0],), {})
        return self.lowerer.cells.one_list(made, made.type, None)

    def listed(self, entries: Node, live: bool = False) -> Node:
        """What a loop over a dict would go over, as a list; anything else, and what is ``live``, as it is."""
        if not isinstance(entries, Entries) or live:
            return entries
        if entries.gives == "values":
            return self.values(self.lowerer.cells.present(entries.whole))
        if entries.gives == "keys":
            return Pack(Listed, [0], [entries.keys])
        return self.lowerer.higher_order.listing(entries, self.scope.node)

    def asked(self, entries: Node) -> Node:
        """What ``k in d.keys()`` asks, the dict, and ``v in d.values()``, a list; anything else as it is."""
        if not isinstance(entries, Entries) or entries.gives == "items":
            return entries
        whole = self.lowerer.cells.present(entries.whole)
        return whole if entries.gives == "keys" else self.values(whole)

    def display(self, node: gast.AST, pairs: list[tuple[Node, Node]]) -> Pack:
        """``{k: v, **d}``: entered one after the other; without a key, all that a dict holds."""
        made = self.lowerer.cells.anchored(Pack(dict, [], []))
        for key, value in pairs:
            if key is None:
                self.update(made, [value], {}, node)
            else:
                now = self.lowerer.cells.known_at_run_time(self.lowerer.cells.present(made))
                self.change(now, self.with_entry(now, key, self.lowerer.cells.present(value)), node)
        found: Pack = self.lowerer.cells.present(made)
        return found

    def of_pairs(self, pairs: Node, kwargs: dict[str, Node], node: gast.AST) -> Node:
        """``dict(zip(names, values))``: entries of known keys, or entered one after the other."""
        entries = self.of_known_keys(pairs, node)
        if entries is not None:
            made = dict(zip(entries.keys, entries.items, strict=True)) | kwargs
            return Pack(dict, list(made), list(made.values()))
        whole = self.lowerer.cells.anchored(Pack(dict, [], []))
        self.method(whole, "update", [pairs], kwargs, node)
        return self.lowerer.cells.present(whole)

    def of_known_keys(self, pairs: Node, node: gast.AST) -> Pack | None:
        """A list of pairs as a dict, if their keys are constants."""
        if not isinstance(pairs, Pack) or pairs.kind not in (list, tuple):
            return None
        items = [self.lowerer.subscripts.unpack(i, 2, node) for i in pairs.items]
        if not all(isinstance(k, Const) for k, _ in items):
            return None
        made = {k.value: v for k, v in items}
        return Pack(dict, list(made), list(made.values()))

    def entries_given(self, other: Node, node: gast.AST) -> Node:
        """What `update` is given, as a dict of known keys if it can be: a dict of the arguments or the module, pairs."""
        other = self.lowerer.construction.as_keywords(other)
        entries = self.of_known_keys(other, node)
        return other if entries is None else entries

    def method(
        self, pack: Pack, name: str, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node:
        """A call of a method."""
        if name in ("keys", "values", "items") and not args:
            return self.entries(pack, name)
        if name == "copy" and not args:
            return self.lowerer.items.copied(pack)
        if name == "get" and len(args) in (1, 2):
            default = [*args[1:], Const(None)][0]
            return self.run(GET, pack, node, key=args[0], default=default)
        if name == "setdefault" and len(args) in (1, 2):
            default = [*args[1:], Const(None)][0]
            self.run(ENTER, pack, node, "d", key=args[0], default=default)
            return self.lowerer.subscripts.item(self.lowerer.cells.present(pack), args[0], node)
        if name == "pop" and len(args) == 2:
            return self.run(POP, pack, node, key=args[0], default=args[1])
        if name == "pop" and len(args) == 1:
            taken = self.lowerer.subscripts.item(pack, args[0], node)
            self.change(pack, self.without(pack, args[0]), node)
            return taken
        if name == "update" and len(args) < 2:
            return self.update(pack, args, kwargs, node)
        if name == "clear":
            self.change(pack, Pack(dict, [], []), node)
            return Const(None)
        raise UnsupportedSyntax(
            f"`.{name}()` of a dict whose keys are computed is not supported",
            place=self.scope.place(node), fix="use d[key], in, get, setdefault, pop, update and items",
        )  # fmt: skip

    def update(self, pack: Pack, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        for other in args:
            known = isinstance(other, Pack) and other.kind in (dict, Mapped)
            text = UPDATE if known else UPDATE_KEYS if has_keys(other) else UPDATE_PAIRS
            check_asked(self.lowerer, other)
            self.run(text, pack, node, "d", other=other)
        for key, value in kwargs.items():
            now = self.lowerer.cells.present(pack)
            self.change(now, self.with_entry(now, Const(key), value), node)
        return Const(None)

    def change(self, pack: Pack, content: Pack, node: gast.AST) -> None:
        self.lowerer.container_writes.rewrite_listed(pack, content, node)

    def run(
        self, text: str, pack: Pack, node: gast.AST, result: str = "made", **names: Node
    ) -> Node:
        return self.lowerer.higher_order.run(text, {"d": pack, **names}, node, result)


def has_keys(other: Node) -> bool:
    """True of an object of a class that has keys, which `dict` and `**` ask it for."""
    cls = other.kind if isinstance(other, Pack) else class_at(other)
    if not isinstance(cls, type) or cls in (Mapped, dict):
        return False
    return own_attribute(cls, "keys") is not None


def check_asked(lowerer: Lowerer, other: Node) -> None:
    """Python takes the entries of a class below `dict` as they are stored, unless it goes over them in its own way."""
    cls = other.kind if isinstance(other, Pack) else class_at(other)
    if not isinstance(cls, type) or not issubclass(cls, dict) or cls.__iter__ is not dict.__iter__:
        return
    if cls.__getitem__ is not dict.__getitem__ or cls.keys is not dict.keys:
        raise UnsupportedSyntax(
            f"a dict is made of a {cls.__name__}, which gives other items than it stores",
            place=lowerer.scope.place(lowerer.scope.node), fix="write {k: d[k] for k in d}",
        )  # fmt: skip


def is_computed_entry(pack: Pack, name: str, args: list[Node]) -> bool:
    """True if a method of a dict is asked for a key that is known when it runs, or given one."""
    if pack.kind is not dict:
        return False
    if name in ("get", "setdefault", "pop"):
        return bool(args) and not isinstance(args[0], Const)
    return name == "update" and any(not (isinstance(a, Pack) and a.kind is dict) for a in args)
