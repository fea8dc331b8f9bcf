"""The core helpers of generated derivatives: broadcasting undone, zeros, sums of trees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..objects.pytree import children, part, with_items

__all__ = ["add", "contiguous", "copy", "stretch", "unbroadcast", "zeros_like"]


NONE = np.dtype(object)
NUMBERS = (float, int, bool)
SEQUENCES, FLOATS, ZERO = (list, tuple), frozenset({float, np.float64}), np.float64(0.0)
WHOLE = "biu"  # kinds of dtypes that hold no fraction


def unbroadcast(c: Any, like: Any) -> Any:
    """Sum ``c`` over the axes along which ``like`` was stretched, and give it its kind.

    A real argument's cotangent is the real part, a float32 argument's is float32.

    >>> unbroadcast(np.ones((3, 2)), np.zeros((1, 2)))
    array([[3., 3.]])
    >>> unbroadcast(np.array([1 + 2j, 3.0]), 1.0)
    np.float64(4.0)
    """
    kind, own = c.__class__, like.__class__
    if own is float or own is np.float64:
        if kind is float or kind is np.float64:
            return c
        if kind is complex or kind is np.complex128:
            return c.real
        if own is float and isinstance(c, np.ndarray) and c.dtype.kind == "f":
            return c.sum()
    elif (own is complex or own is np.complex128) and (kind is complex or kind is np.complex128):
        return c
    try:
        if c.shape == like.shape and (c.dtype is like.dtype or c.dtype == like.dtype):
            return c
    except AttributeError:
        pass
    if isinstance(like, (tuple, list)) and isinstance(c, (tuple, list)):
        return map_tree(lambda x, x_bar: unbroadcast(x_bar, x), like, c)
    shape = np.shape(like)
    return cast(c if np.shape(c) == shape else sum_to(np.asarray(c), shape), like)


def sum_to(c: Any, shape: tuple[int, ...]) -> Any:
    """Sum ``c`` over its leading axes, then over those that ``shape`` has once only.

    A write drops leading axes of length 1 (``a[0] = row[None]``): they come back.

    >>> sum_to(np.arange(3.0), (1, 3)), sum_to(np.ones(2), (1, 1))
    (array([[0., 1., 2.]]), array([[2.]]))
    """
    lead = c.ndim - len(shape)
    if lead > 0:
        c = c.sum(axis=tuple(range(lead)))
    elif lead < 0:
        c = c.reshape((1,) * -lead + c.shape)
    axes = tuple(i for i, n in enumerate(shape) if n == 1 != c.shape[i])
    c = c.sum(axis=axes, keepdims=True) if axes else c
    if c.shape != shape:
        raise ValueError(
            f"a cotangent of shape {c.shape} does not fit an argument of shape {shape}"
        )
    return c


def cast(c: Any, like: Any) -> Any:
    """``c`` as a differential of ``like``: its real part, its precision; ints are left alone.

    >>> cast(np.array([1 + 2j]), np.zeros(1, np.float32))
    array([1.], dtype=float32)
    >>> cast(np.float32(2.0), 0.5)
    np.float64(2.0)
    """
    if np.iscomplexobj(c) and not np.iscomplexobj(like):
        c = np.real(c)
    dtype, given = getattr(like, "dtype", None), getattr(c, "dtype", None)
    if given is None:
        return c
    if dtype is None and isinstance(like, (float, complex)) and given.kind in "fc":
        dtype = np.result_type(given, np.float64)  # sums with Python's floats would be coarse
    if dtype is not None and dtype.kind in "fc" and given != dtype:
        c = c.astype(dtype)
    return c


def stretch(c: Any, like: Any) -> Any:
    """Repeat ``c`` to the shape of ``like``: the transpose of `unbroadcast`.  A Python number takes its precision.

    >>> stretch(2.0, np.zeros(3)), stretch(2.0, np.zeros(1, np.float32)), stretch(np.int64(2), 0)
    (array([2., 2., 2.]), array([2.], dtype=float32), np.float64(2.0))
    """
    shape = np.shape(like)
    if getattr(c, "dtype", NONE).kind in WHOLE:  # what is written to it is no whole number
        c = c.astype(np.float64)
    elif c.__class__ in NUMBERS and shape and getattr(like, "dtype", NONE).kind in "fc":
        c = np.asarray(c, like.real.dtype)
    if np.ndim(c) > len(shape):  # leading axes of length 1, which a write drops
        c = np.reshape(c, np.shape(c)[np.ndim(c) - len(shape) :])
    return c if np.shape(c) == shape else np.broadcast_to(c, shape)


def map_tree(f: Callable[..., Any], tree: Any, *others: Any) -> Any:
    """Apply ``f`` to the leaves of nested containers (`trees`).

    >>> map_tree(lambda a, b: a + b, {"w": [1, (2, 3)]}, {"w": [10, (20, 30)]})
    {'w': [11, (22, 33)]}
    """
    inner = children(tree)
    if inner is None:
        return f(tree, *others)
    if any(len(children(o) or ()) != len(inner) for o in others):
        others = tuple(as_items(o, [k for k, _ in inner]) for o in others)
    return with_items(tree, [map_tree(f, v, *[part(o, k) for o in others]) for k, v in inner])


def as_items(o: Any, keys: list[Any]) -> Any:
    """The rows of an array, beside a list that was taken for one; a zero stands for zeros of any structure."""
    if type(o) is float and o == 0.0:
        return dict.fromkeys(keys, 0.0)
    if isinstance(o, np.ndarray) and o.shape[:1] == (len(keys),):
        return list(o)
    if len(children(o) or ()) != len(keys):
        raise ValueError("containers of different lengths")
    return o


def zeros_like(x: Any) -> Any:
    """The zero tangent or cotangent of ``x``, of the same structure.

    Of ``None`` alone, which stands for a name that is not bound, it is a number: it may be added to.

    >>> zeros_like((2.5, [np.ones(2)], None)), zeros_like(None)
    ((0.0, [array([0., 0.])], None), 0.0)
    """
    kind = x.__class__
    if kind is float or x is None:
        return 0.0
    if kind is np.float64:
        return ZERO
    if kind in SEQUENCES and (number := number_of_all(x)) is not None:
        return kind([number(0.0)]) * len(x)
    return map_tree(zero_leaf, x)


def number_of_all(items: Any) -> Any:
    """`float` or `np.float64`, if all of these are: they need no second look."""
    kinds = {*map(type, items)}
    return kinds.pop() if len(kinds) == 1 and kinds <= FLOATS else None


def zero_leaf(x: Any) -> Any:
    if isinstance(x, np.generic):
        return x.dtype.type(0) if x.dtype.kind in "fc" else 0.0
    if isinstance(x, (bool, int, float, complex)):
        return 0j if isinstance(x, complex) else 0.0
    dtype: Any = getattr(x, "dtype", None)
    if not isinstance(getattr(dtype, "kind", None), str):  # of a module or a class
        return None
    dtype = dtype if dtype.kind in "fc" else np.dtype(np.float64)
    if hasattr(x, "toarray"):  # a matrix of scipy.sparse: one without entries
        return type(x)(x.shape, dtype=dtype)
    return np.zeros_like(x, dtype=dtype)


def add(a: Any, b: Any) -> Any:
    """The sum of two cotangents of one value; ``None`` is zero; trees are added by leaf.

    >>> add({"w": 1.0, "b": None}, {"w": 2.0, "b": 3.0})
    {'w': 3.0, 'b': 3.0}
    """
    if a is None or b is None:
        return b if a is None else a
    inner = children(a)
    if inner is None:
        return a + b
    return with_items(a, [add(item, part(b, key)) for key, item in inner])


def copy(x: Any) -> Any:
    """A copy that may be written to: every array in ``x`` is fresh.

    >>> x = np.zeros(2); y = copy(x); y[0] = 1; x
    array([0., 0.])
    """
    return map_tree(copy_leaf, x)


def contiguous(x: Any) -> Any:
    """A copy in C order, so that a reshaped one is a view of it.

    >>> contiguous(np.ones((2, 3)).T).flags.c_contiguous
    True
    """
    return np.array(x, order="C")


def copy_leaf(x: Any) -> Any:
    if isinstance(x, np.ndarray):
        return x.copy(
            "K"
        )  # in the order it lies in: what is computed with it rounds as with the array
    return x.copy() if hasattr(x, "dtype") else x
