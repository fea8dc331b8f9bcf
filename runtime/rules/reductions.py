"""Rules of reductions: sums, means, variances, products, extremes, running sums.

Ties of an extreme share evenly; products and their derivatives are exact with zeros, because
they are built from products of the *other* entries and never divide.
"""

import builtins
import math

import numpy as np

from .. import linear
from .book import constant, rule, transpose

constant(
    np.all, np.any, np.ndarray.all, np.ndarray.any, np.count_nonzero,
    np.logical_and.reduce, np.logical_or.reduce,
    linear.count, linear.nancount, linear.share_ties,
)  # fmt: skip


# --- sums and means ---------------------------------------------------------------------


@rule(np.sum, np.ndarray.sum)
def sum(z, x, axis=None, keepdims=False, *, dx):
    return np.sum(dx, axis=axis, keepdims=keepdims)


@transpose(np.sum, np.ndarray.sum, argument="x")
def _(c, x, axis=None, keepdims=False):
    return linear.unreduce(c, x, axis=axis, keepdims=keepdims)


@rule(np.add.reduce)
def add_reduce(z, x, axis=0, keepdims=False, *, dx):
    return np.sum(dx, axis=axis, keepdims=keepdims)


@transpose(np.add.reduce, argument="x")
def _(c, x, axis=0, keepdims=False):
    return linear.unreduce(c, x, axis=axis, keepdims=keepdims)


@rule(linear.unreduce)
def unreduce(z, c, like, axis=None, keepdims=False, *, dc):
    return linear.unreduce(dc, like, axis=axis, keepdims=keepdims)


@transpose(linear.unreduce, argument="c")
def _(c_bar, c, like, axis=None, keepdims=False):
    return np.sum(c_bar, axis=axis, keepdims=keepdims)


@rule(np.mean, np.ndarray.mean)
def mean(z, x, axis=None, keepdims=False, *, dx):
    return np.mean(dx, axis=axis, keepdims=keepdims)


@transpose(np.mean, np.ndarray.mean, argument="x")
def _(c, x, axis=None, keepdims=False):
    return linear.unreduce(c / linear.count(x, axis), x, axis=axis, keepdims=keepdims)


@rule(np.average)
def average(z, a, axis=None, weights=None, keepdims=False, *, da, dweights):
    w = linear.align(weights, a, axis)
    sum_w = np.sum(w, axis=axis, keepdims=keepdims)
    deviation = a - linear.unreduce(z, a, axis=axis, keepdims=keepdims)
    return (
        np.sum(w * da, axis=axis, keepdims=keepdims) / sum_w
        + np.sum(deviation * linear.align(dweights, a, axis), axis=axis, keepdims=keepdims) / sum_w
    )


@rule(linear.align)
def align(z, c, like, axis=None, *, dc):
    return linear.align(dc, like, axis)


@transpose(linear.align, argument="c")
def _(c_bar, c, like, axis=None):
    return linear.unalign(c_bar, c, axis)


@rule(linear.unalign)
def unalign(z, c, like, axis=None, *, dc):
    return linear.unalign(dc, like, axis)


@transpose(linear.unalign, argument="c")
def _(c_bar, c, like, axis=None):
    return linear.align(c_bar, c, axis)


@rule(builtins.sum)
def builtin_sum(z, xs, start=0, *, dxs, dstart):
    return linear.total(dxs) + linear.total((), dstart)


@rule(math.fsum)
def fsum(z, xs, *, dxs):
    return linear.total(dxs)


@rule(linear.total)
def total(z, c, start=0, *, dc, dstart):
    return linear.total(dc) + linear.total((), dstart)


@transpose(linear.total, argument="c")
def _(c_bar, c, start=0):
    return linear.spread(c_bar, c)


@transpose(linear.total, argument="start")
def _(c_bar, c, start=0):
    return linear.unbroadcast(c_bar, start)


@rule(linear.spread)
def spread(z, c, like, *, dc):
    return linear.spread(dc, like)


