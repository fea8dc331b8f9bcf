"""Rules of reductions: sums, means, variances, products, extremes, running sums.

Ties of an extreme share evenly; products and their derivatives are exact with zeros, because
they are built from products of the *other* entries and never divide.
"""

import builtins
import math
import operator
from typing import Any

import numpy as np

from ...helpers import linear
from ..book import constant, rule, traits, transpose
from ..rewrites import with_option
from ..terms import Terms, options

constant(
    np.all, np.any, np.ndarray.all, np.ndarray.any, np.count_nonzero,
    np.logical_and.reduce, np.logical_or.reduce,
    linear.count, linear.nancount, linear.share_ties, linear.share_start, linear.chosen_part,
)  # fmt: skip


# --- sums and means ---------------------------------------------------------------------


@rule(np.sum, np.ndarray.sum, memory="new", reduces="sum", fills="places")
def sum(z, x, axis=None, keepdims=False, dtype=None, initial=0, where=True, *, dx, dinitial):
    return np.sum(
        np.where(where, linear.to_type(dx, dtype), 0.0), axis=axis, keepdims=keepdims
    ) + linear.stretch(dinitial, z)


@transpose(np.sum, np.ndarray.sum, argument="x")
def _(c, x, axis=None, keepdims=False):
    return linear.unreduce(c, x, axis=axis, keepdims=keepdims)


@rule(np.add.reduce, reduces="sum", fills="places")
def add_reduce(z, x, axis=0, keepdims=False, dtype=None, initial=0, where=True, *, dx, dinitial):
    return np.sum(
        np.where(where, linear.to_type(dx, dtype), 0.0), axis=axis, keepdims=keepdims
    ) + linear.stretch(dinitial, z)


@transpose(np.add.reduce, argument="x")
def _(c, x, axis=0, keepdims=False):
    return linear.unreduce(c, x, axis=axis, keepdims=keepdims)


@rule(linear.to_type, elementwise=True, identity="cast")
def to_type(z, c, dtype=None, *, dc):
    return linear.to_type(dc, dtype)


@transpose(linear.to_type, argument="c")
def _(c_bar, c, dtype=None):
    return linear.convert(linear.if_float(c_bar, np.empty(0, dtype)), c)


@rule(linear.unreduce)
def unreduce(z, c, like, axis=None, keepdims=False, *, dc):
    return linear.unreduce(dc, like, axis=axis, keepdims=keepdims)


@transpose(linear.unreduce, argument="c")
def _(c_bar, c, like, axis=None, keepdims=False):
    return np.sum(c_bar, axis=axis, keepdims=keepdims)


@rule(np.mean, np.ndarray.mean, memory="new", reduces="mean", fills="places")
def mean(z, x, axis=None, keepdims=False, dtype=None, where=True, *, dx):
    part = linear.chosen_part(x, where, axis, keepdims)
    return (
        np.mean(np.where(where, linear.to_type(dx, dtype), 0.0), axis=axis, keepdims=keepdims)
        / part
    )


@transpose(np.mean, np.ndarray.mean, argument="x")
def _(c, x, axis=None, keepdims=False):
    return linear.unreduce(c / linear.count(x, axis), x, axis=axis, keepdims=keepdims)


@rule(np.average, memory="new")
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


@rule(np.var, np.ndarray.var, memory="new", reduces="spread", computes_in="either")
def var(z, x, axis=None, ddof=0, keepdims=False, correction=0, dtype=None, where=True, *, dx):
    centre = np.mean(x, axis=axis, keepdims=True, where=where)
    deviation = np.where(where, x - centre, 0.0)
    factor = 2 / linear.count(x, axis, ddof + correction, where, keepdims)
    return factor * np.sum(
        np.real(np.conj(deviation) * linear.to_type(dx, dtype)), axis=axis, keepdims=keepdims
    )


@rule(np.std, np.ndarray.std, memory="new", reduces="spread", computes_in="either")
def std(z, x, axis=None, ddof=0, keepdims=False, correction=0, dtype=None, where=True, *, dx):
    centre = np.mean(x, axis=axis, keepdims=True, where=where)
    deviation = np.where(where, x - centre, 0.0)
    degrees = linear.count(x, axis, ddof + correction, where, keepdims)
    return (
        linear.divide_or_zero(
            np.sum(
                np.real(np.conj(deviation) * linear.to_type(dx, dtype)),
                axis=axis,
                keepdims=keepdims,
            ),
            z,
        )
        / degrees
    )


