"""Rules of quantiles: a mean of the two entries around each."""

import numpy as np

from ....helpers import linear
from ...book import constant, rule, transpose

constant(linear.quantile_points)


@rule(np.median, memory="new", computes_in="either")
def median(z, x, axis=None, keepdims=False, *, dx):
    low, high, start, rate = linear.quantile_points(z, x, 0.5, axis)
    way = start + 0.5 * rate
    return linear.reshape_like((1.0 - way) * np.take(dx, low) + way * np.take(dx, high), z)


@rule(np.nanmedian, memory="new", computes_in="either")
def nanmedian(z, x, axis=None, keepdims=False, *, dx):
    low, high, start, rate = linear.quantile_points(z, x, 0.5, axis, "linear", True)
    way = start + 0.5 * rate
    return linear.reshape_like((1.0 - way) * np.take(dx, low) + way * np.take(dx, high), z)


@rule(np.quantile, memory="new", computes_in="either")
def quantile(z, x, q, axis=None, keepdims=False, method="linear", *, dx, dq):
    low, high, start, rate = linear.quantile_points(z, x, q, axis, method)
    way = start + rate * linear.along_first(q, rate)
    return linear.reshape_like(
        (1.0 - way) * np.take(dx, low)
        + way * np.take(dx, high)
        + rate * (np.take(x, high) - np.take(x, low)) * linear.along_first(dq, way),
        z,
    )


@rule(np.nanquantile, memory="new", computes_in="either")
def nanquantile(z, x, q, axis=None, keepdims=False, method="linear", *, dx, dq):
    low, high, start, rate = linear.quantile_points(z, x, q, axis, method, True)
    way = start + rate * linear.along_first(q, rate)
    return linear.reshape_like(
        (1.0 - way) * np.take(dx, low)
        + way * np.take(dx, high)
        + rate * (np.take(x, high) - np.take(x, low)) * linear.along_first(dq, way),
        z,
    )


@rule(np.percentile, memory="new", computes_in="either")
def percentile(z, x, q, axis=None, keepdims=False, method="linear", *, dx, dq):
    part = np.divide(q, 100)
    low, high, start, rate = linear.quantile_points(z, x, part, axis, method)
    way = start + rate * linear.along_first(part, rate)
    return linear.reshape_like(
        (1.0 - way) * np.take(dx, low)
        + way * np.take(dx, high)
        + rate * (np.take(x, high) - np.take(x, low)) * linear.along_first(dq, way) / 100,
        z,
    )


@rule(np.nanpercentile, memory="new", computes_in="either")
def nanpercentile(z, x, q, axis=None, keepdims=False, method="linear", *, dx, dq):
    part = np.divide(q, 100)
    low, high, start, rate = linear.quantile_points(z, x, part, axis, method, True)
    way = start + rate * linear.along_first(part, rate)
    return linear.reshape_like(
        (1.0 - way) * np.take(dx, low)
        + way * np.take(dx, high)
        + rate * (np.take(x, high) - np.take(x, low)) * linear.along_first(dq, way) / 100,
        z,
    )


@rule(linear.along_first)
def along_first(z, c, like, *, dc):
    return linear.along_first(dc, like)


@transpose(linear.along_first, argument="c")
def _(c_bar, c, like):
    return linear.trailing_sum(c_bar, c)


@rule(linear.trailing_sum)
def trailing_sum(z, c, like, *, dc):
    return linear.trailing_sum(dc, like)


@transpose(linear.trailing_sum, argument="c")
def _(c_bar, c, like):
    return linear.along_first(c_bar, c)
