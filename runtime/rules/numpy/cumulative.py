"""Rules of running sums and products, of differences and integrals along an axis."""

import numpy as np

from ...helpers import linear
from ..book import rule, transpose

# --- running sums and products ----------------------------------------------------------


@rule(np.cumsum, np.ndarray.cumsum, memory="new")
def cumsum(z, x, axis=None, dtype=None, *, dx):
    return np.cumsum(linear.to_type(dx, dtype), axis=axis)


@transpose(np.cumsum, np.ndarray.cumsum, argument="x")
def _(c, x, axis=None):
    return linear.uncumsum(c, x, axis)


@rule(np.add.accumulate, along=True)
def add_accumulate(z, x, axis=0, dtype=None, *, dx):
    return np.cumsum(linear.to_type(dx, dtype), axis=axis)


@rule(np.nancumsum, memory="new", along=True)
def nancumsum(z, x, axis=None, dtype=None, *, dx):
    return np.cumsum(np.logical_not(np.isnan(x)) * linear.to_type(dx, dtype), axis=axis)


@rule(linear.uncumsum)
def uncumsum(z, c, like, axis=None, *, dc):
    return linear.uncumsum(dc, like, axis)


@transpose(linear.uncumsum, argument="c")
def _(c_bar, c, like, axis=None):
    return np.cumsum(c_bar, axis=axis)


@rule(np.cumprod, np.ndarray.cumprod, memory="new", along=True)
def cumprod(z, x, axis=None, dtype=None, *, dx):
    lines = linear.rows(x, axis)
    return linear.unrows(
        linear.recur(linear.before(lines) * linear.rows(linear.to_type(dx, dtype), axis), lines),
        z,
        axis,
    )


@rule(np.multiply.accumulate, along=True)
def multiply_accumulate(z, x, axis=0, dtype=None, *, dx):
    lines = linear.rows(x, axis)
    return linear.unrows(
        linear.recur(linear.before(lines) * linear.rows(linear.to_type(dx, dtype), axis), lines),
        z,
        axis,
    )


@rule(np.nancumprod, memory="new", along=True)
def nancumprod(z, x, axis=None, dtype=None, *, dx):
    empty = np.isnan(x)
    lines = linear.rows(np.where(empty, 1.0, x), axis)
    return linear.unrows(
        linear.recur(
            linear.before(lines)
            * linear.rows(np.logical_not(empty) * linear.to_type(dx, dtype), axis),
            lines,
        ),
        z,
        axis,
    )


@rule(linear.recur)
def recur(z, c, a, *, dc, da):
    return linear.recur(dc + da * linear.delay(z), a)


@transpose(linear.recur, argument="c")
def _(c_bar, c, a):
    return linear.recur_back(c_bar, np.conj(a))


@rule(linear.recur_back)
def recur_back(z, c, a, *, dc, da):
    return linear.recur_back(dc + linear.advance(da * z), a)


@transpose(linear.recur_back, argument="c")
def _(c_bar, c, a):
    return linear.recur(c_bar, np.conj(a))


@rule(linear.delay)
def delay(z, c, *, dc):
    return linear.delay(dc)


@transpose(linear.delay, argument="c")
def _(c_bar, c):
    return linear.advance(c_bar)


@rule(linear.advance)
def advance(z, c, *, dc):
    return linear.advance(dc)


@transpose(linear.advance, argument="c")
def _(c_bar, c):
    return linear.delay(c_bar)


# --- differences and integrals ----------------------------------------------------------


@rule(np.diff, memory="either", new_if="differenced", rank_0="either")
def diff(z, a, n=1, axis=-1, *, da):
    return np.diff(da, n=n, axis=axis)


@transpose(np.diff, argument="a")
def _(c, a, n=1, axis=-1):
    return linear.undiff(c, a, n, axis)


@rule(linear.undiff)
def undiff(z, c, like, n=1, axis=-1, *, dc):
    return linear.undiff(dc, like, n, axis)


@transpose(linear.undiff, argument="c")
def _(c_bar, c, like, n=1, axis=-1):
    return np.diff(c_bar, n=n, axis=axis)


@rule(linear.edge)
def edge(z, c, like, axis=-1, *, dc):
    return linear.edge(dc, like, axis)


@transpose(linear.edge, argument="c")
def _(c_bar, c, like, axis=-1):
    return linear.unbroadcast(c_bar, c)


@rule(np.ediff1d, memory="new")
def ediff1d(z, ary, *, dary):
    return np.diff(np.ravel(dary))


# --- the product of the others ----------------------------------------------------------


@rule(linear.others, along=True)
def others(z, x, axis=None, *, dx):
    right = linear.rows(x, axis)
    left = np.flip(right, axis=-1)
    before = linear.before(right)
    after = linear.before(left)
    return linear.unrows(
        linear.delay(linear.recur(before * linear.rows(dx, axis), right)) * np.flip(after, axis=-1)
        + before
        * np.flip(
            linear.delay(linear.recur(after * np.flip(linear.rows(dx, axis), axis=-1), left)),
            axis=-1,
        ),
        x,
        axis,
    )


@rule(linear.before)
def before(z, x, *, dx):
    return linear.delay(linear.recur(z * dx, x))
