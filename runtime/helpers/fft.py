"""The linear helpers of Fourier transforms: lengths, norms, half spectra.

The transpose of a transform is a transform of the other direction.  What is left for helpers is to cut
and to pad, and the weights of a half spectrum, whose inner entries stand for two.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import UnsupportedOperation
from .core import cast

__all__ = ["doubled", "fit", "halved", "length", "lengths", "opposite", "turned"]

Value = Any
OPPOSITE = {None: "forward", "backward": "forward", "forward": None, "ortho": "ortho"}


def opposite(norm: str | None = None) -> str | None:
    """The ``norm`` with which the transform of the other direction is the transpose.

    >>> opposite(), opposite("forward"), opposite("ortho")
    ('forward', None, 'ortho')
    """
    return OPPOSITE[norm]


def fit(c: Value, like: Value) -> Value:
    """``c`` cut, or continued by zeros, to the shape of ``like``; its real part where that is real.

    >>> fit(np.array([1 + 2j, 3.0]), np.zeros(3))
    array([1., 3., 0.])
    """
    c, shape = np.asarray(c), np.shape(like)
    if c.shape != shape:
        shared = tuple(slice(min(m, n)) for m, n in zip(c.shape, shape, strict=True))
        out = np.zeros(shape, c.dtype)
        out[shared] = c[shared]
        c = out
    return cast(c, like)


def length(like: Value, n: int | None = None, axis: int = -1) -> int:
    """The length of a transform along ``axis``: ``n``, or all there is.

    >>> length(np.zeros((2, 3)), axis=0), length(np.zeros(3), 5)
    (2, 5)
    """
    return int(np.shape(like)[axis]) if n is None else int(n)


def turned(like: Value, s: Any = None, axes: Any = None) -> tuple[int, ...] | None:
    """The axes of a transform of ``like``, said where lengths are; each of them once.

    >>> turned(np.zeros((2, 3))), turned(np.zeros((2, 3)), (5,)), turned(np.zeros((2, 3)), None, (0,))
    (None, (-1,), (0,))
    """
    if s is None:
        return None if axes is None else tuple(axes)
    given = tuple(range(-len(s), 0)) if axes is None else tuple(axes)
    if len({a % np.ndim(like) for a in given}) < len(given):
        raise UnsupportedOperation(
            "a transform of some length along the same axis twice has no derivative",
            fix="write two transforms",
        )
    return given


def lengths(like: Value, s: Any = None, axes: Any = None) -> tuple[int, ...]:
    """The lengths of a transform of ``like`` along several axes.

    >>> lengths(np.zeros((2, 3))), lengths(np.zeros((2, 3)), (4, -1), (1, 0))
    ((2, 3), (4, 2))
    """
    shape = np.shape(like)
    along = tuple(range(-len(shape if s is None else s), 0)) if axes is None else axes
    given = (-1,) * len(along) if s is None else s
    return tuple(
        int(shape[a] if n is None or n == -1 else n) for a, n in zip(along, given, strict=True)
    )


def weights(c: Value, n: int, axis: int) -> np.ndarray:
    """How many entries of the spectrum of ``n`` reals each entry of its half stands for."""
    w = np.full(np.shape(c)[axis], 2.0, np.real(c).dtype)
    w[0] = 1
    if n % 2 == 0 and n // 2 < len(w):
        w[n // 2] = 1
    shape = [1] * np.ndim(c)
    shape[axis] = len(w)
    return w.reshape(shape)


def doubled(c: Value, n: int, axis: int = -1) -> Value:
    """A half spectrum of ``n`` reals times the number of entries each stands for.

    >>> doubled(np.ones(3), 4), doubled(np.ones(3), 5)
    (array([1., 2., 1.]), array([1., 2., 2.]))
    """
    return c * weights(c, n, axis)


def halved(c: Value, n: int, axis: int = -1) -> Value:
    """A half spectrum of ``n`` reals over the number of entries each stands for.

    >>> halved(np.ones(3), 4)
    array([1. , 0.5, 1. ])
    """
    return c / weights(c, n, axis)
