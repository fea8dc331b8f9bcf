"""einsum and multi_dot of up to six operands, convolve, correlate."""

import numpy as np

from ....helpers import linear
from ...book import constant, rule, transpose

constant(np.einsum_path, linear.einsum_front, linear.chain)


@rule(
    np.einsum,
    memory="either",
    new_if="summed",
    view_of_second=linear.einsum_view,
    fills="all",
    computes_in="either",
)
def einsum(
    z,
    subscripts,
    x0,
    x1=None,
    x2=None,
    x3=None,
    x4=None,
    x5=None,
    optimize=False,
    *,
    dx0,
    dx1,
    dx2,
    dx3,
    dx4,
    dx5,
):
    return (
        linear.einsum(subscripts, dx0, x1, x2, x3, x4, x5)
        + linear.einsum(subscripts, x0, dx1, x2, x3, x4, x5)
        + linear.einsum(subscripts, x0, x1, dx2, x3, x4, x5)
        + linear.einsum(subscripts, x0, x1, x2, dx3, x4, x5)
        + linear.einsum(subscripts, x0, x1, x2, x3, dx4, x5)
        + linear.einsum(subscripts, x0, x1, x2, x3, x4, dx5)
    )


@rule(linear.einsum, fills="all")
def linear_einsum(
    z, subscripts, x0, x1=None, x2=None, x3=None, x4=None, x5=None, *, dx0, dx1, dx2, dx3, dx4, dx5
):
    return (
        linear.einsum(subscripts, dx0, x1, x2, x3, x4, x5)
        + linear.einsum(subscripts, x0, dx1, x2, x3, x4, x5)
        + linear.einsum(subscripts, x0, x1, dx2, x3, x4, x5)
        + linear.einsum(subscripts, x0, x1, x2, dx3, x4, x5)
        + linear.einsum(subscripts, x0, x1, x2, x3, dx4, x5)
        + linear.einsum(subscripts, x0, x1, x2, x3, x4, dx5)
    )


@rule(linear.multi_dot)
def multi_dot(z, x0, x1, x2=None, x3=None, x4=None, x5=None, *, dx0, dx1, dx2, dx3, dx4, dx5):
    subscripts = linear.chain(x0, x1, x2, x3, x4, x5)
    return (
        linear.einsum(subscripts, dx0, x1, x2, x3, x4, x5)
        + linear.einsum(subscripts, x0, dx1, x2, x3, x4, x5)
        + linear.einsum(subscripts, x0, x1, dx2, x3, x4, x5)
        + linear.einsum(subscripts, x0, x1, x2, dx3, x4, x5)
        + linear.einsum(subscripts, x0, x1, x2, x3, dx4, x5)
        + linear.einsum(subscripts, x0, x1, x2, x3, x4, dx5)
    )


@transpose(linear.einsum, argument="x0")
def _(c, subscripts, x0, x1=None, x2=None, x3=None, x4=None, x5=None):
    return linear.einsum_pull(c, subscripts, x0, x1, x2, x3, x4, x5)


@transpose(linear.einsum, argument="x1")
def _(c, subscripts, x0, x1=None, x2=None, x3=None, x4=None, x5=None):
    return linear.einsum_pull(c, linear.einsum_front(subscripts, 1), x1, x0, x2, x3, x4, x5)


@transpose(linear.einsum, argument="x2")
def _(c, subscripts, x0, x1=None, x2=None, x3=None, x4=None, x5=None):
    return linear.einsum_pull(c, linear.einsum_front(subscripts, 2), x2, x0, x1, x3, x4, x5)


@transpose(linear.einsum, argument="x3")
def _(c, subscripts, x0, x1=None, x2=None, x3=None, x4=None, x5=None):
    return linear.einsum_pull(c, linear.einsum_front(subscripts, 3), x3, x0, x1, x2, x4, x5)


@transpose(linear.einsum, argument="x4")
def _(c, subscripts, x0, x1=None, x2=None, x3=None, x4=None, x5=None):
    return linear.einsum_pull(c, linear.einsum_front(subscripts, 4), x4, x0, x1, x2, x3, x5)


@transpose(linear.einsum, argument="x5")
def _(c, subscripts, x0, x1=None, x2=None, x3=None, x4=None, x5=None):
    return linear.einsum_pull(c, linear.einsum_front(subscripts, 5), x5, x0, x1, x2, x3, x4)


@rule(linear.einsum_view, constant_in=("subscripts",), memory="view", moves=True)
def einsum_view(z, x, subscripts, *, dx):
    return linear.einsum_view(dx, subscripts)


@transpose(linear.einsum_view, argument="x")
def _(c, x, subscripts):
    return linear.einsum_pull(c, subscripts, x)


