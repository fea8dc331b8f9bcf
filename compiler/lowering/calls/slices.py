"""What a subscript gives to a method: ``x[1, 0:]`` gives ``(1, slice(0, None))`` to ``__getitem__``."""

from __future__ import annotations

import gast

from ...ir.containers import Pack
from ...ir.operations import Const
from ..interface.lowerer import Lowerer
from ..nodes import Node

__all__ = ["sliced"]


def sliced(lowerer: Lowerer, given: Node, node: gast.AST) -> Node:
    """The slices in an argument as objects."""
    if isinstance(given, slice):
        parts = [Const(None) if p is None else p for p in (given.start, given.stop, given.step)]
        return lowerer.calls.call(Const(slice), parts, {}, node)
    if isinstance(given, Pack) and given.kind is tuple and given.cell is None:
        items = [sliced(lowerer, item, node) for item in given.items]
        return Pack(tuple, list(given.keys), items)
    return given