@transpose(linear.spread, argument="c")
def _(c_bar, c, like):
    return np.broadcast_to(linear.total(c_bar), np.shape(c))


# --- variance ---------------------------------------------------------------------------


@rule(np.var, np.ndarray.var)
def var(z, x, axis=None, ddof=0, keepdims=False, correction=0, *, dx):
    deviation = x - np.mean(x, axis=axis, keepdims=True)
    factor = 2 / linear.count(x, axis, ddof + correction)
    return factor * np.sum(np.real(np.conj(deviation) * dx), axis=axis, keepdims=keepdims)


@rule(np.std, np.ndarray.std)
def std(z, x, axis=None, ddof=0, keepdims=False, correction=0, *, dx):
    deviation = x - np.mean(x, axis=axis, keepdims=True)
    degrees = linear.count(x, axis, ddof + correction)
    return (
        linear.divide_or_zero(
            np.sum(np.real(np.conj(deviation) * dx), axis=axis, keepdims=keepdims), z
        )
        / degrees
    )


# --- extremes ---------------------------------------------------------------------------


@rule(
    np.max, np.min, np.amax, np.amin, np.nanmax, np.nanmin, np.ndarray.max, np.ndarray.min
)  # fmt: skip
def extreme(z, x, axis=None, keepdims=False, *, dx):
    part = linear.share_ties(z, x, axis=axis, keepdims=keepdims)
    return np.sum(part * dx, axis=axis, keepdims=keepdims)


@rule(np.maximum.reduce, np.minimum.reduce)
def extreme_reduce(z, x, axis=0, keepdims=False, *, dx):
    part = linear.share_ties(z, x, axis=axis, keepdims=keepdims)
    return np.sum(part * dx, axis=axis, keepdims=keepdims)


@rule(np.ptp)
def ptp(z, x, axis=None, keepdims=False, *, dx):
    high = linear.share_ties(np.max(x, axis=axis, keepdims=True), x, axis=axis, keepdims=True)
    low = linear.share_ties(np.min(x, axis=axis, keepdims=True), x, axis=axis, keepdims=True)
    return np.sum((high - low) * dx, axis=axis, keepdims=keepdims)


@rule(np.logaddexp.reduce)
def logaddexp_reduce(z, x, axis=0, keepdims=False, *, dx):
    part = np.exp(x - linear.unreduce(z, x, axis=axis, keepdims=keepdims))
    return np.sum(part * dx, axis=axis, keepdims=keepdims)


# --- reductions that pass over NaN ------------------------------------------------------


@rule(np.nansum)
def nansum(z, x, axis=None, keepdims=False, *, dx):
    there = np.logical_not(np.isnan(x))
    return np.sum(there * dx, axis=axis, keepdims=keepdims)


@rule(np.nanmean)
def nanmean(z, x, axis=None, keepdims=False, *, dx):
    there = np.logical_not(np.isnan(x))
    number = linear.nancount(x, axis=axis, keepdims=keepdims)
    return np.sum(there * dx, axis=axis, keepdims=keepdims) / number


@rule(np.nanvar)
def nanvar(z, x, axis=None, ddof=0, keepdims=False, correction=0, *, dx):
    centre = np.nanmean(x, axis=axis, keepdims=True)
    deviation = np.where(np.isnan(x), 0.0, x - centre)
    number = linear.nancount(x, axis=axis, keepdims=keepdims, ddof=ddof + correction)
    factor = 2 / number
    return factor * np.sum(np.real(np.conj(deviation) * dx), axis=axis, keepdims=keepdims)


@rule(np.nanstd)
def nanstd(z, x, axis=None, ddof=0, keepdims=False, correction=0, *, dx):
    centre = np.nanmean(x, axis=axis, keepdims=True)
    deviation = np.where(np.isnan(x), 0.0, x - centre)
    number = linear.nancount(x, axis=axis, keepdims=keepdims, ddof=ddof + correction)
    return (
        linear.divide_or_zero(
            np.sum(np.real(np.conj(deviation) * dx), axis=axis, keepdims=keepdims), z
        )
        / number
    )


