"""Fourier transforms: linear maps whose transposes are transforms of the other direction.

A transform of complex values is transposed by the one back, with the norm of the other side.  The half
spectrum of reals stands for a whole one: its inner entries count twice, in one direction or the other.
"""

import numpy as np

from ...helpers import linear
from ..book import constant, rule, traits, transpose

constant(linear.length, linear.lengths, linear.opposite, linear.turned)


# along one axis


@rule(np.fft.fft, memory="new", along=True)
def fft(z, a, n=None, axis=-1, norm=None, *, da):
    return np.fft.fft(da, n, axis, norm)


@transpose(np.fft.fft, argument="a")
def _(c, a, n=None, axis=-1, norm=None):
    return linear.fit(np.fft.ifft(c, axis=axis, norm=linear.opposite(norm)), a)


@rule(np.fft.ifft, memory="new", along=True)
def ifft(z, a, n=None, axis=-1, norm=None, *, da):
    return np.fft.ifft(da, n, axis, norm)


@transpose(np.fft.ifft, argument="a")
def _(c, a, n=None, axis=-1, norm=None):
    return linear.fit(np.fft.fft(c, axis=axis, norm=linear.opposite(norm)), a)


@rule(np.fft.rfft, memory="new", along=True)
def rfft(z, a, n=None, axis=-1, norm=None, *, da):
    return np.fft.rfft(da, n, axis, norm)


@transpose(np.fft.rfft, argument="a")
def _(c, a, n=None, axis=-1, norm=None):
    m = linear.length(a, n, axis)
    half = linear.halved(c, m, axis)
    return linear.fit(np.fft.irfft(half, m, axis=axis, norm=linear.opposite(norm)), a)


@rule(np.fft.irfft, memory="new", along=True)
def irfft(z, a, n=None, axis=-1, norm=None, *, da):
    return np.fft.irfft(da, n, axis, norm)


@transpose(np.fft.irfft, argument="a")
def _(c, a, n=None, axis=-1, norm=None):
    half = np.fft.rfft(c, axis=axis, norm=linear.opposite(norm))
    return linear.fit(linear.doubled(half, linear.length(c, None, axis), axis), a)


@rule(np.fft.hfft, memory="new")
def hfft(z, a, n=None, axis=-1, norm=None, *, da):
    return np.fft.hfft(da, n, axis, norm)


@transpose(np.fft.hfft, argument="a")
def _(c, a, n=None, axis=-1, norm=None):
    half = np.fft.ihfft(c, axis=axis, norm=linear.opposite(norm))
    return linear.fit(linear.doubled(half, linear.length(c, None, axis), axis), a)


@rule(np.fft.ihfft, memory="new")
def ihfft(z, a, n=None, axis=-1, norm=None, *, da):
    return np.fft.ihfft(da, n, axis, norm)


@transpose(np.fft.ihfft, argument="a")
def _(c, a, n=None, axis=-1, norm=None):
    m = linear.length(a, n, axis)
    half = linear.halved(c, m, axis)
    return linear.fit(np.fft.hfft(half, m, axis=axis, norm=linear.opposite(norm)), a)


# along two axes, and along any number


@rule(np.fft.fft2, memory="new")
def fft2(z, a, s=None, axes=(-2, -1), norm=None, *, da):
    return np.fft.fft2(da, s, axes, norm)


@transpose(np.fft.fft2, argument="a")
def _(c, a, s=None, axes=(-2, -1), norm=None):
    along = linear.turned(c, s, axes)
    return linear.fit(np.fft.ifft2(c, axes=along, norm=linear.opposite(norm)), a)


@rule(np.fft.ifft2, memory="new")
def ifft2(z, a, s=None, axes=(-2, -1), norm=None, *, da):
    return np.fft.ifft2(da, s, axes, norm)


@transpose(np.fft.ifft2, argument="a")
def _(c, a, s=None, axes=(-2, -1), norm=None):
    along = linear.turned(c, s, axes)
    return linear.fit(np.fft.fft2(c, axes=along, norm=linear.opposite(norm)), a)


@rule(np.fft.fftn, memory="new", rank_0="array")
def fftn(z, a, s=None, axes=None, norm=None, *, da):
    return np.fft.fftn(da, s, axes, norm)


@transpose(np.fft.fftn, argument="a")
def _(c, a, s=None, axes=None, norm=None):
    along = linear.turned(c, s, axes)
    return linear.fit(np.fft.ifftn(c, axes=along, norm=linear.opposite(norm)), a)


