"""Expressions of the emitted text: names, attributes, calls."""

from __future__ import annotations

import ast
import builtins
import functools
import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..loop_ir.ir import Bail, Op, minus, walk
from .growing_lists import new_tape
from .indexing import subscript
from .module_objects import known
from .numpy import elementwise
from .numpy.elementwise import cast
from .values import (
    Constant,
    Either,
    Growing,
    Items,
    Iteration,
    Maybe,
    Object,
    Scalar,
    Unsupported,
    View,
    scalar,
)

if TYPE_CHECKING:
    from .reader import Reader

__all__ = ["evaluate", "truth"]


def evaluate(r: Reader, node: ast.expr) -> Any:
    """The value of an expression."""
    reader = READERS.get(type(node))
    if reader is None:
        raise Unsupported(f"`{ast.unparse(node)}`")
    return reader(r, node)


def truth(r: Reader, value: Any) -> Any:
    """A condition: ``True``, ``False``, or an expression."""
    if isinstance(value, Constant):
        return bool(value.value)
    if isinstance(value, Items):
        return bool(value.values)
    found = r.number(value)
    known = found.literal
    return bool(known) if known is not None else cast(found.expr, "b1")


def name(r: Reader, node: ast.Name) -> Any:
    if node.id in r.env:
        return chosen(r, r.env[node.id])
    if node.id in r.scope:
        value = r.scope[node.id]
        return r.captured(value, node.id) if isinstance(value, np.ndarray) else known(value)
    from .python_calls import PYTHON

    builtin = getattr(builtins, node.id, None)
    if builtin not in PYTHON:
        raise Unsupported(f"the name `{node.id}`")
    return Constant(builtin)


def chosen(r: Reader, value: Any) -> Any:
    """What a name stands for on this side of a branch that is taken again."""
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


def constant(r: Reader, node: ast.Constant) -> Any:
    return known(node.value)


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


def comprehension(r: Reader, node: ast.ListComp | ast.GeneratorExp) -> Any:
    """A list by its items, or, if they are many, by a loop that appends."""
    from .loops import iteration, loop

    if len(node.generators) != 1 or node.generators[0].is_async:
        raise Unsupported("a comprehension of several loops")
    (over,) = node.generators
    outer = dict(r.env)
    source = iteration(r, evaluate(r, over.iter))
    if source.static:
        values = one_by_one(r, node, source)
        r.env = outer
        return Items(tuple(values), kind="list")
    name = r.fresh("items").name
    r.env[name] = new_tape(r, id(node))
    r.env[f"{name}_source"] = source
    attribute_ = ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load())
    body: list[ast.stmt] = [ast.Expr(ast.Call(attribute_, [node.elt], []))]
    for test in reversed(over.ifs):
        body = [ast.If(test, body, [])]
    made = ast.For(over.target, ast.Name(f"{name}_source", ast.Load()), body, [])
    loop(r, ast.fix_missing_locations(made), {name})
    found = r.env[name]
    r.env = outer
    return found


def one_by_one(
    r: Reader, node: ast.ListComp | ast.GeneratorExp, source: Iteration
) -> Iterator[Any]:
    """The items of a comprehension over what is known one by one."""
    from .assignments import assign, bound
    from .loops import steps_of

    (over,) = node.generators
    for element in steps_of(source):
        assign(r, over.target, element)
        tests = [truth(r, evaluate(r, test)) for test in over.ifs]
        if not all(isinstance(test, bool) for test in tests):
            raise Unsupported("a comprehension whose length is not known")
        if all(tests):
            yield bound(r, evaluate(r, node.elt), "item")


def held(r: Reader, node: ast.expr) -> Any:
    """An item of a container, which may be of two kinds."""
    found = r.env.get(node.id) if isinstance(node, ast.Name) else None
    if isinstance(found, Either) and found.cond not in r.assumed:
        return found
    return evaluate(r, node)


def dictionary(r: Reader, node: ast.Dict) -> Any:
    keys = tuple(r.literal(evaluate(r, k)) if k is not None else None for k in node.keys)
    if None in keys:
        raise Unsupported("a dict of another one")
    return Items(tuple(evaluate(r, v) for v in node.values), keys, "dict")


def binop(r: Reader, node: ast.BinOp) -> Any:
    return elementwise.binary(r, node.op, evaluate(r, node.left), evaluate(r, node.right))


def unaryop(r: Reader, node: ast.UnaryOp) -> Any:
    value = evaluate(r, node.operand)
    if isinstance(node.op, ast.Not):
        cond = truth(r, value)
        if isinstance(cond, bool):
            return scalar(not cond)
        return Scalar(Op("logical_not", (cond,), "b1"))
    return elementwise.unary(r, node.op, value)


def comparison(r: Reader, node: ast.Compare) -> Any:
    values = [evaluate(r, v) for v in [node.left, *node.comparators]]
    found = [compared(r, op, a, b) for op, a, b in zip(node.ops, values, values[1:], strict=False)]
    if len(found) == 1:
        return found[0]
    return both(r, [truth(r, f) for f in found])


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
        return both(r, [truth(r, compared(r, op, x, y)) for x, y in pairs])
    if isinstance(a, Scalar) and isinstance(b, Scalar) and a.dtype == b.dtype == "i8":
        gap = minus(r.norm(a.expr), r.norm(b.expr))
        if not gap.terms and type(op) in COMPARE:
            return scalar(bool(COMPARE[type(op)](gap.const, 0)))
    return elementwise.compare(r, op, a, b)


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


def boolop(r: Reader, node: ast.BoolOp) -> Any:
    """``and`` / ``or`` of conditions; a side that may bail is not read ahead of the first."""
    conds = []
    stop = isinstance(node.op, ast.Or)
    for k, part in enumerate(node.values):
        with r.into([]) as block:
            value = evaluate(r, part)
            cond = truth(r, value)
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


def conditional(r: Reader, node: ast.IfExp) -> Any:
    from ..loop_ir.ir import If
    from .join_values import joined, settle, spec_of

    cond = truth(r, evaluate(r, node.test))
    if isinstance(cond, bool):
        return evaluate(r, node.body if cond else node.orelse)
    sides = []
    for part in (node.body, node.orelse):
        with r.into([]) as block:
            value = evaluate(r, part)
            value = r.materialised(value) if isinstance(value, View) else value
        sides.append((block, value))
    result = joined(r, [spec_of(v) for _, v in sides], "chosen")
    for block, value in sides:
        with r.into(block):
            settle(r, [(result, value)])
    r.emit(If(cond, sides[0][0], sides[1][0]))
    return result


def attribute(r: Reader, node: ast.Attribute) -> Any:
    from . import calls

    return calls.attribute(r, node)


def call(r: Reader, node: ast.Call) -> Any:
    from . import calls

    return calls.call(r, node)


READERS: dict[type, Any] = {
    ast.Name: name, ast.Constant: constant, ast.Tuple: sequence, ast.List: sequence,
    ast.Dict: dictionary, ast.BinOp: binop, ast.UnaryOp: unaryop, ast.Compare: comparison,
    ast.BoolOp: boolop, ast.IfExp: conditional, ast.Attribute: attribute, ast.Call: call,
    ast.ListComp: comprehension, ast.GeneratorExp: comprehension,
    ast.Subscript: lambda r, node: subscript(r, evaluate(r, node.value), node.slice),
}  # fmt: skip
