"""Helpers on lists whose length is known at run time: each returns a new list."""

from __future__ import annotations

import functools
import itertools
import operator
from typing import Any

import numpy as np

from ..errors import AnswerChanged, MutationError
from .core import add, zeros_like

__all__ = [
    "appended",
    "best_of",
    "check_count",
    "check_enough",
    "check_kinds",
    "check_rows",
    "cleared",
    "combinations",
    "count_of",
    "folded",
    "frozen",
    "index_of",
    "inserted",
    "items",
    "joined",
    "multisets",
    "order_of",
    "permutations",
    "place_of",
    "put_back",
    "removed",
    "repeated_list",
    "replaced",
    "spliced",
    "spliced_in",
    "starred",
    "thawed",
    "times_in",
    "times_of",
    "unspliced",
    "visits",
]

Items = list[Any]


def appended(items: Items, item: Any) -> Items:
    """A list with one item more.

    >>> appended([1.0], 2.0)
    [1.0, 2.0]
    """
    return [*items, item]


def count_of(items: Any) -> int:
    """How many items a list has.

    >>> count_of([1.0, 2.0])
    2
    """
    return len(items)


def joined(first: Items, second: Any) -> Items:
    """Two lists, one after the other.

    >>> joined([1.0], (2.0, 3.0))
    [1.0, 2.0, 3.0]
    """
    return [*first, *second]


def repeated_list(items: Items, count: int) -> Items:
    """A list as often as ``count`` says, one after the other.

    >>> repeated_list([1.0, 2.0], 2), repeated_list([1.0], -1)
    ([1.0, 2.0, 1.0, 2.0], [])
    """
    return list(items) * count


def times_of(c: Items, items: Items) -> int:
    """How often ``items`` stand in ``c``.

    >>> times_of([1.0, 2.0, 1.0, 2.0], [1.0, 2.0])
    2
    """
    return len(c) // len(items) if items else 0


def folded(c: Items, items: Items) -> Items:
    """`repeated_list`, transposed: the items of ``c`` added up that stand for the same one of ``items``.

    >>> folded([1.0, 2.0, 3.0, 4.0], [0.0, 0.0]), folded([], [5.0])
    ([4.0, 6.0], [0.0])
    """
    n = len(items)
    return [functools.reduce(add, c[k::n], zeros_like(item)) for k, item in enumerate(items)]


def replaced(items: Items, index: int, item: Any) -> Items:
    """A list with another item at ``index``.

    >>> replaced([1.0, 2.0], -1, 5.0)
    [1.0, 5.0]
    """
    made = list(items)
    made[operator.index(index)] = item
    return made


def cleared(c: Items, index: int, like: Items | None = None) -> Items:
    """A list with a zero at ``index``, of the shape of what was there or is there in ``like``.

    >>> cleared([1.0, 2.0], 0), cleared([np.ones(2), 2.0], 0, [5.0, 6.0])
    ([0.0, 2.0], [0.0, 2.0])
    """
    return replaced(c, index, zeros_like((c if like is None else like)[index]))


def place_of(items: Items, index: int) -> int:
    """Where ``items.insert(index, item)`` puts the item.

    >>> place_of([1.0, 2.0], -1), place_of([1.0, 2.0], 9)
    (1, 2)
    """
    n = len(items)
    return min(n, max(0, index + n if index < 0 else index))


def inserted(items: Items, index: int, item: Any) -> Items:
    """A list with one item more, before the one at ``index``.

    >>> inserted([1.0, 2.0], 1, 5.0)
    [1.0, 5.0, 2.0]
    """
    made = list(items)
    made.insert(index, item)
    return made


def removed(items: Items, index: int = -1) -> Items:
    """A list without the item at ``index``.

    >>> removed([1.0, 2.0, 3.0], 0)
    [2.0, 3.0]
    """
    made = list(items)
    made.pop(index)
    return made


def put_back(c: Items, like: Items, index: int = -1) -> Items:
    """The list ``c``, with a zero put where ``removed(like, index)`` took an item out.

    >>> put_back([2.0, 3.0], [1.0, 2.0, 3.0], 0)
    [0.0, 2.0, 3.0]
    """
    made = list(c)
    made.insert(range(len(like))[index], zeros_like(like[index]))
    return made


def order_of(keys: Any, reverse: bool = False) -> list[int]:
    """The places of the items as ``sorted`` puts them.

    >>> order_of([2.0, 1.0, 2.0]), order_of([2.0, 1.0, 2.0], True)
    ([1, 0, 2], [0, 2, 1])
    """
    keys = list(keys)
    return sorted(range(len(keys)), key=keys.__getitem__, reverse=bool(reverse))


def best_of(keys: Any, largest: bool = False) -> int:
    """The place of the first item that is the least, or the greatest.

    >>> best_of([2.0, 1.0, 1.0]), best_of([1.0, 2.0, 2.0], True)
    (1, 1)
    """
    keys = list(keys)
    return (max if largest else min)(range(len(keys)), key=keys.__getitem__)


def frozen(items: Items) -> tuple[Any, ...]:
    """A tuple of the items of a list.

    >>> frozen([1.0, 2.0])
    (1.0, 2.0)
    """
    return tuple(items)


