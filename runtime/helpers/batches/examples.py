"""A batch of examples: arrays with one more axis, the first; containers of them.

What generated code cannot say in a word of NumPy's: containers whose structure is known when it runs, and arrays
whose number of axes nobody knows before.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...arrays.transfers import dtype_of
from ...errors import UnsupportedOperation
from ...objects.pytree import leaves
from ...objects.unlike_results import refuse_unlike
from ..core import map_tree, unbroadcast

__all__ = [
    "aligned", "example", "example_count", "examples_first", "examples_like", "examples_moved", "first_example",
    "flat_examples", "of_examples", "put_example", "rank_of_examples", "repeated_examples", "stretch_examples",
    "summed_examples", "unbroadcast_examples", "within_examples",
]  # fmt: skip

SAME = (str, bytes, type(None))


def example_count(tree: Any, axis: int = 0) -> int:
    """How many examples there are, along the first axis or another one.

    >>> example_count({"x": np.zeros((5, 3))}), example_count(np.zeros((5, 3)), 1)
    (5, 3)
    """
    return int(next(x.shape[axis] for x in leaves(tree) if np.ndim(x)))


def example(tree: Any, i: int) -> Any:
    """One example.

    >>> example([np.array([1.0, 2.0]), None], 1)
    [np.float64(2.0), None]
    """
    return map_tree(lambda x: x[i] if isinstance(x, np.ndarray) and x.ndim else x, tree)


def first_example(tree: Any) -> Any:
    """The first example, for its shape and its kind; of no examples, one that stands for it.

    >>> first_example(np.zeros((0, 3))).shape
    (3,)
    """

    def first(x: Any) -> Any:
        if np.ndim(x) and not len(x):
            return np.empty(x.shape[1:], x.dtype)[()]
        return x[0] if np.ndim(x) else x

    return map_tree(first, tree)


def of_examples(trees: list[Any]) -> Any:
    """The results of all examples as one batch.

    >>> of_examples([1.0, 2.0])
    array([1., 2.])
    """
    if not trees:
        raise ValueError("no examples")
    try:
        return map_tree(lambda *xs: stacked(list(xs)), trees[0], *trees[1:])
    except ValueError:
        refuse_unlike(trees)
        raise


def examples_like(c: Any, like: list[Any]) -> list[Any]:
    """`of_examples` undone: a list of what each example has of ``c``; None where ``like`` has none.

    >>> examples_like(np.ones((2, 3)), [None, np.zeros(3)])
    [None, array([1., 1., 1.])]
    """
    return [None if tree is None else example(c, i) for i, tree in enumerate(like)]


def put_example(c: Any, like: Any, i: int) -> Any:
    """`example`, transposed: zeros, and ``c`` for the example ``i``.

    >>> put_example(2.0, np.zeros(3), 1)
    array([0., 2., 0.])
    """

    def put(x: Any, part: Any) -> Any:
        if isinstance(x, SAME) or dtype_of(x).kind not in "fc":
            return x
        made = np.zeros(np.shape(x), dtype_of(x))
        made[i] = 0.0 if part is None else part
        return made

    return map_tree(put, like, c)


def summed_examples(tree: Any) -> Any:
    """The sum over the examples.

    >>> summed_examples(np.ones((5, 2)))
    array([5., 5.])
    """
    return map_tree(lambda x: x if isinstance(x, SAME) else np.add.reduce(x, axis=0), tree)


def stretch_examples(c: Any, like: Any) -> Any:
    """`unbroadcast_examples`, transposed: each example stretched to what ``like`` has.

    >>> stretch_examples(np.ones((5, 2)), np.zeros((5, 3, 2))).shape
    (5, 3, 2)
    """
    return np.broadcast_to(aligned(c, np.ndim(like) - 1), np.shape(like)).astype(dtype_of(like))


def stacked(xs: list[Any]) -> Any:
    """The same leaf of all examples: numbers and arrays along the first axis; of all else, what all of them have."""
    if any(dtype_of(x).kind not in "biufc" for x in xs):
        first, *rest = xs
        if all(x is first or (type(x) is type(first) and bool(x == first)) for x in rest):
            return first
        refuse_unlike(xs)
        raise UnsupportedOperation(
            "the examples of a batch give what is no number, and not all of them the same",
            fix="call the function for each example",
        )
    return np.stack(xs)


def repeated_examples(tree: Any, k: int) -> Any:
    """The same in each of ``k`` examples, as memory of their own.

    >>> repeated_examples(np.array([1.0, 2.0]), 2)
    array([[1., 2.],
           [1., 2.]])
    """

    def one(x: Any) -> Any:
        if isinstance(x, SAME) or dtype_of(x).kind not in "biufc":
            return x
        return np.repeat(np.asarray(x)[None], k, axis=0)

    return map_tree(one, tree)


def rank_of_examples(varying: tuple[Any, ...], others: tuple[Any, ...] = ()) -> int:
    """The most axes that one example of these has.

    >>> rank_of_examples((np.zeros((5, 3)),), (2.0,))
    1
    """
    return max([0, *(np.ndim(x) - 1 for x in varying), *map(np.ndim, others)])


def aligned(x: Any, rank: int) -> Any:
    """A batch whose examples have so many axes: new ones come after that of the examples.

    A number that stands for every example (`one_less` of a whole exponent) stays one.

    >>> aligned(np.zeros((5, 3)), 2).shape, aligned(2, 1)
    ((5, 1, 3), 2)
    """
    missing = rank + 1 - np.ndim(x)
    return x[(slice(None), *(None,) * missing)] if missing > 0 and np.ndim(x) else x


def flat_examples(x: Any) -> Any:
    """Each example as one row.

    >>> flat_examples(np.zeros((5, 2, 3))).shape
    (5, 6)
    """
    return np.reshape(x, (len(x), int(np.prod(x.shape[1:]))))


def within_examples(index: Any) -> Any:
    """The subscript of the same place in every example.

    >>> within_examples((0, ...)), within_examples(2)
    ((slice(None, None, None), 0, Ellipsis), (slice(None, None, None), 2))
    """
    return (slice(None), *(index if isinstance(index, tuple) else (index,)))


def unbroadcast_examples(c: Any, like: Any, varies: bool) -> Any:
    """`unbroadcast` of each example; ``varies``: ``like`` is a batch, too.

    >>> unbroadcast_examples(np.ones((5, 3, 2)), np.zeros((1, 2)), False).shape
    (5, 1, 2)
    >>> unbroadcast_examples(np.ones((5, 3, 2)), np.zeros((5, 2)), True).shape
    (5, 2)
    """
    one = first_example(like) if varies else like
    lead = np.ndim(c) - 1 - np.ndim(one)
    if lead < 0:  # leading axes of length 1, which a write drops
        c = aligned(c, np.ndim(one))
    elif lead > 0:
        c = np.add.reduce(c, axis=tuple(range(1, lead + 1)))
    axes = tuple(i + 1 for i, n in enumerate(np.shape(one)) if n == 1 != c.shape[i + 1])
    c = np.add.reduce(c, axis=axes, keepdims=True) if axes else c
    return unbroadcast(c, np.empty(c.shape, dtype_of(one)))


def moved(axis: int, to: int, x: Any) -> Any:
    return np.moveaxis(x, axis, to)


def examples_first(tree: Any, axes: Any, k: int) -> Any:
    """An argument whose leaves have their examples along ``axes``, along the first one; None: all share the leaf.

    >>> examples_first({"w": np.zeros(3), "x": np.zeros((3, 5))}, {"w": None, "x": 1}, 5)["w"].shape
    (5, 3)
    """

    def change(x: Any, axis: Any) -> Any:
        return repeated_examples(x, k) if axis is None else moved(axis, 0, x)

    return along(change, tree, axes)


def examples_moved(tree: Any, axes: Any) -> Any:
    """A result with its examples along ``axes``; None: their sum.

    >>> examples_moved([np.zeros((5, 3))], 1)[0].shape
    (3, 5)
    """
    return along(
        lambda x, axis: summed_examples(x) if axis is None else moved(0, axis, x), tree, axes
    )


def along(change: Callable[[Any, Any], Any], tree: Any, axes: Any) -> Any:
    """Each leaf changed with the axis that is said of it; one axis may stand for a whole container."""
    if axes is None or isinstance(axes, int):
        return map_tree(lambda x: x if isinstance(x, SAME) else change(x, axes), tree)
    if isinstance(tree, dict):
        return {key: along(change, item, axes[key]) for key, item in tree.items()}
    made = map(partial(along, change), tree, axes)
    return type(tree)(*made) if hasattr(tree, "_fields") else type(tree)(made)
