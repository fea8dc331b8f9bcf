"""Arithmetic of whole numbers that are stored in few bits, or without a sign: what it gives may be another number."""

from __future__ import annotations

import operator

from .operations import Apply, Value
from .types import Array, kind_of

__all__ = ["wraps"]

NARROW = ("int8", "int16")


def wraps(op: Apply) -> bool:
    """True of ``-y`` that is no number below zero, and of sums and products that may be too large for their dtype.

    >>> y, minus = Value(None, Array("uint8", (3,), "u")), Value(None, Array("uint8", (3,), "u"))
    >>> wraps(Apply([minus], None, operator.neg, (y,)))
    True
    """
    kind = op.result.type
    if isinstance(kind, Array) and kind.kind in ("u", "i"):
        return not op.result.made and (kind.kind == "u" or kind.dtype in NARROW)
    (x,) = op.args if op.fn is operator.neg else (None,)
    unknown = isinstance(x, Value) and kind_of(x.type) is None
    return unknown and not op.result.made
