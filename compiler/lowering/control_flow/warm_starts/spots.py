"""Where containers and memories are found before a loop, in words that every attempt has.

Each attempt at a loop numbers the containers and memories of an inner one anew; the names that hold them
stay what they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from retrograd.runtime.records import dataclass

from ....analyses.aliasing.views_and_copies import Cell
from ....ir.containers import Pack
from ....ir.operations import Value
from ...interface.memory import Versions
from ...memory.places import cell_name, hidden, is_cell
from ...nodes import Environment, Node, Ref

__all__ = ["Spot", "Spots"]


@dataclass(frozen=True)
class Spot:
    """A name, or the container or the memory that is found on a way into what it holds."""

    what: str  # "name", "container", "memory"
    name: str
    way: tuple[int, ...] = ()


class Spots:
    """The spots of what stands before a loop."""

    def __init__(self, versions: Versions, env: Environment) -> None:
        self.versions, self.env = versions, env

    # -- from what this attempt calls it -------------------------------------------------

    def of(self, name: str) -> Spot | None:
        """The spot of an entry of the environment; None if no name leads there."""
        if is_cell(name):
            return next((s for s, found in self.all() if found == name), None)
        return self.of_memory(self.versions.cells[name]) if hidden(name) else Spot("name", name)

    def of_memory(self, cell: Cell) -> Spot | None:
        return next((s for s, found in self.all() if found is cell), None)

    def all(self) -> Iterator[tuple[Spot, str | Cell]]:
        for name, node in self.env.items():
            if not (is_cell(name) or hidden(name)):
                yield from self.within(name, (), node)

    def within(
        self, name: str, way: tuple[int, ...], node: Node
    ) -> Iterator[tuple[Spot, str | Cell]]:
        if isinstance(node, Ref):
            yield Spot("container", name, way), cell_name(node.cell)
        elif isinstance(node, Value) and node in self.versions.places:
            yield Spot("memory", name, way), self.versions.places[node].cell
        content = self.content(node)
        if isinstance(content, Pack):
            for k, item in enumerate(content.items):
                yield from self.within(name, (*way, k), item)

    def content(self, node: Node) -> Node:
        return self.env.get(cell_name(node.cell)) if isinstance(node, Ref) else node

    # -- to what that attempt calls it ---------------------------------------------------

    def name_at(self, spot: Spot) -> str | None:
        """What is called in this attempt what is at a spot; None if there is no such thing."""
        if spot.what == "name":
            return spot.name if spot.name in self.env else None
        if spot.what == "memory":
            cell = self.memory_at(spot)
            return None if cell is None else self.versions.key_of(cell)
        node = self.node_at(spot)
        return cell_name(node.cell) if isinstance(node, Ref) else None

    def memory_at(self, spot: Spot) -> Cell | None:
        node = self.node_at(spot)
        return self.versions.place_of(node).cell if self.versions.may_be_array(node) else None

    def node_at(self, spot: Spot) -> Node:
        node = self.env.get(spot.name)
        for k in spot.way:
            content = self.content(node)
            if not isinstance(content, Pack) or k >= len(content.items):
                return None
            node = content.items[k]
        return node
