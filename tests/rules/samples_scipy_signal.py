"""Calls of the functions of ``scipy.signal``."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from retrograd.runtime.helpers.scipy import signal as rt

from .sample import A, Sample
from .samples_algebra import on

__all__ = ["NOT_HOLOMORPHIC", "SAMPLES"]


def minimal(x: Any) -> Any:
    """The coefficients of a stable recurrence."""
    return x / 8 + 2 * (np.arange(len(x)) == 0).astype(x.dtype)


V, W, M, K = A((5,)), A((3,)), A((4, 5)), A((2, 3))
MODES = ("full", "same", "valid")
LONG = A((24,))
SOS = np.array([[0.2, 0.3, 0.1, 1.0, -0.4, 0.2], [1.0, 0.5, 0.0, 1.0, 0.1, 0.0]])
PAIRS = [on(x, y, m) for m in MODES for x, y in ((V, W), (W, V), (M, K), (A((4,)), A((4,))))]
PLANE = [on(x, y, m) for m in MODES for x, y in ((M, K), (M, A((3, 2))), (K, M))]
BOUNDED = [on(M, k, m, b) for m in MODES for b in ("wrap", "symm") for k in (K, A((3, 2)))]
NOT_HOLOMORPHIC = {
    signal.correlate,
    signal.correlate2d,
    signal.fftconvolve,
    signal.oaconvolve,
    signal.resample,
}
SAMPLES: dict[Any, list[Sample]] = {
    signal.convolve: PAIRS,
    signal.fftconvolve: PAIRS,
    signal.oaconvolve: PAIRS,
    signal.correlate: PAIRS,
    signal.convolve2d: PLANE + BOUNDED,
    signal.correlate2d: [s for s in PLANE + BOUNDED if s.args[0] is not K or s.args[2] != "valid"]
    + [Sample((K, M, "valid"))],
    rt.convolution: [on(M, K, "full", True, "fill"), on(K, M, "same", False, "wrap")],
    rt.convolution_pull: [
        on(A((7,)), W, V, "full", True),
        on(V, V, W, "same", False),
        on(M, K, M, "same", True, "symm"),
        on(A((5, 7)), M, K, "full", False, "wrap"),
    ],
    signal.lfilter: [
        on(W, A((3,), minimal), V),
        on(A((1,)), A((3,), minimal), V),
        on(W, A((2,), minimal), M, 0),
        on(A((7,)), A((2,), minimal), V),
    ],
    rt.lag_sums: [on(V, V, W, -1), on(M, M, W, 0)],
    signal.sosfilt: [Sample((SOS, V)), Sample((SOS, M, 0))],
    signal.hilbert: [Sample((V,)), Sample((A((6,)),)), Sample((M, 7, 0)), Sample((M, 3))],
    signal.detrend: [on(V), on(M, 0), on(V, type="constant"), on(LONG, bp=[8, 16])],
    signal.savgol_filter: [
        Sample((V, 3, 1)),
        Sample((LONG, 5, 2, 1, 0.5)),
        Sample((M, 3, 1), {"axis": 0, "mode": "mirror"}),
    ],
    signal.resample: [on(V, 8), on(V, 4), on(M, 3, axis=1)],
    signal.resample_poly: [on(LONG, 2, 3), on(M, 3, 1, axis=1)],
    signal.decimate: [Sample((A((60,)), 2)), Sample((A((60,)), 3), {"ftype": "fir"})],
    signal.filtfilt: [Sample(([0.5, 0.5], [1.0, -0.2], LONG))],
    signal.sosfiltfilt: [Sample((SOS, LONG))],
    signal.upfirdn: [on([1.0, 2.0, 1.0], V, 2, 1)],
    rt.line: [on(V, signal.detrend, -1, ("linear", 0)), on(M, signal.resample, 0, (7, None))],
    rt.line_pull: [
        on(V, V, signal.detrend, -1, ("linear", 0)),
        on(A((7, 5)), M, signal.resample, 0, (7, None)),
    ],
    signal.stft: [
        Sample((LONG,), {"nperseg": 8}),
        Sample((A((2, 24)),), {"nperseg": 6, "noverlap": 2}),
    ],
    signal.welch: [
        Sample((LONG,), {"nperseg": 8}),
        Sample((A((2, 24)), 2.0, "boxcar", 5), {"scaling": "spectrum"}),
        Sample((LONG,), {"nperseg": 8, "nfft": 9, "return_onesided": False, "detrend": False}),
    ],
    rt.spectra: [Sample((LONG, 1.0, "hann", 8, None, None, "constant", True, "density"))],
}
