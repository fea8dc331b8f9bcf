"""Complex numbers: their parts, and what takes them.

What does not say so may mean something else by a complex number (an order, a conjugate), and stays NumPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...loop_ir.ir import Lit, Op, Stmt, exprs_of, integer, subexpressions, walk
from ...loop_ir.operation_traits import scalar_operation
from ...loop_ir.scalar_operations import cast
from ...loop_ir.values import Items, Scalar, View, all_weak, scalar
from ...refusal import Unsupported
from ..growing_lists import flat
from ..handlers import complex_too, reads, reads_method
from ..reader import Reader
from ..values import Rows, Tape
from .elementwise import UFUNCS, elementwise, mapped

__all__ = [
    "check_complex",
    "check_taken",
    "conjugate",
    "has_complex",
    "imaginary_part",
    "is_complex",
    "real_part",
]

C16 = "c16"


def is_complex(value: Any) -> bool:
    return isinstance(value, (Scalar, View)) and value.dtype == C16


def has_complex(value: Any) -> bool:
    """True if there is a complex number somewhere in a value."""
    if isinstance(value, Items):
        return any(map(has_complex, value.values))
    if isinstance(value, (Rows, Tape)):
        item = value.item if isinstance(value, Rows) else value.arena.item
        return item is not None and any(C16 in leaf for leaf in flat(item))
    return is_complex(value)


def check_taken(handler: Any, args: list[Any], kwargs: dict[str, Any], text: str) -> None:
    """Refuse complex numbers among the arguments of a function that is not known to take them."""
    if any(map(has_complex, [*args, *kwargs.values()])):
        ufunc = handler if isinstance(handler, np.ufunc) else None
        named = (
            scalar_operation(UFUNCS.get(ufunc, "")).complex
            if ufunc is not None
            else getattr(handler, "complex_too", False)
        )
        if not named:
            raise Unsupported(f"{text} of complex numbers")


def check_complex(stmts: list[Stmt], taken: bool) -> None:
    """Refuse complex numbers, or operations on them that there are none for."""
    for stmt in walk(stmts):
        for e in (e for top in exprs_of(stmt) for e in subexpressions(top)):
            if C16 not in (e.dtype, *(a.dtype for a in getattr(e, "args", ()))):
                continue
            if not taken:
                raise Unsupported("complex numbers")
            if isinstance(e, Op) and not scalar_operation(e.name).complex:
                raise Unsupported(f"{e.name} of complex numbers")


def part(r: Reader, x: Any, name: str, dtype: str) -> Any:
    x = r.array(x)
    return mapped(r, lambda e: Op(name, (e,), dtype), dtype, (x,), all_weak(x))


def real_part(r: Reader, x: Any) -> Any:
    return part(r, x, "real", "f8") if is_complex(x) else x


def imaginary_part(r: Reader, x: Any) -> Any:
    if is_complex(x):
        return part(r, x, "imag", "f8")
    x = r.array(x)
    zero = Lit(0.0, x.dtype) if x.dtype[0] == "f" else integer(0)
    return mapped(r, lambda e: zero, str(zero.dtype), (x,), all_weak(x))


@reads(complex)
@complex_too
def complex_(r: Reader, *parts: Any) -> Any:
    """``complex``, of one number or of two real ones."""
    numbers = [r.number(p) for p in parts]
    if len(numbers) == 1 and is_complex(numbers[0]):
        return Scalar(numbers[0].expr)
    if not numbers or len(numbers) > 2 or any(map(is_complex, numbers)):
        raise Unsupported("such a complex number")
    both = [cast(n.expr, "f8") for n in numbers] + [Lit(0.0, "f8")] * (2 - len(numbers))
    return Scalar(Op("complex", tuple(both), C16))


@reads(np.real)
@complex_too
def real(r: Reader, x: Any) -> Any:
    return real_part(r, r.array(x) if not isinstance(x, Items) else x)


@reads(np.imag)
@complex_too
def imaginary(r: Reader, x: Any) -> Any:
    return imaginary_part(r, x)


@reads(np.conj)
@complex_too
def conjugate(r: Reader, x: Any) -> Any:
    if is_complex(x):
        return mapped(r, mirrored, C16, (r.array(x),))
    return x if isinstance(x, Items) else elementwise(r, np.positive, x)


@reads_method("conj", "conjugate")
@complex_too
def conjugate_method(r: Reader, x: Any) -> Any:
    return mapped(r, mirrored, C16, (x,), all_weak(x)) if is_complex(x) else x


def mirrored(e: Any) -> Op:
    return Op("conjugate", (e,), C16)


@reads(np.iscomplexobj)
@complex_too
def iscomplexobj(r: Reader, x: Any) -> Any:
    if isinstance(x, (Items, Rows, Tape)) and has_complex(x):
        raise Unsupported("np.iscomplexobj of a container")
    return scalar(is_complex(x))


@reads(np.sign)
@complex_too
def sign(r: Reader, x: Any) -> Any:
    if is_complex(x) and int(np.__version__.partition(".")[0]) < 2:
        raise Unsupported("np.sign of complex numbers")
    return elementwise(r, np.sign, x)
