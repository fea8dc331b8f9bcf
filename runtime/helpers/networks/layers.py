"""What layers of networks are made of: kinks at zero, softmax, affine maps."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = [
    "affine", "if_positive", "log_sigmoid", "log_softmax", "relu", "softmax", "times_transposed",
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
