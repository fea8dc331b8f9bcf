"""Norms of vectors, and Frobenius' of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...loop_ir.ir import Op
from ...loop_ir.values import Scalar, scalar
from ...refusal import Unsupported
from ..handlers import reads
from ..options import axes_of, none
from ..reader import Reader
from .elementwise import elementwise, mapped
from .reductions import extreme, total


@reads(np.linalg.norm)
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
    if rank == 1 and isinstance(kind, (int, float)) and kind != 2 and 1 < kind < np.inf:
        sums = total(r, elementwise(r, np.power, size, scalar(kind)), axis, keepdims=keepdims)
        return elementwise(r, np.power, sums, scalar(1.0 / kind))
    if kind is not None and (rank, kind) not in ((1, 2), (2, "fro")):
        raise Unsupported("a norm of this order")
    return elementwise(
        r, np.sqrt, total(r, elementwise(r, np.multiply, x, x), axis, keepdims=keepdims)
    )
