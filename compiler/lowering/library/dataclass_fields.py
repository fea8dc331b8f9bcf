"""``dataclasses.fields``, ``asdict``, ``astuple``: what the class of an object says of its attributes is known."""

from __future__ import annotations

import dataclasses
from typing import Any

import gast

from retrograd.runtime.objects.own_attributes import own_attribute

from ...ir.containers import Pack
from ...ir.operations import Const
from ..interface.lowerer import Lowerer
from ..nodes import Node

__all__ = ["of_fields"]


def of_fields(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
) -> Node | None:
    """What one of them gives; None for any other function, and for what is no dataclass of the program's."""
    if kwargs or len(args) != 1 or own_attribute(fn, "__module__") != dataclasses.__name__:
        return None
    whole = taken_apart(lowerer, args[0])
    kind = whole.kind if isinstance(whole, Pack) else getattr(whole, "value", None)
    if not isinstance(kind, type) or not dataclasses.is_dataclass(kind):
        return None
    if fn is dataclasses.is_dataclass:
        return Const(True)
    if fn is dataclasses.fields:
        return listed(tuple, [Const(field) for field in dataclasses.fields(kind)])
    if fn in (dataclasses.asdict, dataclasses.astuple) and isinstance(whole, Pack):
        return Record(lowerer, fn is dataclasses.asdict, node).of(whole)
    return None


def taken_apart(lowerer: Lowerer, node: Node) -> Node:
    return lowerer.construction.taken_apart(lowerer.cells.seen(node))


def listed(kind: type, items: list[Node]) -> Pack:
    return Pack(kind, list(range(len(items))), items)


class Record:
    """An object, and those in it, as dicts or as tuples; all else is copied."""

    def __init__(self, lowerer: Lowerer, as_dict: bool, node: gast.AST) -> None:
        self.lowerer, self.as_dict, self.node = lowerer, as_dict, node

    def of(self, whole: Node) -> Node:
        seen = taken_apart(self.lowerer, whole)
        if not isinstance(seen, Pack) or not isinstance(seen.kind, type):
            return self.lowerer.higher_order.copied(whole, True, {}, self.node)
        if dataclasses.is_dataclass(seen.kind):
            return self.of_object(seen)
        if seen.kind not in (list, tuple, dict):
            return self.lowerer.higher_order.copied(whole, True, {}, self.node)
        made = Pack(seen.kind, list(seen.keys), [self.of(item) for item in seen.items])
        return self.lowerer.cells.anchored(made)

    def of_object(self, seen: Pack) -> Node:
        names = [field.name for field in dataclasses.fields(seen.kind)]
        items = [self.of(seen.get(name)) for name in names]
        made = Pack(dict, names, items) if self.as_dict else listed(tuple, items)
        return self.lowerer.cells.anchored(made)
