"""Opaque calls: calls of the user's Python that is not compiled."""

from __future__ import annotations

import types
from typing import Any

from retrograd.runtime.arrays.libraries import ROOTS
from retrograd.runtime.tape import calls

from ..ir.operations import Apply
from ..ir.primitives import Primitive
from .effects import is_late

__all__ = ["OWN", "is_opaque"]


OWN = {calls.pulled, calls.pushed}


def is_opaque(op: Apply) -> bool:
    """True if an operation is a call of the user's Python that was not compiled."""
    if isinstance(op.fn, Primitive):
        return False
    return op.fn in OWN or (op.effect and (is_late(op.fn) or is_python(op.fn)))


def is_python(fn: Any) -> bool:
    """Functions and callable objects written in Python, NumPy's and ours excepted."""
    if isinstance(fn, types.MethodType):
        fn = fn.__func__
    if not isinstance(fn, types.FunctionType):
        kind = type(fn)
        call = getattr(kind, "__call__", None)  # noqa: B004 (whether it is written in Python)
        if isinstance(fn, type) or not isinstance(call, types.FunctionType):
            return False
        fn = call
    home = str(fn.__globals__.get("__name__", ""))
    return home.partition(".")[0] not in (*ROOTS, "retrograd")
