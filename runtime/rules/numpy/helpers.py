"""Rules and transposes of the linear helpers, so that derivatives can be differentiated."""

import numpy as np

from ...helpers import linear
from ..book import rule, transpose

BOUNDS = ("x", "low", "high", "min", "max")


@rule(linear.unbroadcast, kind_of="like", shows="first", gives_back=True)
def unbroadcast(z, c, like, *, dc):
    return linear.unbroadcast(dc, like)


@transpose(linear.unbroadcast, argument="c")
def _(c_bar, c, like):
    return linear.convert(linear.stretch(c_bar, c), c)  # what was real became complex with its sum


@rule(linear.stretch, gives_back=True)
def stretch(z, c, like, *, dc):
    return linear.stretch(dc, like)


@transpose(linear.stretch, argument="c")
def _(c_bar, c, like):
    return linear.unbroadcast(c_bar, c)


@rule(linear.add, gives="container", batched="as it is", joint=True, new_if="numbers")
def add(z, a, b, *, da, db):
    return linear.add(da, db)


@transpose(linear.add, argument="a")
def _(c, a, b):
    return c


@transpose(linear.add, argument="b")
def _(c, a, b):
    return c


@rule(linear.contiguous, memory="new", rank_0="either", order=9, identity="copy")
def contiguous(z, x, *, dx):
    return linear.contiguous(dx)


@transpose(linear.contiguous, argument="x")
def _(c, x):
    return c


@rule(
    linear.copy,
    memory="new",
    rank_0="either",
    buffer="named",
    identity="copy",
    gives="container",
    batched="as it is",
    looks=True,
    of_nothing=True,
)
def copy(z, x, *, dx):
    return linear.copy(dx)


@transpose(linear.copy, argument="x")
def _(c, x):
    return c


@rule(linear.divide_or_zero, broadcasts=True, real="kept")
def divide_or_zero(z, c, y, *, dc, dy):
    return linear.divide_or_zero(dc - z * dy, y)


@transpose(linear.divide_or_zero, argument="c")
def _(c_bar, c, y):
    return linear.divide_or_zero(c_bar, np.conj(y))


@rule(linear.times_log, broadcasts=True, infinite="may")
def times_log(z, c, x, *, dc, dx):
    return linear.times_log(dc, x) + linear.divide_or_zero(c * dx, x)


@transpose(linear.times_log, argument="c")
def _(c_bar, c, x):
    return linear.times_log(c_bar, np.conj(x))


@rule(linear.in_kind, elementwise=True, identity="cast")
def in_kind(z, x, like, *, dx):
    return linear.in_kind(dx, like)


@transpose(linear.in_kind, argument="x")
def _(c, x, like):
    return linear.unbroadcast(c, x)


@rule(linear.one_less, broadcasts=True, constant_in=("x",), real="kept")
def one_less(z, y, x, *, dy):
    return dy


@rule(linear.share, broadcasts=True, memory="new", infinite="never", real="kept")
def share(z, x, y, *, dx, dy):
    return z * linear.share(y, x) * (dx - dy)


@rule(linear.if_larger, broadcasts=True, constant_in=("x", "y"), memory="new", zeros="choice")
def if_larger(z, c, x, y, *, dc):
    return linear.if_larger(dc, x, y)


@transpose(linear.if_larger, argument="c")
def _(c_bar, c, x, y):
    return linear.if_larger(c_bar, x, y)


@rule(linear.if_inside, broadcasts=True, constant_in=BOUNDS, zeros="choice")
def if_inside(z, c, x, low=None, high=None, min=None, max=None, *, dc):
    return linear.if_inside(dc, x, low, high, min=min, max=max)


@transpose(linear.if_inside, argument="c")
def _(c_bar, c, x, low=None, high=None, min=None, max=None):
    return linear.if_inside(c_bar, x, low, high, min=min, max=max)


@rule(linear.if_below, broadcasts=True, constant_in=BOUNDS, zeros="choice")
def if_below(z, c, x, low=None, high=None, min=None, max=None, *, dc):
    return linear.if_below(dc, x, low, high, min=min, max=max)


@transpose(linear.if_below, argument="c")
def _(c_bar, c, x, low=None, high=None, min=None, max=None):
    return linear.if_below(c_bar, x, low, high, min=min, max=max)


@rule(linear.if_above, broadcasts=True, constant_in=BOUNDS, zeros="choice")
def if_above(z, c, x, low=None, high=None, min=None, max=None, *, dc):
    return linear.if_above(dc, x, low, high, min=min, max=max)


@transpose(linear.if_above, argument="c")
def _(c_bar, c, x, low=None, high=None, min=None, max=None):
    return linear.if_above(c_bar, x, low, high, min=min, max=max)


@rule(linear.if_finite, broadcasts=True, constant_in=("x",), zeros="choice")
def if_finite(z, c, x, copy=True, *, dc):
    return linear.if_finite(dc, x, copy=copy)


@transpose(linear.if_finite, argument="c")
def _(c_bar, c, x, copy=True):
    return linear.if_finite(c_bar, x, copy=copy)


@rule(linear.if_replaced, broadcasts=True, constant_in=("x",), zeros="choice")
def if_replaced(z, c, x, what, *, dc):
    return linear.if_replaced(dc, x, what)


