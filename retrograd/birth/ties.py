"""Points where a function has slopes to every side, and no derivative: equal entries of a median, corners of a box."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..trees import flatten
from .slopes import FailsNearby, Leaves, Line, is_inexact, signs

__all__ = ["tied"]

DRAWS = 4
SHARE = 0.05  # of what a derivative is off by: a tie that explains it is at least as large


def tied(line: Line, middle: Leaves, project: Callable[[Leaves], Any], miss: Any) -> Any:
    """Where slopes to one side do not add up as those of a derivative do, by a part of ``miss``.

    Along a single number they always do; there a kink shows on its two sides.
    """
    found, rng = np.zeros(np.shape(miss), bool), np.random.default_rng(1)
    if sum(np.size(v) for v in moved(line)) < 2:
        return found
    here, h = project(middle), line.precision.step
    noise = 64 * line.precision.unit * np.abs(here) / (h / 16)
    for _ in range(DRAWS):
        factors = [signs(np.shape(v), rng) for v in moved(line)]
        lines = line, line.times(factors), line.times([1 + f for f in factors])
        try:
            far, near = (defect(lines, middle, project, here, step) for step in (h, h / 16))
        except FailsNearby:
            continue
        with np.errstate(all="ignore"):  # where a function is smooth, they add up ever better
            found |= (near > SHARE * miss + noise) & (near > far / 4)
    return found


def moved(line: Line) -> list[Any]:
    return [v for tree in line.directions.values() for v in flatten(tree)[0] if is_inexact(v)]


def defect(
    lines: tuple[Line, Line, Line],
    middle: Leaves,
    project: Callable[[Leaves], Any],
    here: Any,
    step: float,
) -> Any:
    one, other, both = ((project(line.at(step, middle)) - here) / step for line in lines)
    return np.abs(both - one - other)
