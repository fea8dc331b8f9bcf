"""Expressions of the emitted text: names, literals, operators, conditions."""

from __future__ import annotations

import ast
import builtins
import functools
import operator
from typing import Any

import numpy as np

from retrograd.runtime.arrays.libraries import is_cupy

from ...loop_ir.ir import Bail, If, Op, minus, walk
from ...loop_ir.values import Constant, Items, Scalar, View, scalar
from ...refusal import Unsupported
from ..arguments import captured
from ..growing_lists import new_tape
from ..handlers import EXPRESSIONS, FUNCTIONS, reads_expression
from ..join_values import joined, settle, spec_of
from ..module_objects import known
from ..reader import Reader
from ..values import Either, Gone, Growing, Maybe, Object
from .index_limits import tested
from .operators import binary, compare, unary

__all__ = ["chosen", "evaluate", "name"]


def evaluate(r: Reader, node: ast.expr) -> Any:
    """The value of an expression."""
    reader = EXPRESSIONS.get(type(node))
    if reader is None:
        raise Unsupported(f"`{ast.unparse(node)}`")
    return reader(r, node)


@reads_expression(ast.Name)
def name(r: Reader, node: ast.Name) -> Any:
    if node.id in r.env:
        if isinstance(r.env[node.id], Gone):
            raise Unsupported(f"`{node.id}` is a view of what was written to")
        return chosen(r, r.env[node.id])
    if node.id in r.scope:
        value = r.scope[node.id]
        is_array = isinstance(value, np.ndarray) or is_cupy(value)
        return captured(r, value, node.id) if is_array else known(value)
    builtin = getattr(builtins, node.id, None)
    if builtin not in FUNCTIONS:
        raise Unsupported(f"the name `{node.id}`")
    return Constant(builtin)


def chosen(r: Reader, value: Any) -> Any:
    """The value of a name on this side of a branch that is taken again."""
    if isinstance(value, Growing):
        return Items(tuple(value.items), kind="list")
    if isinstance(value, Maybe):
        r.emit(Bail(Op("logical_not", (value.there,), "b1")))
        return value.value
    while isinstance(value, Either):
        if value.cond in r.assumed:
            value = value.then if r.assumed[value.cond] else value.orelse
        else:
            value = there(r, value)
    return value


def there(r: Reader, value: Either) -> Any:
    """The side of two that is not None: the text knows by other names which it is."""
    for side, other, gone in (
        (value.then, value.orelse, Op("logical_not", (value.cond,), "b1")),
        (value.orelse, value.then, value.cond),
    ):
        if isinstance(other, Constant) and other.value is None:
            r.emit(Bail(gone))
            return side
    raise Unsupported("a name of two kinds")


@reads_expression(ast.Constant)
def constant(r: Reader, node: ast.Constant) -> Any:
    return known(node.value)


@reads_expression(ast.Tuple, ast.List)
def sequence(r: Reader, node: ast.Tuple | ast.List) -> Any:
    if isinstance(node, ast.List) and not node.elts:
        return Growing(r.block, id(node)) if id(node) in r.growing else new_tape(r, id(node))
    values: list[Any] = []
    for item in node.elts:
        if isinstance(item, ast.Starred):
            inner = evaluate(r, item.value)
            if not isinstance(inner, Items):
                raise Unsupported("a starred array")
            values += inner.values
        else:
            values.append(held(r, item))
    return Items(tuple(values), kind="list" if isinstance(node, ast.List) else "tuple")


def held(r: Reader, node: ast.expr) -> Any:
    """An item of a container, which may be of two kinds."""
    found = r.env.get(node.id) if isinstance(node, ast.Name) else None
    if isinstance(found, Either) and found.cond not in r.assumed:
        return found
    return evaluate(r, node)


@reads_expression(ast.Dict)
def dictionary(r: Reader, node: ast.Dict) -> Any:
    keys = tuple(r.literal(evaluate(r, k)) if k is not None else None for k in node.keys)
    if None in keys:
        raise Unsupported("a dict of another one")
    return Items(tuple(evaluate(r, v) for v in node.values), keys, "dict")


@reads_expression(ast.BinOp)
def binop(r: Reader, node: ast.BinOp) -> Any:
    return binary(r, node.op, evaluate(r, node.left), evaluate(r, node.right))


