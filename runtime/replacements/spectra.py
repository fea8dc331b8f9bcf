"""Spectra of ``scipy.signal``, as programs of those that have rules."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from ..errors import UnsupportedOperation

__all__ = ["periodogram"]


def periodogram(
    x: Any,
    fs: Any = 1.0,
    window: Any = "boxcar",
    nfft: Any = None,
    detrend: Any = "constant",
    return_onesided: Any = True,
    scaling: Any = "density",
) -> Any:
    """The spectrum of all of ``x``: Welch's, of one segment."""
    x = np.asarray(x)
    n = x.shape[-1]
    if nfft is not None and nfft < n:
        raise UnsupportedOperation("signal.periodogram of a part: cut it out first, x[..., :nfft]")
    window = "boxcar" if window is None else window
    return signal.welch(x, fs, window, n, 0, nfft, detrend, return_onesided, scaling)