@with_option("mean", np.var, np.std, np.ndarray.var, np.ndarray.std)
def about_a_mean(
    terms: Terms, op: Any, x: Any, axis: Any = None, dtype: Any = None, out: Any = None,
    ddof: Any = None, keepdims: Any = None, *, where: Any = None, mean: Any = None,
    correction: Any = None,
) -> Any:  # fmt: skip
    """The mean square of the distances from a mean that is given, whether or not it is that of ``x``."""
    if mean is None or dtype is not None or out is not None:
        return None
    distance = terms.see(operator.sub, (x, mean))
    square = terms.see(operator.mul, (distance, distance))
    if terms.kind(x) not in ("i", "u", "f") or terms.kind(mean) not in ("i", "u", "f"):
        turned = terms.see(np.conj, (distance,))
        square = terms.see(np.real, (terms.see(operator.mul, (turned, distance)),))
    given = options(axis=axis, keepdims=keepdims, where=where)
    less = ddof if correction is None else correction
    number = terms.see(linear.count, (x,), given | options(ddof=less))
    spread = terms.see(operator.truediv, (terms.see(np.sum, (square,), given), number))
    return spread if op in (np.var, np.ndarray.var) else terms.see(np.sqrt, (spread,))


# --- extremes ---------------------------------------------------------------------------


@rule(
    np.max, np.min, np.amax, np.amin, np.nanmax, np.nanmin, np.ndarray.max, np.ndarray.min, memory="new",
)  # fmt: skip
def extreme(z, x, axis=None, keepdims=False, initial=None, where=True, *, dx, dinitial):
    part = linear.share_ties(z, x, axis=axis, keepdims=keepdims, initial=initial, where=where)
    rest = linear.share_start(z, x, axis=axis, keepdims=keepdims, initial=initial, where=where)
    return np.sum(part * dx, axis=axis, keepdims=keepdims) + rest * linear.stretch(dinitial, z)


@rule(np.maximum.reduce, np.minimum.reduce, np.fmax.reduce, np.fmin.reduce)
def extreme_reduce(z, x, axis=0, keepdims=False, initial=None, where=True, *, dx, dinitial):
    part = linear.share_ties(z, x, axis=axis, keepdims=keepdims, initial=initial, where=where)
    rest = linear.share_start(z, x, axis=axis, keepdims=keepdims, initial=initial, where=where)
    return np.sum(part * dx, axis=axis, keepdims=keepdims) + rest * linear.stretch(dinitial, z)


@rule(np.ptp, memory="new", reduces="spread", computes_in="either")
def ptp(z, x, axis=None, keepdims=False, *, dx):
    high = linear.share_ties(np.max(x, axis=axis, keepdims=True), x, axis=axis, keepdims=True)
    low = linear.share_ties(np.min(x, axis=axis, keepdims=True), x, axis=axis, keepdims=True)
    return np.sum((high - low) * dx, axis=axis, keepdims=keepdims)


@rule(np.logaddexp.reduce)
def logaddexp_reduce(z, x, axis=0, keepdims=False, *, dx):
    part = np.exp(x - linear.unreduce(z, x, axis=axis, keepdims=keepdims))
    return np.sum(part * dx, axis=axis, keepdims=keepdims)


# --- reductions that pass over NaN ------------------------------------------------------


@rule(np.nansum, memory="new", reduces="sum")
def nansum(z, x, axis=None, keepdims=False, dtype=None, initial=0, where=True, *, dx, dinitial):
    there = np.logical_and(where, np.logical_not(np.isnan(x)))
    return np.sum(there * linear.to_type(dx, dtype), axis=axis, keepdims=keepdims) + linear.stretch(
        dinitial, z
    )


@rule(np.nanmean, memory="new", reduces="mean")
def nanmean(z, x, axis=None, keepdims=False, dtype=None, where=True, *, dx):
    there = np.logical_and(where, np.logical_not(np.isnan(x)))
    number = linear.nancount(x, axis=axis, keepdims=keepdims, where=where)
    return np.sum(there * linear.to_type(dx, dtype), axis=axis, keepdims=keepdims) / number


