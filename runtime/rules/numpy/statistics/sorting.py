"""Rules of sorting and order statistics: a permutation of the differentials."""

import numpy as np

from ....helpers import linear
from ....replacements import distinct_values
from ...book import constant, rule, traits
from ...programs import programs

constant(
    np.argmax, np.argmin, np.argsort, np.argpartition, np.nanargmax, np.nanargmin,
    np.ndarray.argmax, np.ndarray.argmin, np.ndarray.argsort, np.ndarray.argpartition,
    np.lexsort, np.searchsorted, np.ndarray.searchsorted, np.digitize,
    linear.matching, linear.first_places, linear.distinct_places,
)  # fmt: skip


@rule(np.sort, memory="new", along=True)
def sort(z, x, axis=-1, kind=None, stable=None, *, dx):
    order = np.argsort(x, axis=axis, kind="stable")
    return np.take_along_axis(dx, order, axis=axis)


@rule(np.partition, memory="new")
def partition(z, x, kth, axis=-1, kind="introselect", *, dx):
    order = linear.matching(z, x, axis)
    return np.take_along_axis(dx, order, axis=axis)


programs[np.unique] = distinct_values.unique


@rule(np.unique, memory="new")
def unique(z, ar, *, dar):
    first = linear.first_places(ar)
    return np.take(dar, first)


traits(
    np.argmax,
    np.argmin,
    np.argsort,
    np.ndarray.argmax,
    np.ndarray.argmin,
    np.ndarray.argsort,
    np.searchsorted,
    np.ndarray.searchsorted,
    memory="new",
)
