"""Attempts to compile a program: what is refused, or left to the tape, may pass with more of it known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Attempt"]


@dataclass
class Attempt:
    """What the compiler goes by this time, and what it left undone that another time would do.

    ``decides``: constants that have names decide branches; ``reads``: functions of NumPy and SciPy without a rule
    are compiled from their own text.
    """

    decides: bool = False
    reads: bool = False
    undecided: bool = False
    unread: dict[Any, None] = field(default_factory=dict)

    def further(self) -> Iterator[Attempt]:
        """Those that do more."""
        if self.undecided:
            yield Attempt(decides=True)
        if self.unread:
            yield Attempt(decides=self.undecided or self.decides, reads=True)
