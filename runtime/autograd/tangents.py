"""Which tangent a tensor has: a value of its own, or for a view its part of that of what it shows.

A tangent is never written to: a write gives the tensor that owns the memory another one, and every
view of that memory shows its part of it.  So no two tensors can be of one tangent by mistake.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .grad_mode import modes

__all__ = [
    "apart",
    "levels",
    "like",
    "no_tangents",
    "put_tangent",
    "remembered",
    "set_tangent",
    "tangent_of",
    "written",
]

OF_A_FUNCTION = (
    "an in-place operation would change the tangent of what this view shows, but the view was returned by a "
    "custom Function whose jvp gave it a tangent of its own. Clone the output of the custom Function first."
)


class Levels:
    """The open level, of the whole process, and how many there have been."""

    current = -1
    count = 0


levels = Levels()


def shown(tensor: Any) -> Any:
    """What a view shows and how it is made of it (``base``, ``replay``); None: its tangent is its own."""
    more = tensor._more
    return more["shows"] if more is not None and "shows" in more else tensor._view


def tangent_of(tensor: Any) -> Any:
    """The tangent of a tensor at the open level, or None."""
    if levels.current < 0 or not modes.tangents:
        return None
    if tensor._more is None and tensor._view is None:
        return None
    view = shown(tensor)
    if view is None:
        return own(tensor)
    whole = own(view.base)
    return None if whole is None else part_of(whole, tensor, view)


def own(tensor: Any) -> Any:
    """The tangent that was given to the tensor itself."""
    found = None if tensor._more is None else tensor._more.get("tangent")
    return found[1] if found is not None and found[0] == levels.count else None


def part_of(whole: Any, tensor: Any, view: Any) -> Any:
    """The part that a view shows, made anew where the whole or the view is another one since."""
    version = None if tensor._counter is None else tensor._counter[0]
    entries = tensor._entries()
    known = entries.get("part")
    if known is not None and known[0] is whole and known[1:3] == (modes.grad, version):
        return known[3]
    part = view.replay(whole)
    entries["part"] = whole, modes.grad, version, part
    return part


def set_tangent(tensor: Any, tangent: Any) -> None:
    """Give a tensor a tangent of its own (None: none), whatever it is a view of."""
    if tensor._view is not None:
        tensor._entries()["shows"] = None
    if tangent is not None:
        tensor._entries()["tangent"] = levels.count, tangent
    elif tensor._more is not None:
        tensor._more.pop("tangent", None)


def remembered(tensor: Any) -> Any:
    """The tangent of a result again, which its node remembers."""
    more = tensor._grad_fn.more
    known = None if more is None else more.get("tangents", {}).get(tensor._nr)
    if known is not None:
        tensor._entries()["tangent"] = known
    return tensor


class no_tangents:
    """A context in which tensors have no tangents, and writes change none."""

    def __enter__(self) -> None:
        self.before, modes.tangents = modes.tangents, False

    def __exit__(self, *error: Any) -> None:
        modes.tangents = self.before


# -- writes -----------------------------------------------------------------------------------------


def written(target: Any, made: Any) -> None:
    """A tensor was written to: its tangent is that of the value."""
    if modes.tangents:
        put_tangent(target, tangent_of(made))


def put_tangent(target: Any, new: Any) -> None:
    """Another tangent for a tensor that was written to, and so for all that shows its memory."""
    from ..tensor.tensor import wrapped
    from ..tensor.views import CUSTOM, DEFAULT

    view = shown(target)
    whole = own(target if view is None else view.base)
    if new is None and whole is None:
        return
    new = wrapped(np.zeros_like(target._array)) if new is None else like(new, target)
    if view is None:
        if target._view is not None and target._view.creation == CUSTOM:
            raise RuntimeError(OF_A_FUNCTION)
        target._entries()["tangent"] = levels.count, new
        return
    base = view.base
    whole = wrapped(np.zeros_like(base._array)) if whole is None else copied(whole, base._array)
    part = view.replay(whole)
    if part._array.size and not np.may_share_memory(part._array, whole._array):
        raise RuntimeError(
            "the tangent of this view cannot be written to: clone() the tensor first"
        )
    if part._view is not None:  # nobody else has seen it: that it is one of several does not matter
        part._view.creation = DEFAULT
    part.copy_(new)
    base._entries()["tangent"] = levels.count, whole


def copied(tangent: Any, like: Any) -> Any:
    """A copy laid out as what it belongs to: what is a view of that is a view of the copy."""
    made = tangent.clone()
    if made._array.strides != like.strides:
        array = np.empty_like(like)
        array[...] = made._array
        made._array = array
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
