"""Unification of dimensions that must be equal, as every call would fail otherwise.

>>> from tests.before_after import lowered
>>> from ...ir.dump import show
>>> function = lowered("def f(x, w, y): return x @ w - y", "x: f8[n, d], w: f8[e], y: f8[m]")
>>> print(show(unify(function)))
f(x: f8[n, d], w: f8[d], y: f8[m]):
    %1 = x @ w  # 1
    %2 = %1 - y  # 1
    yield %2

Only operations that every call reaches count: those of the outermost region.  The unified names are
a fact of the function, since its derivative may have none of these operations; `unheld` lists which.
`unasked` lists the other demands on sizes: those of constants, of parts, and of operations that not every
call reaches.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.records import replace
from retrograd.runtime.rules.book import book

from ...analyses.shapes.infer import type_of
from ...ir.operations import (
    Apply,
    Block,
    Call,
    Const,
    Function,
    Loop,
    Op,
    Value,
    walk,
)
from ...ir.size_names import UNKNOWN_SIZE
from ...ir.types import Array, Dim, Number, Size, Stack, Tree, Type

__all__ = [
    "equal_sizes",
    "every_value",
    "find",
    "of_constants",
    "renamed",
    "unasked",
    "unheld",
    "unify",
]

SIZE_NAME = re.compile(r"~?[^\W\d][\w.]*|~\d+")


def unify(function: Function) -> Function:
    """Rename, in place, dimensions that are certainly equal to one name."""
    same: dict[str, str] = {}
    for op in function.body.ops:
        if isinstance(op, Apply):
            for a, b in equal_sizes(op):
                join(same, a, b)
    function.facts.same = same
    function.facts.lengths = Lengths().of(function.body.ops)
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


def unasked(function: Function, functions: Sequence[Function]) -> list[tuple[Any, Any, str]]:
    """Sizes that an operation wants to agree, and that no operation of ``functions`` compares.

    ``==``: they are equal; ``~``: or one of them is 1.  A call with others is for the function to judge.
    """
    demands = Demands()
    held = {pair[:2] for made in functions for pair in demands.of(made.body)}
    return [pair for pair in demands.of(function.body) if pair[:2] not in held]


def of_constants(function: Function, asked: Sequence[Any]) -> list[tuple[str, int]]:
    """The sizes among those ``asked`` that every call has to have: those of constants."""
    top = {pair for op in function.body.ops if isinstance(op, Apply) for pair in pairs_of(op)}
    sizes = [(a, b) if isinstance(b, int) else (b, a) for a, b, how in asked if (a, b, how) in top]
    named = [(a, n) for a, n in sizes if isinstance(a, str) and a.isidentifier()]
    return [(a, n) for a, n in named if isinstance(n, int) and n > 1]


def pairs_of(op: Apply) -> list[tuple[Any, Any, str]]:
    return [pair for pair in asked_by(op) if pair[2] == "=="]


def asked_by(op: Apply) -> list[tuple[Any, Any, str]]:
    stretches = op.fn in book.rules and book.rules[op.fn].broadcasts
    return list(filter(None, (demand(*pair, stretches) for pair in wanted_sizes(op))))


class Demands:
    """What the operations of functions want to agree; each function is asked once."""

    def __init__(self) -> None:
        self.known: dict[Function, list[tuple[Any, Any, str]]] = {}

    def of(self, body: Block) -> list[tuple[Any, Any, str]]:
        found: dict[tuple[Any, Any, str], None] = {}
        for op in walk(body):
            if isinstance(op, Apply):
                found |= dict.fromkeys(asked_by(op))
            elif isinstance(op, Call):
                names = {name: str(n) for name, n in given_sizes(op).items()}
                for a, b, how in self.of_callee(op.callee):
                    here = in_order(in_words_of(a, names), in_words_of(b, names))
                    if None not in here and here[0] != here[1]:
                        found[(*here, how)] = None
        return list(found)

    def of_callee(self, callee: Function) -> list[tuple[Any, Any, str]]:
        if callee not in self.known:
            self.known[callee] = []  # a function that calls itself wants nothing more there
            self.known[callee] = self.of(callee.body)
        return self.known[callee]


def demand(a: Size, b: Size, stretches: bool) -> tuple[Any, Any, str] | None:
    """One demand, in words; None for what is certain, or not to be told by the arguments.

    ``stretches``: a size of 1 fits all others.
    """
    if a is None or b is None or (stretches and 1 in (a, b)):
        return None
    first, second = in_order(*(n if isinstance(n, int) else n.name for n in (a, b)))
    if first == second or "~" in f"{first}{second}":
        return None
    exact = all(n > 1 if isinstance(n, int) else n.above_one for n in (a, b))
    return first, second, "==" if exact or not stretches else "~"


def in_order(a: Any, b: Any) -> tuple[Any, Any]:
    return (b, a) if str(b) < str(a) else (a, b)


def in_words_of(size: Any, names: dict[str, str]) -> Any:
    """A callee's size in the caller's names; None if it has none, or one that no argument tells."""
    if isinstance(size, int):
        return size
    if any(UNKNOWN_SIZE.search(names.get(name, "~0")) for name in SIZE_NAME.findall(size)):
        return None
    text = SIZE_NAME.sub(lambda m: names[m[0]] if m[0] == size else f"({names[m[0]]})", size)
    return int(text) if text.isdecimal() else text


def wanted_sizes(op: Apply) -> list[tuple[Size, Size]]:
    """Pairs of dimensions that have to agree, or to broadcast where the operation does."""
    arrays = [kind for kind in map(type_of, op.args) if isinstance(kind, Array)]
    dims = [t.dims for t in arrays if t.dims]
    if op.fn in (np.inner, np.vdot) and len(dims) == len(arrays) == 2:
        return [(dims[0][-1], dims[1][-1])] if op.fn is np.inner or len(dims[0]) == 1 else []
    if op.fn in book.rules and book.rules[op.fn].broadcasts:
        return [
            pair for x, y in combinations(dims, 2) for pair in zip(x[::-1], y[::-1], strict=False)
        ]
    return equal_sizes(op)


class Lengths:
    """``a, b = x``: sizes of what is unpacked, and what they are to be; a loop is taken to run."""

    def __init__(self) -> None:
        self.known: dict[Function, list[tuple[str, int]]] = {}

    def of(self, ops: Sequence[Op]) -> list[tuple[str, int]]:
        """A size that nobody knows is not one of the arguments': it is left out."""
        found: list[tuple[str, int]] = []
        for op in ops:
            if isinstance(op, Apply) and op.fn is linear.check_count:
                whole, n = op.args
                size = next(iter(getattr(type_of(whole), "dims", None) or ()), None)
                if isinstance(size, Dim) and isinstance(n, Const):
                    found.append((size.first or size.name, n.value))
            elif isinstance(op, Call):
                names = given_sizes(op)
                outer = [(names[name], n) for name, n in self.of_callee(op.callee) if name in names]
                found += [(size.first or size.name, n) for size, n in outer]
            elif isinstance(op, Loop) and op.bounds is not None:
                found += self.of(op.body.ops)
        return [pair for pair in dict.fromkeys(found) if "~" not in pair[0]]

    def of_callee(self, callee: Function) -> list[tuple[str, int]]:
        if callee not in self.known:
            self.known[callee] = []
            self.known[callee] = self.of(callee.body.ops)
        return self.known[callee]


