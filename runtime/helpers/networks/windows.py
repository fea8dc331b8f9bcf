"""Products of weights with the windows of an array, by products of matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

__all__ = ["products_with_windows", "windows_pull_weights", "windows_pull_whole"]

Value = Any


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
