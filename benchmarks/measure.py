"""Contenders of one problem, checked, then timed in interleaved rounds."""

from __future__ import annotations

import random
import statistics
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.contenders import CONTENDERS, OURS, TRACED, Absent, Contender, Prepare
from benchmarks.problem import Problem, same

__all__ = ["Field", "measured", "peak", "ready", "timed"]

SAMPLE_SECONDS = 0.005
CONTENDER_SECONDS = 10.0  # a contender that has used them takes part in no further round


@dataclass
class Field:
    """Contenders that run and are right, their first calls, and for the others why not."""

    running: dict[str, Contender] = field(default_factory=dict)
    first: dict[str, float] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)  # for no failure


def ready(
    problem: Problem,
    names: Sequence[str] = tuple(CONTENDERS),
    seed: int = 0,
    contenders: dict[str, Prepare] = CONTENDERS,
) -> Field:
    """Prepare and check every contender; its first call includes its compiler's work."""
    arguments = problem.arguments(seed)
    wanted = problem.hand_written(*arguments)
    found = Field()
    for name in names:
        start = time.perf_counter()
        try:
            run = contenders[name](problem, arguments)
            value, gradients = run()
        except Absent as why:
            found.left[name] = str(why)
            continue
        except ModuleNotFoundError as error:
            found.absent[name] = f"not installed ({error.name})"
            continue
        except Exception as error:  # a contender that fails is a result, not the end of the run
            first_line = str(error).partition("\n")[0]
            found.absent[name] = f"{type(error).__name__}: {first_line}"
            continue
        seconds = time.perf_counter() - start
        value = wanted[0] if value is None else value
        if same((value, wanted[1] if name == "function" else gradients), wanted):
            found.running[name], found.first[name] = run, seconds
        else:
            found.absent[name] = "WRONG: disagrees with the hand-written gradient"
    return found


def sample(run: Contender, n: int) -> float:
    """Seconds per call, over ``n`` calls."""
    start = time.perf_counter()
    for _ in range(n):
        run()
    return (time.perf_counter() - start) / n


def repeats(run: Contender) -> tuple[int, float]:
    """How many calls make a sample long enough for the clock, and what a call takes."""
    n = 1
    while True:
        seconds = sample(run, n)
        if seconds * n >= SAMPLE_SECONDS or n >= 100_000:
            return n, seconds
        n = max(2 * n, int(n * SAMPLE_SECONDS / max(seconds * n, 1e-9)))


def timed(running: dict[str, Contender], rounds: int) -> dict[str, list[float]]:
    """Samples of every contender, taken in interleaved rounds of random order."""
    counts = {name: repeats(run) for name, run in running.items()}
    last = {
        name: max(1, min(rounds, int(CONTENDER_SECONDS / (n * seconds))))
        for name, (n, seconds) in counts.items()
    }
    samples: dict[str, list[float]] = {name: [] for name in running}
    order = list(running)
    shuffle = random.Random(0).shuffle
    for k in range(rounds):
        shuffle(order)
        for name in order:
            if k < last[name]:
                samples[name].append(sample(running[name], counts[name][0]))
    return samples


def peak(run: Callable[[], Any]) -> int:
    """The bytes that a call has at most, besides those that are there before it.

    >>> bool(8e6 < peak(lambda: np.zeros(1_000_000).sum()) < 8.1e6)
    True
    """
    run()  # compiled, loaded, imported
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        run()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def measured(
    problem: Problem,
    names: Sequence[str],
    rounds: int,
    contenders: dict[str, Prepare] = CONTENDERS,
    own: Sequence[str] = OURS,
) -> dict[str, Any]:
    """Medians, quartiles, ratios of medians, first calls, peaks, and who did not take part."""
    found = ready(problem, names, contenders=contenders)
    traced = TRACED if contenders is CONTENDERS else ()  # memory of the device is not Python's
    samples = timed(found.running, rounds)
    median = {name: statistics.median(values) for name, values in samples.items()}
    spread = {
        name: [float(q) for q in np.percentile(values, [25, 75])]
        for name, values in samples.items()
    }
    ratios = {
        ours: {name: median[ours] / median[name] for name in median if name != ours}
        for ours in (*own, "hand-written")
        if ours in median
    }
    return {
        "size": problem.size,
        "median": median,
        "quartiles": spread,
        "samples": {name: len(values) for name, values in samples.items()},
        "ratios": ratios,
        "first": found.first,
        "peak": {name: peak(run) for name, run in found.running.items() if name in traced},
        "absent": found.absent,
    }