def thawed(items: Items) -> list[Any]:
    """A list of the items of a tuple.

    >>> thawed((1.0, 2.0))
    [1.0, 2.0]
    """
    return list(items)


def check_count(items: Any, count: int) -> None:
    """``a, b = items`` takes two.

    >>> check_count([1.0, 2.0], 2)
    """
    if not hasattr(items, "__len__"):
        return  # it is told when it is gone over
    if len(items) > count:
        raise ValueError(f"too many values to unpack (expected {count})")
    if len(items) < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {len(items)})")


def check_enough(items: Any, count: int) -> None:
    """``a, b, *rest = items`` needs two.

    >>> check_enough([1.0, 2.0], 2)
    """
    if len(items) < count:
        raise ValueError(
            f"not enough values to unpack (expected at least {count}, got {len(items)})"
        )


def check_rows(items: Any) -> None:
    """Refuse a list without arrays in it: what NumPy makes of it has one dimension, and not theirs and one more.

    >>> check_rows([[1.0, 2.0]])
    """
    if len(items) == 0:
        error = AnswerChanged(
            "an array is made of a list, which was taken to have items, and has none",
            fix="ask for its length before",
        )
        error.repeats = False
        raise error


def index_of(items: Items, item: Any, *within: int) -> int:
    """Where an item stands first, from a place on and up to another one.

    >>> index_of([1.0, 2.0, 2.0], 2.0), index_of([1.0, 2.0, 2.0], 2.0, 2)
    (1, 2)
    """
    return items.index(item, *within)


def times_in(items: Items, item: Any) -> int:
    """How often an item stands in a list.

    >>> times_in([1.0, 2.0, 2.0], 2.0)
    2
    """
    return items.count(item)


def spliced(items: Items, index: slice, new: Any) -> Items:
    """A list with other items in place of a slice.

    >>> spliced([1.0, 2.0, 3.0], slice(0, 2), [5.0])
    [5.0, 3.0]
    """
    made = list(items)
    made[index] = list(new)
    return made


def unspliced(c: Items, index: slice, items: Items, new: Any) -> Items:
    """`spliced`, transposed to ``items``: zeros for those that the slice was.

    >>> unspliced([5.0, 3.0], slice(0, 2), [1.0, 2.0, 3.0], [5.0])
    [0.0, 0.0, 3.0]
    """
    at = range(len(items))[index]
    if at.step != 1:
        return spliced(c, index, [zeros_like(items[k]) for k in at])
    stop = max(at.start, at.stop)
    cleared = [zeros_like(item) for item in items[at.start : stop]]
    return [*c[: at.start], *cleared, *c[at.start + len(new) :]]


def spliced_in(c: Items, index: slice, items: Items, new: Any) -> Items:
    """`spliced`, transposed to ``new``.

    >>> spliced_in([5.0, 3.0], slice(0, 2), [1.0, 2.0, 3.0], [5.0])
    [5.0]
    """
    at = range(len(items))[index]
    return c[index] if at.step != 1 else c[at.start : at.start + len(new)]


def starred(fn: Any, items: Items, *first: Any) -> Any:
    """``fn(*first, *items)``, as the text writes it.

    >>> starred(np.broadcast_shapes, [(2, 1), (3,)], (4, 1, 1))
    (4, 2, 3)
    """
    return fn(*first, *items)


def check_kinds(items: Any) -> None:
    """``np.vectorize`` makes all results of the kind of the first: that must not cut any of them.

    >>> check_kinds([1.0, 2])  # [2, 1.0] is refused
    """
    first, whole = (np.asarray(found).dtype for found in (items[:1], items))
    if len(items) and first != whole:
        raise MutationError(
            f"np.vectorize makes {first} of all results, because the first one is of that kind",
            fix="give it otypes=[float], or return floats only",
        )


def table(rows: Any, width: int) -> Any:
    return np.array(list(rows), dtype=np.intp).reshape(-1, width)


def combinations(n: int, r: int) -> Any:
    """The numbers of the items in ``itertools.combinations``, a row for each group.

    >>> combinations(3, 2).tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    return table(itertools.combinations(range(n), r), r)


def permutations(n: int, r: int) -> Any:
    """The same of ``itertools.permutations``."""
    return table(itertools.permutations(range(n), r), r)


def multisets(n: int, r: int) -> Any:
    """The same of ``itertools.combinations_with_replacement``."""
    return table(itertools.combinations_with_replacement(range(n), r), r)


def visits(x: Any) -> Any:
    """The places in ``np.ravel(x)`` as ``np.nditer(x)`` comes by: as they lie in memory.

    >>> visits(np.zeros((2, 2), order="F")).tolist()
    [0, 2, 1, 3]
    """
    walk: Any = np.nditer(x, flags=["c_index"])
    return np.array([walk.index for _ in walk], dtype=np.intp)


def items(x: Any) -> Items:
    """``list(x)`` of an array.

    >>> items(np.array([1.0, 2.0])) == [1.0, 2.0]
    True
    """
    return list(x)
