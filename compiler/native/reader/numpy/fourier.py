"""Fourier transforms of NumPy's, as calls within the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...loop_ir.calls import Fourier
from ...loop_ir.ir import Lit, Op, affine, integer, minus, plus, times
from ...loop_ir.scalar_operations import cast, less_equal, literal
from ...loop_ir.values import Constant, Scalar, View
from ...refusal import Unsupported
from ..handlers import complex_too, reads, reads_helper
from ..options import none
from ..reader import Reader
from ..views import in_memory, view_of
from .complex_numbers import real_part
from .elementwise import in_dtype, mapped
from .shaping import permuted

__all__: list[str] = []

LONGEST = 4096
SCALES = {None: (0, 1), "backward": (0, 1), "forward": (1, 0), "ortho": (0.5, 0.5)}


def transform(r: Reader, x: Any, sign: int, n: Any, axis: Any, norm: Any, out: Any) -> View:
    """Along one axis; ``norm`` says what power of the length it is divided by."""
    x = r.array(x)
    if none(out) is not None or isinstance(x, Scalar) or x.dtype == "f4" or not r.complex:
        raise Unsupported("such a Fourier transform")
    rank = len(x.dims)
    at = r.literal(axis) if axis is not None else -1
    if not isinstance(at, int) or not -rank <= at < rank:
        raise Unsupported("an axis that is not there")
    at %= rank
    size = x.dims[at]
    if none(n) is not None:
        r.same(size, r.integer(n))
    if hard(r.likely(size)):
        raise Unsupported("a Fourier transform of a length that NumPy's is quicker for")
    order = [k for k in range(rank) if k != at] + [at]
    rows = r.copied(in_dtype(r, permuted(r, x, tuple(order)), "c16"), "transform")
    count: Any = integer(1)
    for dim in rows.dims[:-1]:
        count = times(count, dim)
    assert rows.buffer is not None
    rows.buffer.role = "shared"
    r.bail(less_equal(size, 0))
    r.emit(Fourier((affine(count), affine(size)), (rows.buffer,), sign))
    found = permuted(r, rows, tuple(order.index(k) for k in range(rank)))
    return scaled(r, found, size, sign, norm)


def hard(n: int | None) -> bool:
    """True of a long transform, or one whose length has a large factor."""
    if n is None or n < 1:
        return False
    long = n > LONGEST
    for p in (2, 3, 5, 7, 11, 13):
        while n % p == 0:
            n //= p
    return long or n > 1


def scaled(r: Reader, x: View, size: Any, sign: int, norm: Any) -> View:
    name = none(norm)
    power = SCALES[None if name is None else r.literal(name)][sign > 0]
    if not power:
        return x
    length = cast(affine(size), "f8")
    factor = Op("sqrt", (length,), "f8") if power == 0.5 else length
    scale = r.named(Op("divide", (Lit(1.0, "f8"), factor), "f8"), "scale")
    found: View = mapped(
        r, lambda e: Op("multiply", (e, cast(scale, x.dtype)), x.dtype), x.dtype, (x,)
    )
    return found


@reads(np.fft.fft)
@complex_too
def fft(
    r: Reader, a: Any, n: Any = None, axis: Any = None, norm: Any = None, out: Any = None
) -> View:
    return transform(r, a, -1, n, axis, norm, out)


@reads(np.fft.ifft)
@complex_too
def ifft(
    r: Reader, a: Any, n: Any = None, axis: Any = None, norm: Any = None, out: Any = None
) -> View:
    return transform(r, a, 1, n, axis, norm, out)


@reads(np.fft.rfft)
def rfft(
    r: Reader, a: Any, n: Any = None, axis: Any = None, norm: Any = None, out: Any = None
) -> View:
    """The first half of what ``fft`` gives."""
    if not isinstance(r.array(a), View) or r.array(a).dtype != "f8":
        raise Unsupported("np.fft.rfft of this")
    found = r.materialised(transform(r, a, -1, n, axis, norm, out))
    at = (r.literal(axis) if axis is not None else -1) % len(found.dims)
    known = literal(found.dims[at])
    half = (
        integer(known // 2)
        if known is not None
        else r.named(Op("floor_divide", (affine(found.dims[at]), integer(2)), "i8"), "half")
    )
    dims = tuple(plus(half, 1) if k == at else d for k, d in enumerate(found.dims))
    return view_of(found, dims, lambda index: index)


@reads(np.fft.irfft)
@complex_too
def irfft(
    r: Reader, a: Any, n: Any = None, axis: Any = None, norm: Any = None, out: Any = None
) -> View:
    """The numbers whose spectrum has this half."""
    x = r.array(a)
    if isinstance(x, Scalar):
        raise Unsupported("such a Fourier transform")
    x = r.materialised(in_dtype(r, x, "c16"))
    at = (r.literal(axis) if axis is not None else -1) % len(x.dims)
    size = affine(r.integer(n)) if none(n) is not None else times(2, plus(x.dims[at], -1))
    known = literal(size)
    half = (
        integer(known // 2)
        if known is not None
        else affine(r.named(Op("floor_divide", (size, integer(2)), "i8"), "half"))
    )
    r.same(plus(half, 1), x.dims[at])

    def whole(index: tuple[Any, ...]) -> Any:
        k = index[at]
        first = less_equal(k, half)
        place = Op("where", (first, affine(k), affine(minus(size, k))), "i8")
        z = x.at((*index[:at], affine(place), *index[at + 1 :]))
        return Op("where", (first, z, Op("conjugate", (z,), "c16")), "c16")

    dims = tuple(size if k == at else d for k, d in enumerate(x.dims))
    found = transform(r, View(dims, "c16", whole), 1, None, axis, norm, out)
    real: View = real_part(r, found)
    return real


def half_weighted(name: str, r: Reader, c: Any, n: Any, axis: Any) -> Any:
    """A half spectrum of ``n`` reals times, or over, the number of entries that each stands for."""
    c, n = in_memory(r, c), affine(r.integer(n))
    at = (r.literal(axis) if axis is not None else -1) % len(c.dims)
    one, two = Lit(1.0, "f8"), Lit(2.0, "f8")

    def weight(index: tuple[Any, ...]) -> Any:
        k = affine(index[at])
        last = Op("equal", (times(2, k), n), "b1")
        alone = Op("logical_or", (Op("equal", (k, integer(0)), "b1"), last), "b1")
        return cast(Op("where", (alone, one, two), "f8"), c.dtype)

    return View(c.dims, c.dtype, lambda index: Op(name, (c.at(index), weight(index)), c.dtype))


@reads_helper("doubled")
@complex_too
def doubled(r: Reader, c: Any, n: Any, axis: Any = None) -> Any:
    """``rt.doubled``."""
    return half_weighted("multiply", r, c, n, axis)


@reads_helper("halved")
@complex_too
def halved(r: Reader, c: Any, n: Any, axis: Any = None) -> Any:
    """``rt.halved``."""
    return half_weighted("divide", r, c, n, axis)


def over_axes(sign: int, given: Any, r: Reader, a: Any, axes: Any, norm: Any) -> View:
    rank = len(r.array(a).dims)
    wanted = given(rank) if none(axes) is None else r.literal(axes)
    for axis in reversed(wanted):
        a = transform(r, a, sign, None, Scalar(integer(axis)), norm, None)
    return a  # type: ignore[no-any-return]


@reads(np.fft.fft2)
@complex_too
def fft2(r: Reader, a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> View:
    return over_axes(-1, lambda rank: (rank - 2, rank - 1), r, without_sizes(a, s), axes, norm)


@reads(np.fft.ifft2)
@complex_too
def ifft2(r: Reader, a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> View:
    return over_axes(1, lambda rank: (rank - 2, rank - 1), r, without_sizes(a, s), axes, norm)


@reads(np.fft.fftn)
@complex_too
def fftn(r: Reader, a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> View:
    return over_axes(-1, lambda rank: tuple(range(rank)), r, without_sizes(a, s), axes, norm)


@reads(np.fft.ifftn)
@complex_too
def ifftn(r: Reader, a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> View:
    return over_axes(1, lambda rank: tuple(range(rank)), r, without_sizes(a, s), axes, norm)


def without_sizes(a: Any, s: Any) -> Any:
    if none(s) is not None and not (isinstance(s, Constant) and s.value is None):
        raise Unsupported("a Fourier transform of other sizes")
    return a
