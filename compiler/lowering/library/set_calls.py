"""Calls and operators of sets: those of a constant set, and what the methods of one made in the function are given.

The order of a set is nobody's: what asks for no order may go over one that is known.
"""

from __future__ import annotations

import builtins
from collections.abc import Set
from typing import Any

import gast

from retrograd.runtime.errors import UnsupportedSyntax
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.replacements.collection_classes import Members
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.class_protocols import is_opaque
from ...analyses.effects import asks_identity
from ...ir.containers import Pack
from ...ir.operations import Const
from ...ir.plain_values import is_key
from ...ir.primitives import IN, NOT_IN
from ..interface.lowerer import Lowerer
from ..iteration.iterables import Range
from ..known_values import constant_of
from ..nodes import UNKNOWN, Node
from .set_histories import history_of, order_of, with_history
from .sets import Scattered, dict_of, is_any_view, is_set, is_view, set_of

__all__ = [
    "arithmetic", "evaluated", "given_to", "is_of_sets", "method_of_constant", "ordered",
    "views_compared",
]  # fmt: skip

OF_ITEMS = ("add", "discard", "remove", "__contains__")
QUESTIONS = ("issubset", "issuperset", "isdisjoint")
FEW = 32
SIGNS = ("|", "&", "-", "^")


def given_to(lowerer: Lowerer, fn: Any, args: list[Node]) -> list[Node] | None:
    """The arguments of a method of a set, other sets as dicts; None for an operator that is given no set."""
    name = fn.__name__
    if not is_of_sets(fn) or name in OF_ITEMS:
        return args
    is_operator = name.startswith("__") and name != "__init__"
    if is_operator and not all(map(is_set, args[1:])):
        return None
    return [args[0], *[as_dict(lowerer, other) for other in args[1:]]]


def is_of_sets(fn: Any) -> bool:
    """True of a method of a set made in the function."""
    return getattr(Members, fn.__name__, None) is fn


def as_dict(lowerer: Lowerer, node: Node) -> Node:
    if not is_set(node):
        return node
    if isinstance(node, Pack):
        return lowerer.cells.present(node).get("members")
    members = lowerer.known.of(node)
    if members is UNKNOWN:
        return node
    made = dict_of(members)
    made.made = history_of(lowerer, node)
    return made


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
        made = constant_of(getattr(members, name)(*others))
        return with_history(lowerer, made, getattr(type(owner), name), [Const(owner, text), *args])
    if name not in QUESTIONS:
        return None
    return lowerer.calls.call_user(getattr(Members, name), [set_of(members), *args], {}, node)


def arithmetic(lowerer: Lowerer, fn: Any, left: Node, right: Node, node: gast.AST) -> Node | None:
    """``d.keys() - names``; a constant set on the left of another, both known: what Python makes of them."""
    if traits_of(fn).sign not in SIGNS:
        return None
    viewed = is_view(left) or is_view(right)
    if viewed or is_set(left) or is_set(right):
        left, right = (as_set(lowerer, side, viewed) for side in (left, right))
    if not (is_set(left) and is_set(right)):
        return None
    known = lowerer.known.of([left, right]) if isinstance(left, Const) or viewed else UNKNOWN
    if known is not UNKNOWN:
        made = constant_of(fn(*map(set, known)) if viewed else fn(*known))
        return made if viewed else with_history(lowerer, made, fn, [left, right])
    return lowerer.overloads.operator_method(fn, left, right, node)


def views_compared(
    lowerer: Lowerer, fn: Any, left: Node, right: Node, node: gast.AST
) -> Node | None:
    """``d.keys() == names``, ``d.keys() <= allowed``: views of dicts are compared as sets are."""
    sides = (left, right)
    if fn in (IN, NOT_IN) or asks_identity(fn) or not any(map(is_any_view, sides)):
        return None
    sets = [as_set(lowerer, side, False) for side in sides]
    known = lowerer.known.of(sets) if all(map(is_set, sets)) else UNKNOWN
    if known is UNKNOWN:
        raise UnsupportedSyntax(
            "this comparison with a view of a dict is not supported",
            place=lowerer.scope.place(node), fix="compare sets, or lists: set(d), list(d.values())",
        )  # fmt: skip
    return constant_of(fn(*map(set, known)))


