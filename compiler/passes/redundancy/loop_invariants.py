"""Loop-invariant code motion, for arithmetic on numbers.

>>> from tests.before_after import after
>>> after('''
... def f(x, h, n):
...     for i in range(n):
...         x = x + h / 2 * i
...     return x
... ''', "x: float, h: float, n: int", hoist)
def f(x, h, n):
    ratio = h / 2
    for i in range(n):
        x += ratio * i
    return x

Only operations that cannot fail are moved: a loop without iterations must not divide by zero.  Sizes are
moved as well: an array that a loop writes to keeps its shape.
"""

from __future__ import annotations

import operator

from retrograd.runtime.traits.lookup import traits_of

from ...ir.operations import (
    Apply,
    Block,
    Const,
    Function,
    Loop,
    Op,
    Operand,
    Value,
    values_read,
)
from ...ir.types import Array, Number, Tree, same_shape

__all__ = ["hoist"]


def hoist(function: Function) -> Function:
    """Move, in place, invariant arithmetic out of loops, innermost loops first."""
    visit(function.body)
    return function


def visit(block: Block) -> None:
    kept: list[Op] = []
    for op in block.ops:
        for inner in op.blocks:
            visit(inner)
        if isinstance(op, Loop):
            kept += invariant(op)
        kept.append(op)
    block.ops = kept


def invariant(loop: Loop) -> list[Apply]:
    """The operations that may stand before the loop, taken out of it."""
    inside = set(loop.body.params) | {r for op in loop.body.ops for r in op.results}
    moved: list[Apply] = []
    for op in list(loop.body.ops):
        if isinstance(op, Apply) and is_size(op):
            op.args = (before(loop, op.args[0]), *op.args[1:])
        if (
            isinstance(op, Apply)
            and (is_size(op) or is_safe(op))
            and not any(v in inside for v in values_read(op))
        ):
            loop.body.ops.remove(op)
            inside.discard(op.result)
            moved.append(op)
    return moved


def is_size(op: Apply) -> bool:
    """The length or the shape of an array that has one, or an entry of such a shape."""
    if op.effect or op.kwargs or op.result.hint is not None or not op.args:
        return False
    kind = op.args[0].type if isinstance(op.args[0], Value) else None
    if op.fn is operator.getitem:
        at = op.args[1].value if isinstance(op.args[1], Const) else None
        if not isinstance(kind, Tree) or type(at) is not int or at not in kind.keys:
            return False
        return all(isinstance(n, Number) for n in (*kind.items, op.result.type))
    return (
        traits_of(op.fn).reads in ("shape", "length")
        and isinstance(kind, Array)
        and bool(kind.dims)
    )


def before(loop: Loop, x: Operand) -> Operand:
    """The initial value of a carried ``x``, if its shape never changes."""
    for param, init in zip(loop.carried, loop.inits, strict=True):
        if param is x and isinstance(init, Value) and same_shape(init.type, param.type):
            return init
    return x


def is_safe(op: Apply) -> bool:
    """Arithmetic on Python floats and ints that never raises, and is not the user's own name."""
    if not all(
        isinstance(getattr(a, "type", Number()), Number) or isinstance(a, Const) for a in op.args
    ):
        return False
    if op.effect or not isinstance(op.result.type, Number) or op.result.hint is not None:
        return False
    if op.fn is operator.truediv:
        by = op.args[1]
        return isinstance(by, Const) and by.text is None and bool(by.value)
    return traits_of(op.fn).sign in ("+", "-", "*", "-x")
