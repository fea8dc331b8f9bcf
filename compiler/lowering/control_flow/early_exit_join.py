"""Where ways that left early come back: what a name holds on one way only is not known there.

A handler that ends in `continue` leaves the names that its ``try`` has bound to the other way, which goes on;
the next iteration has come by either.
"""

from __future__ import annotations

from ...ir.operations import UNDEFINED, Const
from ..interface.lowerer import Lowerer
from ..nodes import Environment, Node
from .unbound_names import Conflict

__all__ = ["Ways"]


class Ways:
    """``one_way``: what names hold where nobody has left, and what they are where it is not known who has."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope
        self.one_way: dict[tuple[str, int], tuple[Node, Node]] = {}

    def on_one_way(
        self, found: dict[str, Node], merged: Environment, gone: Environment
    ) -> dict[str, Node]:
        """Note names that are known where something goes on; ``gone``: the names where it left."""
        returned = gone.get("$returned")
        if self.scope.loop_depth and not (isinstance(returned, Const) and returned.value is True):
            for name, node in found.items():
                self.known_here(name, node, merged.get(name))
        return found

    def known_here(self, name: str, node: Node, elsewhere: Node) -> None:
        unbound = elsewhere is None or elsewhere is UNDEFINED
        if not unbound and not (isinstance(elsewhere, Conflict) and elsewhere.unbound):
            self.one_way[name, id(node)] = node, elsewhere

    def one_way_still(self, before: Environment, now: dict[str, Node]) -> None:
        """Keeps what was known of names on one side of a branch."""
        for name, node in before.items() if self.one_way else ():
            known = self.one_way.get((name, id(node)))
            if known is not None and name in now and now[name] is not node:
                self.known_here(name, now[name], known[1])

    def rejoined(self) -> None:
        """From here on nobody knows who has left."""
        for name, node in list(self.scope.env.items()) if self.one_way else ():
            known = self.one_way.get((name, id(node)))
            if known is not None:
                self.scope.env[name] = known[1]
