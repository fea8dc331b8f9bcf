"""``np.round``, of floats to so many decimals, as NumPy computes it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...loop_ir.ir import Lit, Op
from ...loop_ir.values import Scalar
from ...refusal import Unsupported
from ..handlers import reads, reads_method
from ..options import none, plain
from ..reader import Reader
from .elementwise import mapped

__all__: list[str] = []


@reads(np.round)
@reads(np.around)
@reads_method("round")
def rounded(r: Reader, a: Any, decimals: Any = None, out: Any = None) -> Any:
    """A multiple, of which the fraction goes, and back."""
    plain(r, out)
    a = r.array(a)
    digits = 0 if none(decimals) is None else r.literal(decimals)
    if a.dtype[0] == "i" and digits >= 0:
        return a
    if a.dtype[0] != "f" or (isinstance(a, Scalar) and a.mixed):
        raise Unsupported("np.round of this")
    dtype = "f8" if isinstance(a, Scalar) and a.weak else a.dtype
    factor = Lit(10.0 ** abs(digits), dtype)
    there, back = ("multiply", "divide") if digits >= 0 else ("divide", "multiply")

    def point(x: Any) -> Any:
        if digits == 0:
            return Op("rint", (x,), dtype)
        whole = Op("rint", (Op(there, (x, factor), dtype),), dtype)
        return Op(back, (whole, factor), dtype)

    return mapped(r, point, dtype, (a,))
