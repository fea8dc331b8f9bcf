"""Writing into an array, as a function: the array with a part of it replaced, or added to.

A part is named by the views that lead to it, from the whole inwards: ``x.T[1:][i]`` is
``((np.ndarray.T,), (operator.getitem, slice(1, None)), (operator.getitem, i))``.  Emitted code
writes in place, with the same meaning; these functions say what it means.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from numbers import Number
from typing import Any

import numpy as np

from ..errors import MutationError, UnsupportedOperation
from ..objects.declared_containers import slots_of
from .indexing import add_at, repeats

__all__ = [
    "check_alone",
    "check_apart",
    "check_array",
    "check_assignable",
    "check_distinct",
    "check_holds",
    "check_leaf",
    "check_number",
    "check_output",
    "check_overlap",
    "check_shared",
    "check_unshared",
    "increase",
    "last_places",
    "last_written",
    "overlap",
    "scatter_last",
    "shows_twice",
    "write",
]

Path = tuple[tuple[Any, ...], ...]


def write(x: Any, path: Path, v: Any) -> Any:
    """A copy of ``x`` with ``v`` at the end of ``path``.

    >>> write(np.zeros(3), ((operator.getitem, slice(1, None)), (operator.getitem, 0)), 5.0)
    array([0., 5., 0.])
    """
    out = np.array(x)
    *views, last = path or ((operator.getitem, Ellipsis),)
    part = view(out, tuple(views))
    if last[0] is operator.getitem:
        part[last[1]] = v
    else:
        view(part, (last,))[...] = v
    return out


def increase(x: Any, path: Path, v: Any) -> Any:
    """A copy of ``x`` with ``v`` added at the end of ``path``; places named twice add up.

    >>> increase(np.zeros(3), ((operator.getitem, np.array([0, 0])),), np.array([1.0, 2.0]))
    array([3., 0., 0.])
    """
    out = np.array(x)
    *views, last = path or ((operator.getitem, Ellipsis),)
    part = view(out, tuple(views))
    if last[0] is not operator.getitem:
        part, last = view(part, (last,)), (operator.getitem, Ellipsis)
    if repeats(last[1]):
        add_at(part, last[1], v)
    else:
        part[last[1]] += v
    return out


def view(x: Any, path: Path) -> Any:
    """The view of ``x`` that ``path`` leads to."""
    for fn, *args in path:
        x = fn(x, *args) if callable(fn) else fn.__get__(x, type(x))
    return x


def last_written(c: Any, index: Any) -> Any:
    """``c[index]``, but zero where a later entry of ``index`` names the same place.

    Writing ``x[index] = v`` leaves the last of several values for one place, so the others
    have no part in what follows.

    >>> last_written(np.array([1.0, 2.0]), np.array([0, 1, 0]))
    array([0., 2., 1.])
    """
    part = c[index]
    if not repeats(index):
        return part.copy()
    order = np.arange(part.size).reshape(part.shape)
    winner = np.empty(c.shape, np.intp)
    winner[index] = order
    return np.where(winner[index] == order, part, 0)


def last_places(x: Any, index: Any) -> Any:
    """For each entry of ``index`` the number of the last entry that names the same place of ``x``.

    On the device any of several writes to one place may win: what is written there is made the same first.

    >>> last_places(np.zeros(3), np.array([0, 1, 0]))
    array([2, 1, 2])
    """
    last = np.zeros(np.shape(x), np.intp)
    last[index] = np.arange(last[index].size).reshape(last[index].shape)
    return last[index]


def scatter_last(c: Any, like: Any, index: Any) -> Any:
    """`last_written`, transposed: zeros in the shape of ``like`` with ``c`` written at ``index``.

    >>> scatter_last(np.array([1.0, 2.0, 3.0]), np.zeros(2), np.array([0, 1, 0]))
    array([3., 2.])
    """
    out = np.zeros(np.shape(like), c.dtype)
    out[index] = c
    return out


def check_distinct(x: Any, *others: Any) -> None:
    """Refuse an array the function writes to that overlaps itself, or another argument.

    >>> check_distinct(np.ones((3, 2)).T)
    """
    check_single(x)
    for other in arrays_in(others, set()) if others else ():
        if (
            isinstance(x, np.ndarray)
            and isinstance(other, np.ndarray)
            and np.may_share_memory(x, other)
            and np.shares_memory(x, other)
        ):
            raise MutationError(
                "an array that this function writes to overlaps another argument, or an array that it reads",
                fix="pass a copy of one of them",
            )


def check_single(x: Any) -> None:
    """Refuse to write to an array that shows one place of its memory several times."""
    if isinstance(x, np.ndarray) and shows_twice(x) and x.flags.writeable:
        raise MutationError(
            "an array that this function writes to shows one place of its memory several times",
            fix="pass a copy of it (`.copy()`)",
        )


def shows_twice(x: Any) -> bool:
    """True if two entries of an array may be one number.

    >>> shows_twice(np.broadcast_to(1.0, (3,))), shows_twice(np.ones((3, 4))[::2, ::-2].T)
    (True, False)
    """
    if x.flags.forc or x.size < 2:
        return False
    reach = x.itemsize
    for n, step in sorted(zip(x.shape, map(abs, x.strides), strict=True), key=lambda axis: axis[1]):
        if n > 1 and step < reach:
            return True
        reach += (n - 1) * step
    return False


def check_overlap(part: Any, v: Any) -> None:
    """Refuse ``part[...] = v`` where NumPy reads elements of ``v`` that it has just written.

    It copies first only if the two run in opposite directions, or have several dimensions.

    >>> x = np.ones((3, 3))
    >>> check_overlap(x[1], x[:, 1])
    """
    if not (np.ndim(part) == np.ndim(v) == 1 and np.may_share_memory(part, v)):
        return
    if len(part) != len(v) or len(v) < 2 or part.strides == v.strides:
        return
    if not np.array_equal(*tried_out(part, v)):
        raise MutationError(
            "NumPy would read elements that it has just written: the two sides overlap, and lie in "
            "memory with other strides",
            fix="copy what is read: `x[0] = x[:, 1].copy()`",
        )


def tried_out(part: Any, v: Any) -> tuple[Any, Any]:
    """The result of ``part[...] = v`` in a memory of numbers, and the one it should have."""
    places = [
        (a.__array_interface__["data"][0] + a.strides[0] * np.arange(len(a))) // part.itemsize
        for a in (part, v)
    ]
    low = min(p.min() for p in places)
    memory = np.arange(1.0 + max(p.max() for p in places) - low)
    target, source = (
        np.lib.stride_tricks.as_strided(
            memory[p[0] - low :], (len(p),), ((p[1] - p[0]) * memory.itemsize,)
        )
        for p in places
    )
    right = source.copy()
    target[...] = source
    return target, right


def check_apart(written: tuple[Any, ...], arguments: tuple[Any, ...]) -> None:
    """Refuse arrays, held by arguments and written to, that stand at two places of them.

    >>> w = np.ones(2)
    >>> check_apart((w,), ({"w": w, "b": np.ones(2)},))
    """
    arrays = list(arrays_in(arguments, set()))
    for x in written:
        check_single(x)
        near = [a for a in arrays if isinstance(x, np.ndarray) and np.may_share_memory(x, a)]
        if len(near) > 1 and sum(np.shares_memory(x, a) for a in near) > 1:
            raise MutationError(
                "an array that this function writes to stands at two places of its arguments",
                fix="pass a copy of one of them",
            )


def check_alone(x: Any, items: Any) -> None:
    """Refuse to augment an item, an array, that stands in a list or a dict twice.

    >>> zeros = np.zeros(2)
    >>> check_alone(0.0, [0.0, 0.0]), check_alone(zeros, [zeros, np.zeros(2)])
    (None, None)
    """
    if isinstance(x, np.ndarray) and sum(overlap(x, a) for a in arrays_in(items, set())) > 1:
        raise MutationError(
            "an array that this augments stands in its list twice",
            fix="put a copy of it in (`.copy()`)",
        )


def overlap(x: Any, y: Any) -> bool:
    """True if two arrays, or arrays in two containers, share memory."""
    return any(
        np.may_share_memory(a, b) and np.shares_memory(a, b)
        for a in arrays_in(x, set())
        for b in arrays_in(y, set())
    )


def check_unshared(x: Any, y: Any, text: str) -> None:
    """Refuse arrays that share memory where they were taken for two.

    >>> check_unshared(np.ones(2), np.ones(2), "the text of the error")
    """
    if overlap(x, y):
        raise MutationError(text, fix="copy one of them before the write (`.copy()`)")


def check_shared(x: Any, y: Any, text: str) -> None:
    """Refuse a copy where a view was presumed.

    >>> y = np.ones((2, 2))
    >>> check_shared(np.ravel(y), y, "the text of the error")
    """
    if np.size(x) and not overlap(x, y):
        raise MutationError(text, fix="say which it is: `.copy()`, or reshape the array itself")


def arrays_in(tree: Any, seen: set[int]) -> Iterator[np.ndarray]:
    """Every array of a container, once for each place where it stands."""
    if isinstance(tree, np.ndarray):
        yield tree
        if tree.dtype != object:
            return
    if id(tree) in seen or isinstance(tree, (str, bytes, Number, np.generic, type(None))):
        return
    if not isinstance(tree, tuple):
        seen.add(id(tree))
    items = tree.values() if isinstance(tree, dict) else getattr(tree, "__dict__", {}).values()
    slots = [getattr(tree, n) for n in slots_of(type(tree)) if hasattr(tree, n)]
    for item in tree if isinstance(tree, (tuple, list, np.ndarray)) else [*items, *slots]:
        yield from arrays_in(item, seen)


def check_number(x: Any) -> None:
    """Refuse an array or a list where the text was made for a number, which no write can change."""
    if not isinstance(x, (Number, np.number)):
        raise MutationError(
            f"this text may write to its argument unless that is a number, and was given a {type(x).__name__}",
            fix="write `x = x + ...`, or let @differentiate compile for the arguments",
        )


def check_output(made: Any, out: Any) -> None:
    """Refuse to write a result into an array of another shape, as NumPy does with ``out=``.

    >>> check_output(np.ones(2), np.zeros(2))
    """
    if np.shape(made) != np.shape(out):
        raise MutationError(
            f"a result of shape {np.shape(made)} cannot be written to an `out=` of shape {np.shape(out)}",
            fix="compute it first, and write it: `y[...] = ...`",
        )


def check_array(x: Any) -> None:
    """Refuse a list, or a number that has no views, where the text was made for an array that is written to."""
    if not isinstance(x, np.ndarray):
        raise MutationError(
            f"this text writes to an array, and was given a {type(x).__name__}",
            fix="pass an array, or let @differentiate compile for the arguments",
        )


def check_leaf(x: Any) -> None:
    """Refuse a list, or another container, where the text was made for an array or a number."""
    if not isinstance(x, (np.ndarray, np.generic, Number)):
        raise UnsupportedOperation(
            f"this text copies an array or a number, and was given a {type(x).__name__}",
            fix="copy it by its class: x.copy() of an array, list(x), dict(x)",
        )


def check_assignable(x: Any) -> None:
    """Raise what Python raises for a write to a number; refuse a list, as above."""
    if isinstance(x, (Number, np.generic)):
        raise TypeError(f"{type(x).__name__!r} object does not support item assignment")
    check_array(x)


def check_holds(x: Any, value: Any) -> None:
    """Refuse a write to an array that cuts off a fraction, or an imaginary part, and with it the derivative.

    >>> check_holds(np.zeros(2), 0.5)
    """
    given = np.asarray(value)
    if not isinstance(x, np.ndarray) or not given.size:
        return
    if x.dtype.kind in HELD and HELD[x.dtype.kind] < HELD.get(given.dtype.kind, 0):
        raise MutationError(
            f"an array of {x.dtype} is written to, which cuts off what is no {x.dtype}, and its derivative",
            fix="make it an array of floats: dtype=float",
        )


HELD = {"b": 0, "i": 0, "u": 0, "f": 1, "c": 2}  # an array of objects holds all
