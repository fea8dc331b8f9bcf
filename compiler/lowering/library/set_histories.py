"""In which order Python goes over a set of numbers: it is made as the program makes it, and asked.

The order of a set follows from the hashes of its members, from how its table grew, and from what was in it before.
Numbers have the same hashes in every process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from retrograd.runtime.replacements.collection_classes import Members

from ...ir.containers import Pack
from ...ir.operations import Const
from ..interface.lowerer import Lowerer
from ..memory.places import cell_name
from ..nodes import UNKNOWN, Node
from .sets import is_set

__all__ = ["displayed", "history_of", "noted", "order_of", "with_history"]

Way = Callable[[list[Any]], Any]
History = Callable[[Way], Any]  # makes a set anew, displays in one of the ways below

# Python makes a set of literals of them one by one, or of a constant, which has been written to a file and read.
WAYS: tuple[Way, ...] = (
    set,
    lambda items: set().union(frozenset(items)),
    frozenset,
    lambda items: set().union(frozenset(reversed(items))),
    lambda items: frozenset(reversed(items)),
)


def order_of(lowerer: Lowerer, node: Node) -> list[Any] | None:
    """The members of a set in the order in which Python goes over it; None where only running it tells."""
    members = lowerer.known.of(node)
    if members is not UNKNOWN and len(members) < 2:
        return list(members)
    history = history_of(lowerer, node)
    if members is UNKNOWN or history is None or not all(map(is_hashed_alike, members)):
        return None
    orders = [list(history(way)) for way in WAYS]
    alike = all(order == orders[0] for order in orders)
    return orders[0] if alike and set(orders[0]) == members else None


def is_hashed_alike(member: Any) -> bool:
    """True of what has the same hash in every process."""
    if type(member) is tuple:
        return all(map(is_hashed_alike, member))
    return type(member) in (bool, int, float, complex)


def history_of(lowerer: Lowerer, node: Node) -> History | None:
    """How a set came about, if that is known."""
    if isinstance(node, Const) and is_set(node):
        value = node.value
        return lambda way: value if way is set else frozenset(way(list(value)))
    content = members_of(lowerer, node)
    return None if content is None else content.made


def members_of(lowerer: Lowerer, node: Node) -> Pack | None:
    """What the environment holds of the members of a set made in the function."""
    if not isinstance(node, Pack):
        return None
    if node.kind is Members:
        node = node.get("members") if node.keys else None
    if isinstance(node, Pack) and node.cell is not None:
        node = lowerer.scope.env.get(cell_name(node.cell))
    return node if isinstance(node, Pack) and node.kind is dict else None


def given(lowerer: Lowerer, node: Node) -> History | None:
    """An argument of a method of a set: another set, numbers, or a container of them."""
    if isinstance(node, Pack) and node.kind is dict:
        return history_of(lowerer, node)
    if is_set(node):
        return history_of(lowerer, node)
    value = lowerer.known.of(node)
    return None if value is UNKNOWN else lambda way: value


def computed(lowerer: Lowerer, fn: Any, args: Iterable[Node]) -> History | None:
    """How the result of a function of sets comes about."""
    found = [given(lowerer, a) for a in args]
    if None in found:
        return None
    return lambda way: fn(*[history(way) for history in found])  # type: ignore[misc]


def begun(lowerer: Lowerer, args: list[Node]) -> History | None:
    """``set(items)``."""
    if not args:
        return lambda way: set()
    if isinstance(args[0], Pack) and args[0].kind is dict:
        history = history_of(lowerer, args[0])
        return None if history is None else lambda way: set(history(way))
    items = lowerer.known.of(args[0])
    return None if items is UNKNOWN else lambda way: set(items)


def displayed(lowerer: Lowerer, made: Node, items: Node) -> Node:
    """``{a, b}``: Python makes it of them one by one, or of a constant."""
    content, values = members_of(lowerer, made), lowerer.known.of(items)
    if content is not None:
        content.made = None if values is UNKNOWN else lambda way: set(way(list(values)))
    return made


def noted(lowerer: Lowerer, fn: Any, args: list[Node]) -> Callable[[Node], Node]:
    """What notes the history of a set of which a method is called: call it with what the method gives."""
    owner, name = args[0], fn.__name__
    before = members_of(lowerer, owner)
    if name == "__init__":
        later = begun(lowerer, args[1:])
    else:
        later = computed(lowerer, lambda own, *rest: done(own, name, rest), args)

    def note_result(made: Node) -> Node:
        now = members_of(lowerer, lowerer.cells.present(owner))
        if now is before and is_set(made):
            now = members_of(lowerer, made)
        if now is not None and now is not before:
            now.made = later
        return made

    return note_result


def with_history(lowerer: Lowerer, made: Node, fn: Any, args: list[Node]) -> Node:
    """What a function gives that Python has computed now; of a set, with how it came about."""
    content = members_of(lowerer, made)
    if content is not None and is_set(made):
        content.made = begun(lowerer, args) if fn is set else computed(lowerer, fn, args)
    return made


def done(own: Any, name: str, rest: Any) -> Any:
    """What a set is after a method of it, or what that gives, if it is a set."""
    made = getattr(own, name)(*rest)
    return made if isinstance(made, (set, frozenset)) else own
