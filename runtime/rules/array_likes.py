"""Lists and tuples in the places of arrays: NumPy's functions make arrays of them, and so do derivatives."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import UnsupportedOperation
from .argument_binding import bound
from .book import Rule, book

__all__ = ["as_arrays", "places_of_arrays", "places_of_several"]

Given = tuple[tuple[Any, ...], dict[str, Any]]


def as_arrays(
    op: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    listed: Callable[[Any], bool],
    array: Callable[[Any], Any],
) -> Given:
    """The arguments of a call, those that are lists in the places of arrays made arrays.

    ``listed`` tells a list or a tuple, ``array`` makes an array of one.
    """
    if not any(map(listed, args)) and not any(map(listed, kwargs.values())):
        return args, kwargs
    places = places_of_arrays(op, len(args), tuple(kwargs))
    asked = {p for p in places if listed(args[p] if isinstance(p, int) else kwargs[p])}
    if not asked:
        return args, kwargs
    if asked & set(places_of_arrays(op, len(args), tuple(kwargs), unlisted=True)):
        raise UnsupportedOperation(
            f"{op.__name__} treats a list otherwise than the array of it",
            fix="make an array of it first: np.array(...)",
        )
    made = [array(a) if k in asked else a for k, a in enumerate(args)]
    return tuple(made), {k: array(v) if k in asked else v for k, v in kwargs.items()}


def places_of_arrays(
    op: Any, count: int, names: tuple[str, ...], unlisted: bool = False
) -> tuple[int | str, ...]:
    """The arguments of a call with ``count`` positional ones and these keywords that mean one array each.

    Or those of them to which a list means something else: ``np.array_split`` cuts it by its length, along any axis.

    >>> places_of_arrays(np.interp, 3, ()), places_of_arrays(np.concatenate, 1, ("axis",))
    ((0, 1, 2), ())
    """
    try:
        rule = book.rules.get(op)
    except TypeError:
        return ()
    return () if rule is None else known_places(rule, op, count, names, unlisted)


def places_of_several(op: Any, count: int) -> tuple[int, ...]:
    """Those of ``count`` positional arguments that mean several arrays: a list there is no array of its items.

    >>> places_of_several(np.concatenate, 2), places_of_several(np.interp, 3)
    ((0,), ())
    """
    try:
        rule = book.rules.get(op)
        if rule is None or not rule.several:
            return ()
        given = bound(rule.differential, tuple(range(count)), {}, 1, op)
    except TypeError:
        return ()
    return tuple(given[n] for n in rule.several if n in given)


@functools.lru_cache(maxsize=4096)
def known_places(
    rule: Rule, op: Any, count: int, names: tuple[str, ...], unlisted: bool
) -> tuple[int | str, ...]:
    if not is_function_of_arrays(op):
        return ()
    try:
        given = bound(rule.differential, tuple(range(count)), {n: n for n in names}, 1, op)
    except TypeError:
        return ()
    whole = rule.broadcasts or isinstance(op, (np.ufunc, types.MethodType))  # of a distribution
    mine = given if whole else rule.active
    single = rule.unlisted if unlisted else [n for n in mine if n not in rule.several]
    return tuple(given[n] for n in single if n in given)


def is_function_of_arrays(op: Any) -> bool:
    """True if it is NumPy's or SciPy's: those of Python take lists as lists."""
    if isinstance(op, np.ufunc) or isinstance(getattr(op, "__self__", None), np.ufunc):
        return True
    home = getattr(op, "__module__", None) or ""
    return home.partition(".")[0] in ("numpy", "scipy") or (
        getattr(op, "__objclass__", None) is np.ndarray
    )
