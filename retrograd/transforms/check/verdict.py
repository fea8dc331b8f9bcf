"""A derivative held against what the function does along a line: right, wrong, or not to be told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .nonsmooth_points import tied
from .slopes import Leaves, Line

__all__ = ["Judged", "judged"]


class Judged(NamedTuple):
    """The outcome of a comparison: ``wrong`` says where, ``want`` is what differences say."""

    wrong: Any
    want: Any
    sure: bool


def judged(
    line: Line,
    middle: Leaves,
    project: Callable[[Leaves], Any],
    got: Any,
    scale: Any,
) -> Judged:
    """Hold a derivative against the slopes to both sides.

    It is right if it lies between them, as it does at a kink; if not, it is wrong only if other
    steps agree among each other better than with it, and slopes add up as those of a derivative.
    """
    here, h = project(middle), line.precision.step
    above, below = (project(line.at(t, middle)) for t in (h, -h))
    right, left = (above - here) / h, (here - below) / h
    with np.errstate(all="ignore"):
        known = np.isfinite(right) & np.isfinite(left) & np.isfinite(got)
        noise = 64 * line.precision.unit * np.abs(here) / h
        room = line.precision.near * scale + noise
        inside = (got >= np.minimum(left, right) - room) & (got <= np.maximum(left, right) + room)
    doubtful = known & ~inside
    if not np.any(doubtful):
        return Judged(np.zeros(np.shape(got), bool), (above - below) / (2 * h), bool(np.any(known)))
    far = Steps(line, middle, project)
    wrong = doubtful & far.exclude(got, room)
    if np.any(wrong):
        wrong = wrong & ~tied(line, middle, project, np.abs(got - far.centre))
    return Judged(wrong, far.centre, bool(np.all(wrong == doubtful)))


STEPS = (2.0**-8, 2.0**-4, 1.0, 4.0, 16.0)
WINDOW = 3


class Steps:
    """A slope by several steps: what each three of them say, and how well they agree."""

    def __init__(self, line: Line, middle: Leaves, project: Callable[[Leaves], Any]) -> None:
        here = project(middle)
        self.steps = [line.precision.step * factor for factor in STEPS]
        pairs = [[project(line.at(t, middle)) for t in (h, -h)] for h in self.steps]
        both = list(zip(self.steps, pairs, strict=True))
        self.centres = [(above - below) / (2 * h) for h, (above, below) in both]
        self.gaps = [np.abs(above - 2 * here + below) / h for h, (above, below) in both]
        self.centre = self.centres[1]
        # Of the values, and of the arguments: a direction is as long as they are.
        self.noise = line.precision.unit * (64 * np.abs(here) + 8 * np.abs(self.centre))
        self.slight = 10 * line.precision.near * np.abs(self.centre)
        # Where nothing moves, what is computed of the arguments may still be off by their rounding.
        rounding = 64 * line.precision.unit * line.reach()
        least = rounding if line.precision.parts else 0.0
        still = np.all([np.abs(x - here) <= least for pair in pairs for x in pair], axis=0)
        self.rounding = np.where(still & (np.abs(here) <= rounding), rounding, 0.0)

    def exclude(self, got: Any, room: Any) -> Any:
        """Where all of them say something else, each three agreeing better than with ``got``.

        Gaps between the two sides shrink with the step where the function is smooth at that scale, and slopes
        stay; where they grow, the steps are too coarse, or the function is noisy, and nothing is excluded.
        """
        room = room + self.rounding
        spare = self.noise / self.steps[0] + np.minimum(room, self.slight)
        slopes = np.abs(self.centres)
        settled = slopes[0] <= 2 * np.max(slopes[2:], axis=0) + spare
        wrong = settled & (self.gaps[0] <= 2 * self.gaps[-1] + spare)
        for k in range(len(self.steps) - WINDOW + 1):
            c, g = (np.stack(v[k : k + WINDOW]) for v in (self.centres, self.gaps))
            spread = np.max(c, axis=0) - np.min(c, axis=0)
            certain = 10 * spread + 2 * np.max(g, axis=0) + self.noise / self.steps[k] + room
            known = np.isfinite(certain)
            wrong = wrong & known & (np.abs(got - c[1]) > np.where(known, certain, np.inf))
        return wrong
