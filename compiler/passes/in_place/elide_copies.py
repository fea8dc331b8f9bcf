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
    # `return np.sum(g(x))`
    x_bar = g_rev(g_saved, rt.stretch(1.0, x))
    x_bar = rt.copy(x_bar)
    return x_bar
# becomes
def f_grad(x):
    # forward
    _, g_saved = g_fwd(x)
    # backward
    return g_rev(g_saved, rt.stretch(1.0, x))

The callee must be finished: only then is it known that no two of its results are the same array.
"""

from __future__ import annotations

from collections import Counter

from retrograd.runtime.helpers import linear

from ...analyses.aliasing.memory_facts import adds_to_first, is_fresh, is_written
from ...ir.operations import (
    Apply,
    Block,
    Call,
    Function,
    Loop,
    Op,
    Operand,
    Value,
    replace_values,
)
from ...ir.types import Number
from ...ir.uses import counted

__all__ = ["uncopied"]


def uncopied(function: Function) -> Function:
    """Leave out, in place, copies of what is new memory already, in the outermost region."""
    body = function.body
    uses = counted(body)
    ours = {
        v
        for op in body.ops
        if isinstance(op, Call)
        for k, v in enumerate(op.results)
        if uses[v] == 1 and (is_new(op.callee, k) or is_handed_back(op, k, body))
    }
    ours |= {op.result for op in body.ops if isinstance(op, Apply) and is_alone(op, uses)}
    gone = [op for op in body.ops if isinstance(op, Apply) and is_copy(op) and op.args[0] in ours]
    table: dict[Value, Operand] = {}
    for op in gone:  # the copy of a copy is what was copied first
        table[op.result] = table.get(op.args[0], op.args[0])  # type: ignore[arg-type]
    body.ops = [op for op in body.ops if op not in gone]
    replace_values(body, lambda v: table.get(v, v) if isinstance(v, Value) else v)
    return function


def is_alone(op: Apply, uses: Counter[Value]) -> bool:
    """True of a new array that is read once."""
    return len(op.results) == 1 and uses[op.result] == 1 and is_fresh(op)


def is_copy(op: Apply) -> bool:
    return op.fn is linear.copy and op.result.made and isinstance(op.args[0], Value)


def is_new(callee: Function, k: int) -> bool:
    """True if a result is an array that the callee made, and that no other result shows."""
    if k >= len(callee.body.yields):
        return False
    makers = [maker(y, callee.body) for y in callee.body.yields]
    made = isinstance(makers[k], (Apply, Number)) and all(m is not None for m in makers)
    return made and makers.count(makers[k]) == 1


def is_handed_back(op: Call, k: int, body: Block) -> bool:
    """True of a buffer that the callee was given to write to, if it was made here: nobody else has it then."""
    given = next((op.args[i] for i, j in op.callee.facts.writes if j == k), None)
    return isinstance(given, Value) and any(given in maker.results for maker in body.ops)


def maker(v: Operand, body: Block) -> Apply | Number | Value | None:
    """The operation that made the memory of a result, if it is new, or the parameter that has it."""
    if not isinstance(v, Value) or isinstance(v.type, Number):
        return Number()
    if v in body.params:
        return v
    op = next((op for op in reversed(body.ops) if v in op.results), None)
    if isinstance(op, Apply):
        if adds_to_first(op) or is_written(op):
            return maker(op.args[0], body)
        return op if is_fresh(op) else None
    init = passed_through(op, v)
    return None if init is None else maker(init, body)


def passed_through(op: Op | None, v: Value) -> Operand:
    """What a loop was given as ``v``, if all it does is write to it."""
    if not isinstance(op, Loop) or v not in op.results[: len(op.inits)]:
        return None
    k = op.results.index(v)
    end: Operand = op.body.yields[k]
    while end is not op.carried[k]:
        made = next((inner for inner in op.body.ops if end in inner.results), None)
        written = isinstance(made, Apply) and (adds_to_first(made) or is_written(made))
        end = made.args[0] if written else passed_through(made, end) if made else None  # type: ignore[union-attr,arg-type]
        if end is None:
            return None
    return op.inits[k]
