"""What is held while something else runs: operands that wait for others, methods under a name.

A container is held as the place it is, not as what it held when it was named: it is read again
where it is used.  (Arrays are places by themselves: see ``versions``.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...ir.containers import Pack

__all__ = ["Held", "Method"]

Node = Any


@dataclass(frozen=True)
class Method:
    """The kind of a method of a list, a dict or an object before it is called: the item is its owner."""

    name: str

    @property
    def __name__(self) -> str:
        return f"method {self.name}"


class Held:
    """Reads what was evaluated before, and is used now."""

    if TYPE_CHECKING:  # what the classes beside this one add
        seen: Any

    def present(self, node: Node) -> Node:
        """What was evaluated a while ago, every container in it with what it holds now."""
        return self.seen(node) if isinstance(node, Pack) else node

    def method(self, owner: Pack, name: str) -> Pack:
        """``owner.name``: whoever keeps it keeps the owner."""
        return Pack(Method(name), [0], [owner])
