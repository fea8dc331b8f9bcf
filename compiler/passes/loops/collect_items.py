"""The adjoint of a list that a backward loop goes over: its items are collected, not added to zeros.

>>> from tests.before_after import in_gradient
>>> from ..redundancy.dead_code import eliminate
>>> in_gradient('''
... def f(weights, x):
...     for w in weights:
...         x = np.tanh(w * x)
...     return np.sum(x)
... ''', "weights: [f8[n], f8[n]], x: f8[n]", collect, eliminate)
def f_grad(weights, x):
    # forward
    weights_length = len(weights)
    x_2 = x
    tape = []
    for k in range(weights_length):
        tape.append(x_2)
        w = weights[k]
        x_2 = np.tanh(w * x_2)
    # backward
    weights_bar = rt.zeros_like(weights)
    x_bar = rt.stretch(1.0, x)
    for k, x_2_2 in zip(reversed(range(weights_length)), reversed(tape)):
        w = weights[k]
        # `x = np.tanh(w * x)`
        mul_bar = (1.0 - x_2 * x_2) * x_bar
        x_bar = w * mul_bar
        w_bar = mul_bar * x_2_2
        weights_bar = rt.index_add(weights_bar, k, w_bar)
        x_2 = x_2_2
    return weights_bar
# becomes
def f_grad(weights, x):
    # forward
    weights_length = len(weights)
    x_2 = x
    tape = []
    for k in range(weights_length):
        tape.append(x_2)
        w = weights[k]
        x_2 = np.tanh(w * x_2)
    # backward
    # `return np.sum(x)`
    x_bar = rt.stretch(1.0, x)
    weights_bar = []
    for k, x_2_2 in zip(reversed(range(weights_length)), reversed(tape)):
        w = weights[k]
        # `x = np.tanh(w * x)`
        mul_bar = (1.0 - x_2 * x_2) * x_bar
        x_bar = w * mul_bar
        w_bar = mul_bar * x_2_2
        weights_bar.append(w_bar)
        x_2 = x_2_2
    return weights_bar[::-1]

Each place must be added to once, with arrays of the dtypes of what stands there; an array that the result would
share with something else is copied.
"""

from __future__ import annotations

import builtins
import operator
from collections import Counter
from collections.abc import Iterator

from retrograd.runtime.helpers import linear

from ...analyses.aliasing.memory_facts import is_fresh
from ...analyses.shapes.infer import type_of
from ...ir.operations import (
    Apply,
    Block,
    Const,
    Function,
    Loop,
    Op,
    Operand,
    Value,
    map_operand,
    replace_values,
    values_in,
    values_read,
    walk,
)
from ...ir.primitives import BUNDLE, STAR
from ...ir.types import Array, Stack, Tree, Type
from ...ir.uses import counted
from ...simplify.operands import is_literal

__all__ = ["collect"]


def collect(function: Function) -> Function:
    """Rewrite, in place, the lists of zeros that a loop adds each item to."""
    body = function.body
    uses = counted(body)
    defs = {op.result: op for op in walk(body) if isinstance(op, Apply) and len(op.results) == 1}
    table: dict[Value, Operand] = {}
    visit(body, defs, uses, table)
    if table:
        replace_values(body, lambda v: table.get(v, v) if isinstance(v, Value) else v)
        spread(body, {v for v in table.values() if isinstance(v, Value)})
    return function


def visit(
    block: Block, defs: dict[Value, Apply], uses: Counter[Value], table: dict[Value, Operand]
) -> None:
    kept: list[Op] = []
    for op in block.ops:
        for inner in op.blocks:
            visit(inner, defs, uses, table)
        kept.append(op)
        if isinstance(op, Loop) and op.bounds is not None and not op.stops:
            for k in reversed(range(len(op.inits))):
                if (added := added_to(op, k, defs, uses)) is not None:
                    items = defs[op.inits[k]].args[0]  # type: ignore[index]
                    kept.append(collected(op, k, added, name_of(items, defs), table))
    block.ops = kept


def added_to(loop: Loop, k: int, defs: dict[Value, Apply], uses: Counter[Value]) -> Apply | None:
    """The operation that adds to each item of a list of zeros, if nothing else is done with it."""
    init, param, end = loop.inits[k], loop.carried[k], loop.body.yields[k]
    zeros, added = (defs.get(v) if isinstance(v, Value) else None for v in (init, end))
    if zeros is None or added is None or zeros.fn is not linear.zeros_like:
        return None
    if added.fn is not linear.index_add or added not in loop.body.ops or len(added.args) != 3:
        return None
    once = uses[zeros.result] == uses[param] == uses[added.result] == 1
    if not once or added.args[0] is not param or added.args[1] is not loop.index:
        return None
    items = zeros.args[0]
    return added if goes_over(loop, items, defs) and are_alike(added.args[2], items) else None


def goes_over(loop: Loop, items: Operand, defs: dict[Value, Apply]) -> bool:
    """True if a loop counts all places of a list."""
    assert loop.bounds is not None
    lo, hi, step = loop.bounds
    length = defs.get(hi) if isinstance(hi, Value) else None
    whole = length is not None and length.fn is builtins.len and length.args[0] is items
    return whole and is_literal(lo, 0) and is_literal(step, 1)


