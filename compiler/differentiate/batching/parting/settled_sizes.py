"""Sizes of what loops carry: those that an iteration leaves as they are have one name."""

from __future__ import annotations

import re
from typing import Any

from ....analyses.shapes.infer import type_of
from ....ir.operations import Apply, Block, Function, If, Loop, Operand, Value, walk
from ....ir.size_names import UNKNOWN_SIZE
from ....ir.types import Array, Dim
from ....passes.redundancy.unify_dimensions import equal_sizes, every_value, find, renamed

__all__ = ["settle"]


def settle(function: Function) -> dict[Loop, set[int]]:
    """Which of the values that loops carry remain as large as they are, or an iteration would fail.

    Their sizes have one name from then on.
    """
    loops = [op for op in walk(function.body) if type(op) is Loop]
    makers = {stack: op for op in loops for stack in op.stacks}
    found: dict[Loop, set[int]] = {}
    for op in [*loops, *reversed(loops)]:
        before = [makers[stack].body for stack, _ in op.feeds if stack in makers]
        run = [*dict.fromkeys(before), op.body]
        if op.cond is not None or op.stops:
            function.facts.same = function.facts.same | (same := demanded(op, run))
            rename(function, same)
        found[op], same = kept_sizes(op, run)
        rename(function, same)
    return found


def rename(function: Function, same: dict[str, str]) -> None:
    """Give sizes that are equal one name."""
    if same:
        pattern = re.compile("|".join(re.escape(name) + r"(?!\d)" for name in same))
        for v in every_value(function):
            v.type = renamed(v.type, pattern, same)


def demanded(op: Loop, run: list[Block]) -> dict[str, str]:
    """The sizes of arguments that an iteration needs equal, or that have to be for what is carried to remain as large."""
    found: dict[str, str] = {}
    for inner in op.body.ops:
        for a, b in equal_sizes(inner) if isinstance(inner, Apply) else ():
            if by_demand(a, b):
                join_names(found, a, b)
    same = equal_names(op, set(range(len(op.inits))), run) | found
    for init, value in zip(op.inits, op.body.yields, strict=False):
        start, end = type_of(init), type_of(value)
        if are_equal(same, start, end, by_demand):
            for m, n in zip(start.dims, end.dims, strict=True):  # type: ignore[union-attr,arg-type]
                if not one_name(same, m, n):
                    join_names(found, m, n)
    return found


def by_demand(m: Any, n: Any) -> bool:
    """True for two sizes of arguments that are not 1."""
    return all(isinstance(d, Dim) and d.above_one and d.name.isidentifier() for d in (m, n))


def one_name(same: dict[str, str], m: Any, n: Any) -> bool:
    dims = isinstance(m, Dim) and isinstance(n, Dim)
    return m == n or (dims and find(same, m.name) == find(same, n.name))


def kept_sizes(op: Loop, run: list[Block]) -> tuple[set[int], dict[str, str]]:
    """The places of what remains as large as it is; the names of sizes that nobody knew, and what they are.

    ``run`` are the regions that have run where an iteration has: its own, and those of loops whose stacks it reads.
    """
    ends = list(zip(op.inits, op.body.yields, strict=False))
    kept = {k for k, pair in enumerate(ends) if all(isinstance(type_of(x), Array) for x in pair)}
    while True:
        same = equal_names(op, kept, run)
        still = {k for k in kept if are_equal(same, *map(type_of, ends[k]))}
        if still == kept:
            break
        kept = still
    names: dict[str, str] = {}
    for inner in op.body.ops:
        if type(inner) is If:
            for r, a in merged(same, inner):
                enter(names, r.type, type_of(a))
    for k in kept:
        for v in (op.carried[k], op.results[k], *([op.cond.params[k]] if op.cond else [])):
            enter(names, v.type, type_of(op.inits[k]))
    return kept, {name: find(names, new) for name, new in names.items()}


def enter(names: dict[str, str], unknown: Any, known: Any) -> None:
    """Note what sizes are that have no name of the user's."""
    if not isinstance(unknown, Array) or not isinstance(known, Array):
        return
    for m, n in zip(unknown.dims or (), known.dims or (), strict=False):
        if isinstance(m, Dim) and isinstance(n, Dim):
            first, second = find(names, m.name), find(names, n.name)
            if first != second and UNKNOWN_SIZE.fullmatch(first):
                names[first] = second


def equal_names(op: Loop, kept: set[int], run: list[Block]) -> dict[str, str]:
    """The sizes that an iteration needs equal, if what is ``kept`` begins as large as it began."""
    same: dict[str, str] = {}
    for k in kept:
        join_all(same, type_of(op.inits[k]), op.carried[k].type)
    for inner in (inner for block in run for inner in block.ops):
        if isinstance(inner, Apply):
            for a, b in equal_sizes(inner):
                join_names(same, a, b)
        elif type(inner) is If:
            for r, a in merged(same, inner):
                join_all(same, type_of(a), r.type)
    return same


def merged(same: dict[str, str], op: If) -> list[tuple[Value, Operand]]:
    """The results of a branch of which both sides are as large, with that of one side."""
    ends = zip(op.results, op.then.yields, op.orelse.yields, strict=True)
    return [(r, a) for r, a, b in ends if are_equal(same, type_of(a), type_of(b))]


def are_equal(same: dict[str, str], a: Any, b: Any, also: Any = None) -> bool:
    """True if two arrays have the same sizes, though by several names."""
    if not (isinstance(a, Array) and isinstance(b, Array)) or a.dims is None or b.dims is None:
        return False
    if len(a.dims) != len(b.dims) or None in a.dims + b.dims:
        return False
    pairs = zip(a.dims, b.dims, strict=True)
    return all(one_name(same, m, n) or (also is not None and also(m, n)) for m, n in pairs)


def join_all(same: dict[str, str], a: Any, b: Any) -> None:
    if isinstance(a, Array) and isinstance(b, Array):
        for m, n in zip(a.dims or (), b.dims or (), strict=False):
            join_names(same, m, n)


def join_names(same: dict[str, str], a: Any, b: Any) -> None:
    if isinstance(a, Dim) and isinstance(b, Dim):
        first, second = find(same, a.name), find(same, b.name)
        if first != second:
            same[second] = first
