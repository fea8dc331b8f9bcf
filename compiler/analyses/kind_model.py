"""The argument whose kind (real or complex, how wide) a result has, whatever the others are."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

from retrograd.runtime.traits.lookup import traits_of

from ..ir.operations import Apply, Operand

__all__ = ["is_made_like", "kind_model"]


def kind_model(op: Apply) -> Operand | None:
    """The operand that gives the result its kind, or None if that is not one alone.

    ``rt.convert(c, y, True)`` has the kind of ``y``, ``np.take(x, i)`` and ``np.zeros_like(x)`` that of ``x``.
    """
    known = traits_of(op.fn).kind_of
    if known not in ("first", "like") or is_told_dtype(op):
        return None
    at = (position(op.fn, "like") or 0) if known == "like" else 0
    return op.args[at] if at < len(op.args) else op.kwargs.get("like")


def is_made_like(op: Apply) -> bool:
    """True if an operation makes its result in the kind of an argument that it is given for that."""
    return traits_of(op.fn).kind_of == "like" and not is_told_dtype(op)


def is_told_dtype(op: Apply) -> bool:
    at = position(op.fn, "dtype")
    return "dtype" in op.kwargs or (at is not None and at < len(op.args))


@cache
def position(fn: Any, name: str) -> int | None:
    """The position of a parameter, or None if there is none of the name."""
    try:
        parameters = list(inspect.signature(fn).parameters)
    except (TypeError, ValueError):
        return None
    return parameters.index(name) if name in parameters else None
