"""``np.may_share_memory(a, b)``, where it is certain: packages ask it before they make a copy."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.helpers import linear

from ...analyses.third_party import is_of_package
from ...ir.operations import Const, Value
from ...ir.types import Array
from ..interface.lowerer import Lowerer
from ..nodes import Node

__all__ = ["told_shared"]


def told_shared(lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> Node:
    """What is certain of two arrays; None where nothing is.

    An empty array shares no memory, not even with itself: in a package, where most arrays are not, it is compared.
    """
    certain = is_one_memory(lowerer, *args) if len(args) == 2 and not kwargs else None
    if certain is False:
        return Const(False)
    if certain is None or not is_of_package(lowerer.scope.python):
        return None
    made = lowerer.operations.operation(fn, args, kwargs)
    lowerer.inactive.late(linear.check_same, (made, Const(True)), {})
    return Const(True)


def is_one_memory(lowerer: Lowerer, a: Node, b: Node) -> bool | None:
    """Whether two whole arrays are certainly one memory, or certainly two."""
    versions = lowerer.versions
    if not all(isinstance(v, Value) and isinstance(v.type, Array) for v in (a, b)):
        return None
    x, y = versions.place_of(a), versions.place_of(b)
    if x.cell is y.cell:
        return None if x.path or y.path else True
    new = any(place.cell.first in versions.fresh for place in (x, y))
    two = new and y.cell not in x.cell.near
    return False if two or lowerer.parted.are_two(x.cell, y.cell) else None
