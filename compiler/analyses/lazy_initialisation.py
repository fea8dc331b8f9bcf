"""Objects that a function only completes: what it writes is written once, and is what everybody would write.

::

    if not hasattr(local, "config"):
        local.config = defaults.copy()
    return local.config
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import gast

from retrograd.runtime.errors import RetrogradError

from ..frontend.function_names import bound_in
from ..frontend.source import source_of
from ..frontend.tree_nodes import children, nodes
from .instructions import CHANGES

__all__ = ["only_completes"]


PARTS = (gast.Attribute, gast.Subscript)
Place = tuple[str, str]  # an object and its attribute or key, as they are written


class Change(NamedTuple):
    """A write: the name that it begins with, the place, those known to be empty there, what the value reads, and what
    tells the place: `TABLE[kind] = kind()`."""

    name: str | None
    place: Place | None
    empty: frozenset[Place]
    read: frozenset[str]
    told: frozenset[str]


def only_completes(function: Any, name: str) -> bool:
    """True if a function writes to the object that it calls ``name`` only what is not there yet."""
    try:
        tree = source_of(function).tree
    except RetrogradError:
        return False
    held, own = {name, *names_from(tree, name)}, set(bound_in(tree))
    found = [change for change in changes_in(tree, frozenset()) if change.name in {None, *held}]
    return all(
        change.place in change.empty and not (change.read & own) - change.told for change in found
    )


def changes_in(node: Any, empty: frozenset[Place]) -> Iterator[Change]:
    """The writes in a node."""
    for target, place in written_by(node):
        yield Change(root_of(target), place, empty, names_in(node), names_of_key(node))
    if isinstance(node, gast.If):
        yield from changes_in(node.test, empty)
        for part in node.body:
            yield from changes_in(part, empty | asked_for(node.test))
        for part in node.orelse:
            yield from changes_in(part, empty)
        return
    for part in children(node):
        yield from changes_in(part, empty)


def written_by(node: Any) -> list[tuple[Any, Place | None]]:
    """What a node itself writes to: ``x`` of ``x.a = v``, ``x[k] = v``, ``x.append(v)``, ``x += v``."""
    if isinstance(node, gast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
        return [(target.value, place_of(target))] if isinstance(target, PARTS) else []
    if isinstance(node, PARTS) and not isinstance(node.ctx, gast.Load):
        return [(node.value, place_of(node))]
    if isinstance(node, gast.AugAssign):
        return [(node.target, None)]
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        return [(node.func.value, None)] if node.func.attr in CHANGES else []
    return []


def place_of(node: Any) -> Place:
    """The place of ``x.a`` or ``x[k]``."""
    key = node.attr if isinstance(node, gast.Attribute) else gast.dump(node.slice)
    return gast.dump(node.value).replace("Store()", "Load()"), key


def names_of_key(node: Any) -> frozenset[str]:
    """The names of classes in the key of ``x[cls.__name__] = v``, or of its target: no data tells that place."""
    target = node.targets[0] if isinstance(node, gast.Assign) else node
    key = target.slice if isinstance(target, gast.Subscript) else None
    named = isinstance(key, gast.Attribute) and key.attr in ("__name__", "__qualname__")
    return names_in(key) if named else frozenset()


def names_in(node: Any) -> frozenset[str]:
    """The names that are read in a node."""
    found = (n for n in nodes(node) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load))
    return frozenset(n.id for n in found)


def root_of(node: Any) -> str | None:
    """The name that an expression begins with; of a call, none is known."""
    while isinstance(node, (gast.Attribute, gast.Subscript)):
        node = node.value
    return node.id if isinstance(node, gast.Name) else None


def asked_for(test: Any) -> frozenset[Place]:
    """The places that are empty if a test holds: ``not hasattr(x, "a")``, ``k not in x``, ``x.a is None``."""
    if isinstance(test, gast.BoolOp) and isinstance(test.op, gast.And):
        return frozenset().union(*map(asked_for, test.values))
    found = None
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        found = attribute_of(test.operand)
    elif isinstance(test, gast.Compare) and len(test.ops) == 1:
        left, right = test.left, test.comparators[0]
        if isinstance(test.ops[0], gast.NotIn):
            found = gast.dump(right), gast.dump(left)
        elif isinstance(test.ops[0], gast.Is) and isinstance(
            left, (gast.Attribute, gast.Subscript)
        ):
            is_none = isinstance(right, gast.Constant) and right.value is None
            found = place_of(left) if is_none else None
    return frozenset() if found is None else frozenset((found,))


def attribute_of(call: Any) -> Place | None:
    """The place that ``hasattr(x, "a")`` asks for."""
    named = isinstance(call, gast.Call) and isinstance(call.func, gast.Name)
    if not named or call.func.id != "hasattr" or len(call.args) != 2:
        return None
    key = call.args[1]
    return (gast.dump(call.args[0]), key.value) if isinstance(key, gast.Constant) else None


def names_from(tree: Any, name: str) -> Iterator[str]:
    """The names that may hold the same object, or a part of it."""
    for node in nodes(tree):
        if not isinstance(
            node, (gast.Assign, gast.AnnAssign, gast.NamedExpr, gast.For, gast.withitem)
        ):
            continue
        given = next(
            (v for key in ("value", "iter", "context_expr") if (v := getattr(node, key, None)) is not None), None
        )  # fmt: skip
        if given is None or name not in read_in(given):
            continue
        targets = [getattr(node, key, None) for key in ("target", "optional_vars")]
        for target in [*getattr(node, "targets", ()), *targets]:
            if target is not None:
                yield from (n.id for n in nodes(target) if isinstance(n, gast.Name))


def read_in(node: Any) -> set[str]:
    """The names whose objects an expression may give: not that of ``x.copy()``."""
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and not node.args:
        return set() if node.func.attr == "copy" else read_in(node.func.value)
    if isinstance(node, gast.Name):
        return {node.id}
    return {name for part in children(node) for name in read_in(part)}
