"""Differentials of ``scipy.fft``: NumPy's transforms, and those of cosines and sines."""

import numpy as np
from scipy import fft

from ...helpers import linear
from ...helpers.scipy import fft as rt
from ..book import constant, rule, transpose
from ..numpy import fft as fourier
from ..traits import traits

constant(fft.next_fast_len, fft.prev_fast_len)

rule(fft.fft)(fourier.fft)
rule(fft.ifft)(fourier.ifft)
rule(fft.rfft)(fourier.rfft)
rule(fft.irfft)(fourier.irfft)
rule(fft.hfft)(fourier.hfft)
rule(fft.ihfft)(fourier.ihfft)
rule(fft.fft2)(fourier.fft2)
rule(fft.ifft2)(fourier.ifft2)
rule(fft.fftn)(fourier.fftn)
rule(fft.ifftn)(fourier.ifftn)
rule(fft.rfft2)(fourier.rfft2)
rule(fft.rfftn)(fourier.rfftn)
rule(fft.irfft2)(fourier.irfft2)
rule(fft.irfftn)(fourier.irfftn)
rule(fft.fftshift)(fourier.fftshift)
rule(fft.ifftshift)(fourier.ifftshift)
rule(fft.fftfreq)(fourier.fftfreq)
rule(fft.rfftfreq)(fourier.rfftfreq)


@rule(fft.hfft2)
def hfft2(z, x, s=None, axes=(-2, -1), norm=None, *, dx):
    return np.fft.irfft2(np.conj(dx), s, axes, linear.opposite(norm))


@rule(fft.hfftn)
def hfftn(z, x, s=None, axes=None, norm=None, *, dx):
    return np.fft.irfftn(np.conj(dx), s, axes, linear.opposite(norm))


@rule(fft.ihfft2)
def ihfft2(z, x, s=None, axes=(-2, -1), norm=None, *, dx):
    return np.conj(np.fft.rfft2(dx, s, axes, linear.opposite(norm)))


@rule(fft.ihfftn)
def ihfftn(z, x, s=None, axes=None, norm=None, *, dx):
    return np.conj(np.fft.rfftn(dx, s, axes, linear.opposite(norm)))


@rule(rt.cosine)
def cosine(z, x, make, type, n, axis, norm, orth, *, dx):
    return rt.cosine(dx, make, type, n, axis, norm, orth)


@transpose(rt.cosine, argument="x")
def _(c, x, make, type, n, axis, norm, orth):
    return rt.cosine_pull(c, x, make, type, n, axis, norm, orth)


@rule(rt.cosine_pull)
def cosine_pull(z, c, like, make, type, n, axis, norm, orth, *, dc):
    return rt.cosine_pull(dc, like, make, type, n, axis, norm, orth)


@transpose(rt.cosine_pull, argument="c")
def _(c_bar, c, like, make, type, n, axis, norm, orth):
    return rt.cosine(c_bar, make, type, n, axis, norm, orth)


@rule(fft.dct)
def dct(z, x, type=2, n=None, axis=-1, norm=None, orthogonalize=None, *, dx):
    return fft.dct(dx, type, n, axis, norm, orthogonalize=orthogonalize)


@transpose(fft.dct, argument="x")
def _(c, x, type=2, n=None, axis=-1, norm=None, orthogonalize=None):
    return rt.cosine_pull(c, x, fft.dct, type, n, axis, norm, orthogonalize)


@rule(fft.dctn)
def dctn(z, x, type=2, s=None, axes=None, norm=None, orthogonalize=None, *, dx):
    return fft.dctn(dx, type, s, axes, norm, orthogonalize=orthogonalize)


@transpose(fft.dctn, argument="x")
def _(c, x, type=2, s=None, axes=None, norm=None, orthogonalize=None):
    return rt.cosine_pull(c, x, fft.dctn, type, s, axes, norm, orthogonalize)


@rule(fft.idct)
def idct(z, x, type=2, n=None, axis=-1, norm=None, orthogonalize=None, *, dx):
    return fft.idct(dx, type, n, axis, norm, orthogonalize=orthogonalize)


@transpose(fft.idct, argument="x")
def _(c, x, type=2, n=None, axis=-1, norm=None, orthogonalize=None):
    return rt.cosine_pull(c, x, fft.idct, type, n, axis, norm, orthogonalize)


@rule(fft.idctn)
def idctn(z, x, type=2, s=None, axes=None, norm=None, orthogonalize=None, *, dx):
    return fft.idctn(dx, type, s, axes, norm, orthogonalize=orthogonalize)


@transpose(fft.idctn, argument="x")
def _(c, x, type=2, s=None, axes=None, norm=None, orthogonalize=None):
    return rt.cosine_pull(c, x, fft.idctn, type, s, axes, norm, orthogonalize)


@rule(fft.dst)
def dst(z, x, type=2, n=None, axis=-1, norm=None, orthogonalize=None, *, dx):
    return fft.dst(dx, type, n, axis, norm, orthogonalize=orthogonalize)


@transpose(fft.dst, argument="x")
def _(c, x, type=2, n=None, axis=-1, norm=None, orthogonalize=None):
    return rt.cosine_pull(c, x, fft.dst, type, n, axis, norm, orthogonalize)


@rule(fft.dstn)
def dstn(z, x, type=2, s=None, axes=None, norm=None, orthogonalize=None, *, dx):
    return fft.dstn(dx, type, s, axes, norm, orthogonalize=orthogonalize)


@transpose(fft.dstn, argument="x")
def _(c, x, type=2, s=None, axes=None, norm=None, orthogonalize=None):
    return rt.cosine_pull(c, x, fft.dstn, type, s, axes, norm, orthogonalize)


@rule(fft.idst)
def idst(z, x, type=2, n=None, axis=-1, norm=None, orthogonalize=None, *, dx):
    return fft.idst(dx, type, n, axis, norm, orthogonalize=orthogonalize)


@transpose(fft.idst, argument="x")
def _(c, x, type=2, n=None, axis=-1, norm=None, orthogonalize=None):
    return rt.cosine_pull(c, x, fft.idst, type, n, axis, norm, orthogonalize)


@rule(fft.idstn)
def idstn(z, x, type=2, s=None, axes=None, norm=None, orthogonalize=None, *, dx):
    return fft.idstn(dx, type, s, axes, norm, orthogonalize=orthogonalize)


@transpose(fft.idstn, argument="x")
def _(c, x, type=2, s=None, axes=None, norm=None, orthogonalize=None):
    return rt.cosine_pull(c, x, fft.idstn, type, s, axes, norm, orthogonalize)


# -- on a batch -------------------------------------------------------------------------

traits(
    fft.fft, fft.ifft, fft.rfft, fft.irfft, fft.hfft, fft.ihfft, fft.fft2, fft.ifft2, fft.rfft2, fft.irfft2, fft.hfft2,
    fft.ihfft2, fft.dct, fft.idct, fft.dst, fft.idst, rt.cosine, rt.cosine_pull, batch="last",
)  # fmt: skip
traits(
    fft.fftn, fft.ifftn, fft.rfftn, fft.irfftn, fft.hfftn, fft.ihfftn, fft.fftshift, fft.ifftshift, fft.dctn, fft.idctn,
    fft.dstn, fft.idstn, batch="all",
)  # fmt: skip
