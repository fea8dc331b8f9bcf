"""Norms of vectors, and Frobenius' of matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...loop_ir.ir import Lit, Op
from ..runtime_calls import divide_or_zero
from ..values import Scalar, Unsupported, View
from .elementwise import elementwise, mapped
from .reductions import axes_of, extreme, none, total, unreduce

if TYPE_CHECKING:
    from ..reader import Reader

__all__ = ["norm", "norm_weight"]


def norm(r: Reader, x: Any, ord: Any = None, axis: Any = None, keepdims: Any = None) -> Any:
    """``np.linalg.norm`` of vectors; of matrices the Frobenius norm."""
    x = r.array(x)
    if isinstance(x, Scalar) or x.dtype[0] != "f":
        raise Unsupported("a norm of this")
    kind = None if none(ord) is None else r.literal(ord)
    rank = len(x.dims) if none(axis) is None else len(axes_of(r, x, axis))
    size = mapped(r, lambda e: Op("absolute", (e,), x.dtype), x.dtype, (x,))
    if rank == 1 and kind == 1:
        return total(r, size, axis, keepdims=keepdims)
    if rank == 1 and kind == np.inf:
        return extreme(np.maximum, r, size, axis, None, keepdims)
    if kind is not None and (rank, kind) not in ((1, 2), (2, "fro")):
        raise Unsupported("a norm of this order")
    return elementwise(
        r, np.sqrt, total(r, elementwise(r, np.multiply, x, x), axis, keepdims=keepdims)
    )


def norm_weight(
    r: Reader, length: Any, x: Any, ord: Any = None, axis: Any = None, keepdims: Any = None,
    vector: Any = None,
) -> Any:  # fmt: skip
    """``rt.norm_weight`` of a Euclidean norm: the slope is ``x`` times this."""
    x = r.array(x)
    kind = None if none(ord) is None else r.literal(ord)
    rank = len(x.dims) if none(axis) is None else len(axes_of(r, x, axis))
    if kind is not None and (rank, kind) not in ((1, 2), (2, "fro")):
        raise Unsupported("rt.norm_weight of this order")
    top = unreduce(r, length, x, axis=axis, keepdims=keepdims)
    one = Lit(1.0, x.dtype)
    return divide_or_zero(r, View(x.dims, x.dtype, lambda _: one, cheap=True), top)
