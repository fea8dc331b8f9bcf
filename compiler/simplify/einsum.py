"""Local algebra of einsum: ``rt.einsum_pull`` is ``np.einsum`` again where the shapes are known.

Importing it enters its rules in the table of ``algebra``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from ..analyses.shapes.infer import type_of
from ..ir.operations import Const, Operand
from ..ir.types import Array, Dim, Size
from .fft import literal
from .rules import simplifies

__all__: list[str] = []


@simplifies(linear.einsum_front)
def einsum_front(b: Any, subscripts: Operand, k: Operand) -> Operand | None:
    words, at = literal(subscripts), literal(k)
    known = isinstance(words, str) and type(at) is int
    return Const(linear.einsum_front(words, at)) if known else None


@simplifies(linear.einsum)
def einsum(b: Any, subscripts: Operand, *operands: Operand) -> Operand | None:
    words = literal(subscripts)
    if not isinstance(words, str) or any(literal(x) is None for x in operands):
        return None
    if words.count(",") + 1 != len(operands):
        return None
    return contracted(b, words, operands)


@simplifies(linear.einsum_pull)
def einsum_pull(
    b: Any, c: Operand, subscripts: Operand, like: Operand, *others: Operand
) -> Operand | None:
    """``einsum("ij,jk->ik", x, y)`` is pulled to ``x`` by ``einsum("ik,jk->ij", c, y)``.

    Not where ``x`` has a subscript twice, or one that nothing else has, or may be stretched.
    """
    words, present = literal(subscripts), [y for y in others if literal(y) is not None]
    if not isinstance(words, str) or "..." in words:
        return None
    inputs, _, output = linear.einsum_front(words, 0).partition("->")
    ours, *theirs = inputs.split(",")
    alone = set(ours) - set("".join([output, *theirs]))
    if len(theirs) != len(present) or not present or alone or len(set(ours)) < len(ours):
        return None
    if not all(map(is_plain, [(ours, like), *zip(theirs, present, strict=True)])):
        return None
    if len({getattr(type_of(x), "dtype", None) for x in (c, like, *present)}) > 1:
        return None
    factors = [c, *(b.apply(np.conj, y) for y in present)]
    return contracted(b, ",".join([output, *theirs]) + "->" + ours, factors)


def is_plain(pair: tuple[str, Operand]) -> bool:
    """Whether an operand is known to be stretched along none of its subscripts."""
    word, x = pair
    kind = type_of(x)
    if not isinstance(kind, Array) or kind.dims is None or kind.dtype is None:
        return False
    return len(kind.dims) == len(word) and all(map(above_one, kind.dims))


def above_one(n: Size) -> bool:
    return n.above_one if isinstance(n, Dim) else n is not None and n != 1


def contracted(b: Any, words: str, operands: Any) -> Operand:
    """``np.einsum``; of many operands two at a time."""
    named = {"optimize": Const(True)} if len(operands) > 2 else {}
    found: Operand = b.emit(np.einsum, Const(words), *operands, **named)
    return found