def are_alike(item: Operand, items: Operand) -> bool:
    """True if what is added has the structure and the dtypes of every item of a list."""
    kind = type_of(items)
    if isinstance(kind, Tree):
        of_list = kind.container == "list" and bool(kind.items)
        return of_list and all(same_kinds(type_of(item), one) for one in kind.items)
    of_list = isinstance(kind, Stack) and not (kind.fixed or kind.keyed)
    return of_list and same_kinds(type_of(item), kind.item)  # type: ignore[union-attr]


def same_kinds(a: Type, b: Type) -> bool:
    if isinstance(a, Tree) and isinstance(b, Tree):
        known = (a.container, a.keys) == (b.container, b.keys) and a.container in ("list", "tuple")
        return known and all(map(same_kinds, a.items, b.items))
    if not isinstance(a, Array) or not isinstance(b, Array) or not (a.dims and b.dims):
        return False
    return a.dtype == b.dtype and a.dtype in ("float64", "float32")


def name_of(items: Operand, defs: dict[Value, Apply]) -> str | None:
    """The name of a list, or of the one that it is a part of."""
    while isinstance(items, Value) and items.hint is None and items in defs:
        items = defs[items].args[0] if defs[items].fn is operator.getitem else None
    return items.hint if isinstance(items, Value) else None


def collected(
    loop: Loop, k: int, added: Apply, name: str | None, table: dict[Value, Operand]
) -> Apply:
    """The list of what was added, in the order of its places; the loop no longer carries the zeros."""
    at = loop.body.ops.index(added)
    item = added.args[2]
    copies = list(copies_of_shared(loop, added))
    if copies:
        own = {op.args[0]: op.result for op in copies}
        whole = map_operand(
            written_out(loop, item), lambda v: own.get(v, v) if isinstance(v, Value) else v
        )
        bundle = Apply([Value(None, type_of(item), added.loc)], added.loc, BUNDLE, (whole,))
        item = bundle.result if isinstance(whole, tuple) else whole
        copies += [bundle] if isinstance(whole, tuple) else []
    loop.body.ops[at : at + 1] = copies
    old = loop.results.pop(k)
    start = int(loop.bounds is not None)
    del loop.inits[k], loop.body.params[start + k], loop.body.yields[k]
    stack, whole = Value(None, Stack(type_of(item)), loop.loc), Value(None, old.type, loop.loc)
    for value in (stack, whole):
        value.bar, value.made = name or old.bar, True
    loop.collect(item, stack)
    table[old] = whole
    fn = linear.flipped if loop.backwards else builtins.list
    return Apply([whole], loop.loc, fn, (stack,))


def spread(body: Block, wholes: set[Value]) -> None:
    """``[*layers_bar, w_bar]`` for ``[layers_bar[0], layers_bar[1], w_bar]``, where that is all that is read of it."""
    uses = counted(body)
    for op in [*body.ops]:
        if isinstance(op, Apply) and op.fn is BUNDLE and type(op.args[0]) is list:
            for whole in wholes:
                with_star(op, whole, body, uses)


def with_star(op: Apply, whole: Value, body: Block, uses: Counter[Value]) -> None:
    parts = op.args[0]
    assert isinstance(parts, list)
    reads = [o for o in body.ops if isinstance(o, Apply) and whole in values_read(o)]
    count = len(getattr(whole.type, "items", ()))
    in_turn = [getattr(o.args[-1], "value", None) for o in reads] == list(range(count))
    if not reads or not in_turn or any(o.fn is not operator.getitem for o in reads):
        return
    items = [o.result for o in reads]
    at = parts.index(items[0]) if items[0] in parts else 0
    if parts[at : at + count] != items or any(uses[v] != 1 for v in items):
        return
    star = Value(None, whole.type, op.loc)
    star.made = True
    body.ops.insert(body.ops.index(op), Apply([star], op.loc, STAR, (whole,)))
    op.args = ([*parts[:at], star, *parts[at + count :]],)


def copies_of_shared(loop: Loop, added: Apply) -> Iterator[Apply]:
    """Copies of the arrays that are not new, or that something else will hold as well."""
    ends = set(values_in(loop.body.yields))
    leaves = list(values_in(written_out(loop, added.args[2])))
    made = {op.result: op for op in loop.body.ops if isinstance(op, Apply) and len(op.results) == 1}
    for leaf in dict.fromkeys(leaves):
        op = made.get(leaf)
        own = op is not None and is_fresh(op) and leaf not in ends and leaves.count(leaf) == 1
        if not own:
            copy = Value(leaf.hint, leaf.type, added.loc)
            copy.bar, copy.made = leaf.bar, True
            yield Apply([copy], added.loc, linear.copy, (leaf,))


def written_out(loop: Loop, item: Operand) -> Operand:
    """An item with the containers that the loop puts together."""
    made = {
        op.result: op.args[0] for op in loop.body.ops if isinstance(op, Apply) and op.fn is BUNDLE
    }

    def inside(v: Value | Const) -> Operand:
        known = isinstance(v, Value) and v in made
        return map_operand(made[v], inside) if known else v  # type: ignore[index]

    return map_operand(item, inside)