@reads_expression(ast.UnaryOp)
def unaryop(r: Reader, node: ast.UnaryOp) -> Any:
    value = evaluate(r, node.operand)
    if isinstance(node.op, ast.Not):
        cond = r.truth(value)
        if isinstance(cond, bool):
            return scalar(not cond)
        return Scalar(Op("logical_not", (cond,), "b1"))
    return unary(r, node.op, value)


@reads_expression(ast.Compare)
def comparison(r: Reader, node: ast.Compare) -> Any:
    values = [evaluate(r, v) for v in [node.left, *node.comparators]]
    found = [compared(r, op, a, b) for op, a, b in zip(node.ops, values, values[1:], strict=False)]
    if len(found) == 1:
        return found[0]
    return both(r, [r.truth(f) for f in found])


def compared(r: Reader, op: ast.cmpop, a: Any, b: Any) -> Any:
    if isinstance(op, (ast.Is, ast.IsNot)):
        objects = [isinstance(v, (Constant, Object)) for v in (a, b)]
        if not any(objects):
            raise Unsupported("`is` of values")
        same = all(objects) and a.value is b.value
        return scalar(same if isinstance(op, ast.Is) else not same)
    if isinstance(op, (ast.In, ast.NotIn)):
        found = r.literal(a) in r.literal(b)
        return scalar(found if isinstance(op, ast.In) else not found)
    if isinstance(a, Constant) and isinstance(b, Constant):
        return scalar(bool(COMPARE[type(op)](a.value, b.value)))
    if isinstance(a, Items) and isinstance(b, Items):
        pairs = list(zip(a.values, b.values, strict=False))
        alike = a.kind == b.kind and a.keys == b.keys
        if not isinstance(op, ast.Eq) or len(a.values) != len(b.values) or not alike:
            raise Unsupported("a comparison of containers")
        return both(r, [r.truth(compared(r, op, x, y)) for x, y in pairs])
    if isinstance(a, Scalar) and isinstance(b, Scalar) and a.dtype == b.dtype == "i8":
        gap = minus(r.norm(a.expr), r.norm(b.expr))
        if not gap.terms and type(op) in COMPARE:
            return scalar(bool(COMPARE[type(op)](gap.const, 0)))
    return compare(r, op, a, b)


COMPARE = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip


def both(r: Reader, conds: list[Any]) -> Any:
    """All of some conditions."""
    if any(c is False for c in conds):
        return scalar(False)
    open_ = [c for c in conds if c is not True]
    if not open_:
        return scalar(True)
    return Scalar(functools.reduce(lambda a, b: Op("logical_and", (a, b), "b1"), open_))


@reads_expression(ast.BoolOp)
def boolop(r: Reader, node: ast.BoolOp) -> Any:
    """``and`` / ``or`` of conditions; a side that may bail is not read ahead of the first."""
    conds = []
    stop = isinstance(node.op, ast.Or)
    for k, part in enumerate(node.values):
        with r.into([]) as block:
            value = evaluate(r, part)
            cond = r.truth(value)
        if isinstance(value, Scalar) and value.dtype != "b1":
            raise Unsupported("`and` of numbers")
        if k and any(isinstance(s, Bail) for s in walk(block)):
            raise Unsupported("a condition that is not always computed")
        r.block.extend(block)
        if cond is stop:
            return scalar(stop)
        if not isinstance(cond, bool):
            conds.append(cond)
    if not conds:
        return scalar(not stop)
    name = "logical_or" if stop else "logical_and"
    return Scalar(functools.reduce(lambda a, b: Op(name, (a, b), "b1"), conds))


@reads_expression(ast.IfExp)
def conditional(r: Reader, node: ast.IfExp) -> Any:
    cond = r.truth(evaluate(r, node.test))
    if isinstance(cond, bool):
        return evaluate(r, node.body if cond else node.orelse)
    sides = []
    for part, side in ((node.body, True), (node.orelse, False)):
        with r.into([]) as block, tested(r, cond, side):
            value = evaluate(r, part)
            value = r.materialised(value) if isinstance(value, View) else value
        sides.append((block, value))
    result = joined(r, [spec_of(v) for _, v in sides], "chosen")
    for block, value in sides:
        with r.into(block):
            settle(r, [(result, value)])
    r.emit(If(cond, sides[0][0], sides[1][0]))
    return result
