"""Copies of results elided, where the callee returns memory of its own.

>>> from tests.before_after import in_gradient
>>> in_gradient('''
... def g(x):
...     y = np.exp(x)
...     return y * y * np.sin(x)
...
... def f(x):
...     return np.sum(g(x))
... ''', "x: f8[n]", uncopied)
def f_grad(x):
    # forward
    _, g_saved = g_fwd(x)
    # backward
    x_bar = g_rev(g_saved, rt.stretch(1.0, x))
    x_bar = rt.copy(x_bar)
    return x_bar
# becomes
def f_grad(x):
    # forward
    _, g_saved = g_fwd(x)
    # backward
    x_bar = g_rev(g_saved, rt.stretch(1.0, x))
    return x_bar

The callee must be finished: only then is it known that no two of its results are the same array.
"""

from __future__ import annotations

from collections import Counter

from retrograd.runtime.helpers import linear

from ...analyses.aliasing.buffers import IN_PLACE
from ...analyses.aliasing.memory_facts import is_fresh
from ...ir.operations import (
    Apply,
    Block,
    Call,
    Function,
    Operand,
    Value,
    replace_values,
    values_in,
    values_read,
    walk,
)
from ...ir.types import Number

__all__ = ["uncopied"]


def uncopied(function: Function) -> Function:
    """Leave out, in place, copies of what calls in the outermost region return."""
    body = function.body
    uses = Counter(v for op in walk(body) for v in values_read(op))
    uses.update(v for op in walk(body) for block in op.blocks for v in values_in(block.yields))
    uses.update(values_in(body.yields))
    ours = {
        v
        for op in body.ops
        if isinstance(op, Call)
        for k, v in enumerate(op.results)
        if uses[v] == 1 and is_new(op.callee, k)
    }
    gone = [op for op in body.ops if isinstance(op, Apply) and is_copy(op) and op.args[0] in ours]
    table = {op.result: op.args[0] for op in gone}
    body.ops = [op for op in body.ops if op not in gone]
    replace_values(body, lambda v: table.get(v, v) if isinstance(v, Value) else v)
    return function


def is_copy(op: Apply) -> bool:
    return op.fn is linear.copy and op.result.made and isinstance(op.args[0], Value)


def is_new(callee: Function, k: int) -> bool:
    """Whether a result is an array that the callee made, and that no other result shows."""
    if callee.facts.writes or k >= len(callee.body.yields):
        return False
    body = callee.body
    makers = [maker(y, body) for y in body.yields]
    return all(isinstance(m, (Apply, Number)) for m in makers) and makers.count(makers[k]) == 1


def maker(v: Operand, body: Block) -> Apply | Number | None:
    """The operation that made the memory of a result, if it is new."""
    if not isinstance(v, Value) or isinstance(v.type, Number):
        return Number()
    for op in reversed(body.ops):
        if isinstance(op, Apply) and v in op.results:
            if op.fn in IN_PLACE:
                return maker(op.args[0], body)
            return op if is_fresh(op) else None
    return None
