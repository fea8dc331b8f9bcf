"""A short array of zeros of which each item is set once, written as the array of these items.

>>> from tests.before_after import after
>>> from ..redundancy.dead_code import eliminate
>>> after('''
... def f(theta, a_bar, b_bar):
...     theta_bar = np.zeros(theta.shape)
...     theta_bar = rt.index_add(theta_bar, 1, b_bar)
...     theta_bar = rt.index_add(theta_bar, 0, a_bar)
...     return theta_bar
... ''', "theta: f8[2], a_bar: float, b_bar: float", gather, eliminate, derivative=True)
def f(theta, a_bar, b_bar):
    return np.array([a_bar, b_bar])

An item that nothing is added to stays 0.0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from retrograd.runtime.helpers import linear

from ...analyses.shapes.infer import type_of
from ...ir.operations import (
    Apply,
    Block,
    Const,
    Function,
    Operand,
    Value,
    values_in,
    values_read,
    walk,
)
from ...ir.target import is_on_device
from ...ir.types import Array, Number, kind_of

__all__ = ["gather"]

MOST = 6


def gather(function: Function) -> Function:
    """Write, in place, short arrays of items as such."""
    if is_on_device():  # its items would have to come to the host
        return function
    uses = used(function.body)
    for block in blocks_of(function.body):
        made = {op.result: op for op in block.ops if isinstance(op, Apply)}
        followed = {op.args[0] for op in made.values() if is_item_added(op)}
        for op in list(made.values()):
            if is_item_added(op) and op.result not in followed:
                rewrite(op, made, uses)
    return function


def rewrite(last: Apply, made: dict[Value, Apply], uses: Counter[Value]) -> None:
    items: dict[int, Operand] = {}
    op = last
    while is_item_added(op):
        base, key, item = op.args
        assert isinstance(key, Const)
        before = made.get(base) if isinstance(base, Value) else None
        if key.value in items or before is None or uses[before.result] != 1:
            return
        items[key.value] = item
        op = before
    n = length_of_zeros(op, made)
    if n is None or not all(0 <= k < n for k in items) or len(items) < n - 1:
        return
    row = [items.get(k, Const(0.0)) for k in range(n)]
    last.fn, last.args, last.kwargs = np.array, (row,), {}  # type: ignore[assignment]


def is_item_added(op: Apply) -> bool:
    """True of ``x[k] += c`` with a known place and a real number."""
    if op.fn is not linear.index_add or not op.result.made or len(op.args) != 3 or op.kwargs:
        return False
    _, key, item = op.args
    kind = type_of(item)
    number = isinstance(kind, Number) or (isinstance(kind, Array) and kind.dims == ())
    return isinstance(key, Const) and type(key.value) is int and number and kind_of(kind) == "f"


def length_of_zeros(op: Apply, made: dict[Value, Apply]) -> int | None:
    """How many items a new vector of zeros in double precision has, if they are few."""
    kind, like = type_of(op.result), op.args[0] if op.args else None
    if op.fn not in (np.zeros, linear.zeros_like) or not isinstance(kind, Array):
        return None
    shape = made.get(like) if isinstance(like, Value) else None
    if op.fn is np.zeros and shape is not None and shape.fn is np.ndarray.shape:
        like = shape.args[0]
    dims = getattr(type_of(like), "dims", None)
    if kind.dtype != "float64" or dims is None or len(dims) != 1:
        return None
    return dims[0] if isinstance(dims[0], int) and 1 < dims[0] <= MOST else None


def blocks_of(body: Block) -> Iterator[Block]:
    yield body
    for op in walk(body):
        yield from op.blocks


def used(body: Block) -> Counter[Value]:
    uses: Counter[Value] = Counter()
    for block in blocks_of(body):
        uses.update(values_in(block.yields))
        for op in block.ops:
            uses.update(values_read(op))
    return uses
