"""Differentials of points as rows; every one of these is linear, or a product."""

import numpy as np

from ....helpers import linear
from ...book import constant, rule, transpose

constant(linear.dimension)

# The arguments in their full form, and what that is transposed.


@rule(linear.points)
def points(z, x, d, *, dx):
    return linear.points(dx, d)


@transpose(linear.points, argument="x")
def _(c, x, d):
    return linear.reshape_like(c, x)


@rule(linear.center)
def center(z, mean, d, *, dmean):
    return linear.center(dmean, d)


@transpose(linear.center, argument="mean")
def _(c, mean, d):
    return linear.reshape_like(c, mean)


@rule(linear.covariance)
def covariance(z, cov, d, *, dcov):
    return linear.covariance(dcov, d)


@transpose(linear.covariance, argument="cov")
def _(c, cov, d):
    return linear.uncovariance(c, cov)


@rule(linear.uncovariance)
def uncovariance(z, c, like, *, dc):
    return linear.uncovariance(dc, like)


@transpose(linear.uncovariance, argument="c")
def _(c_bar, c, like):
    return linear.covariance(c_bar, linear.dimension(None, c))


# Sums over rows: a number for each point, in the shape SciPy gives it.


@rule(linear.row_products)
def row_products(z, a, b, *, da, db):
    return linear.row_products(da, b) + linear.row_products(a, db)


@transpose(linear.row_products, argument="a")
def _(c, a, b):
    return linear.row_scaled(c, b)


@transpose(linear.row_products, argument="b")
def _(c, a, b):
    return linear.row_scaled(c, a)


@rule(linear.row_scaled)
def row_scaled(z, c, b, *, dc, db):
    return linear.row_scaled(dc, b) + linear.row_scaled(c, db)


@transpose(linear.row_scaled, argument="c")
def _(c_bar, c, b):
    return linear.row_products(c_bar, b)


@transpose(linear.row_scaled, argument="b")
def _(c_bar, c, b):
    return linear.row_scaled(c, c_bar)


@rule(linear.row_traces)
def row_traces(z, s, p, like, *, ds, dp):
    return linear.row_traces(ds, p, like) + linear.row_traces(s, dp, like)


@transpose(linear.row_traces, argument="s")
def _(c, s, p, like):
    return np.sum(c) * p


@transpose(linear.row_traces, argument="p")
def _(c, s, p, like):
    return np.sum(c) * s


@rule(linear.simplex)
def simplex(z, x, parts, *, dx):
    return linear.simplex_change(dx, parts)


@rule(linear.simplex_change)
def simplex_change(z, x, parts, *, dx):
    return linear.simplex_change(dx, parts)


@transpose(linear.simplex_change, argument="x")
def _(c, x, parts):
    return linear.simplex_pull(c, x)


@rule(linear.simplex_pull)
def simplex_pull(z, c, like, *, dc):
    return linear.simplex_pull(dc, like)


@transpose(linear.simplex_pull, argument="c")
def _(c_bar, c, like):
    return linear.simplex_change(c_bar, c.shape[-1])
