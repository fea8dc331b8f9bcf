"""Rules of what layers of networks are made of."""

import numpy as np

from ....helpers import linear
from ...book import rule, transpose


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
