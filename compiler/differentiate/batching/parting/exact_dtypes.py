"""Programs whose numbers are of 64 bits throughout: an array of examples holds them as they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....ir.operand_constants import constants_in
from ....ir.operations import Function, operands_of, reachable, walk
from ....ir.types import Array, Tree

__all__ = ["exact_dtypes"]

WIDE = ("float64", "complex128", "int64", "bool")


def exact_dtypes(function: Function) -> bool:
    """True if all fractions of a program are float64 and complex128, and all whole numbers int64."""
    for f in reachable(function):
        ops = [*walk(f.body)]
        values = [*f.body.params, *(v for op in ops for v in op.results)]
        if not all(map(is_wide, (v.type for v in values))):
            return False
        if any(p.type is None for p in f.body.params):
            return False
        if any(names_dtype(c.value) for op in ops for c in constants_in(operands_of(op))):
            return False
    return True


def is_wide(kind: Any) -> bool:
    if isinstance(kind, Tree):
        return all(map(is_wide, kind.items))
    return not isinstance(kind, Array) or kind.dtype in (None, *WIDE)


def names_dtype(x: Any) -> bool:
    """True for what says a dtype that is narrower, or may be."""
    if isinstance(x, np.dtype) or (isinstance(x, type) and issubclass(x, np.generic)):
        return np.dtype(x).name not in WIDE
    if isinstance(x, (np.generic, np.ndarray)):
        return x.dtype.name not in WIDE
    return isinstance(x, str)
