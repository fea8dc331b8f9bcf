"""NumPy's functions that go over arrays, on boxes: ``np.vectorize``, ``np.nditer``, ``np.piecewise`` and their like."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..errors import TapeError
from .box import has_boxes, raw
from .dispatch import apply

__all__ = ["going_over", "of_lists", "vectorized"]


def vectorized(made: np.vectorize, each: Callable[..., Any]) -> Callable[..., Any]:
    """What ``made`` computes, ``each`` being its function as it runs on the tape."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if not has_boxes((args, kwargs)):
            return made(*args, **kwargs)
        if made.signature is not None or made.excluded:
            raise TapeError(
                "np.vectorize with a signature or excluded arguments does not know a value that is being "
                "differentiated; write the loop"
            )
        given = [*args, *kwargs.values()]
        shape = np.broadcast_shapes(*(np.shape(raw(x)) for x in given))
        wide = [stretched(x, shape) for x in given]
        found = [
            each(
                *(x[at] for x in wide[: len(args)]),
                **dict(zip(kwargs, [x[at] for x in wide[len(args) :]], strict=True)),
            )
            for at in np.ndindex(shape)
        ]
        if isinstance(found[0], tuple):
            return tuple(gathered(list(part), shape) for part in zip(*found, strict=True))
        return gathered(found, shape)

    return call


def stretched(x: Any, shape: tuple[int, ...]) -> Any:
    whole = apply(np.asarray, (x,), {}) if not np.shape(raw(x)) else x
    return apply(np.broadcast_to, (whole, shape), {})


def gathered(found: list[Any], shape: tuple[int, ...]) -> Any:
    """One array of the results, a number for each element."""
    return apply(np.reshape, (apply(np.array, (found,), {}), shape), {})


@functools.cache
def of_lists(fn: Any) -> Callable[..., Any]:
    """A function of NumPy's, which takes a list for the array of its items, and looks for no box in there."""

    def call(*args: Any, **kwargs: Any) -> Any:
        listed = [type(x) in (list, tuple) and has_boxes((x,)) for x in args]
        if not any(listed):
            return fn(*args, **kwargs)
        if not isinstance(fn, np.ufunc) and "out" not in kwargs:
            return apply(fn, args, kwargs)
        pairs = zip(args, listed, strict=True)
        return fn(*(apply(np.array, (x,), {}) if held else x for x, held in pairs), **kwargs)

    return functools.wraps(fn)(call)


# -- iterators --------------------------------------------------------------------------

TAKEN = {"multi_index", "c_index", "f_index", "zerosize_ok", "refs_ok", "common_dtype", "delay_bufalloc"}  # fmt: skip


class Elements:
    """``np.nditer`` that reads one array: its entries, in NumPy's order."""

    def __init__(
        self, op: Any, flags: Any = None, op_flags: Any = None, *, order: str = "K", **others: Any
    ) -> None:
        asked, written = set(flags or ()), "write" in repr(op_flags)
        if others or written or isinstance(op, (list, tuple)) or not asked <= TAKEN:
            raise TapeError(
                "np.nditer reads one value that is being differentiated, entry by entry; "
                "go over several, or write, by index: for i in np.ndindex(x.shape)"
            )
        self.array = op
        flags = [*{"multi_index", "zerosize_ok", *asked}]
        self.places = np.nditer(raw(op), flags=flags, order=order)  # type: ignore[call-overload]

    def __iter__(self) -> Iterator[Any]:
        while not self.places.finished:
            yield self[0]
            self.places.iternext()

    def __getitem__(self, at: int) -> Any:
        return self.array[self.places.multi_index]

    @property
    def value(self) -> Any:
        return self[0]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.places, name)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: object) -> None:
        self.places.close()


def enumerated(x: Any) -> Iterator[Any]:
    """``np.ndenumerate``."""
    return iter([(at, x[at]) for at in np.ndindex(np.shape(raw(x)))])


def along_axis(func1d: Callable[..., Any], axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """``np.apply_along_axis``."""
    moved = apply(np.moveaxis, (arr, axis, -1), {})
    lead = np.shape(raw(moved))[:-1]
    parts = [func1d(moved[at], *args, **kwargs) for at in np.ndindex(lead)]
    inner = np.shape(raw(parts[0]))
    whole = apply(np.reshape, (apply(np.array, (parts,), {}), (*lead, *inner)), {})
    places = [axis % (len(lead) + 1) + k for k in range(len(inner))]
    return apply(np.moveaxis, (whole, [len(lead) + k for k in range(len(inner))], places), {})


def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kwargs: Any) -> Any:
    """``np.piecewise``: each function gets the entries that its condition chooses; a later one wins."""
    x = apply(np.asarray, (x,), {})
    conditions = conditions_of(condlist, np.ndim(raw(x)))
    if len(funclist) == len(conditions) + 1:
        conditions = np.concatenate([conditions, ~np.any(conditions, axis=0, keepdims=True)])
    made = apply(np.zeros_like, (x,), {})
    for condition, piece in zip(conditions, funclist, strict=True):
        chosen = x[condition]
        if np.size(raw(chosen)):
            made[condition] = piece(chosen, *args, **kwargs) if callable(piece) else piece
    return made


def conditions_of(condlist: Any, rank: int) -> Any:
    """The conditions as rows of one array: NumPy takes one alone for a list of one."""
    single = np.isscalar(raw(condlist)) or (
        rank and not isinstance(raw(condlist[0]), (list, np.ndarray))
    )
    rows = [condlist] if single else condlist
    return np.asarray([raw(row) for row in rows], dtype=bool)


GOING_OVER: dict[Any, Callable[..., Any]] = {
    np.nditer: Elements,
    np.ndenumerate: enumerated,
    np.apply_along_axis: along_axis,
    np.piecewise: piecewise,
}


def going_over(fn: Any) -> Callable[..., Any] | None:
    """A function or class of NumPy's that goes over an array, as one that goes over boxes, too."""
    try:
        found = GOING_OVER.get(fn)
    except TypeError:  # not hashable
        return None
    if found is None:
        return None

    def call(*args: Any, **kwargs: Any) -> Any:
        return (found if has_boxes((args, kwargs)) else fn)(*args, **kwargs)

    return call
