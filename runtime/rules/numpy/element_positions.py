"""Rules of rearranging, by the places entries come from; of choosing by number, lists, parts."""

import numpy as np

from ...helpers import linear
from ..book import constant, rule, transpose

constant(
    linear.kept_places, linear.strided_places, linear.running_places, linear.layout, linear.plain_order,
    linear.along_axis_index, linear.wrapped_places, linear.axes_back, linear.turn_order, linear.turn_ends,
    linear.mask_of, linear.block_strides, linear.float_dtype, linear.given_back,
)  # fmt: skip


@rule(np.resize, memory="new")
def resize(z, a, new_shape, *, da):
    places = np.resize(linear.numbered(a), new_shape)
    return np.reshape(np.take(da, places), new_shape)  # an array, of rank 0 too


@rule(np.trim_zeros, rank_0="either")
def trim_zeros(z, filt, trim="fb", axis=None, *, dfilt):
    return np.take(dfilt, linear.kept_places(filt, trim, axis))


@rule(np.lib.stride_tricks.sliding_window_view, moves=True)
def sliding_window_view(z, x, window_shape, axis=None, *, dx):
    places = linear.numbered(x)
    return np.take(dx, np.lib.stride_tricks.sliding_window_view(places, window_shape, axis))


@rule(np.lib.stride_tricks.as_strided, rank_0="array")
def as_strided(z, x, shape=None, strides=None, *, dx):
    return np.take(dx, linear.strided_places(x, shape, strides))


@rule(np.sort_complex, memory="new")
def sort_complex(z, a, *, da):
    order = np.argsort(a, axis=-1, kind="stable")
    return linear.convert(np.take_along_axis(da, order, axis=-1), z)


@rule(np.maximum.accumulate, np.minimum.accumulate, np.fmax.accumulate, np.fmin.accumulate)
def accumulate(z, array, axis=0, *, darray):
    places = linear.running_places(z, array, axis)
    return np.take_along_axis(darray, places, axis=axis)


@rule(np.add.reduceat)
def add_reduceat(z, array, indices, axis=0, *, darray):
    return linear.reduceat(darray, indices, axis)


@rule(linear.reduceat)
def reduceat(z, c, indices, axis=0, *, dc):
    return linear.reduceat(dc, indices, axis)


@rule(linear.spread_at)
def spread_at(z, c, like, indices, axis=0, *, dc):
    return linear.spread_at(dc, like, indices, axis)


@transpose(linear.reduceat, argument="c")
def _(c_bar, c, indices, axis=0):
    return linear.spread_at(c_bar, c, indices, axis)


@transpose(linear.spread_at, argument="c")
def _(c_bar, c, like, indices, axis=0):
    return linear.reduceat(c_bar, indices, axis)


@rule(linear.beside)
def beside(z, c, like, *, dc):
    return linear.beside(dc, like)


@transpose(linear.beside, argument="c")
def _(c_bar, c, like):
    return linear.reshape_like(c_bar, c)


@rule(linear.restored)
def restored(z, c, like, axis, *, dc):
    return linear.restored(dc, like, axis)


@transpose(linear.restored, argument="c")
def _(c_bar, c, like, axis):
    return linear.reshape_like(c_bar, c)


# --- choices, lists -----------------------------------------------------------------------


@rule(np.choose, constant_in=("a",), several=("choices",), memory="new", rank_0="either")
def choose(z, a, choices, mode="raise", *, dchoices):
    return np.choose(a, dchoices, mode=mode)


@rule(np.ndarray.choose, constant_in=("a",), several=("choices",), memory="new")
def choose_method(z, a, choices, mode="raise", *, dchoices):
    return np.choose(a, dchoices, mode=mode)


@transpose(np.choose, argument="choices")
def _(c, a, choices, mode="raise"):
    return linear.unchoose(c, a, choices, mode)


@rule(linear.unchoose, constant_in=("a",))
def unchoose(z, c, a, like, mode="raise", *, dc):
    return linear.unchoose(dc, a, like, mode)


@transpose(linear.unchoose, argument="c")
def _(c_bar, c, a, like, mode="raise"):
    return np.choose(a, c_bar, mode=mode)


@rule(np.ndarray.view, rank_0="kept")
def view(z, a, *, da):
    return da


@rule(np.require, rank_0="array")
def require(z, a, dtype=None, requirements=None, *, da):
    return linear.pack(da, z)


@rule(np.unwrap, memory="new")
def unwrap(z, p, discont=None, axis=-1, period=2 * np.pi, *, dp):
    return dp


@rule(np.dsplit, unlisted=("ary",), gives="container")
def dsplit(z, ary, indices_or_sections, *, dary):
    return np.array_split(dary, indices_or_sections, axis=2)
