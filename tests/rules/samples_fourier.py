"""Calls of Fourier transforms, for the rule tests: even and odd lengths, cut, padded, along any axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from .sample import A, Sample

__all__ = ["SAMPLES"]


def real(*args: Any, **kwargs: Any) -> Sample:
    return Sample(args, kwargs)


def on(*args: Any, **kwargs: Any) -> Sample:
    return Sample(args, kwargs, complex=True)


V, W, M, T = A((4,)), A((5,)), A((3, 4)), A((2, 3, 4))
ONE = [
    (V,),
    (W,),
    (M, 5, 0, "ortho"),
    (M, 2),
    (A((1,)),),
    (T,),
]
NAMED = [
    (M, {"axis": 0, "norm": "forward"}),
    (T, {"n": 6, "axis": 1}),
    (V, {"n": 3, "norm": "backward"}),
    (T, {"n": 2, "axis": -3, "norm": "ortho"}),
]
SEVERAL: list[tuple[Any, dict[str, Any]]] = [
    (M, {}),
    (T, {}),
    (T, {"axes": (0, 2), "norm": "ortho"}),
    (T, {"s": (5, 3), "axes": (-1, 0), "norm": "forward"}),
    (T, {"s": (2, -1), "axes": (1, 2)}),
    (A((3, 5)), {"axes": (1, 0)}),
]
ALONG_ONE = [np.fft.fft, np.fft.ifft]
HALF_OF_ONE = [np.fft.rfft, np.fft.ihfft]
REAL_OF_ONE = [np.fft.irfft, np.fft.hfft]

SAMPLES: dict[Any, list[Sample]] = {}
for operation in (*ALONG_ONE, *HALF_OF_ONE, *REAL_OF_ONE):
    make = real if operation in HALF_OF_ONE else on
    long = [args for args in ONE if operation not in REAL_OF_ONE or args != (A((1,)),)]
    SAMPLES[operation] = [make(*args) for args in long]
    SAMPLES[operation] += [make(x, **kwargs) for x, kwargs in NAMED]
for operation in (np.fft.fft2, np.fft.ifft2, np.fft.rfft2, np.fft.irfft2):
    make = real if operation is np.fft.rfft2 else on
    SAMPLES[operation] = [make(x, **kwargs) for x, kwargs in SEVERAL]
for operation in (np.fft.fftn, np.fft.ifftn, np.fft.rfftn, np.fft.irfftn):
    make = real if operation is np.fft.rfftn else on
    SAMPLES[operation] = [make(x, **kwargs) for x, kwargs in [(V, {}), *SEVERAL]]
for operation in (np.fft.fft2, np.fft.fftn, np.fft.ifftn):
    SAMPLES[operation].append(on(M, axes=(1, 1)))
for operation in (np.fft.fftshift, np.fft.ifftshift):
    SAMPLES[operation] = [on(V), on(W), on(T), on(T, 1), on(T, axes=(0, -1))]
for operation in (np.fft.fftfreq, np.fft.rfftfreq):
    SAMPLES[operation] = [Sample((n, A((), scalar=True)), low=0.5, high=2.0) for n in (1, 4, 5)]
SAMPLES |= {
    linear.fit: [on(V, W), on(M, A((2, 5))), on(M, M)],
    linear.doubled: [on(A((3,)), 4), on(A((3, 2)), 5, 0), on(A((1,)), 1)],
    linear.halved: [on(A((3,)), 4), on(A((3, 2)), 5, 0), on(A((2,)), 2)],
}
