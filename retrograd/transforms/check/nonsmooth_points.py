"""Points where a function has slopes to every side, and no derivative: equal entries of a median, corners of a box."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.runtime.objects.pytree import leaves

from .slopes import FailsNearby, Leaves, Line, is_inexact, signs

__all__ = ["tied"]

FEW, MANY = (
    3,
    16,
)  # draws: so many where nothing is found; where something is, for the other numbers
LONG = 1.0  # seconds for those
SHARE = 0.05  # of what a derivative is off by: a tie that explains it is at least as large


def tied(line: Line, middle: Leaves, project: Callable[[Leaves], Any], miss: Any) -> Any:
    """Where slopes to one side do not add up as those of a derivative do, by a part of ``miss``.

    Along a single number they always do; there a kink shows on its two sides.
    """
    found, rng = np.zeros(np.shape(miss), bool), np.random.default_rng(1)
    if sum(np.size(v) for v in moved(line)) < 2:
        return found
    sides, end = Sides(line, middle, project), time.monotonic() + LONG
    for count in range(MANY):
        if count >= FEW and (not np.any(found) or time.monotonic() > end):
            break
        with contextlib.suppress(FailsNearby):
            found |= sides.disagree([signs(np.shape(v), rng) for v in moved(line)], miss)
    return found


def moved(line: Line) -> list[Any]:
    return [v for tree in line.directions.values() for v in leaves(tree) if is_inexact(v)]


class Sides:
    """Slopes to one side, by two steps: along a line, along others, and along their sums."""

    def __init__(self, line: Line, middle: Leaves, project: Callable[[Leaves], Any]) -> None:
        self.line, self.middle, self.project = line, middle, project
        self.here, step = project(middle), line.precision.step
        self.steps = step, step / 16
        self.noise = 64 * line.precision.unit * np.abs(self.here) / self.steps[1]
        self.own = self.slopes(line)

    def slopes(self, line: Line) -> list[Any]:
        return [(self.project(line.at(h, self.middle)) - self.here) / h for h in self.steps]

    def disagree(self, factors: list[Any], miss: Any) -> Any:
        """Where they are off by more than a part of ``miss``; of smooth functions, by ever less."""
        other = self.slopes(self.line.times(factors))
        both = self.slopes(self.line.times([1 + f for f in factors]))
        far, near = (np.abs(c - a - b) for a, b, c in zip(self.own, other, both, strict=True))
        with np.errstate(all="ignore"):
            return (near > SHARE * miss + self.noise) & (near > far / 4)
