"""Functions of ``scipy.special`` that the inline math has, too."""

from __future__ import annotations

import sys
from typing import Any

from ...loop_ir.ir import Lit, Op
from ...loop_ir.scalar_operations import cast
from ..reader import Reader
from .elementwise import mapped

__all__ = ["SPECIAL", "is_scipy", "special"]


SPECIAL = ("erf", "erfc", "expit", "ndtr")


def is_scipy(fn: Any) -> bool:
    special_functions = sys.modules.get("scipy.special")
    return getattr(special_functions, fn.__name__, None) is fn


def special(r: Reader, name: str, args: list[Any]) -> Any:
    """A function of ``scipy.special`` that the inline math has, too."""
    (x,) = (r.array(a) for a in args)
    dtype = "f4" if x.dtype == "f4" else "f8"

    def point(e: Any) -> Any:
        e = cast(e, dtype)
        if name == "expit":
            return Op("sigmoid", (e,), dtype)
        if name == "ndtr":
            scaled = Op("multiply", (e, Lit(-(0.5**0.5), dtype)), dtype)
            return Op("multiply", (Lit(0.5, dtype), Op("erfc", (scaled,), dtype)), dtype)
        return Op(name, (e,), dtype)

    return mapped(r, point, dtype, (x,))
