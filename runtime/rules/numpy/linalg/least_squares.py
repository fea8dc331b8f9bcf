"""Least squares at constant rank, polynomials that are fitted, and equations between tensors."""

import numpy as np

from ....helpers import linear
from ...book import constant, rule, transpose

constant(linear.cutoff, linear.falling, linear.one_lower, linear.two_sides, linear.uncut)


@rule(np.linalg.lstsq, memory="new")
def lstsq(z, a, b, rcond=None, *, da, db):
    x = z[0]
    p = np.linalg.pinv(a, linear.cutoff(a, rcond))
    ph = linear.herm(p)
    r = b - a @ x
    y = linear.uncut(1, a, rcond) * (ph @ x)
    factors = np.linalg.svd(a, full_matrices=False)
    u = factors[0]
    v = linear.herm(factors[2])
    return (
        p @ (db - da @ x)
        + p @ (ph @ (linear.herm(da) @ r))
        + linear.herm(da) @ y
        - p @ (a @ (linear.herm(da) @ y)),
        linear.if_there(np.sum(np.real(np.conj(2 * r) * (db - da @ x)), axis=0), z[1]),
        0.0 * da,
        np.real(np.sum(np.conj(u) * (da @ v), axis=-2)),
    )


@rule(linear.if_there)
def if_there(z, c, like, *, dc):
    return linear.if_there(dc, like)


@transpose(linear.if_there, argument="c")
def _(c_bar, c, like):
    return linear.if_there(c_bar, c)


@rule(np.polyfit, constant_in=("deg",), memory="new")
def polyfit(z, x, y, deg, rcond=None, w=None, *, dx, dy):
    k = linear.falling(deg, x)
    rows = np.asarray(x)[:, None]
    a = linear.rows_times(rows**k, w)
    scale = np.sqrt(np.sum(a * a, axis=0))  # singular values are those of columns of length 1
    slopes = linear.uncut(1, a / scale, rcond) * linear.rows_times(
        k * rows ** linear.one_lower(k), w
    )
    p = np.linalg.pinv(a / scale, linear.cutoff(a, rcond)) / scale[:, None]
    ph = linear.herm(p)
    r = linear.rows_times(y, w) - a @ z
    return (
        p @ linear.rows_times(linear.convert(dy, z), w)
        - p @ ((slopes * linear.stretch(linear.convert(dx, z)[:, None], slopes)) @ z)
        + p
        @ (ph @ (linear.herm(slopes * linear.stretch(linear.convert(dx, z)[:, None], slopes)) @ r))
    )


@rule(linear.rows_times)
def rows_times(z, x, w, *, dx):
    return linear.rows_times(dx, w)


@transpose(linear.rows_times, argument="x")
def _(c, x, w):
    return linear.rows_times(c, w)


# equations between tensors


@rule(np.linalg.tensorinv, memory="new")
def tensorinv(z, a, ind=2, *, da):
    return -np.tensordot(np.tensordot(z, da, ind), z, a.ndim - ind)


@rule(np.linalg.tensorsolve, memory="new", rank_0="either")
def tensorsolve(z, a, b, axes=None, *, da, db):
    sides = linear.two_sides(a, axes)
    return np.linalg.tensorsolve(a, db - np.tensordot(np.transpose(da, sides), z, z.ndim), axes)


@transpose(np.linalg.tensorsolve, argument="b")
def _(c, a, b, axes=None):
    flipped = linear.two_sides(a, axes, b.ndim)
    return np.linalg.tensorsolve(np.conj(np.transpose(a, flipped)), c)
