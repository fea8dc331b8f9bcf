"""Rules of products with windows: each is a cotangent of the others."""

import numpy as np

from ....helpers import linear
from ...book import rule, transpose


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
