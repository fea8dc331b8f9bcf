"""Which containers were put into others that are known at run time: how often, and where."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from retrograd.runtime.records import dataclass, field

__all__ = ["Doubtful", "Held", "Sides"]


class Doubtful(set[int]):
    """The containers that may be one of several, or in another one; ``told``: as often as that was found out, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[int] = []

    def add(self, cell: int) -> None:
        self.update((cell,))

    def update(self, *groups: Iterable[int]) -> None:
        for group in groups:
            cells = list(group)
            self.told += cells
            super().update(cells)

    def __ior__(self, cells: Any) -> Doubtful:  # type: ignore[override,misc]
        self.update(cells)
        return self


class Sides:
    """What each side of a branch has found out of containers, one after the other."""

    def __init__(self, doubtful: Doubtful) -> None:
        self.doubtful, self.before = doubtful, frozenset(doubtful)
        self.found: tuple[set[int], set[int]] = (set(), set())
        self.at = len(doubtful.told)

    def end(self, side: int) -> None:
        """What was found out since the last end is of this side."""
        self.found[side].update(self.doubtful.told[self.at :])
        self.at = len(self.doubtful.told)

    def alone(self, side: int) -> set[int]:
        """The containers that this side alone has put somewhere."""
        return self.found[side] - self.found[1 - side] - self.before


@dataclass
class Held:
    """What may be found in a container known at run time; ``twice``: one of them may be in two places."""

    cells: set[int] = field(default_factory=set)
    twice: bool = False
    where: dict[int, set[Any]] = field(default_factory=dict)  # in any attempt at a loop
    places: dict[int, set[Any]] = field(default_factory=dict)  # in the one that holds
    born: dict[int, Any] = field(default_factory=dict)  # the loops that containers are made in

    def checkpoint(self) -> Callable[[], None]:
        """A function that forgets how often containers are put somewhere from now on; not where they may be."""
        twice = self.twice
        places = {cell: set(found) for cell, found in self.places.items()}

        def back() -> None:
            self.twice, self.places = twice, {c: set(found) for c, found in places.items()}

        return back

    def put(self, cells: Iterable[int], where: Any, loops: tuple[Any, ...] | None) -> None:
        """These are put into one, at a place in the text and in these loops; None: they were in it before."""
        for cell in cells:
            self.cells.add(cell)
            self.where.setdefault(cell, set()).add(where)
            places = self.places.setdefault(cell, set())
            places.add(where)
            again = loops is not None and self.born.get(cell, ()) != loops
            self.twice = self.twice or again or len(places) > 1
