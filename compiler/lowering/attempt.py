"""Attempts to compile a program: what is refused, or left to the tape, may pass with more of it known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Attempt"]

FEW = 3


@dataclass
class Attempt:
    """What the compiler goes by this time, and what it left undone that another time would do.

    ``decides``: constants that have names decide branches; ``questions``: so many of packages are asked while compiling,
    each of which begins anew; ``answers``: those that a branch is taken by are answered, else they are left to the run;
    ``reads``: functions of NumPy and SciPy without a rule are compiled from their own text.
    """

    decides: bool = False
    questions: int = 0
    answers: bool = True
    reads: bool = False
    undecided: bool = False
    unasked: bool = False
    unread: dict[Any, None] = field(default_factory=dict)
    learned: dict[Any, bool] = field(default_factory=dict)  # calls whose results are known

    def further(self) -> Iterator[Attempt]:
        """Those that do more."""
        if self.undecided or self.unasked:
            yield self.another()
        if self.unread:
            yield self.another(reads=True)

    def another(self, reads: bool = False) -> Attempt:
        decides = self.undecided or self.decides
        return Attempt(decides, FEW, self.answers, reads, learned=self.learned)
