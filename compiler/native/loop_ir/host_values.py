"""Which values a host knows that launches kernels: sizes, Python's numbers, and arithmetic of them."""

from __future__ import annotations

from typing import Any

from .ir import Accumulate, Get, Kernel, Let, Op, Set, Var, subexpressions, walk
from .operation_traits import scalar_operation

__all__ = ["computed_on_device", "is_of_host"]

PLAIN = {
    "cast", "imul", "negative", "where", "logical_not", "square", "cube", "fourth", "wrap",
    "floor_divide", "remainder", "isfinite",
}  # fmt: skip


def is_of_host(e: Any, computed: set[str]) -> bool:
    """True of an expression of which the host knows all parts; ``computed``: variables of the device."""
    return not any(
        isinstance(s, Get)
        or (isinstance(s, Var) and s.name in computed)
        or (isinstance(s, Op) and not is_plain(s))
        for s in subexpressions(e)
    )


def is_plain(e: Op) -> bool:
    """True of what Python computes like the loop IR: nothing is rounded to float32, no function is called."""
    if e.dtype == "f4":
        return False
    if e.dtype == "i8" and e.name in ("maximum", "minimum", "absolute"):
        return True
    return e.name in PLAIN or scalar_operation(e.name).infix is not None


def computed_on_device(kernel: Kernel) -> set[str]:
    """The variables that are computed of arrays, directly or not."""
    assigned = [s for s in walk(kernel.body) if isinstance(s, (Let, Set, Accumulate))]
    found = {s.var.name for s in assigned if isinstance(s, Accumulate)}
    while True:
        more = {
            s.var.name
            for s in assigned
            if s.var.name not in found and not is_of_host(s.value, found)
        }
        if not more:
            return found
        found |= more
