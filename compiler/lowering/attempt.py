"""Attempts to compile a program: what is refused, or left to the tape, may pass with more of it known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from retrograd.runtime.errors import CompileError, UnsupportedOperation
from retrograd.runtime.records import dataclass, field

__all__ = ["Attempt"]

Side = tuple[Any, bool]  # where a branch stands, and which side of it
FEW = 3
MOST = 25_000  # statements that are lowered before all is refused
LONG = 5000  # to ask what constants and packages answer, and lower all of it again
MANY = 2000  # statements: to lower them all once more takes seconds


@dataclass
class Attempt:
    """What the compiler goes by this time, and what it left undone that another time would do.

    ``decides``: constants that have names decide branches; ``questions``: so many of packages are asked while compiling,
    each of which begins anew; ``answers``: those that a branch is taken by are answered, else they are left to the run;
    ``reads``: functions of NumPy and SciPy without a rule are compiled from their own text; ``leaves``: so many sides
    of branches of packages may be refused when they are taken, and not before.
    """

    decides: bool = False
    questions: int = 0
    answers: bool = True
    reads: bool = False
    undecided: bool = False
    unasked: bool = False
    leaves: int = 0
    refused: bool = False
    lowered: int = 0  # statements
    left: dict[Side, CompileError] = field(default_factory=dict)  # what is refused if it is taken
    sides: dict[CompileError, Side] = field(default_factory=dict)  # where something was refused
    unread: dict[Any, None] = field(default_factory=dict)
    learned: dict[Any, bool] = field(default_factory=dict)  # calls whose results are known

    def enter(self, scope: Any, statement: Any) -> None:
        """One statement more; functions that call each other in ever other ways come to no end."""
        self.lowered += 1
        if self.lowered > MOST:
            raise UnsupportedOperation(
                f"after {MOST} statements no end is in sight: functions that call each other are made for one kind of "
                "arguments after another",
                place=scope.place(statement), fix="give recursive functions arrays, or write them as loops",
            )  # fmt: skip

    def refuse(self, side: Side, error: CompileError) -> None:
        """This was refused in one side of a branch; of several, the innermost is noted."""
        self.sides.setdefault(error, side)

    def leave(self, error: CompileError) -> bool:
        """Leave the side of a branch that this was refused in, when all is lowered again; False if there is none."""
        side = self.sides.get(error)
        if side is None or (side[0], not side[1]) in self.left:
            return False
        self.refused = True
        if self.leaves > 0:
            self.leaves -= 1
            self.left[side] = error
        return side in self.left

    def further(self) -> Iterator[Attempt]:
        """Those that do more."""
        if self.lowered > MOST:
            return
        if (self.undecided or self.unasked) and self.lowered <= LONG:
            yield self.another()
        if self.unread:
            yield self.another(reads=True)
        if self.refused and self.lowered <= MANY:
            yield self.another(leaves=FEW)

    def another(self, reads: bool = False, leaves: int = 0) -> Attempt:
        decides = self.undecided or self.decides
        return Attempt(decides, FEW, self.answers, reads, leaves=leaves, learned=self.learned)
