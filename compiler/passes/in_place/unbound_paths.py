"""Placeholders for names that are bound on some paths only, where a derivative reads them on all.

>>> from tests.before_after import in_gradient
>>> in_gradient('''
... def f(x, n):
...     for _ in range(n):
...         y = np.outer(x, x)[x > 0.0]
...     return y[1]
... ''', "x: f8[m], n: int", bind)
def f_grad(x, n):
    # forward
    y = None
    tape = []
    for _ in range(n):
        product = x[:, None] * x
        above = x > 0.0
        tape.append((y, product, above))
        y = product[above]
    rt.check_scalar(y[1], 1)
    # backward
    # `return y[1]`
    y_bar = np.zeros(y.shape)
    y_bar[1] = np.ones((1,))
    x_bar = np.zeros(x.shape)
    for y, product, above in reversed(tape):
        # `y = np.outer(x, x)[x > 0.0]`
        outer_bar = np.zeros(product.shape)
        outer_bar = rt.index_add(outer_bar, above, y_bar)
        ravel_x = np.ravel(x)
        x_bar_part = rt.reshape_like(outer_bar @ ravel_x, like=x)
        x_bar += rt.reshape_like(ravel_x @ outer_bar, like=x)
        x_bar += x_bar_part
        y_bar = np.zeros(y.shape)
    return x_bar
# becomes
def f_grad(x, n):
    # forward
    y = 0.0
    tape = []
    for _ in range(n):
        product = x[:, None] * x
        above = x > 0.0
        tape.append((y, product, above))
        y = product[above]
    rt.check_scalar(y[1], 1)
    # backward
    # `return y[1]`
    y_bar = rt.zeros_like(y)
    y_bar[1] = np.ones((1,))
    x_bar = np.zeros(x.shape)
    for y, product, above in reversed(tape):
        # `y = np.outer(x, x)[x > 0.0]`
        outer_bar = np.zeros(product.shape)
        outer_bar = rt.index_add(outer_bar, above, y_bar)
        ravel_x = np.ravel(x)
        x_bar_part = rt.reshape_like(outer_bar @ ravel_x, like=x)
        x_bar += rt.reshape_like(ravel_x @ outer_bar, like=x)
        x_bar += x_bar_part
        y_bar = rt.zeros_like(y)
    return x_bar

What the user wrote is left alone: reading an unbound name fails as it always did.  The placeholder is
None; where a zero is made of it, or it is the result of an early ``return``, it is zero, which can be added to.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np

from retrograd.runtime.checkpointing import revolve
from retrograd.runtime.helpers import linear
from retrograd.runtime.traits.lookup import traits_of

from ...ir.operations import (
    UNDEFINED,
    Apply,
    Block,
    Const,
    Function,
    If,
    Loop,
    Operand,
    Value,
    values_in,
    values_read,
    walk,
)
from ...ir.primitives import BUNDLE, UNPACK
from ...ir.types import Stack, Tree

__all__ = ["bind", "origins_of", "partial_in", "unbound"]

Ends = list[tuple[list[Operand], int]]  # places that hold what a value may be


def bind(function: Function) -> Function:
    """Give None, in place, to names that a derivative reads where they may not be bound."""
    look_at_shapes(function, partial_in(function))
    ends = ends_of(function)
    simple = {v: e for v, e in ends.items() if not is_container(v)}
    numbers = {v for v in reached(simple, zeroed(function)) if not is_container(v)}
    pending, seen = looked_at(function), set[Value]()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        for holder, k in ends.get(value, []):
            if holder[k] is UNDEFINED:
                holder[k] = Const(0.0 if value in numbers else None)
            elif isinstance(holder[k], Value):
                pending.append(holder[k])
    return function


def reached(ends: dict[Value, Ends], values: Iterable[Value]) -> set[Value]:
    """These, and what they may be."""
    found, pending = set[Value](), list(values)
    while pending:
        value = pending.pop()
        if value not in found:
            found.add(value)
            held = [holder[k] for holder, k in ends.get(value, [])]
            pending += [v for v in held if isinstance(v, Value)]
    return found


def is_container(value: Value) -> bool:
    return isinstance(value.type, (Tree, Stack))


def zeroed(function: Function) -> list[Value]:
    """Values of which a derivative makes a zero, and results of early ``return``s."""
    found: list[Value] = []
    for op in walk(function.body):
        found += [r for r in op.results if r.hidden]
        if isinstance(op, Loop):
            found += [p for p in op.carried if p.hidden]
        elif isinstance(op, Apply) and op.fn is linear.zeros_like and is_ours(op):
            found += values_in(op.args)
    return found


def partial_in(function: Function) -> set[Value]:
    """The values that may not be bound: on some paths, in some iterations, or where they were saved."""
    made = {r for op in walk(function.body) for r in op.results}
    made |= {p for block in every_block(function.body) for p in block.params}
    return unbound(origins_of(function), {v for v in made if v.partial})


def origins_of(function: Function) -> dict[Value, Ends]:
    """Where values come from: through branches, loops, tapes, snapshots, tuples, copies and zeros."""
    ends = ends_of(function)
    items: dict[Value, tuple[list[Operand], int]] = {}  # of a tape
    parts: dict[Value, list[Operand]] = {}  # of a tuple
    for op in walk(function.body):
        if isinstance(op, Loop):
            items |= {s: (op.collected(), k) for k, s in enumerate(op.stacks)}
            for (source, _), e in zip(op.feeds, op.elements, strict=True):
                ends[e] = [items[v] for v in reached(ends, values_in(source)) if v in items]
        elif isinstance(op, Apply) and op.fn is BUNDLE and isinstance(op.args[0], tuple):
            parts[op.result] = list(op.args[0])
        elif isinstance(op, Apply) and (op.fn is UNPACK or is_item(op)):
            whole = [parts[v] for v in reached(ends, values_in(op.args[0])) if v in parts]
            for k, r in (
                [(known_of(op.args[1]), op.result)] if is_item(op) else enumerate(op.results)
            ):
                ends[r] = [(p, k) for p in whole if k < len(p)]
        elif isinstance(op, Apply) and is_ours(op) and traits_of(op.fn).of_nothing:
            ends[op.result] = [(list(op.args), 0)]
    zeros: dict[Value, Ends] = {zero: [([x], 0)] for zero, x in zeros_of(function).items()}
    return ends | zeros | states_of(function)


def states_of(function: Function) -> dict[Value, Ends]:
    """Where the state of a loop comes from that is run again: from what its snapshots keep."""
    calls = [op for op in walk(function.body) if isinstance(op, Apply)]
    tapes = {op.result: op.args[0] for op in calls if op.fn is revolve.rewind}
    read = {op.result: op.args[0] for op in calls if op.fn is revolve.restore}
    states = [op.args for op in calls if op.fn is revolve.keep_state]
    found: dict[Value, Ends] = {}
    for op in calls:
        tape = read.get(op.args[0]) if op.fn is UNPACK and op.args else None
        same = {tape, tapes.get(tape)} if isinstance(tape, Value) else set()
        kept = [args for args in states if args[0] in same]
        for k, value in enumerate(op.results if same else ()):
            places = [(list(args), k) for args in kept if 0 < k < len(args)]  # first its number
            found |= {value: places} if places else {}
    return found


def is_item(op: Apply) -> bool:
    """True if an operation takes one item of a tuple of ours."""
    return op.fn is operator.getitem and is_ours(op) and type(known_of(op.args[1])) is int


def known_of(operand: Operand) -> Any:
    return operand.value if isinstance(operand, Const) else None


def zeros_of(function: Function) -> dict[Value, Operand]:
    """The ``x`` of ``np.zeros(x.shape)`` and ``np.zeros_like(x)``."""
    found = [op for op in walk(function.body) if isinstance(op, Apply) and is_ours(op)]
    shapes = {op.result: op.args[0] for op in found if op.fn is np.ndarray.shape}
    made = {op.result: op.args[0] for op in found if op.fn is np.zeros_like}
    return made | {
        op.result: shapes[op.args[0]]
        for op in found
        if op.fn is np.zeros and isinstance(op.args[0], Value) and op.args[0] in shapes
    }


def unbound(ends: dict[Value, Ends], known: set[Value]) -> set[Value]:
    """The values that may not be bound, if these are such."""
    made_of: dict[Value, list[Value]] = {}  # what a value may become
    pending = list(known)
    for v, places in ends.items():
        for held in (holder[k] for holder, k in places):
            if held is UNDEFINED:
                pending.append(v)
            elif isinstance(held, Value):
                made_of.setdefault(held, []).append(v)
    found = set[Value]()
    while pending:
        value = pending.pop()
        if value not in found:
            found.add(value)
            pending += made_of.get(value, ())
    return found


def look_at_shapes(function: Function, partial: set[Value]) -> None:
    """``np.zeros(x.shape)`` of what may not be bound is ``zeros_like`` again, which takes None; so does ``np.shape``."""
    like = {zero: x for zero, x in zeros_of(function).items() if x in partial}
    shapes: set[Value] = set()
    for op in walk(function.body):
        if isinstance(op, Apply) and op.results[0] in like:
            shapes.update(v for v in values_in(op.args) if op.fn is np.zeros)
            op.fn, op.args = linear.zeros_like, (like[op.result],)
    drop_unread(function.body, shapes)
    for op in walk(function.body):
        if isinstance(op, Apply) and op.fn is np.ndarray.shape and is_ours(op):
            op.fn = np.shape if partial & set(values_in(op.args)) else op.fn


def drop_unread(block: Block, shapes: set[Value]) -> None:
    """Leave out shapes that nobody reads now (and nothing else: writes are in place by now)."""
    read = {v for op in walk(block) for v in values_read(op)}
    gone = shapes - read - {v for b in every_block(block) for v in values_in(b.yields)}
    for inner in every_block(block):
        inner.ops = [op for op in inner.ops if gone.isdisjoint(op.results)]


def every_block(block: Block) -> list[Block]:
    return [block, *(inner for op in walk(block) for inner in op.blocks)]


def is_ours(op: Apply) -> bool:
    """True if a derivative needs an operation, not the user."""
    return op.loc is None or op.result.made


def ends_of(function: Function) -> dict[Value, Ends]:
    """Where the results of branches and what loops carry come from."""
    ends: dict[Value, Ends] = {}
    for op in walk(function.body):
        if isinstance(op, If):
            for k, result in enumerate(op.results):
                ends[result] = [(op.then.yields, k), (op.orelse.yields, k)]
        elif isinstance(op, Loop):
            for k, (param, result) in enumerate(zip(op.carried, op.results, strict=False)):
                ends[param] = ends[result] = [(op.inits, k), (op.body.yields, k)]
    return ends


def looked_at(function: Function) -> list[Value]:
    """Values that operations of a derivative read, for their shape or to keep them."""
    found: list[Value] = []
    chosen = {r for op in walk(function.body) if isinstance(op, If) for r in op.results}
    for op in walk(function.body):
        if isinstance(op, If):  # a copy of what another branch gave, if it is another variable
            found += [v for v in values_in([op.then.yields, op.orelse.yields]) if v in chosen]
        elif isinstance(op, Loop):
            found += values_in(op.collected())
            found += [v for v in values_in(op.inits) if v.hidden]  # a copy, in a `try`
        elif (
            isinstance(op, Apply)
            and is_ours(op)
            and (traits_of(op.fn).looks or traits_of(op.fn).of_nothing)
        ):
            found += values_in(op.args)
    return found
