"""The tree in which the results of shards are put together: it hangs on their number alone, and so do the digits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from retrograd.runtime.objects.pytree import leaves, map_leaves, map_pairs

__all__ = ["FAN", "Node", "Part", "Tree", "merged"]

FAN = 8  # results that are put together at once


class Node(NamedTuple):
    """A shard (level 0), or what is put together of up to `FAN` nodes of the level below."""

    level: int
    at: int


class Part(NamedTuple):
    """The result of some shards, and how many rows they had."""

    rows: int
    value: Any


class Tree:
    """The nodes over a number of shards.

    >>> tree = Tree(10)
    >>> tree.root, tree.children(tree.root), tree.parent(Node(0, 9))
    (Node(level=2, at=0), [Node(level=1, at=0), Node(level=1, at=1)], Node(level=1, at=1))
    """

    def __init__(self, shards: int) -> None:
        self.widths = [shards]
        while self.widths[-1] > 1:
            self.widths.append(-(-self.widths[-1] // FAN))
        self.root = Node(len(self.widths) - 1, 0)

    def leaves(self) -> list[Node]:
        return [Node(0, k) for k in range(self.widths[0])]

    def inner(self) -> Iterator[Node]:
        """The nodes above the shards, children first."""
        for level, width in enumerate(self.widths[1:], 1):
            yield from (Node(level, k) for k in range(width))

    def children(self, node: Node) -> list[Node]:
        below = range(FAN * node.at, min(FAN * node.at + FAN, self.widths[node.level - 1]))
        return [Node(node.level - 1, k) for k in below]

    def parent(self, node: Node) -> Node | None:
        return None if node == self.root else Node(node.level + 1, node.at // FAN)

    def above(self, node: Node) -> Iterator[Node]:
        """The nodes that hang on a node."""
        found = self.parent(node)
        while found is not None:
            yield found
            found = self.parent(found)


def merged(rows: bool, parts: Sequence[Part]) -> Part:
    """Results put together, from the first to the last: one above the other, or as their sum.

    >>> merged(False, [Part(2, (1.0, np.ones(2))), Part(3, (2.0, np.ones(2)))])
    Part(rows=5, value=(3.0, array([2., 2.])))
    >>> merged(True, [Part(1, np.zeros((1, 2))), Part(1, np.ones((1, 2)))]).value.tolist()
    [[0.0, 0.0], [1.0, 1.0]]
    """
    total = sum(part.rows for part in parts)
    values = [part.value for part in parts]
    if rows:
        flat = zip(*map(leaves, values), strict=True)
        stacked = iter([np.concatenate(pieces) for pieces in flat])
        return Part(total, map_leaves(lambda _: next(stacked), values[0]))
    value = values[0]
    for other in values[1:]:
        value = map_pairs(added, value, other)
    return Part(total, value)


def added(a: Any, b: Any) -> Any:
    return None if a is None else a + b
