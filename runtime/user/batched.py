"""Tangents and cotangents of several directions at once: arrays with one more axis, the last.

The axis counts the directions.  It is the last, so that subscripts, broadcasting and axes counted
from the front mean what they mean without it; in memory it is the first, so that an operation
runs over the entries of one direction after the other.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..arrays.transfers import dtype_of
from ..helpers.core import cast, map_tree
from ..helpers.creation import fill, is_float
from ..helpers.reductions import Axis, kept_shape, typed
from ..objects.pytree import leaves

__all__ = [
    "direction_count", "each", "each_of", "first_direction", "in_each", "last_axis", "match_each", "matmul_each",
    "pack_each", "product_pull_each", "repeated", "split_each", "stacked", "sum_each", "trailing", "unbroadcast_each", "unpack_each", "unreduce_each",
]  # fmt: skip


def last_axis(x: Any) -> Any:
    """An array with its first axis as the last.

    >>> last_axis(np.zeros((4, 2, 3))).shape
    (2, 3, 4)
    """
    return x.T if x.ndim < 3 else x.transpose(*range(1, x.ndim), 0)


def direction_count(tree: Any) -> int:
    """How many directions there are.

    >>> direction_count({"w": np.zeros((5, 3))})
    3
    """
    return int(next(x.shape[-1] for x in leaves(tree) if np.ndim(x)))


def trailing(x: Any) -> Any:
    """A value that is the same in all directions, beside one that is not.

    >>> trailing(np.ones((2, 3))).shape, trailing(2.0)
    ((2, 3, 1), 2.0)
    """
    return x[..., None] if np.ndim(x) else x


def repeated(tree: Any, k: int) -> Any:
    """The same floats in each of ``k`` directions, as memory of their own.

    >>> repeated(np.array([1.0, 2.0]), 2)
    array([[1., 1.],
           [2., 2.]])
    """

    def one(x: Any) -> Any:
        if x is None or isinstance(x, (str, bytes)) or dtype_of(x).kind not in "fc":
            return x
        made = np.empty((k, *np.shape(x)), dtype_of(x))
        made[...] = x
        return last_axis(made)

    return map_tree(one, tree)


def stacked(trees: list[Any]) -> Any:
    """The results of each direction along the axis of directions.

    >>> stacked([np.array([1.0, 2.0]), np.array([3.0, 4.0])])
    array([[1., 3.],
           [2., 4.]])
    """
    first, *rest = trees
    return map_tree(lambda *xs: xs[0] if xs[0] is None else last_axis(np.stack(xs)), first, *rest)


def each(fn: Callable[..., Any], on: tuple[int | str, ...], *args: Any, **kwargs: Any) -> Any:
    """``fn`` of each direction of the arguments ``on`` (positions and names), put together again.

    >>> each(np.cumsum, (0,), np.array([[1.0, 10.0], [2.0, 20.0]]))
    array([[ 1., 10.],
           [ 3., 30.]])
    """
    given: dict[Any, Any] = dict(enumerate(args)) | kwargs
    return each_of(direction_count([given[key] for key in on]), fn, on, *args, **kwargs)


def each_of(
    k: int, fn: Callable[..., Any], on: tuple[int | str, ...], *args: Any, **kwargs: Any
) -> Any:
    """`each` of ``k`` directions, of lists that may be empty.

    >>> each_of(2, sum, (0,), []), each_of(2, sum, (0,), [np.array([1.0, 2.0])])
    (array([0, 0]), array([1., 2.]))
    """
    given: dict[Any, Any] = dict(enumerate(args)) | kwargs
    made = []
    for i in range(k):
        here = given | {k: map_tree(partial(at, i), given[k]) for k in on}
        positional = [here.pop(k) for k in range(len(args))]
        made.append(fn(*positional, **here))
    return stacked(made)


def first_direction(tree: Any) -> Any:
    """The first direction, for its shapes.

    >>> first_direction([np.zeros((5, 3))])[0].shape
    (5,)
    """
    return map_tree(partial(at, 0), tree)


def in_each(index: Any) -> Any:
    """The subscript of the same place in every direction: ``...`` leaves the last axis to them.

    >>> in_each((0, ...)), in_each(2)
    ((0, Ellipsis, slice(None, None, None)), 2)
    """
    parts = index if isinstance(index, tuple) else (index,)
    return (*parts, slice(None)) if any(part is Ellipsis for part in parts) else index


def at(i: int, x: Any) -> Any:
    """One direction; the tangent of a sparse matrix is zero in all of them."""
    return x[..., i] if np.ndim(x) and not hasattr(x, "toarray") else x


def sum_each(c: Any) -> Any:
    """The sum of each direction.

    >>> sum_each(np.ones((4, 5, 2)))
    array([20., 20.])
    """
    return np.add.reduce(c, axis=tuple(range(np.ndim(c) - 1)))


def matmul_each(a: Any, b: Any, on: int) -> Any:
    """``a @ b`` for each direction of the operand at ``on``: a stack of products, one direction after the other.

    A sparse matrix, which has no stacks, is called once for each direction.

    >>> matmul_each(np.ones((7, 2, 3)), np.ones((7, 3, 4, 5)), 1).shape
    (7, 2, 4, 5)
    >>> matmul_each(np.ones((3, 5)), np.ones((7, 3, 4)), 0).shape
    (7, 4, 5)
    """
    if not (isinstance(a, np.ndarray) and isinstance(b, np.ndarray)):
        return each(operator.matmul, (on,), a, b)
    ranks = [x.ndim - (i == on) for i, x in enumerate((a, b))]
    operands = [np.moveaxis(x, -1, 0) if i == on else x for i, x in enumerate((a, b))]
    if ranks[0] == 1:
        operands[0] = operands[0][..., None, :]
    if ranks[1] == 1:
        operands[1] = operands[1][..., None]
    stack, other = operands[on], operands[1 - on]
    operands[on] = stack.reshape(
        len(stack), *(1,) * (other.ndim + 1 - stack.ndim), *stack.shape[1:]
    )
    lost = tuple(axis for axis, rank in zip((-2, -1), ranks, strict=True) if rank == 1)
    return last_axis(np.squeeze(operands[0] @ operands[1], lost))


def product_pull_each(pull: Callable[..., Any], c: Any, other: Any, like: Any) -> Any:
    """``pull(c, other, like)``, a factor's cotangent in a product of matrices, of each direction of ``c``.

    >>> from ..helpers.linalg.products import matmul_pull_left
    >>> product_pull_each(matmul_pull_left, np.ones((7, 2, 4, 5)), np.ones((3, 4)), np.ones((2, 3))).shape
    (2, 3, 5)
    """
    factors = all(isinstance(x, np.ndarray) and x.ndim > 1 for x in (other, like))
    if not factors or (like.ndim == 2 < other.ndim):  # one product for a whole batch
        return each(pull, (0,), c, other, like)
    stack = np.moveaxis(c, -1, 0)
    between = (1,) * (stack.ndim - 1 - like.ndim)
    made = pull(stack, other, np.broadcast_to(like, (len(stack), *between, *like.shape)))
    return last_axis(made.reshape(len(stack), *like.shape))


def pack_each(c: Any, like: Any, k: int) -> Any:
    """`pack` of each of ``k`` directions.

    >>> pack_each([np.ones(3), None], np.zeros(2), 3)
    array([[1., 1., 1.],
           [0., 0., 0.]])
    """
    dtype = dtype_of(like) if is_float(like) else np.dtype(float)
    out = last_axis(np.zeros((k, *np.shape(like)), dtype))
    if is_float(like):
        fill(out, c)
    return out


def unpack_each(c: Any, like: Any) -> Any:
    """`unpack` of each direction.

    >>> unpack_each(np.array([[1.0, 2.0], [3.0, 4.0]]), [0.0, 0.0])
    [array([1., 2.]), array([3., 4.])]
    """
    if isinstance(like, (list, tuple)):
        return type(like)(unpack_each(c[i], entry) for i, entry in enumerate(like))
    return cast(np.reshape(c, (*np.shape(like), c.shape[-1])), like)


def split_each(c: Any, like: list[Any], axis: int = 0) -> list[Any]:
    """`split_like` of each direction, of a list of arrays and along an axis from the front.

    >>> [piece.shape for piece in split_each(np.ones((3, 5)), [np.zeros(1), np.zeros(2)])]
    [(1, 5), (2, 5)]
    """
    ends = list(itertools.accumulate(np.shape(x)[axis] for x in like))[:-1]
    return [cast(piece, x) for piece, x in zip(np.split(c, ends, axis), like, strict=True)]


def unbroadcast_each(c: Any, like: Any) -> Any:
    """`unbroadcast` of each direction.

    >>> unbroadcast_each(np.ones((3, 2, 5)), np.zeros((1, 2))).shape
    (1, 2, 5)
    """
    shape = np.shape(like)
    lead = c.ndim - 1 - len(shape)
    if lead > 0:
        c = np.add.reduce(c, axis=tuple(range(lead)))
    elif lead < 0:  # leading axes of length 1, which a write drops
        c = c.reshape((1,) * -lead + c.shape)
    axes = tuple(i for i, n in enumerate(shape) if n == 1 != c.shape[i])
    return cast(np.add.reduce(c, axis=axes, keepdims=True) if axes else c, like)


def unreduce_each(c: Any, like: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """`unreduce` of each direction.

    >>> unreduce_each(np.ones((2, 5)), np.zeros((2, 3)), axis=1).shape
    (2, 3, 5)
    """
    c, shape = typed(c, like), np.shape(like)
    if c.ndim > 1 and not keepdims:
        c = c.reshape(*kept_shape(like, axis), c.shape[-1])
    return np.broadcast_to(c, (*shape, c.shape[-1]))


def match_each(c: Any, like: Any) -> Any:
    """`match` of each direction, of an array.

    >>> match_each(np.ones(2), np.zeros(3, np.float32)).dtype
    dtype('float32')
    """
    made = np.empty((c.shape[-1], *np.shape(like)), dtype_of(like))
    out = last_axis(made)
    out[...] = cast(c, like)
    return out
