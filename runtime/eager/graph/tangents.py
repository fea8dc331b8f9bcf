"""Which tangents a tensor has: of each open level one of its own, or for a view its part of that of what it shows.

A tangent is never written to: a write gives the tensor that owns the memory another one, and every
view of that memory shows its part of it.  So no two tensors can be of one tangent by mistake.

Levels nest: the tangent of an inner one is computed at the level below it, and has a tangent there.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from ...batching.batched_array import levels_of
from ...batching.borders import copied_into, widened
from ..tensor.tensor import wrapped
from ..tensor.view_info import CUSTOM, DEFAULT
from .grad_mode import modes

__all__ = [
    "apart",
    "at_each_level",
    "below",
    "is_dual",
    "levels",
    "like",
    "no_tangents",
    "own_is",
    "put_tangent",
    "remember_tangent",
    "remember_tangents",
    "remembered",
    "same_tangents",
    "set_tangent",
    "show",
    "shown",
    "tangent_of",
    "tangents_of",
    "written",
]

OF_A_FUNCTION = (
    "an in-place operation would change the tangent of what this view shows, but the view was returned by a "
    "custom Function whose jvp gave it a tangent of its own. Clone the output of the custom Function first."
)


class Levels:
    """The open levels, of the whole process: their names, and which of them is at work; -1: none."""

    current = -1
    count = 0
    names: tuple[int, ...] = ()

    def __init__(self) -> None:
        # by the name of a level: the nodes that remember a tangent of it
        self.nodes: dict[int, weakref.WeakSet[Any]] = {}

    def opened(self) -> tuple[int, tuple[int, ...]]:
        """Open a level above the one at work; what was before is for `closed`."""
        before = self.current, self.names
        self.count += 1
        self.names = (*self.names[: self.current + 1], self.count)
        self.current += 1
        self.nodes[self.count] = weakref.WeakSet()
        return before

    def closed(self, before: tuple[int, tuple[int, ...]]) -> None:
        """Close the level at work: a node that remembered a tangent would be a cycle, for that leads back to it."""
        name = self.names[self.current]
        self.current, self.names = before
        for node in self.nodes.pop(name, ()):
            for found in (node.more or {}).get("tangents", {}).values():
                found.pop(name, None)


levels = Levels()


class below:
    """A context one level below: the tangents of the level at work are not seen."""

    __slots__ = ()

    def __enter__(self) -> None:
        levels.current -= 1

    def __exit__(self, *error: Any) -> None:
        levels.current += 1


def at_each_level(act: Callable[..., Any], *args: Any) -> list[Any]:
    """Acts at each of the levels up to the one at work, the outermost first."""
    top = levels.current
    if not top:
        return [act(*args)]
    made = []
    try:
        for levels.current in range(top + 1):
            made.append(act(*args))
    finally:
        levels.current = top
    return made


def shown(tensor: Any) -> Any:
    """The view info of a tensor (``base``, ``replay``); None: its tangent is its own."""
    more = tensor._more
    shows = None if more is None else more.get("shows")
    name = levels.names[levels.current]
    return shows[name] if shows is not None and name in shows else tensor._view


def tangent_of(tensor: Any) -> Any:
    """The tangent of a tensor at the level at work, or None."""
    if levels.current < 0 or not modes.tangents:
        return None
    if tensor._more is None and tensor._view is None:
        return None
    view = shown(tensor)
    if view is None:
        return own(tensor)
    whole = own(view.base)
    return None if whole is None else part_of(whole, tensor, view)


def is_dual(tensor: Any) -> bool:
    """True if it has a tangent, at the level at work or at one below."""
    if levels.current < 0 or (tensor._more is None and tensor._view is None):
        return False
    if not levels.current:
        return tangent_of(tensor) is not None
    return any(found is not None for found in at_each_level(tangent_of, tensor))


def tangents_of(tensor: Any) -> dict[int, Any]:
    """Its tangents by the names of their levels."""
    if levels.current < 0 or (tensor._more is None and tensor._view is None):
        return {}
    found = zip(levels.names, at_each_level(tangent_of, tensor), strict=False)
    return {name: tangent for name, tangent in found if tangent is not None}


def own(tensor: Any) -> Any:
    """The tangent that was given to the tensor itself."""
    found = None if tensor._more is None else tensor._more.get("tangents")
    return None if found is None else found.get(levels.names[levels.current])


def own_is(tensor: Any, tangent: Any) -> None:
    """Give the tensor itself a tangent."""
    name = levels.names[levels.current]
    tensor._entries()["tangents"] = {**tensor._entries().get("tangents", {}), name: tangent}


def part_of(whole: Any, tensor: Any, view: Any) -> Any:
    """The part that a view shows, made anew where the whole or the view is another one since."""
    version = None if tensor._counter is None else tensor._counter[0]
    parts = tensor._entries().setdefault("parts", {})
    name = levels.names[levels.current]
    known = parts.get(name)
    if known is not None and known[0] is whole and known[1:3] == (modes.grad, version):
        return known[3]
    part = view.replay(whole)
    parts[name] = whole, modes.grad, version, part
    return part


def set_tangent(tensor: Any, tangent: Any) -> None:
    """Give a tensor a tangent of its own (None: none), whatever it is a view of."""
    if levels.current < 0:
        return
    if tensor._view is not None:
        show(tensor, None)
    if tangent is not None or own(tensor) is not None:
        own_is(tensor, tangent)


def show(tensor: Any, view: Any, name: int | None = None) -> None:
    """Say of what its tangent is a part, at the level at work if not at another."""
    name = levels.names[levels.current] if name is None else name
    tensor._entries()["shows"] = {**tensor._entries().get("shows", {}), name: view}


def same_tangents(made: Any, source: Any) -> Any:
    """Give a tensor the tangents of another one as its own."""
    at_each_level(lambda: set_tangent(made, tangent_of(source)))
    return made


def remember_tangent(node: Any, k: int, tangent: Any) -> None:
    """Have a node remember the tangent of one of its results."""
    remember_tangents(node, k, {levels.names[levels.current]: tangent})


def remember_tangents(node: Any, k: int, tangents: dict[int, Any]) -> None:
    """Have a node remember those of one of its results, by the names of their levels, until these are closed."""
    open_ones = {name: tangent for name, tangent in tangents.items() if name in levels.nodes}
    node.kept("tangents", dict).setdefault(k, {}).update(open_ones)
    for name in open_ones:
        levels.nodes[name].add(node)


def remembered(tensor: Any) -> Any:
    """The tangents of a result again, which its node remembers."""
    more = tensor._grad_fn.more
    known = None if more is None else more.get("tangents", {}).get(tensor._nr)
    if known is not None:
        tensor._entries()["tangents"] = dict(known)
    return tensor


class no_tangents:
    """A context in which tensors have no tangents, and writes change none."""

    def __enter__(self) -> None:
        self.before, modes.tangents = modes.tangents, False

    def __exit__(self, *error: Any) -> None:
        modes.tangents = self.before


# -- writes -----------------------------------------------------------------------------------------


def written(target: Any, made: Any) -> None:
    """A tensor was written to: its tangents are those of the value."""
    if modes.tangents:
        at_each_level(lambda: put_tangent(target, tangent_of(made)))


def put_tangent(target: Any, new: Any) -> None:
    """Another tangent for a tensor that was written to, and so for all that shows its memory."""
    view = shown(target)
    whole = own(target if view is None else view.base)
    if new is None and whole is None:
        return
    if view is None and target._view is not None and target._view.creation == CUSTOM:
        raise RuntimeError(OF_A_FUNCTION)
    with below():
        new = zeros_like(target) if new is None else like(new, target)
        if view is not None:
            new = with_part(whole, view, new)
    own_is(target if view is None else view.base, new)


def with_part(whole: Any, view: Any, new: Any) -> Any:
    """The tangent of a base (None: zeros) after a write into one of its views."""
    base = view.base
    whole = zeros_like(base) if whole is None else copied(whole, base._array)
    if levels_of(new._array) - levels_of(whole._array):
        whole._array = widened(whole._array, new._array)
    part = view.replay(whole)
    if part._array.size and not np.may_share_memory(part._array, whole._array):
        raise RuntimeError(
            "the tangent of this view cannot be written to: clone() the tensor first"
        )
    if part._view is not None:  # nobody else has seen it: that it is one of several does not matter
        part._view.creation = DEFAULT
    part.copy_(new)
    return whole


def zeros_like(tensor: Any) -> Any:
    return wrapped(np.zeros_like(tensor._array))


def copied(tangent: Any, like: Any) -> Any:
    """A copy laid out as what it belongs to: what is a view of that is a view of the copy."""
    made = tangent.clone()
    if made._array.strides != like.strides:
        made._array = copied_into(np.empty_like(like), made._array)
    return made


def like(tangent: Any, part: Any) -> Any:
    """A tangent in the shape and type of what it belongs to."""
    if tangent._array.shape != part._array.shape:
        tangent = tangent.expand(part._array.shape)
    return tangent if tangent._array.dtype == part._array.dtype else tangent.to(part.dtype)


def apart(tangent: Any, others: list[Any]) -> Any:
    """A tangent in memory of its own: users may write to what they are given."""
    array = tangent._array
    shared = 0 in array.strides or any(np.may_share_memory(array, one._array) for one in others)
    return tangent.clone() if shared else tangent
