"""Triangular systems, where loops are printed for people: elsewhere the helper's own text is read."""

from __future__ import annotations

from typing import Any

from ...loop_ir.ir import Routine, integer
from ...loop_ir.values import Scalar, View
from ...refusal import Unsupported
from ..handlers import reads_routine
from ..reader import Reader
from .products import in_rows, start_of


@reads_routine("solve_lower")
def solve_lower(r: Reader, low: Any, b: Any, adjoint: Any = None) -> View:
    """``rt.solve_lower``: by a routine."""
    low, b = r.array(low), r.array(b)
    if isinstance(low, Scalar) or isinstance(b, Scalar) or len(low.dims) != 2 or len(b.dims) > 2:
        raise Unsupported("such a triangular system")
    if low.dtype != b.dtype or low.dtype[0] != "f":
        raise Unsupported("a triangular system of these dtypes")
    rows, turned = in_rows(r, r.materialised(low))
    if turned:
        rows = r.copied(low)
    n = r.same(r.same(low.dims[0], low.dims[1]), b.dims[0])
    m = b.dims[1] if len(b.dims) == 2 else integer(1)
    x = r.copied(b, "x")
    name = "lower_solve_t" if adjoint is not None and r.literal(adjoint) else "lower_solve"
    assert x.buffer is not None
    r.emit(Routine(name, (r.norm(n), r.norm(m)), (start_of(rows), start_of(x)), x.buffer, True))
    return x