@transpose(linear.if_replaced, argument="c")
def _(c_bar, c, x, what):
    return linear.if_replaced(c_bar, x, what)


@rule(linear.if_number, broadcasts=True, constant_in=("x",), zeros="choice")
def if_number(z, c, x, *, dc):
    return linear.if_number(dc, x)


@transpose(linear.if_number, argument="c")
def _(c_bar, c, x):
    return linear.if_number(c_bar, x)


@rule(linear.times_i, elementwise=True)
def times_i(z, c, like, *, dc):
    return linear.times_i(dc, like)


@transpose(linear.times_i, argument="c")
def _(c_bar, c, like):
    return np.imag(c_bar)


@rule(linear.pick, constant_in=("xs", "extreme"), zeros="choice")
def pick(z, cs, xs, extreme, *, dcs):
    return linear.pick(dcs, xs, extreme)


@transpose(linear.pick, argument="cs")
def _(c, cs, xs, extreme):
    return linear.unpick(c, xs, extreme)


@rule(linear.unpick, constant_in=("xs", "extreme"), zeros="choice")
def unpick(z, c, xs, extreme, *, dc):
    return linear.unpick(dc, xs, extreme)


@transpose(linear.unpick, argument="c")
def _(c_bar, c, xs, extreme):
    return linear.pick(c_bar, xs, extreme)


@rule(linear.unselect, zeros="choice")
def unselect(z, c, condlist, like, *, dc):
    return linear.unselect(dc, condlist, like)


@transpose(linear.unselect, argument="c")
def _(c_bar, c, condlist, like):
    return linear.unbroadcast(np.select(condlist, c_bar), c)


@rule(linear.if_none, zeros="choice")
def if_none(z, c, condlist, *, dc):
    return linear.if_none(dc, condlist)


@transpose(linear.if_none, argument="c")
def _(c_bar, c, condlist):
    return linear.unbroadcast(linear.if_none(c_bar, condlist), c)


@rule(linear.if_float, kind_of="either", shows="first")
def if_float(z, c, like, *, dc):
    return linear.if_float(dc, like)


@transpose(linear.if_float, argument="c")
def _(c_bar, c, like):
    return linear.if_float(c_bar, like)


@rule(linear.convert, identity="cast", kind_of="like")
def convert(z, c, like, copy=False, *, dc):
    return linear.convert(dc, like, copy=copy)


@transpose(linear.convert, argument="c")
def _(c_bar, c, like, copy=False):
    return linear.convert(linear.if_float(c_bar, like), c)


@rule(linear.pack, kind_of="like")
def pack(z, c, like, copy=False, *, dc):
    return linear.pack(dc, like, copy=copy)


@transpose(linear.pack, argument="c")
def _(c_bar, c, like, copy=False):
    return linear.unpack(linear.if_float(c_bar, like), c)


@rule(linear.unpack, kind_of="like")
def unpack(z, c, like, *, dc):
    return linear.unpack(dc, like)


@transpose(linear.unpack, argument="c")
def _(c_bar, c, like):
    return linear.pack(c_bar, c)


@rule(linear.full, kind_of="like")
def full(z, c, like, *, dc):
    return linear.full(dc, like)


@transpose(linear.full, argument="c")
def _(c_bar, c, like):
    return linear.unbroadcast(linear.if_float(c_bar, like), c)


@rule(linear.item)
def item(z, c, *index, dc):
    return linear.item(dc, *index)


@transpose(linear.item, argument="c")
def _(c_bar, c, *index):
    return linear.put_item(c_bar, c, *index)


@rule(linear.put_item, zeros="places")
def put_item(z, c, like, *index, dc):
    return linear.put_item(dc, like, *index)


@transpose(linear.put_item, argument="c")
def _(c_bar, c, like, *index):
    return linear.item(c_bar, *index)


@rule(linear.progression)
def progression(z, cs, like, *, dcs):
    return linear.progression(dcs, like)


@transpose(linear.progression, argument="cs")
def _(c, cs, like):
    return linear.unprogression(linear.if_float(c, like), cs)


@rule(linear.unprogression)
def unprogression(z, c, like, *, dc):
    return linear.unprogression(dc, like)


@transpose(linear.unprogression, argument="c")
def _(c_bar, c, like):
    return linear.progression(c_bar, c)


@rule(linear.polygamma, infinite="may", real="kept")
def polygamma(z, n, x, *, dx):
    return linear.polygamma(n + 1, x) * dx


@rule(linear.bessel_i, real="kept")
def bessel_i(z, n, x, *, dx):
    return (linear.bessel_i(n - 1, x) + linear.bessel_i(n + 1, x)) / 2 * dx


@rule(linear.sinc_derivative)
def sinc_derivative(z, n, x, *, dx):
    return linear.sinc_derivative(n + 1, x) * dx


@rule(linear.circle, domain=(-0.9, 0.9))
def circle(z, x, *, dx):
    return -x / z * dx


@rule(linear.hyperbola)
def hyperbola(z, x, *, dx):
    return x / z * dx


@rule(linear.hyperbola_above, domain=(1.1, 3.0))
def hyperbola_above(z, x, *, dx):
    return x / z * dx
