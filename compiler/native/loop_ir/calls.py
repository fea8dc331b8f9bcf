"""Functions that call themselves: calls, what a run keeps for the way back, and the ends of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.runtime.records import dataclass, field

from .ir import Buffer, Kernel, Opaque

__all__ = ["Call", "Ends", "Fourier", "Function", "Keep", "Library"]


@dataclass(eq=False)
class Function(Kernel):
    """A function of a kernel that calls itself; ``numbers`` and ``floats``: how many of them it gives."""

    numbers: int = 0
    floats: int = 0


@dataclass(eq=False)
class Call(Opaque):
    """A call: ``values`` are the numbers that it gets, and ``memory`` what it gives its results in, and then its arrays."""

    function: Function = None  # type: ignore[assignment]


@dataclass(eq=False)
class Keep(Opaque):
    """A record, at an address that is put into the first of ``memory``.

    ``words``: what it holds in order, an array by its rank and whether it is copied, a number as None.  ``values``:
    of each, a number or the first element of an array, how many it has, and its sizes; then the floats.
    """

    words: tuple[tuple[int, bool] | None, ...] = ()

    def parts(self) -> tuple[list[tuple[Any, ...]], Sequence[Any]]:
        """The values of each word, and the floats."""
        rest = list(self.values)
        found = []
        for word in self.words:
            n = 1 if word is None else 2 + word[0]
            found.append(tuple(rest[:n]))
            del rest[:n]
        return found, rest


@dataclass(eq=False)
class Ends(Opaque):
    """The function returns.  ``values``: whole numbers, ``places`` of them among those that it gives, and floats;
    ``handed``: arrays, by the places where their addresses go.
    """

    places: tuple[int, ...] = ()
    handed: tuple[tuple[int, Buffer], ...] = field(default=())


@dataclass(eq=False)
class Library(Opaque):
    """A routine of NumPy's library, for whole matrices; ``values`` are sizes, the dtype is that of the first of ``memory``."""

    name: str = ""


@dataclass(eq=False)
class Fourier(Opaque):
    """The Fourier transforms of rows, in place; ``values``: how many, and how long."""

    sign: int = -1
