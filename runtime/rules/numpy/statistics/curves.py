"""Rules of curves given by points: `trapezoid`, `gradient`, `interp`; of counts with weights."""

import numpy as np

from ....helpers import linear
from ...book import constant, rule, traits, transpose

constant(
    linear.interp_places, linear.interp_inside, linear.interp_uses, linear.stencil,
    linear.bin_places,
)  # fmt: skip
traits(linear.interp_inside, zeros="mask")


# --- integrals --------------------------------------------------------------------------


@rule(np.trapezoid, memory="new")
def trapezoid(z, y, x=None, dx=1.0, axis=-1, *, dy):
    return np.trapezoid(dy, x=x, dx=dx, axis=axis)


@transpose(np.trapezoid, argument="y")
def _(c, y, x=None, dx=1.0, axis=-1):
    return linear.untrapezoid(c, y, x, dx, axis)


@rule(linear.trapezoid, memory="new", spelled="np.trapezoid(y, x=, dx=, axis=)")
def trapezoid_at(z, y, at=None, step=1.0, axis=-1, *, dy, dat, dstep):
    return (
        linear.trapezoid(dy, at, step, axis)
        + linear.trapezoid(y, dat, axis=axis)
        + linear.trapezoid(y, None, dstep, axis)
    )


@transpose(linear.trapezoid, argument="y")
def _(c, y, at=None, step=1.0, axis=-1):
    return linear.untrapezoid(c, y, at, step, axis)


@transpose(linear.trapezoid, argument="at")
def _(c, y, at=None, step=1.0, axis=-1):
    return linear.untrapezoid_at(c, at, y, axis)


@transpose(linear.trapezoid, argument="step")
def _(c, y, at=None, step=1.0, axis=-1):
    return linear.unbroadcast(c * np.conj(np.trapezoid(y, axis=axis)), step)


@rule(linear.untrapezoid)
def untrapezoid(z, c, like, at=None, step=1.0, axis=-1, *, dc, dat, dstep):
    return (
        linear.untrapezoid(dc, like, at, step, axis)
        + linear.untrapezoid(c, like, dat, axis=axis)
        + linear.untrapezoid(c, like, None, dstep, axis)
    )


@transpose(linear.untrapezoid, argument="c")
def _(c_bar, c, like, at=None, step=1.0, axis=-1):
    return linear.trapezoid(c_bar, at, step, axis)


@transpose(linear.untrapezoid, argument="at")
def _(c_bar, c, like, at=None, step=1.0, axis=-1):
    return linear.untrapezoid_at(c, at, c_bar, axis)


@transpose(linear.untrapezoid, argument="step")
def _(c_bar, c, like, at=None, step=1.0, axis=-1):
    return linear.unbroadcast(np.conj(c) * np.trapezoid(c_bar, axis=axis), step)


@rule(linear.untrapezoid_at)
def untrapezoid_at(z, c, like, y, axis=-1, *, dc, dy):
    return linear.untrapezoid_at(dc, like, y, axis) + linear.untrapezoid_at(c, like, dy, axis)


@transpose(linear.untrapezoid_at, argument="c")
def _(c_bar, c, like, y, axis=-1):
    return linear.trapezoid(y, c_bar, axis=axis)


@transpose(linear.untrapezoid_at, argument="y")
def _(c_bar, c, like, y, axis=-1):
    return linear.untrapezoid(c, y, c_bar, axis=axis)


# --- slopes -----------------------------------------------------------------------------


@rule(linear.slope, memory="new", spelled="np.gradient(f, h, axis=, edge_order=)")
def slope(z, f, step, axis, edge_order=1, *, df, dstep):
    return linear.slope(df, step, axis, edge_order) - z / step * linear.stretch(dstep, z)


@transpose(linear.slope, argument="f")
def _(c, f, step, axis, edge_order=1):
    return linear.unslope(c, f, step, axis, edge_order)


@rule(linear.unslope)
def unslope(z, c, like, step, axis, edge_order=1, *, dc, dstep):
    return linear.unslope(dc, like, step, axis, edge_order) - z / step * linear.stretch(dstep, z)


@transpose(linear.unslope, argument="c")
def _(c_bar, c, like, step, axis, edge_order=1):
    return linear.slope(c_bar, step, axis, edge_order)


