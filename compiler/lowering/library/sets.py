"""What is known of the sets of a function: made in it, with members that are known, or constant."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.replacements.collection_classes import Members

from ...ir.containers import Pack
from ...ir.operations import Const
from ..nodes import UNKNOWN, Node

__all__ = ["dict_of", "is_set", "known_members", "members_in_order", "set_of"]


def is_set(node: Node) -> bool:
    """True if this is a set made in the function, or one that is a constant."""
    if isinstance(node, Pack):
        return node.kind is Members
    return isinstance(node, Const) and type(node.value) in (set, frozenset)


def known_members(pack: Pack) -> Any:
    """The members of a set made in the function, if they are known."""
    members = pack.get("members") if pack.keys else None
    known = isinstance(members, Pack) and members.kind is dict
    return set(members.keys) if known else UNKNOWN  # type: ignore[union-attr]


def members_in_order(members: Any) -> list[Any] | None:
    """The members of a set in the order in which Python goes over it, where they tell that; None where they do not.

    Whole numbers are their own hashes, and the table of a set has 8 places at least; one member has no order.
    """
    if members is not UNKNOWN and len(members) < 2:
        return list(members)
    if members is UNKNOWN or not all(type(m) is int and 0 <= m < 8 for m in members):
        return None
    return sorted(members)


def dict_of(members: Any) -> Pack:
    """A dict whose keys these are, in an order that every process has."""
    keys = sorted(members, key=repr)
    return Pack(dict, keys, [Const(None)] * len(keys))


def set_of(members: Any) -> Pack:
    """A set made in the function, with these members."""
    return Pack(Members, ["members"], [dict_of(members)])