@rule(linear.einsum_pull, fills="all")
def einsum_pull(
    z,
    c,
    subscripts,
    like,
    y0=None,
    y1=None,
    y2=None,
    y3=None,
    y4=None,
    *,
    dc,
    dy0,
    dy1,
    dy2,
    dy3,
    dy4,
):
    return (
        linear.einsum_pull(dc, subscripts, like, y0, y1, y2, y3, y4)
        + linear.einsum_pull(c, subscripts, like, dy0, y1, y2, y3, y4)
        + linear.einsum_pull(c, subscripts, like, y0, dy1, y2, y3, y4)
        + linear.einsum_pull(c, subscripts, like, y0, y1, dy2, y3, y4)
        + linear.einsum_pull(c, subscripts, like, y0, y1, y2, dy3, y4)
        + linear.einsum_pull(c, subscripts, like, y0, y1, y2, y3, dy4)
    )


@transpose(linear.einsum_pull, argument="c")
def _(c_bar, c, subscripts, like, y0=None, y1=None, y2=None, y3=None, y4=None):
    return linear.einsum(subscripts, c_bar, y0, y1, y2, y3, y4)


@transpose(linear.einsum_pull, argument="y0")
def _(c_bar, c, subscripts, like, y0=None, y1=None, y2=None, y3=None, y4=None):
    return linear.einsum_pull(c, linear.einsum_front(subscripts, 1), y0, c_bar, y1, y2, y3, y4)


@transpose(linear.einsum_pull, argument="y1")
def _(c_bar, c, subscripts, like, y0=None, y1=None, y2=None, y3=None, y4=None):
    return linear.einsum_pull(c, linear.einsum_front(subscripts, 2), y1, c_bar, y0, y2, y3, y4)


@transpose(linear.einsum_pull, argument="y2")
def _(c_bar, c, subscripts, like, y0=None, y1=None, y2=None, y3=None, y4=None):
    return linear.einsum_pull(c, linear.einsum_front(subscripts, 3), y2, c_bar, y0, y1, y3, y4)


@transpose(linear.einsum_pull, argument="y3")
def _(c_bar, c, subscripts, like, y0=None, y1=None, y2=None, y3=None, y4=None):
    return linear.einsum_pull(c, linear.einsum_front(subscripts, 4), y3, c_bar, y0, y1, y2, y4)


@transpose(linear.einsum_pull, argument="y4")
def _(c_bar, c, subscripts, like, y0=None, y1=None, y2=None, y3=None, y4=None):
    return linear.einsum_pull(c, linear.einsum_front(subscripts, 5), y4, c_bar, y0, y1, y2, y3)


# convolutions


@rule(np.convolve, memory="new")
def convolve(z, a, v, mode="full", *, da, dv):
    return np.convolve(da, v, mode) + np.convolve(a, dv, mode)


@transpose(np.convolve, argument="a")
def _(c, a, v, mode="full"):
    return linear.convolve_pull(c, np.conj(v), like=a, mode=mode)


@transpose(np.convolve, argument="v")
def _(c, a, v, mode="full"):
    return linear.convolve_pull(c, np.conj(a), like=v, mode=mode)


@rule(linear.convolve_pull)
def convolve_pull(z, c, y, like, mode="full", *, dc, dy):
    return linear.convolve_pull(dc, y, like, mode) + linear.convolve_pull(c, dy, like, mode)


@transpose(linear.convolve_pull, argument="c")
def _(c_bar, c, y, like, mode="full"):
    return np.convolve(c_bar, np.conj(y), mode)


@transpose(linear.convolve_pull, argument="y")
def _(c_bar, c, y, like, mode="full"):
    return linear.convolve_pull(np.conj(c), c_bar, y, mode)


@rule(np.correlate, memory="new")
def correlate(z, a, v, mode="valid", *, da, dv):
    return np.correlate(da, v, mode) + np.correlate(a, dv, mode)


@transpose(np.correlate, argument="a")
def _(c, a, v, mode="valid"):
    return linear.correlate_pull_left(c, v, a, mode)


@transpose(np.correlate, argument="v")
def _(c, a, v, mode="valid"):
    return linear.correlate_pull_right(c, a, v, mode)


@rule(linear.correlate_pull_left)
def correlate_pull_left(z, c, v, like, mode="valid", *, dc, dv):
    return linear.correlate_pull_left(dc, v, like, mode) + linear.correlate_pull_left(
        c, dv, like, mode
    )


@rule(linear.correlate_pull_right)
def correlate_pull_right(z, c, a, like, mode="valid", *, dc, da):
    return linear.correlate_pull_right(dc, a, like, mode) + linear.correlate_pull_right(
        c, da, like, mode
    )


@transpose(linear.correlate_pull_left, argument="c")
def _(c_bar, c, v, like, mode="valid"):
    return np.correlate(c_bar, v, mode)


@transpose(linear.correlate_pull_left, argument="v")
def _(c_bar, c, v, like, mode="valid"):
    return linear.correlate_pull_right(c, c_bar, v, mode)


@transpose(linear.correlate_pull_right, argument="c")
def _(c_bar, c, a, like, mode="valid"):
    return np.correlate(a, c_bar, mode)


@transpose(linear.correlate_pull_right, argument="a")
def _(c_bar, c, a, like, mode="valid"):
    return linear.correlate_pull_left(c, c_bar, a, mode)
