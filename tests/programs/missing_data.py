"""Programs that pass over missing data, and models of it: for ``tests/compiler/test_nan_in_data.py``."""

import math

import numpy as np

NAN = float("nan")
DATA = np.array([1.5, NAN, 0.7, 2.2, NAN, 0.4])
TIMES = np.array([0.1, 0.5, 0.9, 1.4, 1.9, 2.3])
GAPS = np.array([0.1, NAN, 0.9, 1.4, 1.9, 2.3])
TABLE = np.array([[0.3, 1.0], [NAN, 2.0], [1.2, -0.4], [0.8, 0.1], [0.5, NAN], [-0.6, 0.9]])
KNOWN = ~np.isnan(DATA)

# -- what passes over nan: of data and a model -----------------------------------------------------


def nansum(d, m):
    return np.nansum((d - m) ** 2)


def nansum_product(d, m):
    r = d - m
    return np.nansum(r * r * m)


def nanmean(d, m):
    return np.nanmean((d - m) ** 2)


def nanmean_abs(d, m):
    return np.nanmean(np.abs(d - m) ** 1.5)


def nanvar(d, m):
    return np.nanvar((d - m) ** 2)


def nanstd(d, m):
    return np.nanstd(d * m, ddof=1)


def nanprod(d, m):
    return np.nanprod(d - m * m)


def nanmax(d, m):
    return np.nanmax((d - m) ** 2)


def nanmin(d, m):
    return np.nanmin(d * m * m)


def nanmedian(d, m):
    return np.nanmedian((d - m) ** 2)


def nanpercentile(d, m):
    return np.nanpercentile((d - m) ** 2, 30.0)


def nanquantile(d, m):
    return np.nanquantile((d - m) ** 2, np.array([0.2, 0.6])).sum()


def nancumsum(d, m):
    return np.sum(np.nancumsum((d - m) ** 2) ** 2)


def nancumprod(d, m):
    return np.sum(np.nancumprod((d - m) ** 2))


def where_isnan(d, m):
    return np.sum(np.where(np.isnan(d), 0.0, (d - m) ** 2))


def where_isfinite(d, m):
    return np.sum(np.where(np.isfinite(d * m), np.exp(-((d - m) ** 2)), 1.0))


def where_with_itself(d, m):
    return np.sum(np.where(d == d, (d - m) ** 2, 0.0))


def where_not_itself(d, m):
    r = d - m
    return np.sum(np.where(r != r, 0.0, r**2))


def residual_written(d, m):
    r = d - m
    r[np.isnan(r)] = 0
    return np.sum(r * r * m)


def square_written(d, m):
    r = (d - m) ** 2
    r[np.isnan(d)] = 0.5
    return np.mean(r)


def copied_to(d, m):
    r = (d - m) ** 2
    np.copyto(r, 0.0, where=np.isnan(r))
    return np.sum(r)


def put_mask(d, m):
    r = (d - m) ** 2
    np.putmask(r, np.isnan(r), 0.0)
    return np.sum(r)


def to_num(d, m):
    return np.sum(np.nan_to_num((d - m) ** 2))


def to_num_first(d, m):
    return np.sum((np.nan_to_num(d * m, nan=0.3) - m) ** 2)


def masked_after(d, m):
    ok = ~np.isnan(d)
    return np.sum(((d - m) ** 2)[ok])


def masked_before(d, m):
    ok = ~np.isnan(d)
    return np.sum((d[ok] - m[ok]) ** 2)


def masked_between(d, m):
    r = d - m
    return np.sum(r[np.isfinite(r)] ** 2)


def by_places(d, m):
    places = np.flatnonzero(~np.isnan(d))
    return np.sum(((d - m) ** 2)[places])


def by_nonzero(d, m):
    return np.sum(np.exp(-(d - m))[np.nonzero(np.isfinite(d))])


def compressed(d, m):
    return np.sum(np.compress(~np.isnan(d), (d - m) ** 2))


def extracted(d, m):
    return np.sum(np.extract(~np.isnan(d), (d - m) ** 2))


def sum_where(d, m):
    return np.sum((d - m) ** 2, where=~np.isnan(d))


def mean_where(d, m):
    return np.mean((d - m) ** 2, where=np.isfinite(d))


def fmin(d, m):
    return np.sum(np.fmin((d - m) ** 2, 0.5))


def fmax(d, m):
    return np.sum(np.fmax(-((d - m) ** 2), -0.5))


def fmax_of_two(d, m):
    return np.sum(np.fmax(d * m, m))


def weighted(d, m):
    weights = np.isfinite(d).astype(float)
    return np.sum(np.nan_to_num((d - m) ** 2) * weights) / np.sum(weights)


def selected(d, m):
    return np.sum(np.select([np.isnan(d), d > 1.0], [0.0 * m, (d - m) ** 2], np.abs(d - m)))


def one_by_one(d, m):
    total = 0.0
    for k in range(6):
        if not np.isnan(d[k]):
            total += (d[k] - m[k]) ** 2
    return total


def one_by_one_math(d, m):
    total = 0.0
    for k in range(6):
        r = d[k] - m[k]
        total += 0.0 if math.isnan(r) else r * r * m[k]
    return total


def one_by_one_leaping(d, m):
    total = 0.0
    for k in range(6):
        r = (d[k] - m[k]) ** 2
        if np.isnan(r):
            continue
        total = total + r
    return total


def squares(r):
    return r * r


def in_a_call(d, m):
    return np.nansum(squares(d - m) * m)


def mean_of_squares(r):
    return np.nanmean(r**2)


def by_a_call(d, m):
    return mean_of_squares(d - m)


def in_a_loop(d, m):
    total = 0.0
    for k in range(3):
        total += np.nansum((d - m) ** 2 * k)
    return total


