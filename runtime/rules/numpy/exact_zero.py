"""Rules of the guarded product and quotient: what they guard, their derivatives guard too."""

import numpy as np

from ...helpers import linear
from ...solvers import implicit
from ..book import constant, rule, transpose


@rule(linear.mul0, broadcasts=True, memory="new", zeros="choice", real="kept")
def mul0(z, g, p, *, dg, dp):
    return linear.mul0(dg, p) + linear.mul0(g, dp)


@transpose(linear.mul0, argument="g")
def _(c, g, p):
    return linear.mul0(c, np.conj(p))


@transpose(linear.mul0, argument="p")
def _(c, g, p):
    return linear.mul0(np.conj(g), c)


@rule(linear.div0, broadcasts=True, memory="new", infinite="may", zeros="choice", real="kept")
def div0(z, c, y, *, dc, dy):
    return linear.div0(dc - linear.mul0(z, dy), y)


@transpose(linear.div0, argument="c")
def _(c_bar, c, y):
    return linear.div0(c_bar, np.conj(y))


@rule(linear.reached, constant_in=("of", "c"), memory="either", zeros="choice", real="kept")
def reached(z, x, of, c, letters, *, dx):
    return linear.reached(dx, of, c, letters)


@transpose(linear.reached, argument="x")
def _(c_bar, x, of, c, letters):
    return linear.reached(c_bar, of, c, letters)


@rule(linear.on_support, broadcasts=True, constant_in=("log_density",), memory="new", real="kept")
def on_support(z, c, log_density, *, dc):
    return linear.on_support(dc, log_density)


@transpose(linear.on_support, argument="c")
def _(c_bar, c, log_density):
    return linear.on_support(c_bar, log_density)


@rule(linear.hazard, broadcasts=True, memory="new", real="kept")
def hazard(z, log_density, log_tail, *, dlog_density, dlog_tail):
    return z * (dlog_density - dlog_tail)


constant(implicit.converged)
