"""The graph that a tape records, and the sweep back over it: no recursion, newest node first."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ..objects.pytree import at

__all__ = ["Edge", "Mark", "Node", "backward"]

ORDER = itertools.count()


class Mark(NamedTuple):
    """Where a value comes from: a node, and the path to it in the result (empty: it is all of it)."""

    node: Node
    path: tuple[Any, ...] = ()


class Edge(NamedTuple):
    """``pull(c)``: the cotangent of one argument; ``targets`` are the paths in it that are recorded.

    ``careful`` takes its place where ``c`` is holed: where it has zeros that a choice put there.
    ``chooses``: the cotangent of the argument is holed in any case.
    """

    targets: list[tuple[tuple[Any, ...], Mark]]
    pull: Callable[[Any], Any]
    careful: Callable[[Any], Any] | None = None
    chooses: bool = False


class Node:
    """One recorded operation (a leaf has no edges).

    ``whole`` puts together the cotangent of a result that is a container, from its parts by path.
    """

    __slots__ = ("edges", "name", "order", "whole")

    def __init__(
        self,
        name: str,
        edges: Iterable[Edge] = (),
        whole: Callable[[dict[tuple[Any, ...], Any]], Any] | None = None,
    ) -> None:
        self.name, self.edges, self.whole = name, list(edges), whole
        self.order = next(ORDER)


def backward(seeds: Iterable[tuple[Mark, Any]], add: Callable[[Any, Any], Any]) -> dict[Node, Any]:
    """The cotangents of the leaves that the seeded results depend on.

    A node is newer than what it reads, so the newest is always complete.
    """
    bars: dict[Node, dict[tuple[Any, ...], Any]] = {}
    holed: dict[Node, bool] = {}  # a sum fills the holes of one term
    queue: list[tuple[int, Node]] = []

    def send(mark: Mark, c: Any, has_holes: bool = False) -> None:
        known = bars.get(mark.node)
        if known is None:
            known = bars[mark.node] = {}
            heapq.heappush(queue, (-mark.node.order, mark.node))
        holed[mark.node] = has_holes and holed.get(mark.node, True)
        known[mark.path] = add(known[mark.path], c) if mark.path in known else c

    for mark, c in seeds:
        send(mark, c)
    leaves: dict[Node, Any] = {}
    while queue:
        _, node = heapq.heappop(queue)
        parts, has_holes = bars.pop(node), holed.pop(node)
        c = parts[()] if node.whole is None else node.whole(parts)
        if not node.edges:
            leaves[node] = c
        for targets, pull, careful, chooses in node.edges:
            part = careful(c) if careful is not None and has_holes else pull(c)
            for path, mark in targets:
                send(mark, at(part, path), has_holes or chooses)
    return leaves