@rule(np.nanvar, memory="new", computes_in="either")
def nanvar(z, x, axis=None, ddof=0, keepdims=False, correction=0, dtype=None, where=True, *, dx):
    there = np.logical_and(where, np.logical_not(np.isnan(x)))
    centre = np.nanmean(x, axis=axis, keepdims=True, where=where)
    deviation = np.where(there, x - centre, 0.0)
    number = linear.nancount(x, axis, keepdims, ddof + correction, where)
    factor = 2 / number
    return factor * np.sum(
        np.real(np.conj(deviation) * linear.to_type(dx, dtype)), axis=axis, keepdims=keepdims
    )


@rule(np.nanstd, memory="new", computes_in="either")
def nanstd(z, x, axis=None, ddof=0, keepdims=False, correction=0, dtype=None, where=True, *, dx):
    there = np.logical_and(where, np.logical_not(np.isnan(x)))
    centre = np.nanmean(x, axis=axis, keepdims=True, where=where)
    deviation = np.where(there, x - centre, 0.0)
    number = linear.nancount(x, axis, keepdims, ddof + correction, where)
    return (
        linear.divide_or_zero(
            np.sum(
                np.real(np.conj(deviation) * linear.to_type(dx, dtype)),
                axis=axis,
                keepdims=keepdims,
            ),
            z,
        )
        / number
    )


@rule(np.nanprod, memory="new")
def nanprod(z, x, axis=None, keepdims=False, dtype=None, initial=1, where=True, *, dx, dinitial):
    there = np.logical_and(where, np.logical_not(np.isnan(x)))
    factors = np.where(there, x, 1.0)
    part = linear.others(factors, axis) * there
    rest = np.prod(factors, axis=axis, keepdims=keepdims)
    return initial * np.sum(
        part * linear.to_type(dx, dtype), axis=axis, keepdims=keepdims
    ) + rest * linear.stretch(dinitial, z)


# --- products ---------------------------------------------------------------------------


@rule(np.prod, np.ndarray.prod, memory="new", reduces="product")
def prod(z, x, axis=None, keepdims=False, dtype=None, initial=1, where=True, *, dx, dinitial):
    factors = np.where(where, x, 1.0)
    rest = np.prod(factors, axis=axis, keepdims=keepdims)
    part = linear.others(factors, axis)
    return initial * np.sum(
        part * np.where(where, linear.to_type(dx, dtype), 0.0), axis=axis, keepdims=keepdims
    ) + rest * linear.stretch(dinitial, z)


@rule(np.multiply.reduce, reduces="product")
def multiply_reduce(
    z, x, axis=0, keepdims=False, dtype=None, initial=1, where=True, *, dx, dinitial
):
    factors = np.where(where, x, 1.0)
    rest = np.prod(factors, axis=axis, keepdims=keepdims)
    part = linear.others(factors, axis)
    return initial * np.sum(
        part * np.where(where, linear.to_type(dx, dtype), 0.0), axis=axis, keepdims=keepdims
    ) + rest * linear.stretch(dinitial, z)


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


@rule(linear.stretch_over)
def stretch_over(z, x, like, *, dx):
    return linear.stretch_over(dx, like)


@transpose(linear.stretch_over, argument="x")
def _(c, x, like):
    return linear.unbroadcast(c, x)


@rule(linear.one_if_none)
def one_if_none(z, b, *, db):
    return linear.one_if_none(db)


@transpose(linear.one_if_none, argument="b")
def _(c, b):
    return c


traits(np.all, np.any, memory="new", gives="truth")
traits(np.ndarray.all, np.ndarray.any, np.count_nonzero, memory="new")
traits(linear.share_ties, memory="new", zeros="places", real="always")
traits(
    np.max,
    np.min,
    np.amax,
    np.amin,
    np.ndarray.max,
    np.ndarray.min,
    np.maximum.reduce,
    np.minimum.reduce,
    reduces="extreme",
)
traits(linear.count, real="always", reads="like")
traits(linear.nancount, real="always")
traits(linear.chosen_part, reads="like")
