"""Inlining of calls to functions that only pass values on.

>>> from tests.before_after import in_gradient
>>> in_gradient('''
... import retrograd as rg
...
... @rg.custom_gradient
... def g(x):
...     return math.tanh(x)
...
... @g.vjp
... def g_vjp(c, z, x):
...     return c * (1 - z * z)
...
... def f(x):
...     return g(x) * 2
... ''', "x: float", splice)
def f_grad(x):
    # forward
    _, g_saved = g_fwd(x)
    # backward
    return g_rev(g_saved, 2.0)
# becomes
def f_grad(x):
    # forward
    z = g(x)
    g_saved = z, x
    # backward
    return g_vjp(2.0, z, x)

The derivatives of a function with rules of its own are such functions: they call the rules.
"""

from __future__ import annotations

from ...ir.operations import (
    Apply,
    Block,
    Call,
    Function,
    Op,
    Operand,
    Value,
    callees_of,
    map_operand,
    replace_values,
    walk,
)
from ...ir.primitives import BUNDLE, UNPACK
from ...ir.types import rename
from ...simplify.builder import clone_op

__all__ = ["splice"]


def splice(function: Function, active: frozenset[Function] = frozenset()) -> Function:
    """Replace, in place, calls of functions marked ``inline`` by their bodies; then their tuples."""
    if function in active or function.facts.spliced:
        return function
    visit(function.body, function.body, active | {function})
    forward_tuples(function.body)
    function.facts.spliced = True
    return function


def visit(block: Block, root: Block, active: frozenset[Function]) -> None:
    kept: list[Op] = []
    for op in block.ops:
        for inner in op.blocks:
            visit(inner, root, active)
        for callee in callees_of(op):
            splice(callee, active)
        if isinstance(op, Call) and op.callee.facts.inline and op.callee not in active:
            kept += spliced(op, root)
        else:
            kept.append(op)
    block.ops = kept


def spliced(op: Call, root: Block) -> list[Op]:
    """The callee's operations on the call's arguments, at the line of the call."""
    table: dict[Value, Operand] = dict(zip(op.callee.body.params, op.args, strict=True))
    made = [clone_op(inner, table) for inner in op.callee.body.ops]
    for copy in made:
        copy.loc = copy.loc or op.loc
        for result in copy.results:
            result.type = rename(
                result.type, lambda _: None
            )  # its dimensions have other names here
    ends: dict[Value, Operand] = {}
    for result, y in zip(op.results, op.callee.body.yields, strict=True):
        end = map_operand(y, lambda v: table.get(v, v) if isinstance(v, Value) else v)
        if isinstance(end, Value) and end not in op.args:
            named = result.hint is not None and not result.soft
            end.hint, end.soft = (result.hint, False) if named else (end.hint, end.soft)
            end.type, end.bar = result.type or end.type, result.bar or end.bar
        ends[result] = end
    replace_values(root, lambda v: ends.get(v, v) if isinstance(v, Value) else v)
    for copy in made:
        for inner in copy.blocks:
            replace_values(inner, lambda v: ends.get(v, v) if isinstance(v, Value) else v)
    return made


def forward_tuples(body: Block) -> None:
    """``saved = z, x`` and later ``z_2, x_2 = saved``: the same values."""
    bundles = {
        op.result: op.args[0]
        for op in walk(body)
        if isinstance(op, Apply) and op.fn is BUNDLE and isinstance(op.args[0], tuple)
    }
    table: dict[Value, Operand] = {}
    for op in walk(body):
        if isinstance(op, Apply) and op.fn is UNPACK and op.args[0] in bundles:
            table.update(zip(op.results, bundles[op.args[0]], strict=True))
    if table:
        replace_values(body, lambda v: resolved(v, table))
        drop_unpacked(body, table)


def resolved(v: Operand, table: dict[Value, Operand]) -> Operand:
    while isinstance(v, Value) and v in table:
        v = table[v]
    return v


def drop_unpacked(block: Block, table: dict[Value, Operand]) -> None:
    for op in block.ops:
        for inner in op.blocks:
            drop_unpacked(inner, table)
    block.ops = [op for op in block.ops if not (op.results and op.results[0] in table)]