@rule(np.nanprod)
def nanprod(z, x, axis=None, keepdims=False, *, dx):
    empty = np.isnan(x)
    part = linear.others(np.where(empty, 1.0, x), axis) * np.logical_not(empty)
    return np.sum(part * dx, axis=axis, keepdims=keepdims)


# --- products ---------------------------------------------------------------------------


@rule(np.prod, np.ndarray.prod)
def prod(z, x, axis=None, keepdims=False, *, dx):
    return np.sum(linear.others(x, axis) * dx, axis=axis, keepdims=keepdims)


@rule(np.multiply.reduce)
def multiply_reduce(z, x, axis=0, keepdims=False, *, dx):
    return np.sum(linear.others(x, axis) * dx, axis=axis, keepdims=keepdims)


@rule(linear.others)
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


@rule(linear.rows)
def rows(z, c, axis=None, *, dc):
    return linear.rows(dc, axis)


@transpose(linear.rows, argument="c")
def _(c_bar, c, axis=None):
    return linear.unrows(c_bar, c, axis)


@rule(linear.unrows)
def unrows(z, c, like, axis=None, *, dc):
    return linear.unrows(dc, like, axis)


@transpose(linear.unrows, argument="c")
def _(c_bar, c, like, axis=None):
    return linear.rows(c_bar, axis)


# --- running sums and products ----------------------------------------------------------


@rule(np.cumsum, np.ndarray.cumsum)
def cumsum(z, x, axis=None, *, dx):
    return np.cumsum(dx, axis=axis)


@transpose(np.cumsum, np.ndarray.cumsum, argument="x")
def _(c, x, axis=None):
    return linear.uncumsum(c, x, axis)


@rule(np.add.accumulate)
def add_accumulate(z, x, axis=0, *, dx):
    return np.cumsum(dx, axis=axis)


@rule(np.nancumsum)
def nancumsum(z, x, axis=None, *, dx):
    return np.cumsum(np.logical_not(np.isnan(x)) * dx, axis=axis)


@rule(linear.uncumsum)
def uncumsum(z, c, like, axis=None, *, dc):
    return linear.uncumsum(dc, like, axis)


@transpose(linear.uncumsum, argument="c")
def _(c_bar, c, like, axis=None):
    return np.cumsum(c_bar, axis=axis)


@rule(np.cumprod, np.ndarray.cumprod)
def cumprod(z, x, axis=None, *, dx):
    lines = linear.rows(x, axis)
    return linear.unrows(linear.recur(linear.before(lines) * linear.rows(dx, axis), lines), z, axis)


@rule(np.multiply.accumulate)
def multiply_accumulate(z, x, axis=0, *, dx):
    lines = linear.rows(x, axis)
    return linear.unrows(linear.recur(linear.before(lines) * linear.rows(dx, axis), lines), z, axis)


@rule(np.nancumprod)
def nancumprod(z, x, axis=None, *, dx):
    empty = np.isnan(x)
    lines = linear.rows(np.where(empty, 1.0, x), axis)
    return linear.unrows(
        linear.recur(linear.before(lines) * linear.rows(np.logical_not(empty) * dx, axis), lines),
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


@rule(np.diff)
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


@rule(np.ediff1d)
def ediff1d(z, ary, *, dary):
    return np.diff(np.ravel(dary))


@rule(np.trapezoid)
def trapezoid(z, y, x=None, dx=1.0, axis=-1, *, dy):
    return np.trapezoid(dy, x=x, dx=dx, axis=axis)


@transpose(np.trapezoid, argument="y")
def _(c, y, x=None, dx=1.0, axis=-1):
    return linear.untrapezoid(c, y, x, dx, axis)


@rule(linear.untrapezoid)
def untrapezoid(z, c, like, x=None, dx=1.0, axis=-1, *, dc):
    return linear.untrapezoid(dc, like, x, dx, axis)


@transpose(linear.untrapezoid, argument="c")
def _(c_bar, c, like, x=None, dx=1.0, axis=-1):
    return np.trapezoid(c_bar, x=x, dx=dx, axis=axis)