@rule(linear.slope_at, memory="new", spelled="np.gradient(f, h, axis=, edge_order=)")
def slope_at(z, f, at, axis, edge_order=1, *, df, dat):
    k0, k1, k2, counts = linear.stencil(at, edge_order)
    x = linear.along_axis(at, z, axis)
    x0 = linear.along_axis(np.take(at, k0), z, axis)
    x1 = linear.along_axis(np.take(at, k1), z, axis)
    x2 = linear.along_axis(np.take(at, k2), z, axis)
    f0 = np.take(f, k0, axis=axis)
    f1 = np.take(f, k1, axis=axis)
    f2 = np.take(f, k2, axis=axis)
    third = linear.along_axis(counts, z, axis)
    bend = third / (x2 - x0 + 1.0 - third)
    left = (f1 - f0) / (x1 - x0)
    right = (f2 - f1) / (x2 - x1)
    curve = bend * (right - left)
    ahead = bend * (x - x0 + x - x1)
    return (
        (1.0 - ahead)
        / (x1 - x0)
        * (
            np.take(df, k1, axis=axis)
            - np.take(df, k0, axis=axis)
            - left * linear.along_axis(np.take(dat, k1) - np.take(dat, k0), z, axis)
        )
        + ahead
        / (x2 - x1)
        * (
            np.take(df, k2, axis=axis)
            - np.take(df, k1, axis=axis)
            - right * linear.along_axis(np.take(dat, k2) - np.take(dat, k1), z, axis)
        )
        - ahead * curve * linear.along_axis(np.take(dat, k2) - np.take(dat, k0), z, axis)
        + curve * linear.along_axis(dat + dat - np.take(dat, k0) - np.take(dat, k1), z, axis)
    )


@rule(linear.along_axis)
def along_axis(z, x, like, axis=0, *, dx):
    return linear.along_axis(dx, like, axis)


@transpose(linear.along_axis, argument="x")
def _(c, x, like, axis=0):
    return linear.sum_along(c, x, axis)


@rule(linear.sum_along)
def sum_along(z, c, like, axis=0, *, dc):
    return linear.sum_along(dc, like, axis)


@transpose(linear.sum_along, argument="c")
def _(c_bar, c, like, axis=0):
    return linear.along_axis(c_bar, c, axis)


# --- interpolation ----------------------------------------------------------------------


@rule(np.interp, memory="new")
def interp(z, x, xp, fp, left=None, right=None, *, dx, dxp, dfp, dleft, dright):
    k = linear.interp_places(x, xp)
    x0 = np.take(xp, k)
    width = np.take(xp, k + 1) - x0
    way = np.clip((x - x0) / width, 0.0, 1.0)
    rate = linear.interp_inside(x, xp) * (np.take(fp, k + 1) - np.take(fp, k)) / width
    used = linear.interp_uses(x, xp, left, right)
    below = np.less(x, xp[0])
    above = np.greater(x, xp[-1])
    return (
        rate * (dx - (1.0 - way) * np.take(dxp, k) - way * np.take(dxp, k + 1))
        + used * (1.0 - way) * np.take(dfp, k)
        + used * way * np.take(dfp, k + 1)
        + below * linear.stretch(dleft, z)
        + above * linear.stretch(dright, z)
    )


# --- counts with weights ------------------------------------------------------------------


@rule(np.bincount, constant_in=("x",), memory="new")
def bincount(z, x, weights=None, minlength=0, *, dweights):
    return np.bincount(x, dweights, minlength)


@transpose(np.bincount, argument="weights")
def _(c, x, weights=None, minlength=0):
    return linear.convert(np.take(c, x), weights)


@rule(np.histogram, memory="either", new_if="counted")
def histogram(z, a, bins=10, range=None, weights=None, *, dweights):
    _, edges = z
    return linear.binned(dweights, (a,), (edges,)), linear.nothing(dweights, edges)


@rule(np.histogram2d)
def histogram2d(z, x, y, bins=10, range=None, weights=None, *, dweights):
    _, across, up = z
    return (
        linear.binned(dweights, (x, y), (across, up)),
        linear.nothing(dweights, across),
        linear.nothing(dweights, up),
    )


@rule(linear.binned, constant_in=("edges",))
def binned(z, weights, sample, edges, *, dweights):
    return linear.binned(dweights, sample, edges)


@transpose(linear.binned, argument="weights")
def _(c, weights, sample, edges):
    return linear.unbinned(c, weights, sample, edges)


@rule(linear.unbinned, constant_in=("edges",))
def unbinned(z, c, like, sample, edges, *, dc):
    return linear.unbinned(dc, like, sample, edges)


@transpose(linear.unbinned, argument="c")
def _(c_bar, c, like, sample, edges):
    return linear.binned(c_bar, sample, edges)


@rule(linear.nothing)
def nothing(z, c, like, *, dc):
    return linear.nothing(dc, like)


@transpose(linear.nothing, argument="c")
def _(c_bar, c, like):
    return linear.nothing(c_bar, c)
