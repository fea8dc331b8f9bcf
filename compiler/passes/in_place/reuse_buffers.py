"""Reuse of buffers: large results written into the memory of a dead operand.

>>> from tests.before_after import after
>>> after('''
... def f(x, c):
...     r = c * x
...     total = np.add.reduce(r)
...     r = c * r
...     return total, r
... ''', "x: f8[n, m, k], c: float", reuse)
def f(x, c):
    r = c * x
    total = np.add.reduce(r)
    r = np.multiply(c, r, out=r)
    return total, r

Fresh pages cost as much as the arithmetic on arrays that do not fit the cache.  Sizes are not
known here, so only arrays of three or more dimensions, mostly products of broadcasting, are
treated this way; smaller ones keep the plain operator.
"""

from __future__ import annotations

import numpy as np

from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.traits.lookup import traits_of

from ...ir.operations import (
    Apply,
    Block,
    Function,
    Op,
    Value,
    operands_of,
    values_in,
    walk,
)
from ...ir.types import Array
from .writes_in_place import may_write

__all__ = ["reuse"]

RANK = 3


def reuse(function: Function, rank: int = RANK) -> Function:
    """Rewrite, in place, operations of the outermost region whose operand dies in them.

    Those with as many dimensions as ``rank``, or more; none where arrays are written to anyway: what
    is written over there is settled later (see ``place``).
    """
    if may_write(function):
        return function
    owned: set[Value] = set()
    for at, op in enumerate(function.body.ops):
        if not isinstance(op, Apply) or not is_operator(op) or not is_large(op.result, rank):
            continue
        dying = next((v for v in op.args if v in owned and dies(v, op, at, function.body)), None)
        if dying is not None and dying.type == op.result.type:  # type: ignore[union-attr]
            op.fn, op.kwargs = traits_of(op.fn).ufunc, {"out": dying}
        owned.add(op.result)
    return function


def is_large(v: Value, rank: int = RANK) -> bool:
    """An array of certain type with so many dimensions, or more."""
    kind = v.type
    if not isinstance(kind, Array) or kind.dims is None or kind.dtype is None:
        return False
    return len(kind.dims) >= rank and None not in kind.dims


def dies(v: object, op: Apply, at: int, body: Block) -> bool:
    """True if this is the last use of a value, and every use before was plain arithmetic."""
    if sum(a is v for a in op.args) != 1 or any(y is v for y in values_in(body.yields)):
        return False
    readers = [other for other in walk(body) if any(x is v for x in reads(other))]
    later = body.ops[at + 1 :]
    if any(reader in later or reader not in body.ops for reader in readers):
        return False
    return len(readers) > 1 and all(isinstance(r, Apply) and is_arithmetic(r) for r in readers)


def reads(op: Op) -> list[Value]:
    inner = [y for block in op.blocks for y in block.yields]
    return list(values_in([*operands_of(op), *inner]))


def is_arithmetic(op: Apply) -> bool:
    """Operations whose result never shares memory with an argument."""
    known = traits_of(op.fn)
    in_place = known.augments is not None
    return (
        known.ufunc in (np.add, np.subtract, np.multiply, np.divide) and not in_place
    ) or own_attribute(op.fn, "__name__", "") == "reduce"


def is_operator(op: Apply) -> bool:
    return traits_of(op.fn).sign in ("+", "-", "*", "/")
