"""Loops over containers of known length: their iterations one after another, left by branches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...frontend import exit_queries
from ...ir.containers import Pack
from ...ir.operations import Block, Const, If

__all__ = ["Unrolled"]

Node = Any


class Unrolled:
    """Lowers a ``for`` over a container."""

    if TYPE_CHECKING:
        assign: Any
        at_turn: Any
        blocks: list[Block]
        choose: Any
        dead: bool
        each_item: Any
        env: dict[str, Node]
        loop_depth: int
        raised: bool
        rejoined: Any
        statements: Any

    def unroll(self, node: Any, pack: Pack) -> None:
        """A loop over a container of known length: its iterations one after another."""
        if not (exit_queries.may(node) or exit_queries.loop_exits(node.body)):
            for item in self.each_item(pack, node):
                self.assign(node.target, item)
                self.statements(node.body)
            return
        outer = {name: self.env.get(name) for name in ("$stop", "$left")}
        self.env.setdefault("$returned", Const(False))
        self.loop_depth += 1
        self.iterations(node, pack, 0)
        self.loop_depth -= 1
        self.env |= {name: Const(False) if kept is None else kept for name, kept in outer.items()}

    def iterations(self, node: Any, pack: Pack, k: int) -> None:
        """An iteration, and the later ones unless it stops the loop."""
        if self.raised:
            return
        now = self.at_turn(pack, node)
        if k == len(now.items):
            return
        self.env["$stop"] = self.env["$left"] = Const(False)
        self.assign(node.target, Const(now.keys[k]) if now.kind is dict else now.items[k])
        self.statements(node.body)
        self.rejoined()
        self.dead = False
        stop = self.condition_of(self.env["$stop"])
        if isinstance(stop, Const):
            return None if stop.value else self.iterations(node, pack, k + 1)
        self.choose(stop, lambda: None, lambda: self.iterations(node, pack, k + 1), node)

    def condition_of(self, flag: Node) -> Node:
        """The condition of the branch that set a flag, where the flag says nothing else."""
        last = self.blocks[-1].ops[-1] if self.blocks[-1].ops else None
        if type(last) is not If or flag not in last.results:
            return flag
        at = last.results.index(flag)
        ends = [getattr(block.yields[at], "value", None) for block in (last.then, last.orelse)]
        return last.cond if ends == [True, False] else flag
