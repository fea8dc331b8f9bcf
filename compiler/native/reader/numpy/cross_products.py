"""Cross products of vectors of length three, along any axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...loop_ir.ir import Op, Store, integer
from ...loop_ir.scalar_operations import cast
from ...loop_ir.values import Scalar, View, common, plain_view, scalar
from ...refusal import Unsupported
from ..handlers import reads, reads_helper
from ..options import none
from ..reader import Reader
from .shaping import moveaxis


@reads(np.cross)
@reads_helper("cross")
def cross(
    r: Reader,
    a: Any,
    b: Any,
    axisa: Any = None,
    axisb: Any = None,
    axisc: Any = None,
    axis: Any = None,
) -> View:
    """``np.cross``; vectors of two are left to NumPy."""
    if none(axis) is not None:
        axisa = axisb = axisc = axis
    a, b = vectors(r, a, axisa), vectors(r, b, axisb)
    dtype, lead = common(a, b), r.broadcast([a.dims[:-1], b.dims[:-1]])
    if dtype[0] != "f":
        raise Unsupported("np.cross of integers")
    rank = len(lead) + 1
    place = -1 if none(axisc) is None else r.literal(axisc)
    if not -rank <= place < rank:
        raise Unsupported("np.cross along an axis that is not there")
    at = place % rank
    made = r.buffer((*lead[:at], integer(3), *lead[at:]), dtype, "cross")
    left, right = (r.spread(v, (*lead, integer(3))) for v in (a, b))

    def product(index: tuple[Any, ...], i: int, j: int) -> Op:
        factors = left((*index, integer(i))), right((*index, integer(j)))
        return Op("multiply", tuple(cast(f, dtype) for f in factors), dtype)

    def entries(index: tuple[Any, ...]) -> list[Any]:
        found = []
        for k, (i, j) in enumerate([(1, 2), (2, 0), (0, 1)]):
            value = Op("subtract", (product(index, i, j), product(index, j, i)), dtype)
            found.append(Store(made, (*index[:at], integer(k), *index[at:]), value))
        return found

    r.nest(lead, entries)
    return plain_view(made)


def vectors(r: Reader, x: Any, axis: Any) -> View:
    """The vectors of an array, along its last axis."""
    x = r.array(x)
    if isinstance(x, Scalar) or not x.dims:
        raise Unsupported("np.cross of a number")
    x = x if x.cheap else r.materialised(x)
    if none(axis) is not None and r.literal(axis) % len(x.dims) != len(x.dims) - 1:
        x = moveaxis(r, x, axis, scalar(-1))
    r.same(x.dims[-1], integer(3))
    return x  # type: ignore[no-any-return]