def given_sizes(op: Call) -> dict[str, Dim]:
    """The sizes of the parameters of a callee, and what they are here; of several, the last."""
    found: dict[str, Dim] = {}
    seen: dict[tuple[int, int], Any] = {}  # what a derivative keeps has the same parts many times

    def match(kind: Type, given: Type) -> None:
        if (id(kind), id(given)) in seen:
            return
        seen[id(kind), id(given)] = kind, given
        if isinstance(kind, Array) and isinstance(given, Array):
            for m, n in backwards(kind.dims or (), given.dims or ()):
                if isinstance(m, Dim) and isinstance(n, Dim):
                    found.setdefault(m.name, n)
        elif isinstance(kind, Tree) and isinstance(given, Tree):
            for t, u in backwards(kind.items, given.items):
                match(t, u)

    for p, a in backwards(op.callee.body.params, op.args):
        match(p.type, type_of(a))
    return found


def backwards(first: Sequence[Any], second: Sequence[Any]) -> list[tuple[Any, Any]]:
    return list(zip(first, second, strict=False))[::-1]


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
    arrays = [kind for kind in map(type_of, op.args) if isinstance(kind, Array)]
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
        for block in op.blocks:
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
    if isinstance(kind, Stack):
        return replace(kind, item=renamed(kind.item, pattern, same))
    if isinstance(kind, Tree):
        return Tree(
            kind.container,
            kind.keys,
            tuple(renamed(i, pattern, same) for i in kind.items),
            kind.cls,
        )
    return kind
