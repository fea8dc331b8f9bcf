"""Calls and operators of sets: those of a constant set, and what the methods of one made in the function are given.

The order of a set is nobody's: what asks for no order may go over one that is known.
"""

from __future__ import annotations

import builtins
from typing import Any

import gast

from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.replacements.collection_classes import Members
from retrograd.runtime.traits.lookup import traits_of

from ...ir.containers import Pack
from ...ir.operations import Const
from ..interface.lowerer import Lowerer
from ..iteration.iterables import Range
from ..known_values import constant_of
from ..nodes import UNKNOWN, Node
from .sets import dict_of, is_set, set_of

__all__ = ["arithmetic", "given_to", "method_of_constant", "ordered"]

OF_ITEMS = ("add", "discard", "remove", "__contains__")
QUESTIONS = ("issubset", "issuperset", "isdisjoint")
FEW = 32
SIGNS = ("|", "&", "-", "^")


def given_to(lowerer: Lowerer, fn: Any, args: list[Node]) -> list[Node] | None:
    """The arguments of a method of a set, other sets as dicts; None for an operator that is given no set."""
    name = fn.__name__
    if getattr(Members, name, None) is not fn or name in OF_ITEMS:
        return args
    is_operator = name.startswith("__") and name != "__init__"
    if is_operator and not all(map(is_set, args[1:])):
        return None
    return [args[0], *[as_dict(lowerer, other) for other in args[1:]]]


def as_dict(lowerer: Lowerer, node: Node) -> Node:
    if not is_set(node):
        return node
    if isinstance(node, Pack):
        return lowerer.cells.present(node).get("members")
    members = lowerer.known.of(node)
    return node if members is UNKNOWN else dict_of(members)


def method_of_constant(lowerer: Lowerer, fn: Any, args: list[Node], node: gast.AST) -> Node | None:
    """A call of a method of a constant set that leaves it alone, where the set is known."""
    owner, name = own_attribute(fn, "__self__"), own_attribute(fn, "__name__", "")
    if type(owner) not in (set, frozenset) or not hasattr(frozenset, name):
        return None
    text = lowerer.scope.program.known_text(owner)
    members, others = lowerer.known.of(Const(owner, text)), lowerer.known.of(args)
    if members is UNKNOWN:
        return None
    if others is not UNKNOWN:
        return constant_of(getattr(members, name)(*others))
    if name not in QUESTIONS:
        return None
    return lowerer.calls.call_user(getattr(Members, name), [set_of(members), *args], {}, node)


def arithmetic(lowerer: Lowerer, fn: Any, left: Node, right: Node) -> Node | None:
    """A constant set on the left of another, both known: what Python makes of them."""
    constant = isinstance(left, Const) and is_set(left) and is_set(right)
    if not constant or traits_of(fn).sign not in SIGNS:
        return None
    known = lowerer.known.of([left, right])
    return None if known is UNKNOWN else constant_of(fn(*known))


def numbers_of(lowerer: Lowerer, node: Range) -> Node:
    """The numbers of a range, if these are a few, and known."""
    bounds = UNKNOWN if node.bounds is None else lowerer.known.of(list(node.bounds))
    if bounds is UNKNOWN or len(range(*bounds)) > FEW:
        return node
    items = [Const(k) for k in range(*bounds)]
    return Pack(list, list(range(len(items))), items)


def ordered(lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> list[Node]:
    """The arguments of a call that asks a set for no order, the set as a list of its members."""
    if fn in (builtins.set, builtins.frozenset) and len(args) == 1 and type(args[0]) is Range:
        return [numbers_of(lowerer, args[0])]
    if len(args) != 1 or not is_set(args[0]) or "key" in kwargs:
        return args
    if fn is builtins.set or fn is builtins.frozenset:
        return [as_dict(lowerer, args[0])]
    members = lowerer.known.of(args[0]) if traits_of(fn).unordered else UNKNOWN
    if members is UNKNOWN or any(m != m for m in members):
        return args
    items = [Const(m) for m in sorted(members, key=repr)]
    return [Pack(list, list(range(len(items))), items)]
