"""Rules of reading entries, by index, by place and by condition; and of adding to them."""

import operator

import numpy as np

from ...helpers import linear
from ..book import constant, rule, traits, transpose

constant(
    np.nonzero, np.flatnonzero, np.argwhere, np.ndarray.nonzero,
    np.unravel_index, np.ravel_multi_index, np.isin,
)  # fmt: skip


@rule(
    operator.getitem,
    constant_in=("index",),
    reads="part",
    effect="none",
    moves=True,
    kind_of="first",
)
def getitem(z, x, index, *, dx):
    return dx[index]


@transpose(operator.getitem, argument="x")
def _(c, x, index):
    return linear.scatter(c, x, index)


@rule(linear.scatter, constant_in=("index",), memory="either", new_if="of an array", zeros="places")
def scatter(z, c, like, index, *, dc):
    return linear.scatter(dc, like, index)


@transpose(linear.scatter, argument="c")
def _(c_bar, c, like, index):
    return c_bar[index]


@rule(
    linear.index_add,
    constant_in=("index",),
    writes="sum",
    gives="container",
    zeros="places",
    joint=True,
)
def index_add(z, buf, index, c, *, dbuf, dc):
    return linear.index_add(dbuf, index, dc)


@transpose(linear.index_add, argument="buf")
def _(c_bar, buf, index, c):
    return c_bar


@transpose(linear.index_add, argument="c")
def _(c_bar, buf, index, c):
    return c_bar[index]


# --- along an axis ----------------------------------------------------------------------


@rule(np.take, np.ndarray.take, constant_in=("indices",), memory="new", moves=True)
def take(z, a, indices, axis=None, mode="raise", *, da):
    return np.take(da, indices, axis=axis, mode=mode)


@transpose(np.take, np.ndarray.take, argument="a")
def _(c, a, indices, axis=None, mode="raise"):
    return linear.untake(c, a, indices, axis=axis, mode=mode)


@rule(linear.untake, constant_in=("indices",), zeros="places")
def untake(z, c, like, indices, axis=None, mode="raise", *, dc):
    return linear.untake(dc, like, indices, axis=axis, mode=mode)


@transpose(linear.untake, argument="c")
def _(c_bar, c, like, indices, axis=None, mode="raise"):
    return np.take(c_bar, indices, axis=axis, mode=mode)


@rule(np.take_along_axis, constant_in=("indices",), memory="new", moves=True, kind_of="first")
def take_along_axis(z, arr, indices, axis=-1, *, darr):
    return np.take_along_axis(darr, indices, axis=axis)


@transpose(np.take_along_axis, argument="arr")
def _(c, arr, indices, axis=-1):
    return linear.scatter_along_axis(c, arr, indices, axis=axis)


@rule(linear.scatter_along_axis, constant_in=("indices",), zeros="places")
def scatter_along_axis(z, c, like, indices, axis=-1, *, dc):
    return linear.scatter_along_axis(dc, like, indices, axis=axis)


@transpose(linear.scatter_along_axis, argument="c")
def _(c_bar, c, like, indices, axis=-1):
    return np.take_along_axis(c_bar, indices, axis=axis)


# --- by condition -----------------------------------------------------------------------


@rule(np.compress, memory="new")
def compress(z, condition, a, axis=None, *, da):
    return np.compress(condition, da, axis=axis)


@transpose(np.compress, argument="a")
def _(c, condition, a, axis=None):
    return linear.uncompress(c, a, condition, axis)


@rule(np.ndarray.compress, memory="new")
def compress_method(z, a, condition, axis=None, *, da):
    return np.compress(condition, da, axis=axis)


@rule(np.extract, memory="new")
def extract(z, condition, arr, *, darr):
    return np.compress(np.ravel(condition), darr)


@rule(linear.uncompress, zeros="places")
def uncompress(z, c, like, condition, axis=None, *, dc):
    return linear.uncompress(dc, like, condition, axis)


@transpose(linear.uncompress, argument="c")
def _(c_bar, c, like, condition, axis=None):
    return np.compress(condition, c_bar, axis=axis)


traits(np.nonzero, np.flatnonzero, np.argwhere, np.ndarray.nonzero, memory="new")
traits(np.take, kind_of="first")
