"""Constructors of statement nodes, and the targets that subscripts may be."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping

import numpy as np

from ...ir.operations import Apply, Const, Op, Operand, Value
from ...ir.types import Stack

__all__ = [
    "assign",
    "common_start",
    "has_slice",
    "in_order",
    "is_array",
    "leaves_region",
    "names_passed_on",
    "names_read",
    "negated",
    "never_repeats",
    "raises",
    "simple_index",
    "unpacking",
]

Statements = list[ast.stmt]


def leaves_region(body: Statements) -> bool:
    return bool(body) and isinstance(body[-1], (ast.Break, ast.Return, ast.Raise))


def raises(body: Statements) -> bool:
    """True if nothing is reached behind these statements: the last one raises."""
    return bool(body) and isinstance(body[-1], ast.Raise)


def assign(names: list[str], value: ast.expr) -> ast.stmt:
    targets: list[ast.expr] = [ast.Name(n, ast.Store()) for n in names]
    target = targets[0] if len(targets) == 1 else ast.Tuple(targets, ast.Store())
    if not names:
        return ast.Expr(value)
    return ast.Assign([target], value)


def unpacking(target: ast.Tuple, value: ast.expr) -> ast.stmt:
    return ast.Assign([target], value)


def common_start(then: Statements, orelse: Statements, read: set[str]) -> Statements:
    """The common beginning of both sides, as long as the test does not read its names."""
    first: Statements = []
    for a, b in zip(then, orelse, strict=False):
        simple = isinstance(a, (ast.Assign, ast.Expr)) and ast.dump(a) == ast.dump(b)
        if not simple or read & names_bound(a):
            break
        first.append(a)
    return first


def names_bound(statement: ast.stmt) -> set[str]:
    stored = (
        n for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    )
    return {n.id for n in stored}


def negated(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.UnaryOp(ast.Not(), test)


def in_order(pairs: list[tuple[str, ast.expr]]) -> Statements:
    """Parallel assignments one after another, or as one tuple where they cross."""
    out: Statements = []
    remaining = [(name, value, names_read(value)) for name, value in pairs]
    readers = Counter(name for _, _, read in remaining for name in read)
    while remaining:
        for at, (name, value, read) in enumerate(remaining):
            if readers[name] == (name in read):  # nobody else reads what it was
                out.append(assign([name], value))
                readers.subtract(remaining.pop(at)[2])
                break
        else:
            names = [name for name, _, _ in remaining]
            values = [value for _, value, _ in remaining]
            return [*out, assign(names, ast.Tuple(values, ast.Load()))]
    return out


def simple_index(index: Operand) -> bool:
    """Integers, slices and None: ``x[i] += c`` adds each element once."""
    if isinstance(index, tuple):
        return all(simple_index(i) for i in index)
    if isinstance(index, slice):
        return True
    if isinstance(index, Const):
        return index.value is None or index.value is Ellipsis or type(index.value) is int
    kind = getattr(index, "type", None)
    return getattr(kind, "kind", None) == "i" and getattr(kind, "dims", None) == ()


def never_repeats(index: Operand, made: Mapping[Value, Op]) -> bool:
    """True of ``np.arange(n), labels``: each place is in a row of its own."""
    if isinstance(index, Value) and index.distinct:
        return True
    parts = index if isinstance(index, tuple) else (index,)
    plain = all(getattr(getattr(i, "type", None), "dims", None) is not None for i in parts)
    vectors = plain and all(len(i.type.dims) <= 1 and i.type.kind == "i" for i in parts)  # type: ignore[union-attr]
    ops = [made.get(i) for i in parts if isinstance(i, Value)]
    counts = [
        op for op in ops if isinstance(op, Apply) and op.fn is np.arange and len(op.args) == 1
    ]
    return vectors and bool(counts) and not any(op.kwargs for op in counts)


def has_slice(index: Operand) -> bool:
    """A subscript that only arrays take: a bare slice of a list would append."""
    return isinstance(index, tuple) and any(isinstance(i, slice) for i in index)


def is_array(value: Operand) -> bool:
    kind = getattr(value, "type", None)
    return bool(getattr(kind, "dims", None)) and not isinstance(kind, Stack)


def names_read(tree: ast.expr) -> set[str]:
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}


def names_passed_on(statement: ast.stmt) -> set[str]:
    """The names that a statement copies into other names or appends to a tape."""
    found: set[str] = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
            found.add(node.value.id)
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "append"
        ):
            found |= {name for arg in node.args for name in names_read(arg)}
    return found
