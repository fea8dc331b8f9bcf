"""Arrays of numbers that follow from their places."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...loop_ir.ir import Lit, Op, affine, integer, minus, plus
from ...loop_ir.scalar_operations import cast
from ...loop_ir.values import Scalar, View
from ...refusal import Unsupported
from ..handlers import reads
from ..options import dtype_option, none
from ..reader import Reader

__all__ = ["linspace"]


@reads(np.arange)
def arange(r: Reader, *args: Any) -> View:
    if any(isinstance(a, Scalar) and a.dtype == "f8" for a in args):
        return float_range(r, *map(r.literal, args))
    values = [r.integer(a) for a in args]
    lo, hi = (integer(0), values[0]) if len(values) == 1 else (values[0], values[1])
    if len(values) > 2:
        raise Unsupported("np.arange with a step")
    n = minus(hi, lo)
    r.bail(Op("less", (n, integer(0)), "b1"))
    return View((r.norm(n),), "i8", lambda index: plus(lo, index[0]))


def float_range(r: Reader, *bounds: float) -> View:
    """``np.arange`` of floats that are known."""
    if len(bounds) > 3 or (len(bounds) == 3 and bounds[2] == 0):
        raise Unsupported("such an np.arange")
    lo, step = (bounds[0] if len(bounds) > 1 else 0.0), (bounds[2] if len(bounds) > 2 else 1.0)
    n, second = len(np.arange(*bounds)), float(lo + step)
    gap = Lit(second - float(lo), "f8")  # as NumPy fills it

    def at(index: tuple[Any, ...]) -> Any:
        there = Op("multiply", (cast(index[0], "f8"), gap), "f8")
        return Op("add", (Lit(float(lo), "f8"), there), "f8")

    return View((integer(n),), "f8", at)


@reads(np.linspace)
def linspace(r: Reader, start: Any, stop: Any, num: Any = None, endpoint: Any = None) -> View:
    """Numbers at equal distances, the last one as it is given."""
    first, last = (r.named(cast(r.number(v).expr, "f8")) for v in (start, stop))
    n = integer(50) if num is None else r.norm(r.integer(num))
    ends = endpoint is None or bool(r.literal(endpoint))
    r.bail(Op("less", (affine(n), integer(2)), "b1"))
    gaps = cast(affine(minus(n, 1) if ends else n), "f8")
    step = r.named(Op("divide", (Op("subtract", (last, first), "f8"), gaps), "f8"))

    def at(index: tuple[Any, ...]) -> Any:
        there = Op("add", (Op("multiply", (cast(index[0], "f8"), step), "f8"), first), "f8")
        if not ends:
            return there
        return Op("where", (Op("equal", (index[0], minus(n, 1)), "b1"), last, there), "f8")

    return View((n,), "f8", at)


@reads(np.fft.fftfreq)
def fftfreq(r: Reader, n: Any, d: Any = None) -> View:
    """The frequencies of a transform: those that are negative come last."""
    size, unit = frequencies(r, n, d)
    half = r.named(affine(Op("floor_divide", (plus(size, 1), integer(2)), "i8")), "half")

    def at(index: tuple[Any, ...]) -> Any:
        k = affine(index[0])
        place = Op("where", (Op("less", (k, affine(half)), "b1"), k, minus(k, size)), "i8")
        return Op("multiply", (cast(affine(place), "f8"), unit), "f8")

    return View((size,), "f8", at)


@reads(np.fft.rfftfreq)
def rfftfreq(r: Reader, n: Any, d: Any = None) -> View:
    """The frequencies of a transform of real numbers."""
    size, unit = frequencies(r, n, d)
    half = r.named(affine(Op("floor_divide", (size, integer(2)), "i8")), "half")

    def at(index: tuple[Any, ...]) -> Any:
        return Op("multiply", (cast(affine(index[0]), "f8"), unit), "f8")

    return View((r.norm(plus(half, 1)),), "f8", at)


def frequencies(r: Reader, n: Any, d: Any) -> tuple[Any, Any]:
    """The length of a transform, and the first of its frequencies."""
    size = r.norm(r.integer(n))
    r.bail(Op("less", (affine(size), integer(1)), "b1"))
    whole = cast(affine(size), "f8")
    if none(d) is not None:
        whole = Op("multiply", (whole, cast(r.number(d).expr, "f8")), "f8")
    whole = r.named(whole)
    r.bail(Op("equal", (whole, Lit(0.0, "f8")), "b1"))
    return size, r.named(Op("divide", (Lit(1.0, "f8"), whole), "f8"))


@reads(np.eye)
def eye(r: Reader, N: Any, M: Any = None, k: Any = None, dtype: Any = None) -> View:
    """Ones on a diagonal."""
    rows = r.integer(N)
    columns = rows if none(M) is None else r.integer(M)
    above = integer(0) if k is None else r.integer(k)
    code = dtype_option(r, dtype)
    one, zero = (cast(Lit(x, "f8"), code) for x in (1.0, 0.0))
    dims = (r.norm(rows), r.norm(columns))

    def at(i: tuple[Any, ...]) -> Any:
        return Op("where", (Op("equal", (plus(i[0], above), affine(i[1])), "b1"), one, zero), code)

    return View(dims, code, at)


@reads(np.identity)
def identity(r: Reader, n: Any, dtype: Any = None) -> View:
    return eye(r, n, dtype=dtype)
