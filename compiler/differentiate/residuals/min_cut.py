"""Recompute or keep: a minimum cut finds the residuals that take the least memory.

Every value of a region is two nodes, and the edge between them costs its bytes.  A value that may be
computed again hangs on its operands; one that may not hangs on the source; one that the way back
reads hangs on the sink.  The edges of a minimum cut are the values to keep.  Sizes are compared, not
guessed: an array of higher rank is larger, whatever its dimensions, and so is one of more of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ...ir.operations import Op, Value, operands_of, values_in
from ...ir.types import Array, Number, Tree

__all__ = ["choose", "latest_cut", "weight"]

Node = Any
Edges = dict[Node, dict[Node, int]]

BITS = 64  # one order of magnitude: more bytes than any sum of the orders below it
RANKS = 16
WHATEVER = 1 << (BITS * RANKS * (RANKS + 1))  # more than everything: never cut
SOURCE, SINK = "source", "sink"


def weight(kind: Any) -> int:
    """The bytes of a value, in orders of magnitude that stand for dimensions of unknown size.

    >>> from ...ir.types import Dim
    >>> n, m = Dim("n"), Dim("m")
    >>> vector, square, matrix = (Array("float64", d, "f") for d in [(n,), (n, n), (n, m)])
    >>> weight(Number()) < weight(vector) < weight(square) < weight(matrix) < weight(None)
    True
    """
    if isinstance(kind, Number):
        return 8
    if isinstance(kind, Tree):
        return sum(map(weight, kind.items)) or 1
    if not isinstance(kind, Array) or kind.dims is None:
        return 1 << (BITS * RANKS * RANKS)
    size = np.dtype(kind.dtype).itemsize if kind.dtype else 8
    named = []
    for n in kind.dims:
        if isinstance(n, int):
            size *= n
        else:
            named.append(object() if n is None else n.name)
    return max(size, 1) << (BITS * (RANKS * min(len(named), RANKS - 1) + len(set(named))))


def choose(
    defined: dict[Value, Op],
    wanted: Iterable[Value],
    again: Callable[[Value], bool],
    costs: Callable[[Value], int],
) -> set[Value]:
    """The values to keep so that the ``wanted`` ones can be had.

    ``defined``: the operations of the region; ``again``: whether a value may be computed again;
    ``costs``: its weight, 0 for what is at hand.  What is neither defined there nor costs anything
    is not asked about.
    """
    edges: Edges = {}
    pending = list(wanted)
    for value in pending:
        join(edges, (value, "out"), SINK, WHATEVER)
    done: set[Value] = set()
    while pending:
        value = pending.pop(0)
        if value in done:
            continue
        done.add(value)
        join(edges, (value, "in"), (value, "out"), costs(value))
        if value not in defined or not again(value):
            join(edges, SOURCE, (value, "in"), WHATEVER)
            continue
        for operand in dict.fromkeys(values_in(operands_of(defined[value]))):
            if operand in defined or costs(operand):
                join(edges, (operand, "out"), (value, "in"), WHATEVER)
                pending.append(operand)
    return {a[0] for a, b in latest_cut(edges) if a != SOURCE and b != SINK}


def join(edges: Edges, a: Node, b: Node, capacity: int) -> None:
    forward = edges.setdefault(a, {})
    forward[b] = forward.get(b, 0) + capacity
    edges.setdefault(b, {}).setdefault(a, 0)


def latest_cut(edges: Edges) -> list[tuple[Node, Node]]:
    """The edges of the minimum cut nearest to the sink: of equal ones, that which repeats least.

    >>> chain = {}
    >>> for a, b, size in [(SOURCE, 1, 9), (1, 2, 3), (2, 3, 5), (3, 4, 3), (4, SINK, 9)]:
    ...     join(chain, a, b, size)
    >>> latest_cut(chain)
    [(3, 4)]
    """
    if SOURCE not in edges or SINK not in edges:
        return []
    left = {a: dict(ends) for a, ends in edges.items()}
    while path := augmenting(left):
        flow = min(left[a][b] for a, b in path)
        for a, b in path:
            left[a][b] -= flow
            left[b][a] += flow
    reaching = {SINK}
    pending = deque([SINK])
    while pending:
        b = pending.popleft()
        for a in left[b]:
            if left[a][b] > 0 and a not in reaching:
                reaching.add(a)
                pending.append(a)
    return [(a, b) for a, ends in edges.items() for b in ends
            if ends[b] > 0 and a not in reaching and b in reaching]  # fmt: skip


def augmenting(left: Edges) -> list[tuple[Node, Node]]:
    """A shortest path from source to sink along which more can flow."""
    before: dict[Node, Node] = {SOURCE: None}
    pending = deque([SOURCE])
    while pending and SINK not in before:
        a = pending.popleft()
        for b, capacity in left[a].items():
            if capacity > 0 and b not in before:
                before[b] = a
                pending.append(b)
    if SINK not in before:
        return []
    path, b = [], SINK
    while before[b] is not None:
        path.append((before[b], b))
        b = before[b]
    return path
