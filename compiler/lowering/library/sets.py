"""What is known of the sets of a function: made in it, with members that are known, or constant."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.replacements.collection_classes import Members

from ...ir.containers import Pack
from ...ir.operations import Const
from ..nodes import UNKNOWN, Node

__all__ = ["Scattered", "dict_of", "is_any_view", "is_set", "is_view", "known_members", "set_of"]


class Scattered:
    """The kind of the members of a set that are gone over in no order that anybody knows."""


def is_set(node: Node) -> bool:
    """True if this is a set made in the function, or one that is a constant."""
    if isinstance(node, Pack):
        return node.kind is Members
    return isinstance(node, Const) and type(node.value) in (set, frozenset)


def is_any_view(node: Node) -> bool:
    """True of ``d.keys()``, ``d.values()`` and ``d.items()``."""
    return isinstance(node, Pack) and bool(node.view)


def is_view(node: Node) -> bool:
    """True of ``d.keys()``, which is a set to Python's operators."""
    return isinstance(node, Pack) and node.view == "keys"


def known_members(pack: Pack) -> Any:
    """The members of a set made in the function, if they are known."""
    members = pack.get("members") if pack.keys else None
    known = isinstance(members, Pack) and members.kind is dict
    return set(members.keys) if known else UNKNOWN  # type: ignore[union-attr]


def dict_of(members: Any) -> Pack:
    """A dict whose keys these are, in an order that every process has."""
    keys = sorted(members, key=repr)
    return Pack(dict, keys, [Const(None)] * len(keys))


def set_of(members: Any) -> Pack:
    """A set made in the function, with these members."""
    return Pack(Members, ["members"], [dict_of(members)])
