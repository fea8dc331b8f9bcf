"""Differentials of ``scipy.signal``: convolutions, filters, spectra, maps along one axis."""

from typing import Any

import numpy as np
from scipy import signal

from ...helpers import linear
from ...helpers.scipy import signal as rt
from ...replacements import spectra as texts
from ..book import constant, rule, transpose
from ..programs import programs
from ..rewrites import with_option
from ..terms import UNKNOWN, Terms
from ..traits import traits

programs |= {getattr(signal, name): getattr(texts, name) for name in texts.__all__}
constant(rt.unit, rt.sides)
WINDOW = "hann_periodic"

# convolutions


@rule(signal.convolve)
def convolve(z, in1, in2, mode="full", method="auto", *, din1, din2):
    return signal.convolve(din1, in2, mode) + signal.convolve(in1, din2, mode)


@transpose(signal.convolve, argument="in1")
def _(c, in1, in2, mode="full", method="auto"):
    return rt.convolution_pull(c, in2, in1, mode, True)


@transpose(signal.convolve, argument="in2")
def _(c, in1, in2, mode="full", method="auto"):
    return rt.convolution_pull(c, in1, in2, mode, False)


@rule(signal.fftconvolve)
def fftconvolve(z, in1, in2, mode="full", *, din1, din2):
    return signal.fftconvolve(din1, in2, mode) + signal.fftconvolve(in1, din2, mode)


@transpose(signal.fftconvolve, argument="in1")
def _(c, in1, in2, mode="full"):
    return rt.convolution_pull(c, in2, in1, mode, True)


@transpose(signal.fftconvolve, argument="in2")
def _(c, in1, in2, mode="full"):
    return rt.convolution_pull(c, in1, in2, mode, False)


@rule(signal.oaconvolve)
def oaconvolve(z, in1, in2, mode="full", *, din1, din2):
    return signal.oaconvolve(din1, in2, mode) + signal.oaconvolve(in1, din2, mode)


@transpose(signal.oaconvolve, argument="in1")
def _(c, in1, in2, mode="full"):
    return rt.convolution_pull(c, in2, in1, mode, True)


@transpose(signal.oaconvolve, argument="in2")
def _(c, in1, in2, mode="full"):
    return rt.convolution_pull(c, in1, in2, mode, False)


@rule(signal.convolve2d)
def convolve2d(z, in1, in2, mode="full", boundary="fill", *, din1, din2):
    return signal.convolve2d(din1, in2, mode, boundary) + signal.convolve2d(
        in1, din2, mode, boundary
    )


@transpose(signal.convolve2d, argument="in1")
def _(c, in1, in2, mode="full", boundary="fill"):
    return rt.convolution_pull(c, in2, in1, mode, True, boundary)


@transpose(signal.convolve2d, argument="in2")
def _(c, in1, in2, mode="full", boundary="fill"):
    return rt.convolution_pull(c, in1, in2, mode, False, boundary)


@rule(signal.correlate)
def correlate(z, in1, in2, mode="full", method="auto", *, din1, din2):
    return signal.correlate(din1, in2, mode) + signal.correlate(in1, din2, mode)


@transpose(signal.correlate, argument="in1")
def _(c, in1, in2, mode="full", method="auto"):
    return rt.convolution_pull(c, np.flip(np.conj(in2)), in1, mode, True)


@transpose(signal.correlate, argument="in2")
def _(c, in1, in2, mode="full", method="auto"):
    return np.flip(np.conj(rt.convolution_pull(c, in1, in2, mode, False)))


@rule(signal.correlate2d)
def correlate2d(z, in1, in2, mode="full", boundary="fill", *, din1, din2):
    return signal.correlate2d(din1, in2, mode, boundary) + signal.correlate2d(
        in1, din2, mode, boundary
    )


@transpose(signal.correlate2d, argument="in1")
def _(c, in1, in2, mode="full", boundary="fill"):
    return rt.convolution_pull(c, np.flip(np.conj(in2)), in1, mode, True, boundary, True)


@transpose(signal.correlate2d, argument="in2")
def _(c, in1, in2, mode="full", boundary="fill"):
    return np.flip(np.conj(rt.convolution_pull(c, in1, in2, mode, False, boundary, True)))


