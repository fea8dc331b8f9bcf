"""Differentials of ``scipy.ndimage``: filters, maps of each axis, sums of labels."""

from scipy import ndimage

from ...helpers import linear
from ...helpers.scipy import ndimage as rt
from ...replacements import images
from ..book import constant, rule, transpose
from ..programs import programs

constant(ndimage.label, ndimage.find_objects, rt.label_counts)
programs |= {getattr(ndimage, name): getattr(images, name) for name in images.__all__}


# windows


@rule(ndimage.convolve)
def convolve(z, input, weights, mode="reflect", cval=0.0, origin=0, *, dinput, dweights):
    return rt.window(dinput, weights, None, mode, 0.0, origin, True) + rt.template(
        dweights, input, None, mode, cval, origin, True
    )


@rule(ndimage.correlate)
def correlate(z, input, weights, mode="reflect", cval=0.0, origin=0, *, dinput, dweights):
    return rt.window(dinput, weights, None, mode, 0.0, origin, False) + rt.template(
        dweights, input, None, mode, cval, origin, False
    )


@rule(ndimage.convolve1d)
def convolve1d(z, input, weights, axis=-1, mode="reflect", cval=0.0, origin=0, *, dinput, dweights):
    return rt.window(dinput, weights, axis, mode, 0.0, origin, True) + rt.template(
        dweights, input, axis, mode, cval, origin, True
    )


@rule(ndimage.correlate1d)
def correlate1d(
    z, input, weights, axis=-1, mode="reflect", cval=0.0, origin=0, *, dinput, dweights
):
    return rt.window(dinput, weights, axis, mode, 0.0, origin, False) + rt.template(
        dweights, input, axis, mode, cval, origin, False
    )


@rule(rt.window)
def window(z, x, weights, axis, mode, cval, origin, turn, *, dx, dweights):
    return rt.window(dx, weights, axis, mode, 0.0, origin, turn) + rt.template(
        dweights, x, axis, mode, cval, origin, turn
    )


@transpose(rt.window, argument="x")
def _(c, x, weights, axis, mode, cval, origin, turn):
    return rt.window_pull(c, x, weights, axis, mode, cval, origin, turn)


@rule(rt.template)
def template(z, g, x, axis, mode, cval, origin, turn, *, dg, dx):
    return rt.template(dg, x, axis, mode, cval, origin, turn) + rt.window(
        dx, g, axis, mode, 0.0, origin, turn
    )


@transpose(rt.template, argument="g")
def _(c, g, x, axis, mode, cval, origin, turn):
    return rt.template_pull(c, x, g, axis, mode, cval, origin, turn)


@rule(rt.window_pull, constant_in=("x",))
def window_pull(z, c, x, weights, axis, mode, cval, origin, turn, *, dc, dweights):
    return rt.window_pull(dc, x, weights, axis, mode, cval, origin, turn) + rt.window_pull(
        c, x, dweights, axis, mode, cval, origin, turn
    )


@transpose(rt.window_pull, argument="c")
def _(g, c, x, weights, axis, mode, cval, origin, turn):
    return linear.unbroadcast(rt.window(g, weights, axis, mode, 0.0, origin, turn), c)


@transpose(rt.window_pull, argument="weights")
def _(g, c, x, weights, axis, mode, cval, origin, turn):
    return rt.template_pull(c, g, weights, axis, mode, 0.0, origin, turn)


@rule(rt.template_pull, constant_in=("weights",))
def template_pull(z, c, x, weights, axis, mode, cval, origin, turn, *, dc, dx):
    return rt.template_pull(dc, x, weights, axis, mode, cval, origin, turn) + rt.template_pull(
        c, dx, weights, axis, mode, 0.0, origin, turn
    )


@transpose(rt.template_pull, argument="c")
def _(g, c, x, weights, axis, mode, cval, origin, turn):
    return linear.unbroadcast(rt.template(g, x, axis, mode, cval, origin, turn), c)


@transpose(rt.template_pull, argument="x")
def _(g, c, x, weights, axis, mode, cval, origin, turn):
    return rt.window_pull(c, x, g, axis, mode, 0.0, origin, turn)


# maps of each axis


@rule(ndimage.gaussian_filter)
def gaussian_filter(
    z, input, sigma, order=0, mode="reflect", cval=0.0, truncate=4.0, radius=None, *, dinput
):
    return rt.image_map(dinput, ndimage.gaussian_filter, (sigma, order, mode, truncate, radius))


@rule(ndimage.uniform_filter)
def uniform_filter(z, input, size=3, mode="reflect", cval=0.0, origin=0, *, dinput):
    return rt.image_map(dinput, ndimage.uniform_filter, (size, mode, origin))


@rule(ndimage.shift)
def shift(z, input, shift, order=3, mode="constant", cval=0.0, prefilter=True, *, dinput):
    return rt.image_map(dinput, ndimage.shift, (shift, order, mode, prefilter))


@rule(ndimage.zoom)
def zoom(
    z, input, zoom, order=3, mode="constant", cval=0.0, prefilter=True, grid_mode=False, *, dinput
):
    return rt.image_map(dinput, ndimage.zoom, (zoom, order, mode, prefilter, grid_mode))


@rule(rt.image_map)
def image_map(z, x, f, params, *, dx):
    return rt.image_map(dx, f, params)


@transpose(rt.image_map, argument="x")
def _(c, x, f, params):
    return rt.axes_pull(c, x, f, params)


@rule(rt.axes_pull)
def axes_pull(z, c, like, f, params, *, dc):
    return rt.axes_pull(dc, like, f, params)


@transpose(rt.axes_pull, argument="c")
def _(c_bar, c, like, f, params):
    return rt.image_map(c_bar, f, params)


# labels


@rule(ndimage.sum_labels, ndimage.sum)
def sum_labels(z, input, labels=None, index=None, *, dinput):
    return ndimage.sum_labels(dinput, labels, index)


@transpose(ndimage.sum_labels, argument="input")
def _(c, input, labels=None, index=None):
    return rt.label_pull(c, input, labels, index)


@rule(rt.label_pull)
def label_pull(z, c, like, labels, index, *, dc):
    return rt.label_pull(dc, like, labels, index)


@transpose(rt.label_pull, argument="c")
def _(c_bar, c, like, labels, index):
    return linear.unbroadcast(ndimage.sum_labels(c_bar, labels, index), c)


@rule(ndimage.mean)
def mean(z, input, labels=None, index=None, *, dinput):
    return ndimage.sum_labels(dinput, labels, index) / rt.label_counts(input, labels, index)
