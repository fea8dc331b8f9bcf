"""Functions of ``scipy.special`` that the inline math has, too, and those that C has."""

from __future__ import annotations

import sys
from typing import Any

from ...loop_ir.ir import Lit, Op
from ...loop_ir.scalar_operations import cast
from ...loop_ir.values import all_weak
from ...refusal import Unsupported
from ..handlers import reads_helper, reads_scipy
from ..reader import Reader
from .elementwise import mapped

__all__ = ["SPECIAL", "is_scipy", "special"]


OF_C = {"gamma": "gamma", "gammaln": "gammaln", "psi": "digamma"}  # names of operations
SPECIAL = ("erf", "erfc", "expit", "ndtr", *OF_C)


def is_scipy(fn: Any) -> bool:
    special_functions = sys.modules.get("scipy.special")
    return getattr(special_functions, fn.__name__, None) is fn


def special(r: Reader, name: str, args: list[Any], weak: bool = False) -> Any:
    """A function of ``scipy.special`` that the inline math has, or C; ``weak``: it gives a number of Python's."""
    if name in OF_C and not r.complex:
        raise Unsupported(f"special.{name}")
    (x,) = (r.array(a) for a in args)
    dtype = "f4" if x.dtype == "f4" else "f8"

    def point(e: Any) -> Any:
        e = cast(e, dtype)
        if name == "expit":
            return Op("sigmoid", (e,), dtype)
        if name == "ndtr":
            scaled = Op("multiply", (e, Lit(-(0.5**0.5), dtype)), dtype)
            return Op("multiply", (Lit(0.5, dtype), Op("erfc", (scaled,), dtype)), dtype)
        return Op(OF_C.get(name, name), (e,), dtype)

    return mapped(r, point, dtype, (x,), weak)


@reads_scipy("scipy.special", "polygamma")
def polygamma(r: Reader, n: Any, x: Any, weak: bool = False) -> Any:
    """The derivatives of the logarithm of gamma: the first two."""
    order = r.literal(n)
    if order not in (0, 1):
        raise Unsupported("special.polygamma of this order")
    if order == 0:
        return special(r, "psi", [x], weak)
    if not r.complex:
        raise Unsupported("special.polygamma")
    value = r.array(x)
    return mapped(r, lambda e: Op("trigamma", (cast(e, "f8"),), "f8"), "f8", (value,), weak)


@reads_helper("polygamma")
def own_polygamma(r: Reader, n: Any, x: Any) -> Any:
    """The same of ``rt.polygamma``: of a Python number it is one, too."""
    x = r.array(x)
    return polygamma(r, n, x, all_weak(x))