@rule(np.fft.ifftn, memory="new", rank_0="array")
def ifftn(z, a, s=None, axes=None, norm=None, *, da):
    return np.fft.ifftn(da, s, axes, norm)


@transpose(np.fft.ifftn, argument="a")
def _(c, a, s=None, axes=None, norm=None):
    along = linear.turned(c, s, axes)
    return linear.fit(np.fft.fftn(c, axes=along, norm=linear.opposite(norm)), a)


@rule(np.fft.rfft2, memory="new")
def rfft2(z, a, s=None, axes=(-2, -1), norm=None, *, da):
    return np.fft.rfft2(da, s, axes, norm)


@rule(np.fft.rfftn, memory="new")
def rfftn(z, a, s=None, axes=None, norm=None, *, da):
    return np.fft.rfftn(da, s, axes, norm)


@transpose(np.fft.rfft2, argument="a")
def _(c, a, s=None, axes=(-2, -1), norm=None):
    m = linear.lengths(a, s, axes)
    along = linear.turned(a, m, axes)
    half = linear.halved(c, m[-1], along[-1])
    return linear.fit(np.fft.irfft2(half, m, along, linear.opposite(norm)), a)


@transpose(np.fft.rfftn, argument="a")
def _(c, a, s=None, axes=None, norm=None):
    m = linear.lengths(a, s, axes)
    along = linear.turned(a, m, axes)
    half = linear.halved(c, m[-1], along[-1])
    return linear.fit(np.fft.irfftn(half, m, along, linear.opposite(norm)), a)


@rule(np.fft.irfft2, memory="new")
def irfft2(z, a, s=None, axes=(-2, -1), norm=None, *, da):
    return np.fft.irfft2(da, s, axes, norm)


@rule(np.fft.irfftn, memory="new")
def irfftn(z, a, s=None, axes=None, norm=None, *, da):
    return np.fft.irfftn(da, s, axes, norm)


@transpose(np.fft.irfft2, argument="a")
def _(c, a, s=None, axes=(-2, -1), norm=None):
    m = linear.lengths(c, s, axes)
    along = linear.turned(c, m, axes)
    half = np.fft.rfft2(c, axes=along, norm=linear.opposite(norm))
    return linear.fit(linear.doubled(half, m[-1], along[-1]), a)


@transpose(np.fft.irfftn, argument="a")
def _(c, a, s=None, axes=None, norm=None):
    m = linear.lengths(c, s, axes)
    along = linear.turned(c, m, axes)
    half = np.fft.rfftn(c, axes=along, norm=linear.opposite(norm))
    return linear.fit(linear.doubled(half, m[-1], along[-1]), a)


# the order of frequencies


@rule(np.fft.fftshift, memory="new")
def fftshift(z, x, axes=None, *, dx):
    return np.fft.fftshift(dx, axes)


@transpose(np.fft.fftshift, argument="x")
def _(c, x, axes=None):
    return np.fft.ifftshift(c, axes)


@rule(np.fft.ifftshift, memory="new")
def ifftshift(z, x, axes=None, *, dx):
    return np.fft.ifftshift(dx, axes)


@transpose(np.fft.ifftshift, argument="x")
def _(c, x, axes=None):
    return np.fft.fftshift(c, axes)


@rule(np.fft.fftfreq, memory="new")
def fftfreq(z, n, d=1.0, *, dd):
    return -(z / d) * linear.stretch(dd, z)


@rule(np.fft.rfftfreq, memory="new")
def rfftfreq(z, n, d=1.0, *, dd):
    return -(z / d) * linear.stretch(dd, z)


# helpers


@rule(linear.fit, kind_of="like")
def fit(z, c, like, *, dc):
    return linear.fit(dc, like)


@transpose(linear.fit, argument="c")
def _(c_bar, c, like):
    return linear.fit(c_bar, c)


@rule(linear.doubled)
def doubled(z, c, n, axis=-1, *, dc):
    return linear.doubled(dc, n, axis)


@transpose(linear.doubled, argument="c")
def _(c_bar, c, n, axis=-1):
    return linear.doubled(c_bar, n, axis)


@rule(linear.halved)
def halved(z, c, n, axis=-1, *, dc):
    return linear.halved(dc, n, axis)


@transpose(linear.halved, argument="c")
def _(c_bar, c, n, axis=-1):
    return linear.halved(c_bar, n, axis)


traits(linear.length, reads="length")
