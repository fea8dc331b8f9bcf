"""A shape is read off a value that is there anyway, so that none is computed for its shape alone.

>>> from tests.before_after import after
>>> from .dead_code import eliminate
>>> after('''
... def f(x, w):
...     e = np.exp(x @ w)
...     y = np.log(1 + e)
...     y_bar = np.zeros(y.shape)
...     return y_bar + e
... ''', "x: f8[n, d], w: f8[d, k]", share_shapes, eliminate, derivative=True)
def f(x, w):
    e = np.exp(x @ w)
    y_bar = np.zeros(e.shape)
    return y_bar + e
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from ...analyses.aliasing.memory_facts import is_written
from ...ir.operations import Apply, Block, Function, Value, values_in, values_read, walk
from ...ir.types import Array

__all__ = ["share_shapes"]


def share_shapes(function: Function) -> Function:
    """Read shapes, in place, off values that something else reads."""
    read = Counter[Value](values_in(function.body.yields))
    for op in walk(function.body):
        read.update([] if is_shape(op) else values_read(op))
        for block in op.blocks:
            read.update(values_in(block.yields))
    for block in [function.body, *(b for op in walk(function.body) for b in op.blocks)]:
        visit(block, read)
    return function


def visit(block: Block, read: Counter[Value]) -> None:
    known = {dims: p for p in block.params if (dims := dims_of(p)) is not None and read[p]}
    computed: set[Value] = set()
    for op in block.ops:
        if isinstance(op, Apply) and is_shape(op):
            (x,) = op.args
            dims = dims_of(x) if isinstance(x, Value) and x in computed and not read[x] else None
            if dims is not None and dims in known:
                op.args = (known[dims],)
        elif isinstance(op, Apply) and not is_written(op) and not op.effect:
            computed.update(op.results)
        for result in op.results:
            dims = dims_of(result)
            if dims is not None and read[result]:
                better = dims not in known or (result.hint and not known[dims].hint)
                known[dims] = result if better else known[dims]


def is_shape(op: object) -> bool:
    return isinstance(op, Apply) and op.fn is np.ndarray.shape


def dims_of(v: Value) -> tuple[object, ...] | None:
    """The sizes of an array, if all are known."""
    kind = v.type
    if not isinstance(kind, Array) or not kind.dims or None in kind.dims:
        return None
    return tuple(kind.dims)
