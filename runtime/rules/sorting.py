"""Rules of sorting and order statistics: a permutation of the differentials."""

import numpy as np

from .. import linear
from .book import constant, rule, transpose

constant(
    np.argmax, np.argmin, np.argsort, np.argpartition, np.nanargmax, np.nanargmin,
    np.ndarray.argmax, np.ndarray.argmin, np.ndarray.argsort, np.ndarray.argpartition,
    np.lexsort, np.searchsorted, np.ndarray.searchsorted, np.digitize,
    linear.matching, linear.first_places,
)  # fmt: skip


@rule(np.sort)
def sort(z, x, axis=-1, kind=None, *, dx):
    order = np.argsort(x, axis=axis, kind="stable")
    return np.take_along_axis(dx, order, axis=axis)


@rule(np.partition)
def partition(z, x, kth, axis=-1, *, dx):
    order = linear.matching(z, x, axis)
    return np.take_along_axis(dx, order, axis=axis)


@rule(np.unique)
def unique(z, ar, *, dar):
    first = linear.first_places(ar)
    return np.take(dar, first)


@rule(np.median)
def median(z, x, axis=None, keepdims=False, *, dx):
    order = np.argsort(linear.rows(x, axis), axis=-1, kind="stable")
    return linear.interpolate(dx, order, 0.5, axis=axis, keepdims=keepdims)


@rule(np.quantile)
def quantile(z, x, q, axis=None, keepdims=False, *, dx):
    order = np.argsort(linear.rows(x, axis), axis=-1, kind="stable")
    return linear.interpolate(dx, order, q, axis=axis, keepdims=keepdims)


@rule(np.percentile)
def percentile(z, x, q, axis=None, keepdims=False, *, dx):
    order = np.argsort(linear.rows(x, axis), axis=-1, kind="stable")
    part = np.divide(q, 100)
    return linear.interpolate(dx, order, part, axis=axis, keepdims=keepdims)


@rule(linear.interpolate)
def interpolate(z, c, order, q, axis=None, keepdims=False, *, dc):
    return linear.interpolate(dc, order, q, axis=axis, keepdims=keepdims)


@transpose(linear.interpolate, argument="c")
def _(c_bar, c, order, q, axis=None, keepdims=False):
    return linear.uninterpolate(c_bar, c, order, q, axis=axis, keepdims=keepdims)


@rule(linear.uninterpolate)
def uninterpolate(z, c, like, order, q, axis=None, keepdims=False, *, dc):
    return linear.uninterpolate(dc, like, order, q, axis=axis, keepdims=keepdims)


@transpose(linear.uninterpolate, argument="c")
def _(c_bar, c, like, order, q, axis=None, keepdims=False):
    return linear.interpolate(c_bar, order, q, axis=axis, keepdims=keepdims)
