"""Calls of the functions of ``scipy.fft`` and ``scipy.fftpack``."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import fft, fftpack

from retrograd.runtime.helpers.scipy import fft as rt

from .sample import A, Sample
from .samples_algebra import on
from .samples_fourier import SAMPLES as FOURIER

__all__ = ["NOT_HOLOMORPHIC", "SAMPLES"]


def is_simple(sample: Sample) -> bool:
    """SciPy refuses an axis that is given twice."""
    axes = sample.kwargs.get("axes") or ()
    return len({a % 3 for a in axes}) == len(axes)


V, M = A((5,)), A((3, 4))
SAMPLES: dict[Any, list[Sample]] = {
    getattr(fft, name): [s for s in FOURIER[getattr(np.fft, name)] if is_simple(s)]
    for name in np.fft.__all__
    if getattr(np.fft, name) in FOURIER
}
for one in (fft.dct, fft.idct, fft.dst, fft.idst):
    SAMPLES[one] = [
        *[on(V, k, norm=norm) for k in (1, 2, 3, 4) for norm in (None, "forward", "ortho")],
        *[on(M, k, n, 0) for k in (1, 2, 3, 4) for n in (2, 4)],
        on(V, 2, norm="ortho", orthogonalize=False),
        on(V, 3, orthogonalize=True),
        on(A((1,)), 2),
    ]
for many in (fft.dctn, fft.idctn, fft.dstn, fft.idstn):
    SAMPLES[many] = [on(M), on(M, 3, (2, 5)), on(M, 1, axes=(0,)), on(A((2, 3, 4)), norm="ortho")]
SAMPLES |= {
    rt.cosine: [on(V, fft.dct, 2, None, -1, None, None)],
    rt.cosine_pull: [
        on(V, V, fft.dct, 1, None, -1, None, None),
        on(M, M, fft.dstn, 3, None, (1,), None, None),
    ],
    fft.hfft2: [on(M), on(M, (3, 5), norm="ortho")],
    fft.hfftn: [on(M), on(A((2, 3, 4)), (3, 4), (1, 2))],
    fft.ihfft2: [Sample((M,)), Sample((M, (3, 5)), {"norm": "forward"})],
    fft.ihfftn: [Sample((M,)), Sample((A((2, 3, 4)), (3, 4), (1, 2)))],
}
for one in (fftpack.fft, fftpack.ifft):
    SAMPLES[one] = [on(V), on(M, 3, 0), on(V, 7)]
for pair in (fftpack.fft2, fftpack.ifft2, fftpack.fftn, fftpack.ifftn):
    SAMPLES[pair] = [on(M), on(M, (2, 5)), on(A((2, 3, 4)), axes=(0, 1))]
for one in (fftpack.dct, fftpack.idct, fftpack.dst, fftpack.idst):
    SAMPLES[one] = [on(V, k, norm=norm) for k in (1, 2, 3, 4) for norm in (None, "ortho")]
    SAMPLES[one] += [on(M, 2, 4, 0)]
NOT_HOLOMORPHIC = {op for op in SAMPLES if getattr(op, "__module__", "").startswith("scipy")}
