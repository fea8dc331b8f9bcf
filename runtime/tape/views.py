"""Whose memory a box shows: results that share the memory of an operand are remembered.

A write through any view of an array is seen by all of them (`write_operations`): a box that shows the memory
of another is made from it again whenever that is written to, and a write to it is a write to what it shows.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.array_utils import byte_bounds
from numpy.lib.stride_tricks import as_strided

from ..objects.pytree import map_operands
from .box import Box, raw

__all__ = ["View", "address", "family", "note_views", "places_in"]

FEW = 32


@dataclass(eq=False, slots=True)
class View:
    """How a box was made from the one whose memory it shows."""

    parent: Any
    call: tuple[Any, Any, Any]
    path: tuple[Any, ...]


def note_views(made: Any, boxes: list[Any], call: tuple[Any, Any, Any], own: bool) -> None:
    """Results that show the memory of an operand are remembered: a write is seen in both.

    ``own``: the operation knows its derivative itself, so a write to one has another in the other.
    """
    if type(made) is Box:
        if type(raw(made)) is np.ndarray:
            note(made, (), boxes, call, own)
    elif type(made) in (tuple, list):
        for k, one in enumerate(made):
            if type(one) is Box and type(raw(one)) is np.ndarray:
                note(one, (k,), boxes, call, own)


def note(
    one: Any, path: tuple[Any, ...], boxes: list[Any], call: tuple[Any, Any, Any], own: bool
) -> None:
    """``one``, a part of what ``call`` gave, may show the memory of one of ``boxes``, or of an array."""
    memory = raw(one)
    near = [box for box in boxes if box is not one and shares(memory, raw(box))]
    if near and own:
        forbid_writes(one, near)
    elif near:
        note_view(one, path, near, call)
    elif memory.base is not None and any(shares(memory, a) for a in arrays_in(call[1:])):
        one._apart = False


def note_view(one: Any, path: tuple[Any, ...], near: list[Any], call: tuple[Any, Any, Any]) -> None:
    """``one`` is a view of one of ``near``."""
    own = [box for box in near if box._level is one._level]
    if len(own) > 1:
        own = [box for box in own if places_in(raw(box), raw(one)) is not None]
    if not own or len(own) < len(near):
        forbid_writes(one, near)  # of two levels: neither sees what is written to the other
    if own:
        op, args, kwargs = call
        one._view = View(own[0], (op, as_now(args), as_now(kwargs)), path)
        views = own[0]._views = own[0]._views or []
        if len(views) >= FEW and len(views) & (len(views) - 1) == 0:
            views[:] = [ref for ref in views if ref() is not None]
        views.append(weakref.ref(one))


def forbid_writes(one: Any, near: list[Any]) -> None:
    """None of them may be written to any more: the others would not see it."""
    for box in (one, *near):
        family(box)._apart = False


def as_now(tree: Any) -> Any:
    """The arguments of a call, with lists (shapes, axes, places) as they are now: the user may change them."""
    if type(tree) in (list, tuple):
        return type(tree)([as_now(item) for item in tree])
    return {k: as_now(item) for k, item in tree.items()} if type(tree) is dict else tree


def arrays_in(tree: Any) -> list[np.ndarray]:
    """The plain arrays among the arguments of a call."""
    found: list[np.ndarray] = []
    map_operands(lambda leaf: found.append(leaf) if type(leaf) is np.ndarray else None, tree)
    return found


def shares(a: np.ndarray, b: Any) -> bool:
    if type(b) is not np.ndarray:
        return False
    return a is b or ((a.base is not None or b.base is not None) and np.may_share_memory(a, b))


def family(box: Any) -> Any:
    """The box whose memory a box shows: itself, if it is no view."""
    while box._view is not None:
        box = box._view.parent
    return box


def address(a: np.ndarray) -> int:
    found: int = a.__array_interface__["data"][0]
    return found


def places_in(memory: np.ndarray, shown: np.ndarray) -> np.ndarray | None:
    """Where the elements of a view stand in an array, counted in C order; None if they do not.

    >>> x = np.zeros((2, 3))
    >>> places_in(x, x.T[1:])
    array([[1, 4],
           [2, 5]])
    """
    size = memory.itemsize
    if memory.dtype != shown.dtype or not memory.size or not shown.size:
        return None
    low, high = byte_bounds(memory)
    first, last = byte_bounds(shown)
    offsets = [address(memory) - low, address(shown) - low, *memory.strides, *shown.strides]
    if first < low or last > high or any(offset % size for offset in offsets):
        return None
    grid = np.full((high - low) // size, -1, np.intp)
    own, other = (
        as_strided(grid[(address(a) - low) // size :], a.shape, strides_of(a, grid))
        for a in (memory, shown)
    )
    own[...] = np.arange(memory.size).reshape(memory.shape)
    found = other.copy()
    return None if (found < 0).any() else found


def strides_of(a: np.ndarray, grid: np.ndarray) -> tuple[int, ...]:
    return tuple(s // a.itemsize * grid.itemsize for s in a.strides)
