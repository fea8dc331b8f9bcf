"""Linear helpers of conversions and of the functions that make arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..objects.pytree import children
from .core import cast, map_tree, unbroadcast, zeros_like

__all__ = [
    "convert",
    "full",
    "if_float",
    "item",
    "kaiser_arguments",
    "pack",
    "progression",
    "put_item",
    "steps",
    "stretch_along",
    "unpack",
    "unprogression",
    "unstretch_along",
]


def is_float(x: Any) -> bool:
    """True if ``x`` (a number or an array) has a derivative at all: float or complex."""
    dtype = getattr(x, "dtype", None)
    return dtype.kind in "fc" if dtype is not None else isinstance(x, (float, complex))


def if_float(c: Any, like: Any) -> Any:
    """``c`` if ``like`` is float or complex, else zeros: nothing passes through an integer.

    >>> if_float(2.0, 1.5), if_float(2.0, np.int64(1))
    (2.0, 0.0)
    """
    if children(like) is not None:
        return map_tree(lambda x, part: if_float(part, x), like, c)
    return c if is_float(like) else zeros_like(c)


def convert(c: Any, like: Any, copy: bool = False) -> Any:
    """``c`` in the dtype of ``like``: its real part if that is real, 0 if it is an integer; in containers, too.

    >>> convert(np.array([1 + 2j]), np.zeros(1)), convert([2.0, 3.0], [1.0, 1])
    (array([1.]), [2.0, 0.0])
    """
    if children(like) is not None:
        return map_tree(lambda x, part: part if part is None else convert(part, x, copy), like, c)
    if not is_float(like):
        return zeros_like(c)
    new = cast(c, like)
    return new.copy() if copy and new is c and isinstance(c, np.ndarray) else new


def pack(c: Any, like: Any, copy: bool = False) -> Any:
    """The array, shaped as ``like``, of the numbers and arrays in the nested lists ``c``.

    >>> pack([1.0, [2.0, None]][1], np.zeros(2))
    array([2., 0.])
    """
    if not is_float(like):
        return np.zeros(np.shape(like))
    if isinstance(c, (list, tuple)) or np.shape(c) != np.shape(like):
        out = np.zeros(np.shape(like), np.asarray(like).dtype)
        fill(out, c)
        return out
    return convert(np.asarray(c), like, copy=copy)


def fill(out: Any, c: Any) -> None:
    """Write the nested lists ``c`` into ``out``; ``None`` is zero."""
    if isinstance(c, (list, tuple)):
        for i, entry in enumerate(c):
            fill(out[i, ...], entry)
    elif c is not None:
        out[...] = cast(c, out)


def unpack(c: Any, like: Any) -> Any:
    """The parts of the array ``c`` in the nested lists ``like``: the transpose of `pack`.

    >>> unpack(np.array([[1.0, 2.0], [3.0, 4.0]]), [np.zeros(2), (0.0, 0.0)])
    [array([1., 2.]), (np.float64(3.0), np.float64(4.0))]
    """
    if isinstance(like, (list, tuple)):
        return type(like)(unpack(c[i], entry) for i, entry in enumerate(like))
    if np.shape(c) != np.shape(like):
        c = np.reshape(c, np.shape(like))
    return cast(
        c if isinstance(like, np.ndarray) else c[()] if isinstance(c, np.ndarray) else c, like
    )


def full(c: Any, like: Any) -> Any:
    """A fresh array, shaped as ``like``, filled with ``c``.

    >>> full(2.0, np.zeros(3))
    array([2., 2., 2.])
    """
    out = zeros_like(np.asarray(like))
    if is_float(like):
        out[...] = cast(c, out)
    return out


def item(c: Any, *index: Any) -> Any:
    """One entry of ``c`` as a Python number: the only one, or the one at ``index``.

    >>> item(np.array([3.0])), item(np.array([1.0, 2.0]), 1)
    (3.0, 2.0)
    """
    return c.item(*index) if hasattr(c, "dtype") else c


def put_item(c: Any, like: Any, *index: Any) -> Any:
    """Zeros shaped as ``like`` with ``c`` at ``index``: the transpose of `item`.

    >>> put_item(5.0, np.zeros((2, 2)), 3)
    array([[0., 0.],
           [0., 5.]])
    """
    if not hasattr(like, "dtype"):
        return cast(c, like)
    out = np.array(zeros_like(np.asarray(like)), order="C")  # so that reshaping it gives a view
    if index and isinstance(index[0], tuple):
        (index,) = index
    flat = np.ravel_multi_index(index, out.shape, mode="wrap") if len(index) > 1 else index or 0
    np.reshape(out, -1)[flat] = cast(c, out)
    return out if isinstance(like, np.ndarray) else out[()]


def steps(num: int, endpoint: bool, like: Any, axis: int = 0) -> Any:
    """The weights of ``stop`` in a `np.linspace` of rank and dtype of ``like``.

    >>> steps(3, True, np.zeros(3))
    array([0. , 0.5, 1. ])
    """
    t = np.linspace(0.0, 1.0, num, endpoint=endpoint)
    shape = [1] * np.ndim(like)
    shape[axis] = num
    t = t.reshape(shape)
    return t.astype(like.dtype) if like.dtype.kind in "fc" else t


def stretch_along(c: Any, like: Any, axis: int = 0) -> Any:
    """``c`` repeated along one axis of ``like``; zero where ``like`` holds integers.

    >>> stretch_along(np.array([1.0, 2.0]), np.zeros((3, 2)))[2]
    array([1., 2.])
    """
    shape = np.shape(like)
    if not is_float(like):
        return np.zeros(shape)
    rest = shape[: axis % len(shape)] + shape[axis % len(shape) + 1 :]
    return cast(np.broadcast_to(np.expand_dims(np.broadcast_to(c, rest), axis), shape), like)


def unstretch_along(c: Any, like: Any, axis: int = 0) -> Any:
    """`stretch_along`, transposed.

    >>> unstretch_along(np.ones((3, 2)), np.zeros(2))
    array([3., 3.])
    """
    return unbroadcast(np.sum(c, axis=axis), like)


def kaiser_arguments(m: int) -> Any:
    """The factors of the parameter of `np.kaiser`, at each of ``m`` points.

    >>> kaiser_arguments(3)
    array([0., 1., 0.])
    """
    half = (m - 1) / 2
    x = (np.arange(m) - half) / (half or 1.0)
    return np.sqrt(1 - x**2)


def progression(cs: Any, like: Any) -> Any:
    """The differential of ``np.arange(*limits)``: ``cs[0] + i * cs[2]`` (zero for one limit).

    >>> progression([1.0, 5.0, 0.5], np.zeros(3))
    array([1. , 1.5, 2. ])
    """
    out = np.zeros(len(like))
    if not is_float(like):
        return out
    start = cs[0] if len(cs) > 1 and cs[0] is not None else 0.0
    step = cs[2] if len(cs) > 2 and cs[2] is not None else 0.0
    return (out + start + np.arange(len(like)) * step).astype(like.dtype)


def unprogression(c: Any, like: Any) -> list[Any]:
    """The cotangents of the limits of ``np.arange``: the transpose of `progression`.

    >>> unprogression(np.ones(3), [0.0, 3.0, 1.0])
    [np.float64(3.0), 0.0, np.float64(3.0)]
    """
    if len(like) == 1:
        return [0.0]
    start = np.sum(c)
    return [start, 0.0] if len(like) == 2 else [start, 0.0, np.sum(np.arange(len(c)) * c)]
