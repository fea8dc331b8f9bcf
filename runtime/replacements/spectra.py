"""Spectra of ``scipy.signal``, as programs of those that have rules."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from ..errors import UnsupportedOperation
from ..helpers.scipy import signal as rt

__all__ = ["coherence", "csd", "periodogram", "vectorstrength"]


def periodogram(
    x: Any,
    fs: Any = 1.0,
    window: Any = "boxcar",
    nfft: Any = None,
    detrend: Any = "constant",
    return_onesided: Any = True,
    scaling: Any = "density",
    axis: Any = -1,
) -> Any:
    """The spectrum of all of ``x``: Welch's, of one segment."""
    x = np.moveaxis(np.asarray(x), axis, -1)
    n = x.shape[-1]
    if nfft is not None and nfft < n:
        raise UnsupportedOperation("signal.periodogram of a part: cut it out first, x[..., :nfft]")
    window = "boxcar" if window is None else window
    given = (fs, window, n, 0, nfft, detrend, return_onesided, scaling)
    frequencies, power = signal.welch(x, *given)
    return frequencies, np.moveaxis(power, -1, axis)


def csd(
    x: Any,
    y: Any,
    fs: Any = 1.0,
    window: Any = "hann_periodic",
    nperseg: Any = None,
    noverlap: Any = None,
    nfft: Any = None,
    detrend: Any = "constant",
    return_onesided: Any = True,
    scaling: Any = "density",
    axis: Any = -1,
    average: Any = "mean",
) -> Any:
    """The mean products of the spectra of two signals, segment by segment."""
    x, y = np.asarray(x), np.asarray(y)
    if x.shape[axis] != y.shape[axis]:
        raise UnsupportedOperation("signal.csd of signals of two lengths: pad the shorter one")
    if average != "mean":
        raise UnsupportedOperation(f"there is no derivative with average={average!r}")
    x, y = np.moveaxis(x, axis, -1), np.moveaxis(y, axis, -1)
    one_sided = return_onesided and np.isrealobj(x) and np.isrealobj(y)
    given = (fs, window, nperseg, noverlap, nfft, detrend, one_sided, scaling)
    frequencies, power = signal.welch(np.zeros(x.shape), *given)
    products = np.conj(rt.spectra(x, *given)) * rt.spectra(y, *given)
    weights = rt.sides(power, nfft, nperseg, one_sided, x)
    return frequencies, np.moveaxis(weights * np.mean(products, axis=-1), -1, axis)


def coherence(
    x: Any,
    y: Any,
    fs: Any = 1.0,
    window: Any = "hann_periodic",
    nperseg: Any = None,
    noverlap: Any = None,
    nfft: Any = None,
    detrend: Any = "constant",
    axis: Any = -1,
) -> Any:
    """How far one signal tells the other, at each frequency."""
    x, y = np.moveaxis(np.asarray(x), axis, -1), np.moveaxis(np.asarray(y), axis, -1)
    given = (fs, window, nperseg, noverlap, nfft, detrend)
    frequencies, own = signal.welch(x, *given)
    _, other = signal.welch(y, *given)
    _, shared = csd(x, y, *given)
    return frequencies, np.moveaxis(np.abs(shared) ** 2 / own / other, -1, axis)


def vectorstrength(events: Any, period: Any) -> Any:
    """How far events keep to one phase of a period, and that phase."""
    events = np.asarray(events)
    if np.ndim(events) > 1 or np.ndim(period) > 0:
        raise UnsupportedOperation("signal.vectorstrength of several periods: one by one")
    angles = 2.0 * np.pi / period * events
    s, c = np.mean(np.sin(angles)), np.mean(np.cos(angles))
    return np.hypot(c, s), np.arctan2(s, c)