@rule(rt.convolution_pull)
def convolution_pull(z, c, y, like, mode, first, boundary="fill", later=False, *, dc, dy):
    return rt.convolution_pull(dc, y, like, mode, first, boundary, later) + rt.convolution_pull(
        c, dy, like, mode, first, boundary, later
    )


@transpose(rt.convolution_pull, argument="c")
def _(g, c, y, like, mode, first, boundary="fill", later=False):
    return linear.unbroadcast(rt.convolution(g, y, mode, first, boundary, later), c)


@transpose(rt.convolution_pull, argument="y")
def _(g, c, y, like, mode, first, boundary="fill", later=False):
    return rt.convolution_pull(c, g, y, mode, not first, boundary, later)


@rule(rt.convolution)
def convolution(z, x, y, mode, first, boundary, later=False, *, dx, dy):
    return rt.convolution(dx, y, mode, first, boundary, later) + rt.convolution(
        x, dy, mode, first, boundary, later
    )


@transpose(rt.convolution, argument="x")
def _(c, x, y, mode, first, boundary, later=False):
    return rt.convolution_pull(c, y, x, mode, first, boundary, later)


@transpose(rt.convolution, argument="y")
def _(c, x, y, mode, first, boundary, later=False):
    return rt.convolution_pull(c, x, y, mode, not first, boundary, later)


# filters


@rule(signal.lfilter)
def lfilter(z, b, a, x, axis=-1, *, db, da, dx):
    one = rt.unit(a)
    return signal.lfilter(b, a, dx, axis) + signal.lfilter(
        one, a, signal.lfilter(db, one, x, axis) - signal.lfilter(da, one, z, axis), axis
    )


@transpose(signal.lfilter, argument="b")
def _(c, b, a, x, axis=-1):
    return rt.lag_sums(c, signal.lfilter(rt.unit(a), a, x, axis), b, axis)


@transpose(signal.lfilter, argument="x")
def _(c, b, a, x, axis=-1):
    return linear.unbroadcast(
        np.flip(signal.lfilter(np.conj(b), np.conj(a), np.flip(c, axis), axis), axis), x
    )


@rule(rt.lag_sums)
def lag_sums(z, c, v, like, axis, *, dc, dv):
    return rt.lag_sums(dc, v, like, axis) + rt.lag_sums(c, dv, like, axis)


@transpose(rt.lag_sums, argument="c")
def _(g, c, v, like, axis):
    return linear.unbroadcast(signal.lfilter(g, rt.unit(g), v, axis), c)


@transpose(rt.lag_sums, argument="v")
def _(g, c, v, like, axis):
    return linear.unbroadcast(
        np.flip(signal.lfilter(np.conj(g), rt.unit(g), np.flip(c, axis), axis), axis), v
    )


@rule(signal.sosfilt)
def sosfilt(z, sos, x, axis=-1, *, dx):
    return signal.sosfilt(sos, dx, axis)


@transpose(signal.sosfilt, argument="x")
def _(c, sos, x, axis=-1):
    return np.flip(signal.sosfilt(sos, np.flip(c, axis), axis), axis)


# maps along one axis


@rule(signal.hilbert)
def hilbert(z, x, N=None, axis=-1, *, dx):
    return signal.hilbert(dx, N, axis)


@transpose(signal.hilbert, argument="x")
def _(c, x, N=None, axis=-1):
    return linear.fit(np.real(c) - np.imag(signal.hilbert(np.imag(c), axis=axis)), x)


@rule(signal.detrend)
def detrend(z, data, axis=-1, type="linear", bp=0, *, ddata):
    return rt.line(ddata, signal.detrend, axis, (type, bp))


@rule(signal.savgol_filter)
def savgol_filter(
    z, x, window_length, polyorder, deriv=0, delta=1.0, axis=-1, mode="interp", *, dx
):
    return rt.line(dx, signal.savgol_filter, axis, (window_length, polyorder, deriv, delta, mode))


@rule(signal.resample)
def resample(z, x, num, t=None, axis=0, window=None, *, dx):
    return rt.line(dx, signal.resample, axis, (num, window))


@rule(signal.resample_poly)
def resample_poly(z, x, up, down, axis=0, window=("kaiser", 5.0), padtype="constant", *, dx):
    return rt.line(dx, signal.resample_poly, axis, (up, down, window, padtype))


