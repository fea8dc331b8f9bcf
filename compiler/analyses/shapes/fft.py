"""Types of Fourier transforms: complex results, and the lengths of axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from ...ir.types import Array, Dim, Number, Size, Type
from .shaping import as_array, dims_of, known_axis, like_second, replace, sizes
from .table import UNKNOWN, shape

__all__: list[str] = []

Dims = tuple[Size, ...] | None
SINGLE = ("float16", "float32", "complex64")


def transformed(a: Any, dims: Dims, kind: str) -> Array:
    """The type of a transform of ``a`` to these dims: complex, or real (``kind``), of its precision."""
    array = as_array(a)
    if array is None or array.dtype is None or array.dtype in ("longdouble", "clongdouble"):
        return Array(None, dims, kind)
    single = array.dtype in SINGLE
    dtype = {"c": ("complex128", "complex64"), "f": ("float64", "float32")}[kind][single]
    return Array(dtype, dims, kind)


def resized(dims: Dims, n: Any, axis: Any, size: Any) -> Dims:
    """The dims with ``size(length of the transform)`` along ``axis``."""
    at = None if dims is None else known_axis(axis, len(dims))
    if dims is None or at is None:
        return None
    given = (
        dims[at]
        if n is None
        else n
        if isinstance(n, int)
        else n.size
        if isinstance(n, Number)
        else None
    )
    return replace(dims, at, size(given, n is None))


def same(n: Size, own: bool) -> Size:
    return n


def half(n: Size, own: bool) -> Size:
    if isinstance(n, Dim):
        return Dim(f"{n.name}//2+1", n.above_one)
    return n // 2 + 1 if isinstance(n, int) else None


def whole(n: Size, own: bool) -> Size:
    """The length of reals with a half spectrum of ``n``, if that is its own; else what was said."""
    if not own:
        return n
    if isinstance(n, Dim):
        return Dim(f"2*({n.name}-1)", n.above_one)
    return 2 * (n - 1) if isinstance(n, int) else None


def several(dims: Dims, s: Any, axes: Any, size: Any) -> Dims:
    """The dims of a transform along several axes, the last one to ``size``."""
    if dims is None or UNKNOWN in (s, axes) or not isinstance(s, (tuple, list, type(None))):
        return None
    if axes is None:
        axes = range(-len(dims if s is None else s), 0)
    for k, (axis, n) in enumerate(zip(axes, s or [None] * len(axes), strict=True)):
        own = None if dims is None else known_axis(axis, len(dims))
        if dims is None or own is None:
            return None
        if n == -1:
            here = dims[own]
            n = here if isinstance(here, int) else Number("i", size=here)
        dims = resized(dims, n, axis, size if k == len(axes) - 1 else same)
    return dims


@shape(np.fft.fft, np.fft.ifft)
def _(a: Type, n: Any = None, axis: Any = -1, norm: Any = None) -> Type:
    return transformed(a, resized(dims_of(a), n, axis, same), "c")


@shape(np.fft.rfft, np.fft.ihfft)
def _(a: Type, n: Any = None, axis: Any = -1, norm: Any = None) -> Type:
    return transformed(a, resized(dims_of(a), n, axis, half), "c")


@shape(np.fft.irfft, np.fft.hfft)
def _(a: Type, n: Any = None, axis: Any = -1, norm: Any = None) -> Type:
    return transformed(a, resized(dims_of(a), n, axis, whole), "f")


@shape(np.fft.fft2, np.fft.ifft2)
def _(a: Type, s: Any = None, axes: Any = (-2, -1), norm: Any = None) -> Type:
    return transformed(a, several(dims_of(a), s, axes, same), "c")


@shape(np.fft.fftn, np.fft.ifftn)
def _(a: Type, s: Any = None, axes: Any = None, norm: Any = None) -> Type:
    return transformed(a, several(dims_of(a), s, axes, same), "c")


@shape(np.fft.rfft2)
def _(a: Type, s: Any = None, axes: Any = (-2, -1), norm: Any = None) -> Type:
    return transformed(a, several(dims_of(a), s, axes, half), "c")


@shape(np.fft.rfftn)
def _(a: Type, s: Any = None, axes: Any = None, norm: Any = None) -> Type:
    return transformed(a, several(dims_of(a), s, axes, half), "c")


@shape(np.fft.irfft2)
def _(a: Type, s: Any = None, axes: Any = (-2, -1), norm: Any = None) -> Type:
    return transformed(a, several(dims_of(a), s, axes, whole), "f")


@shape(np.fft.irfftn)
def _(a: Type, s: Any = None, axes: Any = None, norm: Any = None) -> Type:
    return transformed(a, several(dims_of(a), s, axes, whole), "f")


@shape(np.fft.fftshift, np.fft.ifftshift)
def _(x: Type, axes: Any = None) -> Type:
    return as_array(x)


@shape(np.fft.fftfreq)
def _(n: Any, d: Any = 1.0) -> Type:
    return frequencies(d, sizes(n))


@shape(np.fft.rfftfreq)
def _(n: Any, d: Any = 1.0) -> Type:
    known = sizes(n)
    return frequencies(d, None if known is None else (half(known[0], True),))


def frequencies(d: Any, dims: Dims) -> Array:
    """Floats in double precision, where the spacing is a number."""
    plain = type(d) in (int, float) or (isinstance(d, Number) and d.kind in ("i", "f"))
    return Array("float64" if plain else None, dims, "f")


shape(linear.fit)(like_second)


@shape(linear.doubled, linear.halved)
def _(c: Type, n: Any, axis: Any = -1) -> Type:
    return as_array(c)


@shape(linear.length)
def _(like: Type, n: Any = None, axis: Any = -1) -> Type:
    return Number("i")
