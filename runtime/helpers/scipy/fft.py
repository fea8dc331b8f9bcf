"""The helpers of ``scipy.fft``: cosine and sine transforms and what they transpose to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import fft

from ..core import cast
from ..fft import fit

__all__ = ["cosine", "cosine_pull", "unscaled"]

Value = Any
Transform = Callable[..., Value]
BACK = {"idct": fft.dct, "idst": fft.dst, "idctn": fft.dctn, "idstn": fft.dstn}
SINGLE = {"dctn": fft.dct, "dstn": fft.dst}
OTHER = {None: "forward", "backward": "forward", "forward": None, "ortho": "ortho"}


def cosine(x: Value, make: Transform, type: int, n: Any, axis: Any, norm: Any, orth: Any) -> Value:
    """``make(x, type, ...)`` for a cosine or sine transform of ``scipy.fft``."""
    return make(x, type, n, axis, norm, orthogonalize=orth)


def cosine_pull(
    c: Value, like: Value, make: Transform, type: int, n: Any, axis: Any, norm: Any, orth: Any
) -> Value:
    """The transpose of `cosine`.

    >>> cosine_pull(np.array([1.0, 0.0]), np.zeros(2), fft.dct, 2, None, -1, None, None)
    array([2., 2.])
    """
    if make.__name__ in BACK:
        make, type, norm = BACK[make.__name__], {1: 1, 2: 3, 3: 2, 4: 4}[type], OTHER[norm]
    orth = None if np.iscomplexobj(c) else orth  # SciPy ignores it for complex values
    axes: Any = (axis,)
    if make.__name__ in SINGLE:
        make = SINGLE[make.__name__]
        count = np.ndim(like) if n is None else np.size(n)
        axes = range(-count, 0) if axis is None else np.atleast_1d(axis)
    for a in axes:
        c = along(c, make, type, int(a), norm, orth)
    return cast(fit(c, like), like)


def along(c: Value, make: Transform, type: int, axis: int, norm: Any, orth: Any) -> Value:
    """The transpose along one axis: the transform of the other type, with an end counted twice."""
    if norm == "ortho" and orth in (None, True):  # orthogonal
        return make(c, {1: 1, 2: 3, 3: 2, 4: 4}[type], axis=axis, norm=norm)
    if orth or norm == "ortho":
        matrix = make(np.eye(c.shape[axis]), type, axis=0, norm=norm, orthogonalize=orth)
        return np.moveaxis(np.moveaxis(c, axis, -1) @ matrix.astype(c.real.dtype), -1, axis)
    ends = np.ones(c.shape[axis], c.real.dtype)
    if make.__name__ == "dct":
        ends[0] = 2
        if type == 1:
            ends[-1] = 2
    else:
        ends[-1] = 2
    ends = ends.reshape([-1 if k == axis % c.ndim else 1 for k in range(c.ndim)])
    if type == 2:
        return make(c * ends, 3, axis=axis, norm=norm)
    if type == 3:
        return make(c, 2, axis=axis, norm=norm) / ends
    if type == 1 and make.__name__ == "dct":
        return make(c * ends, 1, axis=axis, norm=norm) / ends
    return make(c, type, axis=axis, norm=norm)


def unscaled(norm: Any) -> Any:
    """The norm of an inverse of ``scipy.fftpack``, as ``scipy.fft`` calls it.

    >>> unscaled(None), unscaled("ortho")
    ('forward', 'ortho')
    """
    return "forward" if norm is None else norm
