"""Dimensions that must be equal: what runs at all tells which sizes agree.

::

    r = x @ w - y        # x: [n, d], w: [e], y: [m]; no size is 1
    # so d = e and n = m: the names become one

Only operations that every call reaches count: those of the outermost region.  The names that became one are
a fact of the function, since a derivative may have none of these operations: `unheld` tells which.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from retrograd.runtime.rules.book import book

from ..infer import type_of
from ..ir import UNPACKED, Apply, Call, Const, Function, Loop, Op, Value, blocks_of, walk
from ..types import Array, Dim, Number, Size, Tree, Type

__all__ = ["unheld", "unify"]


def unify(function: Function) -> Function:
    """Rename, in place, dimensions that are certainly equal to one name."""
    same: dict[str, str] = {}
    for op in function.body.ops:
        if isinstance(op, Apply):
            for a, b in equal_sizes(op):
                join(same, a, b)
    function.facts["same"] = same
    function.facts["lengths"] = lengths(function.body.ops)
    if same:
        pattern = re.compile(r"\b(" + "|".join(map(re.escape, same)) + r")\b")
        for v in every_value(function):
            v.type = renamed(v.type, pattern, same)
    return function


def unheld(same: dict[str, str], functions: Sequence[Function]) -> list[tuple[str, str]]:
    """The sizes that were taken for equal, and that no operation of ``functions`` holds together."""
    held: dict[str, str] = {}
    for op in (op for function in functions for op in function.body.ops):
        if isinstance(op, Apply):
            for a, b in equal_sizes(op):
                if isinstance(a, Dim) and isinstance(b, Dim):
                    join(held, Dim(a.first or a.name), Dim(b.first or b.name))
    return [(a, b) for a, b in same.items() if find(held, a) != find(held, b)]


def lengths(ops: Sequence[Op], seen: Sequence[Function] = ()) -> list[tuple[str, int]]:
    """``a, b = x``: sizes of what is unpacked, and what they are to be; a loop is taken to run."""
    found: list[tuple[str, int]] = []
    for op in ops:
        if isinstance(op, Apply) and op.style == UNPACKED:
            counted, n = op.args
            size = getattr(type_of(counted), "size", None)
            if isinstance(size, Dim) and isinstance(n, Const):
                found.append((size.first or size.name, n.value))
        elif isinstance(op, Call) and op.callee not in seen:
            pairs = zip(op.callee.body.params, op.args, strict=False)
            names = {m.name: n for p, a in pairs for m, n in matched(p.type, type_of(a))}
            inner = lengths(op.callee.body.ops, [*seen, op.callee])
            outer = [(names[name], n) for name, n in inner if name in names]
            found += [(size.first or size.name, n) for size, n in outer]
        elif isinstance(op, Loop) and op.bounds is not None:
            found += lengths(op.body.ops, seen)
    return list(dict.fromkeys(found))


def matched(kind: Type, given: Type) -> list[tuple[Dim, Dim]]:
    """The sizes of a parameter, and what they are where the function is called."""
    if isinstance(kind, Array) and isinstance(given, Array):
        pairs = zip(kind.dims or (), given.dims or (), strict=False)
        return [(m, n) for m, n in pairs if isinstance(m, Dim) and isinstance(n, Dim)]
    if isinstance(kind, Tree) and isinstance(given, Tree):
        return [
            pair for t, u in zip(kind.items, given.items, strict=False) for pair in matched(t, u)
        ]
    return []


def find(same: dict[str, str], name: str) -> str:
    while name in same:
        name = same[name]
    return name


def join(same: dict[str, str], a: Size, b: Size) -> None:
    if isinstance(a, Dim) and isinstance(b, Dim) and plain(a) and plain(b):
        first, second = find(same, a.name), find(same, b.name)
        if first != second:
            same[second] = first


def plain(size: Dim) -> bool:
    return size.name.isidentifier()


def equal_sizes(op: Apply) -> list[tuple[Size, Size]]:
    """Pairs of dimensions that this operation needs equal."""
    arrays = [a.type for a in op.args if isinstance(a, Value) and isinstance(a.type, Array)]
    dims = [t.dims for t in arrays if t.dims]
    if op.fn in (operator.matmul, np.matmul, np.dot) and len(dims) == len(arrays) == 2:
        x, y = dims
        return [(x[-1], y[-2] if len(y) > 1 else y[0])]
    if op.fn in book.rules and book.rules[op.fn].broadcasts:
        return [
            (a, b)
            for x, y in combinations(dims, 2)
            for a, b in zip(reversed(x), reversed(y), strict=False)
            if above(a) and above(b)
        ]
    return []


def above(size: Size) -> bool:
    return isinstance(size, Dim) and size.above_one


def every_value(function: Function) -> list[Value]:
    found = list(function.body.params)
    for op in walk(function.body):
        found += op.results
        for block in blocks_of(op):
            found += block.params
    return found


def renamed(kind: Type, pattern: re.Pattern[str], same: dict[str, str]) -> Type:
    def change(size: Size) -> Size:
        if not isinstance(size, Dim):
            return size
        name = pattern.sub(lambda m: find(same, m[0]), size.name)
        return Dim(name, size.above_one, size.first or size.name)

    if isinstance(kind, Array) and kind.dims:
        return kind.with_dims(tuple(change(n) for n in kind.dims))
    if isinstance(kind, Number) and kind.size is not None:
        return Number(kind.kind, size=change(kind.size))  # type: ignore[arg-type]
    if isinstance(kind, Tree):
        return Tree(
            kind.container,
            kind.keys,
            tuple(renamed(i, pattern, same) for i in kind.items),
            kind.cls,
        )
    return kind
