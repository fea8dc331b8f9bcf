"""Colouring: which columns of a sparse matrix one direction can carry together.

Columns (rows) of one colour have no row (column) in common, so a product with their sum shows each
of them (Curtis, Powell and Reid 1974).  A star colouring of a symmetric matrix asks for less: every
entry is shown by its row or by its column (Gebremedhin, Manne and Pothen 2005).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

__all__ = ["column_colours", "largest_first", "smallest_last", "star_colours"]

SEARCHED = 2 * 10**6  # pairs of columns that meet, up to which the order is searched for


def rows_of(indptr: Any, indices: Any) -> list[list[int]]:
    """The columns of each row of a pattern in the form of CSR."""
    flat = indices.tolist()
    return [flat[start:end] for start, end in pairwise(indptr.tolist())]


def turned(rows: list[list[int]], n: int) -> list[list[int]]:
    """The rows of each column."""
    found: list[list[int]] = [[] for _ in range(n)]
    for i, row in enumerate(rows):
        for j in row:
            found[j].append(i)
    return found


def column_colours(rows: list[list[int]], n: int) -> list[int]:
    """A colour for each of ``n`` columns; as few as the orders tried find.

    >>> column_colours([[0, 1], [0, 1, 2], [1, 2, 3], [2, 3]], 4)
    [0, 1, 2, 0]
    """
    columns, least = turned(rows, n), max(map(len, rows), default=0)
    best: list[int] | None = None
    for order in orders(rows, columns):
        found = greedy(rows, columns, order)
        if best is None or max(found, default=0) < max(best, default=0):
            best = found
        if max(best, default=-1) + 1 <= least:
            break
    return best or []


def orders(rows: list[list[int]], columns: list[list[int]]) -> Iterator[Any]:
    yield range(len(columns))
    yield largest_first(rows, columns)
    if sum(len(row) ** 2 for row in rows) <= SEARCHED:
        yield smallest_last(rows, columns)


def greedy(rows: list[list[int]], columns: list[list[int]], order: Any) -> list[int]:
    """Each column in turn takes the first colour that none of its rows has seen."""
    colours, seen = [0] * len(columns), [0] * len(rows)  # bits: the colours in each row
    for j in order:
        taken = 0
        for i in columns[j]:
            taken |= seen[i]
        free = ~taken & (taken + 1)
        colours[j] = free.bit_length() - 1
        for i in columns[j]:
            seen[i] |= free
    return colours


def largest_first(rows: list[list[int]], columns: list[list[int]]) -> list[int]:
    """The columns that meet most others first."""
    degree = [sum(len(rows[i]) for i in column) for column in columns]
    return sorted(range(len(columns)), key=lambda j: (-degree[j], j))


def smallest_last(rows: list[list[int]], columns: list[list[int]]) -> list[int]:
    """From the end: always the column that meets fewest of those that are left."""
    meets = [{k for i in column for k in rows[i]} - {j} for j, column in enumerate(columns)]
    heap = [(len(others), j) for j, others in enumerate(meets)]
    heapq.heapify(heap)
    left, order = [True] * len(columns), []
    while heap:
        degree, j = heapq.heappop(heap)
        if not left[j] or degree != len(meets[j]):
            continue
        left[j] = False
        order.append(j)
        for k in meets[j]:
            meets[k].discard(j)
            heapq.heappush(heap, (len(meets[k]), k))
    return order[::-1]


def star_colours(rows: list[list[int]], order: Any = None) -> list[int]:
    """A star colouring of the graph of a symmetric pattern: no path of four has two colours.

    >>> star_colours([[0, 1, 2, 3], [0, 1], [0, 2], [0, 3]])
    [0, 1, 1, 1]
    """
    graph = [[j for j in row if j != i] for i, row in enumerate(rows)]
    star = Star(graph)
    for v in range(len(graph)) if order is None else order:
        star.colour(v)
    return star.colours


class Star:
    """``beside[x][c]``: how many neighbours of x have the colour c; ``closed[w]``: colours that a
    neighbour of w may not take, because w has a twin beside one of that colour."""

    def __init__(self, graph: list[list[int]]) -> None:
        self.graph = graph
        self.colours = [-1] * len(graph)
        self.beside: list[dict[int, list[int]]] = [{} for _ in graph]
        self.closed: list[set[int]] = [set() for _ in graph]

    def colour(self, v: int) -> None:
        taken: set[int] = set()
        for w in self.graph[v]:
            if self.colours[w] < 0:
                taken.update(self.beside[w])
            else:
                taken.add(self.colours[w])
                taken |= self.closed[w]
        c = next(c for c in range(len(taken) + 1) if c not in taken)
        self.colours[v] = c
        for x in self.graph[v]:
            self.meet(x, v, c)
        for same in self.beside[v].values():
            if len(same) > 1:
                for w in same:
                    self.closed[w].add(c)

    def meet(self, x: int, v: int, c: int) -> None:
        """``v`` has got the colour ``c``, and is a neighbour of ``x``."""
        same = self.beside[x].setdefault(c, [])
        same.append(v)
        if self.colours[x] >= 0 and len(same) > 1:
            for w in same if len(same) == 2 else (v,):
                self.closed[w].add(self.colours[x])


def recoverable(rows: list[list[int]], colours: Any) -> Any:
    """For each entry of a symmetric pattern, whether its row shows it (else its column does)."""
    colours = np.asarray(colours)
    found = []
    for row in rows:
        mine = colours[row]
        _, inverse, counts = np.unique(mine, return_inverse=True, return_counts=True)
        found.append(counts[inverse] == 1)
    return np.concatenate(found) if found else np.zeros(0, bool)
