"""Targets and names: ``a, *b = value``, ``del name``, ``global`` and ``nonlocal``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from retrograd.runtime.errors import MutationError, UnsupportedSyntax

from ..ir.containers import Pack
from ..ir.operations import UNDEFINED, Value
from .memory.container_identity import Listed
from .subscripts import tree_length

__all__ = ["Targets", "has_star"]

Node = Any


class Targets:
    """Lowers what binds and unbinds names."""

    if TYPE_CHECKING:
        delete_item: Any
        env: dict[str, Node]
        expression: Any
        index: Any
        load: Any
        place: Any
        refuse: Any
        unpack: Any

    def spread_out(self, target: Any, value: Node) -> list[Node]:
        """``a, *b = value``: what stands for ``*b`` is a list."""
        at = next(k for k, t in enumerate(target.elts) if isinstance(t, gast.Starred))
        if isinstance(value, Value) and tree_length(value.type) is None:
            raise UnsupportedSyntax(
                "a starred target for something of unknown length is not supported",
                place=self.place(target.elts[at]), fix="take a slice: first, rest = x[0], x[1:]",
            )  # fmt: skip
        items = self.unpack(value, None, target)
        after = len(target.elts) - at - 1
        if len(items) < at + after:
            self.unpack(Pack(list, list(range(len(items))), items), at + after, target)
        middle = items[at : len(items) - after]
        packed = Pack(list, list(range(len(middle))), list(middle))
        return [*items[:at], packed, *items[len(items) - after :]]

    def do_Delete(self, node: Any) -> None:
        for target in node.targets:
            if isinstance(target, gast.Subscript):
                self.delete(target)
            elif isinstance(target, gast.Name):
                self.load(target.id, target)
                self.env[target.id] = UNDEFINED
            else:
                self.refuse(node)

    def delete(self, target: Any) -> None:
        base = self.expression(target.value)
        if not isinstance(base, Pack) or base.kind not in (list, dict, Listed):
            raise UnsupportedSyntax(
                "`del` of an item of this is not supported", place=self.place(target),
                fix="make a new container without it",
            )  # fmt: skip
        self.delete_item(base, self.index(target.slice), target)

    outside: frozenset[str] = frozenset()  # the names of `global` and `nonlocal`

    def do_Global(self, node: Any) -> None:
        self.outside |= set(node.names)

    do_Nonlocal = do_Global

    def refuse_outside(self, node: Any) -> None:
        raise MutationError(
            f"`{node.id}` is a name outside of the function, and is bound here",
            place=self.place(node), fix="pass the value as an argument and return it",
        )  # fmt: skip


def has_star(target: Any) -> bool:
    return any(isinstance(t, gast.Starred) for t in target.elts)
