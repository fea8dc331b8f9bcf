"""Rules of what layers of networks are made of."""

import numpy as np

from ...helpers import linear
from ..book import rule, transpose


@rule(linear.relu, elementwise=True)
def relu(z, x, *, dx):
    return linear.if_positive(dx, z)


@rule(linear.if_positive, constant_in=("x",), elementwise=True)
def if_positive(z, c, x, *, dc):
    return linear.if_positive(dc, x)


@transpose(linear.if_positive, argument="c")
def _(c_bar, c, x):
    return linear.if_positive(c_bar, x)


@rule(linear.log_sigmoid, elementwise=True)
def log_sigmoid(z, x, *, dx):
    return linear.sigmoid(-x) * dx


@rule(linear.softmax)
def softmax(z, x, axis, *, dx):
    return z * (dx - linear.unreduce(np.sum(z * dx, axis=axis), x, axis=axis))


@rule(linear.log_softmax)
def log_softmax(z, x, axis, *, dx):
    return dx - linear.unreduce(np.sum(np.exp(z) * dx, axis=axis), x, axis=axis)


@rule(linear.times_transposed)
def times_transposed(z, x, w, *, dx, dw):
    return linear.times_transposed(dx, w) + linear.times_transposed(x, dw)


@transpose(linear.times_transposed, argument="x")
def _(c, x, w):
    return c @ np.conj(w)


@transpose(linear.times_transposed, argument="w")
def _(c, x, w):
    return linear.matmul_pull_right(np.conj(x), c, like=w)


@rule(linear.affine)
def affine(z, x, w, b, *, dx, dw, db):
    return linear.times_transposed(dx, w) + linear.times_transposed(x, dw) + linear.stretch(db, z)


# products with windows: each is a cotangent of the others


@rule(linear.products_with_windows)
def products_with_windows(z, x, w, stride, dilation, *, dx, dw):
    return linear.products_with_windows(dx, w, stride, dilation) + linear.products_with_windows(
        x, dw, stride, dilation
    )


@transpose(linear.products_with_windows, argument="x")
def _(c, x, w, stride, dilation):
    return linear.windows_pull_whole(c, np.conj(w), x, stride, dilation)


@transpose(linear.products_with_windows, argument="w")
def _(c, x, w, stride, dilation):
    return linear.windows_pull_weights(c, np.conj(x), w, stride, dilation)


@rule(linear.windows_pull_whole)
def windows_pull_whole(z, c, w, like, stride, dilation, *, dc, dw):
    return linear.windows_pull_whole(dc, w, like, stride, dilation) + linear.windows_pull_whole(
        c, dw, like, stride, dilation
    )


@transpose(linear.windows_pull_whole, argument="c")
def _(c_bar, c, w, like, stride, dilation):
    return linear.products_with_windows(c_bar, np.conj(w), stride, dilation)


@transpose(linear.windows_pull_whole, argument="w")
def _(c_bar, c, w, like, stride, dilation):
    return linear.windows_pull_weights(np.conj(c), c_bar, w, stride, dilation)


@rule(linear.windows_pull_weights)
def windows_pull_weights(z, c, x, like, stride, dilation, *, dc, dx):
    return linear.windows_pull_weights(dc, x, like, stride, dilation) + linear.windows_pull_weights(
        c, dx, like, stride, dilation
    )


@transpose(linear.windows_pull_weights, argument="c")
def _(c_bar, c, x, like, stride, dilation):
    return linear.products_with_windows(np.conj(x), c_bar, stride, dilation)


@transpose(linear.windows_pull_weights, argument="x")
def _(c_bar, c, x, like, stride, dilation):
    return linear.windows_pull_whole(np.conj(c), c_bar, x, stride, dilation)
