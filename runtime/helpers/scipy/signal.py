"""The helpers of ``scipy.signal``: convolutions of every boundary, filters, maps along one axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import signal

from ...errors import UnsupportedOperation
from ..core import cast

__all__ = [
    "convolution",
    "convolution_pull",
    "lag_sums",
    "line",
    "line_pull",
    "sides",
    "spectra",
    "unit",
]

Value = Any
PADS = {"wrap": "wrap", "circular": "wrap", "symm": "symmetric", "symmetric": "symmetric"}


# Convolution: the transpose is the correlation of what `mode` cut from the whole


def convolution_pull(
    c: Value, y: Value, like: Value, mode: str, first: bool, boundary: str = "fill",
    later: bool = False,
) -> Value:  # fmt: skip
    """The cotangent of the ``first`` or second operand of a convolution, ``y`` being the other one.

    ``later``: where a kernel has no middle, the later entry is it (so ``signal.correlate2d``).

    >>> convolution_pull(np.ones(3), np.ones(2), np.zeros(2), "full", True)
    array([2., 2.])
    """
    ours, theirs = np.shape(like), np.shape(y)
    kernel = theirs if first else ours
    if later and mode == "valid" and np.iscomplexobj(c):
        image = ours if first else theirs
        if any(n > m for m, n in zip(image, kernel, strict=True)):
            raise UnsupportedOperation(
                "signal.correlate2d conjugates the other operand where the second one is larger",
                fix="exchange the operands",
            )
    if boundary in PADS and mode != "valid":
        return bounded_pull(c, y, like, mode, first, boundary, kernel, later)
    total = [m + n - 1 for m, n in zip(ours, theirs, strict=True)]
    middle = [n // 2 if later else (n - 1) // 2 for n in kernel]
    starts = {
        "full": [0] * len(total),
        "same": middle,
        "valid": [min(m, n) - 1 for m, n in zip(ours, theirs, strict=True)],
    }[mode]
    return cast(signal.correlate(placed(c, total, starts), y, "valid"), like)


def convolution(
    x: Value, y: Value, mode: str, first: bool, boundary: str, later: bool = False
) -> Value:
    """The convolution of the ``first`` or second operand ``x`` with the other one."""
    in1, in2 = (x, y) if first else (y, x)
    if later:
        return signal.correlate2d(in1, np.flip(np.conj(in2)), mode, boundary)
    if boundary in PADS:
        return signal.convolve2d(in1, in2, mode, boundary)
    return signal.convolve(in1, in2, mode)


def placed(c: Value, shape: list[int], starts: list[int]) -> Value:
    """``c`` among zeros of this shape."""
    out = np.zeros(shape, c.dtype)
    out[tuple(slice(s, s + n) for s, n in zip(starts, c.shape, strict=True))] = c
    return out


def bounded_pull(
    c: Value, y: Value, like: Value, mode: str, first: bool, boundary: str, kernel: Any,
    later: bool,
) -> Value:  # fmt: skip
    """The same where the first operand is continued: by itself, or by its mirror image."""
    ours, theirs = np.shape(like), np.shape(y)
    image = ours if first else theirs
    total = [m + n - 1 for m, n in zip(image, kernel, strict=True)]
    middle = [n // 2 if later else (n - 1) // 2 for n in kernel]
    starts = [0] * len(total) if mode == "full" else middle
    whole = placed(c, total, starts)
    width = [(n - 1, n - 1) for n in kernel]
    if not first:
        continued = np.pad(y, width, mode=PADS[boundary])  # type: ignore[call-overload]
        return convolution_pull(whole, continued, like, "valid", False)
    labels = np.pad(np.arange(np.size(like)).reshape(ours), width, mode=PADS[boundary])  # type: ignore[call-overload]
    wide = convolution_pull(whole, y, np.empty(labels.shape, c.dtype), "valid", True)
    out = np.zeros(np.size(like), wide.dtype)
    np.add.at(out, labels.ravel(), wide.ravel())
    return cast(out.reshape(ours), like)


# Filters


def unit(like: Value) -> Value:
    """The filter that does nothing."""
    return np.ones(1, np.asarray(like).dtype)


def lag_sums(c: Value, v: Value, like: Value, axis: int) -> Value:
    """For each k the sum of ``c[n] * conj(v[n - k])`` along ``axis``, and over all others.

    >>> lag_sums(np.array([1.0, 2.0]), np.array([1.0, 1.0]), np.zeros(2), -1)
    array([3., 2.])
    """
    c, v = np.moveaxis(c, axis, -1), np.moveaxis(v, axis, -1)
    n = c.shape[-1]
    sums = [np.sum(c[..., k:] * np.conj(v[..., : n - k])) for k in range(min(len(like), n))]
    return cast(np.array(sums + [0] * (len(like) - len(sums))), like)


# Maps along one axis whose transpose has no name: from the answers to unit impulses

CALLS: dict[str, Callable[..., Value]] = {
    "detrend": lambda x, axis, *p: signal.detrend(x, axis, *p),
    "savgol_filter": lambda x, axis, n, k, deriv, delta, mode: signal.savgol_filter(
        x, n, k, deriv, delta, axis, mode
    ),
    "resample": lambda x, axis, num, window: signal.resample(x, num, axis=axis, window=window),
    "resample_poly": lambda x, axis, up, down, window, padtype: signal.resample_poly(
        x, up, down, axis, window, padtype
    ),
    "decimate": lambda x, axis, q, n, ftype, zero_phase: signal.decimate(
        x, q, n, ftype, axis, zero_phase
    ),
    "filtfilt": lambda x, axis, b, a, *p: signal.filtfilt(b, a, x, axis, *p),
    "sosfiltfilt": lambda x, axis, sos, *p: signal.sosfiltfilt(sos, x, axis, *p),
    "upfirdn": lambda x, axis, h, up, down: signal.upfirdn(h, x, up, down, axis),
    "stft": lambda x, axis, *p: stft(x, *p),
    "welch": lambda x, axis, *p: spectra(x, *p),
}


def stft(
    x: Value, fs: Any, window: Any, nperseg: Any, noverlap: Any, nfft: Any, detrend: Any,
    onesided: Any, boundary: Any, padded: Any, scaling: Any,
) -> Value:  # fmt: skip
    return signal.stft(
        x, fs, window, nperseg, noverlap, nfft, detrend, onesided, boundary, padded, -1, scaling
    )[2]


def line(x: Value, f: Any, axis: int, params: tuple[Any, ...]) -> Value:
    """The linear map ``f`` of ``scipy.signal`` along ``axis``, its other arguments in this order."""
    return CALLS[f.__name__](x, axis, *params)


def line_pull(c: Value, like: Value, f: Any, axis: int, params: tuple[Any, ...]) -> Value:
    """The transpose of `line`: the products of ``c`` with the answers to unit impulses.

    >>> line_pull(np.array([1.0, 0.0]), np.zeros(2), signal.detrend, -1, ("constant", 0))
    array([ 0.5, -0.5])
    """
    n = np.shape(like)[axis]
    answers = CALLS[f.__name__](np.eye(n, dtype=np.result_type(like).char), -1, *params)
    more = answers.ndim - 1
    if more == 1:
        c = np.moveaxis(c, axis, -1)
    pulled = np.tensordot(c, np.conj(answers), (range(-more, 0), range(1, answers.ndim)))
    return cast(np.moveaxis(pulled, -1, axis), like)


def spectra(
    x: Value, fs: Any, window: Any, nperseg: Any, noverlap: Any, nfft: Any, detrend: Any,
    onesided: Any, scaling: str,
) -> Value:  # fmt: skip
    """The spectra of the segments whose squares ``signal.welch`` averages."""
    scaling = {"density": "psd", "spectrum": "spectrum"}[scaling]
    return stft(x, fs, window, nperseg, noverlap, nfft, detrend, onesided, None, False, scaling)


def sides(power: Value, nfft: Any, nperseg: Any, onesided: bool, x: Value) -> Value:
    """How often each frequency counts: twice, where its negative one is not listed."""
    count = np.shape(power)[-1]
    n = nfft or min(nperseg or 256, np.shape(x)[-1])
    w = np.ones(count, np.result_type(power))
    if onesided and np.isrealobj(x):
        w[1 : None if n % 2 else -1] = 2
    return w