@rule(signal.decimate)
def decimate(z, x, q, n=None, ftype="iir", axis=-1, zero_phase=True, *, dx):
    return rt.line(dx, signal.decimate, axis, (q, n, ftype, zero_phase))


@rule(signal.filtfilt)
def filtfilt(z, b, a, x, axis=-1, padtype="odd", padlen=None, *, dx):
    return rt.line(dx, signal.filtfilt, axis, (b, a, padtype, padlen))


@rule(signal.sosfiltfilt)
def sosfiltfilt(z, sos, x, axis=-1, padtype="odd", padlen=None, *, dx):
    return rt.line(dx, signal.sosfiltfilt, axis, (sos, padtype, padlen))


@rule(signal.upfirdn)
def upfirdn(z, h, x, up=1, down=1, axis=-1, *, dx):
    return rt.line(dx, signal.upfirdn, axis, (h, up, down))


@rule(rt.line)
def line(z, x, f, axis, params, *, dx):
    return rt.line(dx, f, axis, params)


@transpose(rt.line, argument="x")
def _(c, x, f, axis, params):
    return rt.line_pull(c, x, f, axis, params)


@rule(rt.line_pull)
def line_pull(z, c, like, f, axis, params, *, dc):
    return rt.line_pull(dc, like, f, axis, params)


@transpose(rt.line_pull, argument="c")
def _(c_bar, c, like, f, axis, params):
    return rt.line(c_bar, f, axis, params)


# spectra


@rule(signal.stft)
def stft(
    z, x, fs=1.0, window=WINDOW, nperseg=256, noverlap=None, nfft=None, detrend=False,
    return_onesided=True, boundary="zeros", padded=True, scaling="spectrum", *, dx,
):  # fmt: skip
    return (
        linear.zeros_like(z[0]),
        linear.zeros_like(z[1]),
        rt.line(
            dx,
            signal.stft,
            -1,
            (
                fs,
                window,
                nperseg,
                noverlap,
                nfft,
                detrend,
                return_onesided,
                boundary,
                padded,
                scaling,
            ),
        ),
    )


@rule(signal.welch)
def welch(
    z, x, fs=1.0, window=WINDOW, nperseg=None, noverlap=None, nfft=None, detrend="constant",
    return_onesided=True, scaling="density", *, dx,
):  # fmt: skip
    seen = rt.spectra(x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling)
    weights = rt.sides(z[1], nfft, nperseg, return_onesided, x)
    return (
        linear.zeros_like(z[0]),
        2
        * weights
        * np.mean(
            np.real(
                np.conj(seen)
                * rt.spectra(
                    dx, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling
                )
            ),
            axis=-1,
        ),
    )


@with_option("axis", signal.welch, signal.stft)
def along_an_axis(terms: Terms, op: Any, x: Any, *args: Any, axis: Any, **given: Any) -> Any:
    """The frequencies stand in the place of the axis; those of ``stft`` have the times behind them."""
    along = terms.value(axis)
    if (along is UNKNOWN and op is signal.stft) or (along is not UNKNOWN and along == -1):
        return None
    made = terms.see(op, (terms.see(np.moveaxis, (x, axis, -1)), *args), given)
    *ends, values = (terms.item(made, k) for k in range(2 if op is signal.welch else 3))
    if op is signal.stft:
        behind = along if along >= 0 else along - 1
        return terms.several([*ends, terms.see(np.moveaxis, (values, -2, behind))])
    return terms.several([*ends, terms.see(np.moveaxis, (values, -1, axis))])


@rule(rt.spectra)
def spectra(z, x, fs, window, nperseg, noverlap, nfft, detrend, onesided, scaling, *, dx):
    return rt.spectra(dx, fs, window, nperseg, noverlap, nfft, detrend, onesided, scaling)


@transpose(rt.spectra, argument="x")
def _(c, x, fs, window, nperseg, noverlap, nfft, detrend, onesided, scaling):
    return rt.line_pull(
        c,
        x,
        signal.welch,
        -1,
        (fs, window, nperseg, noverlap, nfft, detrend, onesided, scaling),
    )


# -- on a batch -------------------------------------------------------------------------

traits(
    signal.hilbert, signal.detrend, signal.savgol_filter, signal.resample, signal.resample_poly, signal.decimate,
    signal.filtfilt, signal.upfirdn, rt.line, rt.line_pull, batch="last",
)  # fmt: skip
traits(rt.spectra, batch="leading")
