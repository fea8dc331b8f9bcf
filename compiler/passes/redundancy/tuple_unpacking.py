"""Reads of consecutive items joined into tuple unpacking.

>>> from tests.before_after import after
>>> from .common_subexpressions import share
>>> after('''
... def f(x):
...     n = x.shape[0]
...     m = x.shape[1]
...     return n * m
... ''', "x: f8[n, m]", share, unpack)
def f(x):
    n, m = x.shape
    return n * m

This only changes how it prints, and only where several numbers of one tuple get names of the user's, one
after another, or where the user unpacked what may have another number of items: then Python tells, or a check
that stands alone.
"""

from __future__ import annotations

import operator
from collections import deque
from typing import Any, TypeGuard

from retrograd.runtime.helpers import linear

from ...analyses.shapes.infer import type_of
from ...ir.operations import Apply, Block, Const, Function, Op, Operand, Value, operands_of
from ...ir.primitives import UNPACK
from ...ir.types import Array, Number, Tree

__all__ = ["is_count", "unpack"]

KINDS = ("tuple", "list")
MOST = 6


def unpack(function: Function) -> Function:
    """Join, in place, the reading of the items of a tuple."""
    visit(function.body)
    return function


def visit(block: Block) -> None:
    for op in block.ops:
        for inner in op.blocks:
            visit(inner)
    kept: list[Op] = []
    for run in runs(counted(block.ops)):
        kept += [together(run)] if len(run) > 1 and is_whole(run) else run
    block.ops = kept


def counted(ops: list[Op]) -> list[Op]:
    """The operations; a check of how many items there are, and the reads of items after it, are one."""
    found, rest = [], deque(ops)
    while rest:
        op = rest.popleft()
        items: dict[int, Value] = {}
        while rest and (k := item_counted(rest[0], op)) is not None and k not in items:
            items[k] = rest.popleft().results[0]
        if items or not is_known_count(op):
            found.append(unpacking(op, items) if items else op)
    return found


def is_count(op: Op) -> TypeGuard[Apply]:
    """True for what raises where something has another number of items than names to unpack it into."""
    return isinstance(op, Apply) and op.fn is linear.check_count


def is_known_count(op: Op) -> bool:
    """True for the check of an array that has that length for certain."""
    if not is_count(op):
        return False
    base, n = op.args
    dims: Any = getattr(type_of(base), "dims", None)
    return bool(dims) and bool(dims[0] == n.value)


def item_counted(op: Op, check: Op) -> int | None:
    """Which of the items that were counted an operation reads."""
    if not is_count(check) or not isinstance(op, Apply) or op.fn is not operator.getitem:
        return None
    base, key = op.args
    k = key.value if isinstance(key, Const) else None
    return k if base is check.args[0] and type(k) is int and 0 <= k < check.args[1].value else None


def unpacking(check: Op, items: dict[int, Value]) -> Apply:
    base, n = operands_of(check)
    assert isinstance(n, Const)
    results = [items.get(k) or Value(None) for k in range(n.value)]
    return Apply(results, check.loc, UNPACK, (base,))


def runs(ops: list[Op]) -> list[list[Op]]:
    """The operations; neighbours that read later and later items of one tuple are one run."""
    found: list[list[Op]] = []
    for op in ops:
        last = found[-1][-1] if found else None
        if last is not None and is_named_item(op) and is_named_item(last) and follows(op, last):
            found[-1].append(op)
        else:
            found.append([op])
    return found


def is_named_item(op: Op) -> bool:
    """``n = sizes[0]``, an item of a tuple, or of a short array, that has a name of the user's or is taken apart itself."""
    if not (isinstance(op, Apply) and op.fn is operator.getitem):
        return False
    if not (op.result.hint or isinstance(op.result.type, Tree)):
        return False
    base, key = op.args
    few = 0 < len(item_types(base)) <= MOST
    return few and isinstance(key, Const) and type(key.value) is int and key.value >= 0


def item_types(base: Operand) -> list[Any]:
    """The types of the items of a tuple, or of an array of known length."""
    kind = base.type if isinstance(base, Value) else None
    if isinstance(kind, Array) and kind.dims:
        n, *rest = kind.dims
        return [kind.with_dims(tuple(rest))] * n if isinstance(n, int) else []
    if not isinstance(kind, Tree) or kind.container not in KINDS:
        return []
    return list(kind.items)


def is_whole(run: list[Op]) -> bool:
    """True if the reads are those of all items; of a tuple of numbers, they may be some."""
    base = operands_of(run[0])[0]
    kinds = item_types(base)
    numbers = all(isinstance(kind, Number) for kind in kinds)
    return numbers or len(run) == len(kinds)


def follows(op: Op, last: Op) -> bool:
    assert isinstance(op, Apply)
    assert isinstance(last, Apply)
    return op.args[0] is last.args[0] and op.args[1].value > last.args[1].value  # type: ignore[union-attr]


def together(run: list[Op]) -> Op:
    first = run[0]
    assert isinstance(first, Apply)
    base = first.args[0]
    places = {op.args[1].value: op.results[0] for op in run if isinstance(op, Apply)}  # type: ignore[union-attr]
    results = [places.get(k) or Value(None, item) for k, item in enumerate(item_types(base))]
    return Apply(results, first.loc, UNPACK, (base,))
