"""Differentials of ``scipy.fftpack``: NumPy's transforms, none of them scaled but the inverses, and those of cosines and sines."""

import numpy as np
from scipy import fft as scaled
from scipy import fftpack

from ...helpers import linear
from ...helpers.scipy import fft as rt
from ..book import constant, rule, transpose
from ..traits import traits

constant(fftpack.next_fast_len, rt.unscaled)


@rule(fftpack.fft, memory="new", along=True)
def fft(z, x, n=None, axis=-1, *, dx):
    return np.fft.fft(dx, n, axis)


@transpose(fftpack.fft, argument="x")
def _(c, x, n=None, axis=-1):
    return linear.fit(np.fft.ifft(c, axis=axis, norm="forward"), x)


@rule(fftpack.ifft, memory="new", along=True)
def ifft(z, x, n=None, axis=-1, *, dx):
    return np.fft.ifft(dx, n, axis)


@transpose(fftpack.ifft, argument="x")
def _(c, x, n=None, axis=-1):
    return linear.fit(np.fft.fft(c, axis=axis, norm="forward"), x)


@rule(fftpack.fft2, memory="new")
def fft2(z, x, shape=None, axes=(-2, -1), *, dx):
    return np.fft.fft2(dx, shape, axes)


@transpose(fftpack.fft2, argument="x")
def _(c, x, shape=None, axes=(-2, -1)):
    along = linear.turned(c, shape, axes)
    return linear.fit(np.fft.ifft2(c, axes=along, norm="forward"), x)


@rule(fftpack.ifft2, memory="new")
def ifft2(z, x, shape=None, axes=(-2, -1), *, dx):
    return np.fft.ifft2(dx, shape, axes)


@transpose(fftpack.ifft2, argument="x")
def _(c, x, shape=None, axes=(-2, -1)):
    along = linear.turned(c, shape, axes)
    return linear.fit(np.fft.fft2(c, axes=along, norm="forward"), x)


@rule(fftpack.fftn, memory="new")
def fftn(z, x, shape=None, axes=None, *, dx):
    return np.fft.fftn(dx, shape, linear.turned(x, shape, axes))


@transpose(fftpack.fftn, argument="x")
def _(c, x, shape=None, axes=None):
    along = linear.turned(c, shape, axes)
    return linear.fit(np.fft.ifftn(c, axes=along, norm="forward"), x)


@rule(fftpack.ifftn, memory="new")
def ifftn(z, x, shape=None, axes=None, *, dx):
    return np.fft.ifftn(dx, shape, linear.turned(x, shape, axes))


@transpose(fftpack.ifftn, argument="x")
def _(c, x, shape=None, axes=None):
    along = linear.turned(c, shape, axes)
    return linear.fit(np.fft.fftn(c, axes=along, norm="forward"), x)


@rule(fftpack.dct)
def dct(z, x, type=2, n=None, axis=-1, norm=None, *, dx):
    return scaled.dct(dx, type, n, axis, norm)


@transpose(fftpack.dct, argument="x")
def _(c, x, type=2, n=None, axis=-1, norm=None):
    return rt.cosine_pull(c, x, scaled.dct, type, n, axis, norm, None)


@rule(fftpack.idct)
def idct(z, x, type=2, n=None, axis=-1, norm=None, *, dx):
    return scaled.idct(dx, type, n, axis, rt.unscaled(norm))


@transpose(fftpack.idct, argument="x")
def _(c, x, type=2, n=None, axis=-1, norm=None):
    return rt.cosine_pull(c, x, scaled.idct, type, n, axis, rt.unscaled(norm), None)


@rule(fftpack.dst)
def dst(z, x, type=2, n=None, axis=-1, norm=None, *, dx):
    return scaled.dst(dx, type, n, axis, norm)


@transpose(fftpack.dst, argument="x")
def _(c, x, type=2, n=None, axis=-1, norm=None):
    return rt.cosine_pull(c, x, scaled.dst, type, n, axis, norm, None)


@rule(fftpack.idst)
def idst(z, x, type=2, n=None, axis=-1, norm=None, *, dx):
    return scaled.idst(dx, type, n, axis, rt.unscaled(norm))


@transpose(fftpack.idst, argument="x")
def _(c, x, type=2, n=None, axis=-1, norm=None):
    return rt.cosine_pull(c, x, scaled.idst, type, n, axis, rt.unscaled(norm), None)


# -- on a batch -------------------------------------------------------------------------

traits(
    fftpack.fft, fftpack.ifft, fftpack.fft2, fftpack.ifft2, fftpack.dct, fftpack.idct, fftpack.dst, fftpack.idst,
    batch="last",
)  # fmt: skip
traits(fftpack.fftn, fftpack.ifftn, batch="all")
