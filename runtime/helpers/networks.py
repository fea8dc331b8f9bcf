"""What layers of networks are made of: kinks at zero, affine maps, softmax, products with windows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

__all__ = [
    "affine", "if_positive", "log_sigmoid", "log_softmax", "products_with_windows", "relu", "softmax",
    "times_transposed", "windows_pull_weights", "windows_pull_whole",
]  # fmt: skip

Value = Any


# -- elementwise ----------------------------------------------------------------------------


def relu(x: Value) -> Value:
    """The positive part.

    >>> relu(np.array([-1.0, 2.0]))
    array([0., 2.])
    """
    return np.maximum(x, 0)


def if_positive(c: Value, x: Value) -> Value:
    """``c`` where ``x`` is positive (or not a number), else zero.

    >>> if_positive(np.array([np.inf, 2.0]), np.array([0.0, 1.0]))
    array([0., 2.])
    """
    c, x = np.asarray(c), np.asarray(x)
    if c.dtype == np.float64 and c.shape == x.shape and c.ndim and c.flags.c_contiguous:
        bits = (x <= 0).astype(np.int64)  # without a jump for each entry
        bits -= 1
        bits &= c.view(np.int64)
        return bits.view(np.float64)
    return np.where(x <= 0, np.zeros((), c.dtype), c)


def log_sigmoid(x: Value) -> Value:
    """The logarithm of the logistic function, where that is zero in floating point, too.

    >>> log_sigmoid(np.array([-1000.0, 1000.0]))
    array([-1000.,     0.])
    """
    return np.minimum(x, 0) - np.log1p(np.exp(-np.abs(x)))


# -- along an axis --------------------------------------------------------------------------


def softmax(x: Value, axis: int) -> Value:
    """Exponentials divided by their sum.

    >>> softmax(np.array([1000.0, 1000.0]), 0)
    array([0.5, 0.5])
    """
    e = below_top(x, axis)
    np.exp(e, e)
    e /= np.add.reduce(e, axis=axis, keepdims=True)
    return e


def log_softmax(x: Value, axis: int) -> Value:
    """The logarithms of `softmax`.

    >>> log_softmax(np.array([1000.0, 0.0]), 0)
    array([    0., -1000.])
    """
    z = below_top(x, axis)
    z -= np.log(np.add.reduce(np.exp(z), axis=axis, keepdims=True))
    return z


def below_top(x: Value, axis: int) -> Value:
    """``x`` without its greatest entry along an axis: exponentials of it do not overflow."""
    return x - np.maximum.reduce(x, axis=axis, keepdims=True, initial=-np.inf)


# -- affine maps ----------------------------------------------------------------------------


def times_transposed(x: Value, w: Value) -> Value:
    """``x @ w.T``: what the rows of ``w`` are multiplied with, along the last axis of ``x``.

    >>> times_transposed(np.array([1.0, 2.0]), np.array([[1.0, 1.0]]))
    array([3.])
    """
    return np.matmul(x, w.T)


def affine(x: Value, w: Value, b: Value) -> Value:
    """``x @ w.T + b``.

    >>> affine(np.array([1.0, 2.0]), np.array([[1.0, 1.0]]), np.array([0.5]))
    array([3.5])
    """
    z = np.matmul(x, w.T)
    if np.shape(b) != z.shape[-1:] or np.result_type(z, b) != z.dtype:
        return z + b
    z += b
    return z


# -- products with windows --------------------------------------------------------------------


def products_with_windows(x: Value, w: Value, stride: Any, dilation: Any) -> Value:
    """The products of the weights ``w`` (out, in, kernel...) with every window of ``x`` (batch, in, places...).

    >>> x, w = np.arange(5.0).reshape(1, 1, 5), np.ones((1, 1, 2))
    >>> products_with_windows(x, w, (1,), (1,))
    array([[[1., 3., 5., 7.]]])
    """
    places = places_of(x.shape[2:], w.shape[2:], stride, dilation)
    columns = columns_of(x, w.shape[2:], places, stride, dilation)
    rows = w.reshape(w.shape[0], -1)
    return np.matmul(rows, columns).reshape(x.shape[0], w.shape[0], *places)


def windows_pull_whole(c: Value, w: Value, like: Value, stride: Any, dilation: Any) -> Value:
    """The cotangent of ``x`` in ``products_with_windows(x, w)``: where windows overlap it adds up.

    >>> windows_pull_whole(np.ones((1, 1, 2)), np.ones((1, 1, 2)), np.ones((1, 1, 3)), (1,), (1,))
    array([[[1., 2., 1.]]])
    """
    batch, kernel, places = c.shape[0], w.shape[2:], c.shape[2:]
    rows = w.reshape(w.shape[0], -1)
    columns = np.matmul(rows.T, c.reshape(batch, c.shape[1], -1))
    columns = columns.reshape(batch, w.shape[1], *kernel, *places)
    whole = np.zeros(np.shape(like), columns.dtype)
    for offset in np.ndindex(*kernel):
        whole[shown_at(offset, places, stride, dilation)] += columns[:, :, *offset]
    return whole


def windows_pull_weights(c: Value, x: Value, like: Value, stride: Any, dilation: Any) -> Value:
    """The cotangent of ``w`` in ``products_with_windows(x, w)``.

    >>> x = np.arange(3.0).reshape(1, 1, 3)
    >>> windows_pull_weights(np.ones((1, 1, 2)), x, np.ones((1, 1, 2)), (1,), (1,))
    array([[[1., 3.]]])
    """
    shape = np.shape(like)
    columns = columns_of(x, shape[2:], c.shape[2:], stride, dilation)
    rows = c.reshape(c.shape[0], c.shape[1], -1)
    return np.matmul(rows, np.swapaxes(columns, 1, 2)).sum(0).reshape(shape)


def places_of(sizes: Any, kernel: Any, stride: Any, dilation: Any) -> tuple[int, ...]:
    """How many windows there are along each axis."""
    rows = zip(sizes, kernel, stride, dilation, strict=True)
    return tuple((n - d * (k - 1) - 1) // s + 1 for n, k, s, d in rows)


def shown_at(offset: Any, places: Any, stride: Any, dilation: Any) -> tuple[slice, ...]:
    """What the windows show at one place of the kernel."""
    rows = zip(offset, places, stride, dilation, strict=True)
    return (
        slice(None),
        slice(None),
        *(slice(o * d, o * d + (n - 1) * s + 1, s) for o, n, s, d in rows),
    )


def columns_of(x: Value, kernel: Any, places: Any, stride: Any, dilation: Any) -> Value:
    """Each window as a column: (batch, in times kernel, places)."""
    batch, channels = x.shape[:2]
    columns = np.empty((batch, channels, *kernel, *places), x.dtype)
    for offset in np.ndindex(*kernel):
        columns[:, :, *offset] = x[shown_at(offset, places, stride, dilation)]
    return columns.reshape(batch, channels * math.prod(kernel), math.prod(places))