def as_set(lowerer: Lowerer, node: Node, viewed: bool) -> Node:
    """An operand as the set that Python's operator takes it for; beside a view of a dict that may be any iterable."""
    if is_set(node):
        return node
    if is_view(node) or (viewed and isinstance(node, Pack)):
        found = lowerer.known.of(list(node.keys) if node.kind is dict else node.items)
    elif lowerer.inactive.is_asked_late(node):
        found = lowerer.objects_now.words(node)
        found = found if viewed or isinstance(found, Set) else UNKNOWN
    else:
        found = lowerer.known.of(node) if viewed else UNKNOWN
    return node if found is UNKNOWN or not all(map(is_key, found)) else set_of(found)


def evaluated(lowerer: Lowerer, node: gast.AST, any_order: bool) -> tuple[Node, Pack | None]:
    """What stands behind ``in``, and the members of a set or of ``list(s)``, if any order does, and none is known."""
    if not any_order:
        return lowerer.expression(node), None
    one = isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and not node.keywords
    fn = lowerer.expression(node.func) if one and len(node.args) == 1 else None
    listed = isinstance(fn, Const) and fn.value in (builtins.list, builtins.tuple)
    found = lowerer.expression(node.args[0] if listed else node)
    members = scattered_members(lowerer, found)
    if listed and members is None:
        return lowerer.calls.call(fn, [found], {}, node), None
    return found, members


def scattered_members(lowerer: Lowerer, node: Node) -> Pack | None:
    """The members of a set whose order nobody knows, if these are known; that of a set of the module is guarded."""
    if isinstance(node, Const) and node.text is not None:
        return None
    made = node if is_set(node) else as_set(lowerer, node, False) if is_opaque(node) else node
    members = lowerer.known.of(made) if is_set(made) else UNKNOWN
    if members is UNKNOWN or order_of(lowerer, made) is not None:
        return None
    items = [Const(m) for m in sorted(members, key=repr)]
    return Pack(Scattered, list(range(len(items))), items)


def numbers_of(lowerer: Lowerer, node: Range) -> Node:
    """The numbers of a range, if these are a few, and known."""
    bounds = UNKNOWN if node.bounds is None else lowerer.known.of(list(node.bounds))
    if bounds is UNKNOWN or len(range(*bounds)) > FEW:
        return node
    items = [Const(k) for k in range(*bounds)]
    return Pack(list, list(range(len(items))), items)


def keys_of(pack: Pack) -> Pack:
    """A dict as the list of its keys; all else as it is."""
    items = [Const(k) for k in pack.keys]
    return Pack(list, list(range(len(items))), items) if pack.kind is dict else pack


def ordered(lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> list[Node]:
    """The arguments of a call that asks a set for no order, the set as a list of its members."""
    if fn in (builtins.set, builtins.frozenset) and len(args) == 1 and type(args[0]) is Range:
        return [numbers_of(lowerer, args[0])]
    if fn is builtins.frozenset and len(args) == 1 and isinstance(args[0], Pack):
        args = [keys_of(args[0])]
    if len(args) != 1 or not is_set(args[0]) or "key" in kwargs:
        return args
    if fn is builtins.set or fn is builtins.frozenset:
        return [as_dict(lowerer, args[0])]
    members = lowerer.known.of(args[0]) if traits_of(fn).unordered else UNKNOWN
    if members is UNKNOWN or any(m != m for m in members):
        return args
    items = [Const(m) for m in sorted(members, key=repr)]
    return [Pack(list, list(range(len(items))), items)]
