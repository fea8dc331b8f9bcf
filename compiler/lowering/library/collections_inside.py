"""`collections` inside a function: deques, dicts with defaults, counters and sets are the programs that stand for them.

They are lowered in place, and stay inside: what they would be outside is made of other classes.
"""

from __future__ import annotations

import builtins
import collections
from typing import Any

import gast

from retrograd.runtime.errors import UnsupportedSyntax
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.replacements import collection_classes as programs

from ...ir.containers import Pack
from ...ir.operations import Const
from ..interface.lowerer import Lowerer
from ..nodes import Node

__all__ = ["class_outside", "made_inside", "own_dict", "stands_inside", "stays_inside"]

PROGRAMS: dict[Any, type] = {
    collections.deque: programs.Ends,
    collections.OrderedDict: programs.Entries,
    collections.defaultdict: programs.DefaultEntries,
    collections.Counter: programs.Counts,
    collections.ChainMap: programs.Chained,
    builtins.set: programs.Members,
}
OUTSIDE = {program: cls for cls, program in PROGRAMS.items()}
METHODS_OF_DICTS = ("items", "keys", "values", "get", "setdefault", "pop", "update", "clear")
EMPTY = (float, int, complex, bool, str)


def made_inside(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
) -> Node | None:
    """A call of one of their classes; of a class of numbers without arguments."""
    try:
        program = PROGRAMS.get(fn)
    except TypeError:  # not hashable
        return None
    if program is not None:
        return lowerer.construction.constructed(program, args, kwargs, node)
    if fn in EMPTY and not args and not kwargs:
        return Const(fn())
    return None


def stands_inside(fn: Any) -> bool:
    """True if this is a method of one of the programs: its body stands where it is called."""
    return bool(own_attribute(fn, "__module__") == programs.__name__)


def class_outside(kind: Any) -> Any:
    """The class that a program stands for."""
    return OUTSIDE.get(kind, kind) if isinstance(kind, type) else kind


def own_dict(pack: Pack, name: str) -> Node | None:
    """The dict whose method this is, where a program leaves it to that."""
    if not isinstance(pack.kind, type) or not issubclass(pack.kind, programs.Entries):
        return None
    own = pack.kind is programs.Counts and name in ("get", "update")
    return pack.get("entries") if name in METHODS_OF_DICTS and not own else None


def stays_inside(lowerer: Lowerer, node: Node) -> None:
    """Refuse to hand one of them on."""
    if not isinstance(node, Pack):
        return
    if class_outside(node.kind) is not node.kind:
        name = class_outside(node.kind).__name__
        fix = {"deque": "return list(q)", "set": "return a list that was kept beside it"}.get(
            name, "return dict(d)"
        )
        raise UnsupportedSyntax(
            f"a {name} that leaves the function is not supported", fix=fix,
            place=lowerer.scope.source.place(lowerer.scope.tree),
        )  # fmt: skip
    for item in node.items:
        stays_inside(lowerer, item)
