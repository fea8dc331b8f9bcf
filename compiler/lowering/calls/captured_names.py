"""Names that a function reads which a call has kept: it has what they held, and may not be called once they are bound anew.

A closure that leaves takes what its names hold with it (see ``closures``).  Python's reads the names when
it is called.  Nothing tells the difference while the call runs; afterwards something may, if the
function is in what the call returns, or was put into what it was given.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from retrograd.runtime.errors import MutationError

from ...frontend.function_names import bound_in
from ...ir.containers import Pack, leaves
from ...ir.operations import Const
from ..interface.lowerer import Lowerer
from ..nodes import Code, LentName, Node

__all__ = ["Lending"]

Kept = tuple[int, list[LentName], Pack]  # a closure: when it was kept, and what it reads


class Lending:
    """Watches the names that closures took with them."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope
        self.lent: list[LentName] = []  # since the last call
        self.kept: dict[Any, Kept] = {}
        self.bound: list[tuple[int, str]] = []  # every name that was bound, in order

    def lend(self, frame: int, names: list[str]) -> None:
        """A function of a frame leaves with these names."""
        own = bound_in(self.scope.tree) if frame == self.scope.frame else ()
        self.lent += [(frame, name in own, name) for name in names]

    def keep_lent(self, since: int, *ends: Node) -> None:
        """Has the functions that these hold keep the names lent since then."""
        names, now = self.lent[since:], len(self.bound)
        del self.lent[since:]
        for pack in closures_in(ends) if names else ():
            self.kept.setdefault(instance(pack), (now, names, pack))

    def note_bound(self, name: str) -> None:
        """A name is bound, perhaps anew."""
        self.bound.append((self.scope.frame, name))

    def check_kept(self, node: Node, at: gast.AST) -> None:
        """Refuse functions that would see what a name held before."""
        for pack in closures_in([node]) if self.kept else ():
            known = self.kept.get(instance(pack))
            for when, names, _ in self.same_text(pack) if known is None else [known]:
                for name in names:
                    if any(reaches(b, name) for b in self.bound[when:]):
                        raise self.bound_anew(name[2], at)

    def same_text(self, pack: Pack) -> list[Kept]:
        """The known closures of this text: a loop or a branch has made another of them."""
        return [known for key, known in self.kept.items() if key[0] == id(pack.kind.node)]

    def bound_anew(self, name: str, at: gast.AST) -> MutationError:
        return MutationError(
            f"`{name}` is bound anew after a call kept a function that reads it, which is used here",
            place=self.scope.place(at), fix=f"give the function a default ({name}={name}), or an item of a list to read",
        )  # fmt: skip


def reaches(bound: tuple[int, str], name: LentName) -> bool:
    """True if what was bound is this name."""
    (at, text), (frame, own, read) = bound, name
    return text == read and (at == frame or (at < frame and not own))


def instance(pack: Pack) -> tuple[Any, ...]:
    """One closure: its text, and what it has taken with it."""
    return id(pack.kind.node), *[v.key() if isinstance(v, Const) else id(v) for v in leaves(pack)]


def closures_in(nodes: Any) -> Iterator[Pack]:
    """The functions that have left their frame, in nodes."""
    for node in nodes:
        if isinstance(node, Pack):
            if isinstance(node.kind, Code):
                yield node
            yield from closures_in(node.items)