def along_an_axis(d, m):
    r = (d - m).reshape(3, 2)
    return np.sum(np.nanmean(r**2, axis=0) ** 2)


def axis_kept(d, m):
    r = (d * m).reshape(3, 2)
    return np.nansum((r - np.nanmean(r, axis=0, keepdims=True)) ** 2)


def likelihood(d, m):
    return -np.nansum(-0.5 * np.log(2 * np.pi * m**2) - 0.5 * (d / m) ** 2)


def logarithms(d, m):
    return np.nansum((np.log(d) - np.log(m**2)) ** 2)


def quotients(d, m):
    return np.nanmean((d / m - m / d) ** 2)


def powers(d, m):
    return np.nansum((m**2) ** d)


def arctangents(d, m):
    return np.nansum(np.arctan2(d, m) * np.hypot(d, m))


PASSES = [
    nansum, nansum_product, nanmean, nanmean_abs, nanvar, nanstd, nanprod, nanmax, nanmin, nanmedian,
    nanpercentile, nanquantile, nancumsum, nancumprod, where_isnan, where_isfinite, where_with_itself,
    where_not_itself, residual_written, square_written, copied_to, put_mask, to_num, to_num_first,
    masked_after, masked_before, masked_between, by_places, by_nonzero, compressed, extracted,
    sum_where, mean_where, fmin, fmax, fmax_of_two, weighted, selected, one_by_one, one_by_one_math,
    one_by_one_leaping, in_a_call, by_a_call, in_a_loop, along_an_axis, axis_kept, likelihood,
    logarithms, quotients, powers, arctangents,
]  # fmt: skip

# -- models ----------------------------------------------------------------------------------------


def line(p):
    return p[0] * TIMES + p[1] + p[2] * 0.1


def decay(p):
    return p[0] * np.exp(-p[1] * TIMES) + p[2]


def quotient(p):
    return p[0] / (p[1] + TIMES**2) + np.log(p[2] + TIMES)


def each(p):
    return np.concatenate([p, p**2])


def gaps_too(p):
    return p[0] * np.exp(-p[1] * GAPS) + p[2] / (1.0 + GAPS**2)


def rows(p):
    return TABLE @ p[:2] + p[2]


MODELS = [line, decay, quotient, each, gaps_too, rows]
POINT = np.array([0.93, 0.6, 1.31])
ALONG = np.array([0.4, -0.8, 0.3])


# It reads entries of the model where there are no data.
READS_ALL = (residual_written, to_num_first, fmax_of_two, selected)
CASES = [
    (passes, model)
    for passes in PASSES for model in MODELS
    if not (passes in READS_ALL and model in (gaps_too, rows))
]  # fmt: skip

# -- data that are arguments -----------------------------------------------------------------------


def by_mask_of_two(p, d, x):
    ok = np.isfinite(d) & np.isfinite(x)
    return np.sum(((d - p[0] * np.exp(-p[1] * x) - p[2]) ** 2)[ok])


def loop_over_data(p, d, x):
    total, n = 0.0, 0
    for a, b in zip(d, x, strict=True):
        r = a - p[0] * b - p[1] * b**2 - p[2]
        if r == r:
            total += r * r
            n += 1
    return total / n


def filter_over_gaps(p, d, x):
    s, total = 0.0, 0.0
    for k in range(len(d)):
        s = p[0] * s * 0.5 + p[1]
        e = d[k] - s * p[2]
        missing = np.isnan(e)
        total = total + np.where(missing, 0.0, e**2 / p[2])
        s = np.where(missing, s, s + 0.3 * e)
    return total + np.nansum(x * p[0])


def by_einsum(p, d, x):
    return np.nansum((d - np.einsum("ij,j->i", TABLE, p[:2]) * p[2] * x) ** 2)


def by_tensordot(p, d, x):
    return np.nansum((d - np.tensordot(TABLE, p[:2], 1) * p[2] * x) ** 2)


def by_inner(p, d, x):
    return np.nansum((d - np.inner(TABLE, p[:2]) * p[2] * x) ** 2)


def by_outer(p, d, x):
    return np.nansum((d[:, None] - np.outer(x, p)) ** 2)


def by_matrices(p, d, x):
    return np.nansum((d[:, None] - TABLE @ np.outer(p[:2], p) * x[:, None]) ** 2)


def by_stacks(p, d, x):
    return np.nansum((d - np.stack([TABLE, 2 * TABLE]) @ p[:2] * p[2] * x) ** 2)


def hidden_layer(p, d, x):
    h = np.tanh(TABLE @ np.outer(p[:2], p))
    return np.nanmean((d - h @ p * x) ** 2)


def softmax(p, d, x):
    z = np.outer(x, p)
    z = np.exp(z - np.max(z, axis=1, keepdims=True))
    return np.nansum(d * np.log(z[:, 0] / np.sum(z, axis=1)))


def logistic(p, d, x):
    z = p[0] * x + p[1]
    return np.nansum(np.logaddexp(0, z) - d * z) + p[2] ** 2


def standardised(p, d, x):
    z = (d - np.nanmean(d)) / np.nanstd(d)
    return np.nanmean((z - p[0] * x - p[1] * z**2) ** 2) * p[2]


def several(p, d, x):
    r = (d - p[0] * x - p[1]) ** 2
    return np.nansum(r) + np.nanmax(r) * p[2] + np.nanmin(r * p[2])


WITH_DATA = [
    by_mask_of_two, loop_over_data, filter_over_gaps, by_einsum, by_tensordot, by_inner, by_outer,
    by_matrices, by_stacks, hidden_layer, softmax, logistic, standardised, several,
]  # fmt: skip
