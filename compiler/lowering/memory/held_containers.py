"""Which containers were put into others that are known at run time: how often, and where."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Held"]


@dataclass
class Held:
    """What may be found in a container known at run time; ``twice``: one of them may be in two places."""

    cells: set[int] = field(default_factory=set)
    twice: bool = False
    where: dict[int, set[Any]] = field(default_factory=dict)
    born: dict[int, Any] = field(default_factory=dict)  # the loops that containers are made in

    def checkpoint(self) -> Callable[[], None]:
        """A function that forgets where containers are put from now on, and how often; not which they are."""
        twice = self.twice
        where = {cell: set(places) for cell, places in self.where.items()}

        def back() -> None:
            self.twice, self.where = twice, {cell: set(found) for cell, found in where.items()}

        return back

    def put(self, cells: Iterable[int], where: Any, loops: tuple[Any, ...] | None) -> None:
        """These are put into one, at a place in the text and in these loops; None: they were in it before."""
        for cell in cells:
            self.cells.add(cell)
            places = self.where.setdefault(cell, set())
            places.add(where)
            again = loops is not None and self.born.get(cell, ()) != loops
            self.twice = self.twice or again or len(places) > 1
