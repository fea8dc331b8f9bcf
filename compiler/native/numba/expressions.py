"""Scalar expressions of the loop IR as Python for numba."""

from __future__ import annotations

import math
from typing import Any

from ..c_text.expressions import call_name
from ..loop_ir.ir import Affine, Buffer, Get, Lit, Op, Var, subexpressions
from ..loop_ir.operation_traits import scalar_operation
from ..refusal import Unsupported
from .support import BODIES, FUNCTIONS

__all__ = ["KINDS", "count_of", "expression", "function", "infix", "offset"]

KINDS = {"f8": "np.float64", "f4": "np.float32", "i8": "np.int64", "b1": "np.uint8"}
PLAIN = {
    "fabs": "rg_fabs", "sqrt": "rg_sqrt", "floor": "rg_floor", "rint": "rg_rint",
    "copysign": "rg_copysign", "ceil": "np.ceil", "trunc": "np.trunc",
}  # fmt: skip


def expression(e: Any) -> str:
    """An expression as Python."""
    if isinstance(e, Lit):
        return literal(e)
    if isinstance(e, Var):
        return e.name
    if isinstance(e, Affine):
        return affine_text(e)
    if isinstance(e, Get):
        text = f"{e.buffer.name}[{offset(e.buffer, e.index)}]"
        return f"({text} != 0)" if e.dtype == "b1" else text
    assert isinstance(e, Op)
    return operation(e)


def literal(e: Lit) -> str:
    if e.dtype == "b1":
        return str(bool(e.value))
    if e.dtype == "i8":
        return str(int(e.value))
    value = float(e.value)
    if math.isnan(value):
        text = "np.nan"
    elif math.isinf(value):
        text = "np.inf" if value > 0 else "(-np.inf)"
    else:
        text = f"({value!r})"
    return f"np.float32({text})" if e.dtype == "f4" else text


def affine_text(e: Affine) -> str:
    """A sum of multiples of atoms.

    >>> from ..loop_ir.ir import plus
    >>> affine_text(plus(Var("n"), -1))
    '(n - 1)'
    """
    parts: list[str] = []
    for atom, k in e.terms:
        text = expression(atom)
        text = text if abs(k) == 1 else f"{abs(k)} * {text}"
        parts.append(f"- {text}" if k < 0 else f"+ {text}" if parts else text)
    if e.const or not parts:
        sign = "- " if e.const < 0 else "+ " if parts else ""
        parts.append(f"{sign}{abs(e.const)}")
    return f"({' '.join(parts)})"


def offset(buffer: Buffer, index: tuple[Any, ...]) -> str:
    """Where an element stands, in C order."""
    if not index:
        return "0"
    text = expression(index[0])
    for i, n in zip(index[1:], buffer.dims[1:], strict=True):
        last = expression(i)
        text = last if text in ("0", "(0)") else f"({text} * {expression(n)} + {last})"
    return text


def operation(e: Op) -> str:
    args = [expression(a) for a in e.args]
    name, kind = e.name, e.args[0].dtype
    if name == "imul":
        return f"rg_imul({', '.join(args)}, overflow)"
    if name == "cast":
        return f"({args[0]} != 0)" if e.dtype == "b1" else f"{KINDS[e.dtype]}({args[0]})"
    if scalar_operation(name).infix is not None:
        return infix(e, args)
    if name == "negative":
        return f"(-{args[0]})"
    if name == "logical_not":
        return f"(not {args[0]})"
    if name == "where":
        if all(is_safe(a) for a in e.args[1:]):
            return f"rg_select({', '.join(args)})"
        return f"({args[1]} if {args[0]} else {args[2]})"
    if scalar_operation(name).inline:
        return f"{call_name(e)}({', '.join(args)})"
    return function(name, kind, args)


def infix(e: Op, args: list[str]) -> str:
    name = e.name
    if e.dtype == "b1" and name in ("add", "multiply"):
        name = {"add": "logical_or", "multiply": "logical_and"}[name]
    if name in ("logical_and", "logical_or"):
        plain, lazy = ("&", "and") if name == "logical_and" else ("|", "or")
        return f"({args[0]} {plain if is_safe(e.args[1]) else lazy} {args[1]})"
    return f"({args[0]} {scalar_operation(name).infix} {args[1]})"


def is_safe(e: Any) -> bool:
    """True if an expression may be computed where it is not asked for, and that is cheap."""
    return not any(
        isinstance(s, Get)
        or (
            isinstance(s, Op)
            and (scalar_operation(s.name).inline or s.name in ("imul", "remainder", "floor_divide"))
        )
        for s in subexpressions(e)
    )


def function(name: str, kind: str, args: list[str]) -> str:
    """A function that is not in the inline math."""
    given = ", ".join(args)
    if name == "absolute":
        return f"{'rg_fabs' if kind[0] == 'f' else 'abs'}({given})"
    if kind == "i8":
        if name in ("floor_divide", "remainder"):
            return f"({args[0]} {'//' if name == 'floor_divide' else '%'} {args[1]})"
        if name in ("square", "cube", "fourth"):
            return f"rg_{name}({given})"
        name = f"{name}_i8"
    if kind[0] == "f" and name in PLAIN:
        return f"{PLAIN[name]}({given})"
    if kind == "b1" or (name not in FUNCTIONS and name not in BODIES):
        raise Unsupported(f"the operation {name} of {kind}")
    return f"rg_{name}({given})"


def count_of(dims: list[str]) -> str:
    return " * ".join(dims) if dims else "1"
