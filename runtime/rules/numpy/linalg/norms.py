"""Norms of vectors and matrices, and condition numbers."""

import numpy as np

from ....helpers import linear
from ...book import constant, rule, traits, transpose

constant(linear.norm_power, linear.order_share, linear.product_order, linear.cond_share)


@rule(np.linalg.norm, memory="new", for_complex=True, reduces="norm")
def norm(z, x, ord=None, axis=None, keepdims=False, *, dx):
    weight = linear.norm_weight(z, x, ord, axis, keepdims)
    return np.sum(np.real(np.conj(weight * x) * dx), axis=axis, keepdims=keepdims)


@rule(np.linalg.vector_norm, memory="new")
def vector_norm(z, x, axis=None, keepdims=False, ord=2, *, dx):
    weight = linear.norm_weight(z, x, ord, axis, keepdims, True)
    return np.sum(np.real(np.conj(weight * x) * dx), axis=axis, keepdims=keepdims)


@rule(np.linalg.matrix_norm, memory="new")
def matrix_norm(z, x, keepdims=False, ord="fro", *, dx):
    weight = linear.norm_weight(z, x, ord, (-2, -1), keepdims)
    return np.sum(np.real(np.conj(weight * x) * dx), axis=(-2, -1), keepdims=keepdims)


@rule(linear.norm_weight, real="always")
def norm_weight(z, length, x, ord=None, axis=None, keepdims=False, vector=False, *, dlength, dx):
    p = linear.norm_power(x, ord, axis, vector)
    square = np.real(np.conj(x) * x)
    of_length = (p - 1) * z
    return (p - 2) * z * linear.divide_or_zero(np.real(np.conj(x) * dx), square) - (
        of_length
        * linear.unreduce(linear.divide_or_zero(dlength, length), x, axis=axis, keepdims=keepdims)
    )


@rule(np.linalg.cond, memory="new")
def cond(z, x, p=None, *, dx):
    order = linear.product_order(p)
    y = np.linalg.inv(x)
    n = np.linalg.norm(x, order, (-2, -1))
    m = np.linalg.norm(y, order, (-2, -1))
    of_x = linear.norm_weight(n, x, order, (-2, -1)) * x
    of_y = linear.norm_weight(m, y, order, (-2, -1)) * y
    return m * np.sum(np.real(np.conj(of_x) * dx), axis=(-2, -1)) - n * np.sum(
        np.real(np.conj(of_y) * (y @ dx @ y)), axis=(-2, -1)
    )


# Norms of the singular values: the largest, the smallest, their sum


@rule(linear.spectral_norm, memory="new", called="np.linalg.norm")
def spectral_norm(z, x, ord=None, axis=None, keepdims=False, *, dx):
    slope = linear.spectral_slope(x, ord, axis)
    return np.sum(np.real(np.conj(slope) * dx), axis=axis, keepdims=keepdims)


@rule(linear.spectral_slope, memory="new")
def spectral_slope(z, x, ord=None, axis=None, *, dx):
    factors = np.linalg.svd(linear.matrices(x, axis), full_matrices=False)
    u = factors[0]
    s = factors[1]
    vh = factors[2]
    uh = linear.herm(u)
    v = linear.herm(vh)
    t = linear.order_share(s, ord)
    even = (t[..., None, :] - t[..., :, None]) * linear.gaps(s) / 2
    odd = (t[..., None, :] + t[..., :, None]) / 2
    odds = odd * linear.reciprocal(s[..., None, :] + s[..., :, None])
    ratio = (t * linear.reciprocal(s))[..., None, :]
    return linear.unmatrices(
        u @ ((even + odds) * (uh @ linear.matrices(dx, axis) @ v)) @ vh
        + u @ ((even - odds) * linear.herm(uh @ linear.matrices(dx, axis) @ v)) @ vh
        + (linear.matrices(dx, axis) @ v - u @ (uh @ linear.matrices(dx, axis) @ v)) * ratio @ vh
        + (u * ratio) @ (uh @ linear.matrices(dx, axis) - uh @ linear.matrices(dx, axis) @ v @ vh),
        axis,
    )


@rule(linear.spectral_cond, memory="new", called="np.linalg.cond")
def spectral_cond(z, x, p=None, *, dx):
    factors = np.linalg.svd(x, full_matrices=False)
    u = factors[0]
    v = linear.herm(factors[2])
    share = linear.cond_share(factors[1], p) / factors[1]
    return z * np.sum(share * np.real(np.sum(np.conj(u) * (dx @ v), axis=-2)), axis=-1)


@rule(linear.matrices)
def matrices(z, x, axis=None, *, dx):
    return linear.matrices(dx, axis)


@transpose(linear.matrices, argument="x")
def _(c, x, axis=None):
    return linear.unmatrices(c, axis)


@rule(linear.unmatrices)
def unmatrices(z, x, axis=None, *, dx):
    return linear.unmatrices(dx, axis)


@transpose(linear.unmatrices, argument="x")
def _(c, x, axis=None):
    return linear.matrices(c, axis)


traits(linear.norm_power, real="always")
