"""A whole Jacobian as one function: a forward sweep along every direction at once, and the blocks it ends with.

::

    r_jacobian(p, t):
        p_dot = np.eye(p.size)              # a column for each entry of p
        r_dot = ...                         # the sweep; one axis more, the last
        yield r_dot

A program with an operation that takes one direction at a time runs once for each: ``rt.each``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.runtime.user import jacobian_blocks as runtime
from retrograd.runtime.user.batched import each

from ...analyses.shapes.infer import type_of
from ...ir.argument_path import Place
from ...ir.facts import Facts
from ...ir.operations import Apply, Block, Const, Function, Op, Operand, Value, replace_values
from ...ir.types import Array, Number
from ...simplify.builder import Builder
from ..part_of_argument import made_read

__all__ = ["along_every_direction", "along_one", "is_slope", "one_by_one"]


def is_slope(function: Function, places: list[Place]) -> bool:
    """True if there is one direction: the derivative by one number needs no further axis."""
    first, *others = places
    kind = type_of(function.body.params[first.at])
    return not others and not first.keys and isinstance(kind, Number) and kind.kind == "f"


def along_one(made: Function, count: int) -> None:
    """Make a tangent that is given after ``count`` arguments the number 1."""
    (dot,) = made.body.params[count:]
    made.body.params = made.body.params[:count]
    replace_values(made.body, lambda v: Const(1.0) if v is dot else v)


def one_by_one(function: Function, tangent: Function, name: str) -> Function:
    """A sweep for many directions that calls ``tangent``, which is one for one direction, for each."""
    params = [p.twin() for p in tangent.body.params]
    count = len(function.body.params)
    b = Builder(Block(params), shown=params)
    on = Const(tuple(range(count, len(params))))
    made = b.emit(each, Const(tangent), on, *params)
    made.hint = f"{function.name.strip('_')}_dot"
    wide: list[Operand] = [made]
    if len(function.body.yields) > 1:
        wide = [b.emit(operator.getitem, made, Const(k)) for k in range(len(function.body.yields))]
    b.block.yields = wide
    return Function(
        name, b.block, tangent.tree, function.source, tangent.names, {}, {}, function.doc, Facts()
    )


def along_every_direction(made: Function, count: int, places: list[Place], single: bool) -> None:
    """Make a sweep for many directions, given after ``count`` arguments, one along all of them."""
    body = made.body
    own, dots = body.params[:count], body.params[count:]
    ops: list[Op] = []
    inputs = [read(own, place, ops) for place in places]
    b = Builder(Block(), shown=own)
    for k, dot in enumerate(dots):
        units(b, dot, k, inputs)
    if is_vector(inputs):
        without_unit_products(body, dots[0])
    body.params = own
    body.ops = [*ops, *b.block.ops, *body.ops]
    end = Builder(body, shown=own)
    end.learn(body)
    body.yields = [block(end, y, inputs, single) for y in body.yields]


def read(own: list[Value], place: Place, ops: list[Op]) -> Value:
    """What stands at a place in the arguments."""
    found = own[place.at]
    for key in place.keys:
        op = made_read(found, key)
        ops.append(op)
        found = op.result
    return found


def units(b: Builder, dot: Value, k: int, inputs: list[Value]) -> None:
    """``dot``, a tangent in as many directions as all inputs have entries."""
    fn: Callable[..., Any] = runtime.unit_directions
    args: tuple[Operand, ...] = (Const(k), *inputs)
    if is_vector(inputs):
        fn, args = np.eye, (b.size(inputs[0]),)
    made = b.emit(fn, *args)
    made_by = b.block.ops[-1]
    dot.type = made.type or dot.type
    made_by.results = [dot]


def without_unit_products(body: Block, units: Value) -> None:
    """A matrix times the unit vectors is the matrix."""
    same: dict[Value, Operand] = {}
    for op in body.ops:
        if isinstance(op, Apply) and op.fn in (operator.matmul, np.matmul) and not op.kwargs:
            kind = type_of(op.args[0])
            known = isinstance(kind, Array) and kind.dims is not None and len(kind.dims) == 2
            if op.args[1] is units and known and kind.dtype == "float64":  # type: ignore[union-attr]
                same[op.result] = op.args[0]
    if same:
        body.ops = [op for op in body.ops if not (op.results and op.results[0] in same)]
        replace_values(body, lambda v: same.get(v, v))


def is_vector(inputs: list[Value]) -> bool:
    """True if the columns of the result are in the order and of the precision of the one input's entries."""
    kind = type_of(inputs[0])
    known = isinstance(kind, Array) and kind.dims is not None and len(kind.dims) == 1
    return len(inputs) == 1 and known and kind.dtype == "float64" and kind.library == "numpy"  # type: ignore[union-attr]


def block(b: Builder, y: Operand, inputs: list[Value], single: bool) -> Operand:
    """The derivative of a result by the inputs, each in its shape; a tuple, unless one was asked for."""
    if isinstance(y, Const) or (single and is_vector(inputs)):
        return y
    fn = runtime.jacobian_block if single else runtime.jacobian_blocks
    return b.emit(fn, y, *inputs)
