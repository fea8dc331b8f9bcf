"""Peak memory of a gradient: with few snapshots of a long loop, and beside a peer.

    python -m benchmarks.memory [--steps N ...] [--snapshots S] [--rounds R]

The first table is a recurrence of growing length, with a tape and with S snapshots: peak bytes
(``tracemalloc``, above what is there before the call) and median times of interleaved rounds.  The
second gives the peaks of the benchmark problems.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import retrograd as rg
from benchmarks.contenders import CONTENDERS, Contender
from benchmarks.measure import peak
from benchmarks.problem import Problem
from benchmarks.problems import PROBLEMS
from benchmarks.units import in_bytes

__all__ = ["main", "recurrence", "start"]

STATES = 100


def recurrence(w: Any, h: Any, steps: int) -> Any:
    """A state of some numbers, carried through many steps."""
    for _ in range(steps):
        h = np.tanh(w * h + 0.1)
    return np.sum(h * h)


def start(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A weight and a first state."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=STATES), rng.normal(size=STATES)


def seconds(runs: list[Callable[[], Any]], rounds: int) -> list[float]:
    """Median times, taken in turns."""
    samples: list[list[float]] = [[] for _ in runs]
    for _ in range(rounds):
        for k, run in enumerate(runs):
            begin = time.perf_counter()
            run()
            samples[k].append(time.perf_counter() - begin)
    return [statistics.median(times) for times in samples]


def lengths(steps: list[int], snapshots: int, rounds: int) -> str:
    """The table of a recurrence."""
    lines = [
        f"| steps | peak, tape | peak, {snapshots} snapshots | time, tape | time, {snapshots} snapshots | ratio |",
        "|---:|---:|---:|---:|---:|---:|",
    ]
    w, h = start()
    plain = rg.grad(recurrence)
    frugal = rg.differentiate(checkpoint=snapshots)(recurrence).grad
    for n in steps:
        runs = [lambda n=n: plain(w, h, n), lambda n=n: frugal(w, h, n)]
        np.testing.assert_allclose(runs[0](), runs[1](), rtol=1e-12)
        times = seconds(runs, rounds)
        cells = [f"{n:,}", *map(in_bytes, map(peak, runs)), *[f"{t * 1e3:.3g} ms" for t in times]]
        lines.append(f"| {' | '.join(cells)} | {times[1] / times[0]:.2f} |")
    return "\n".join(lines)


def elementwise(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    """The gradient that computes elementwise operations again."""
    made = rg.differentiate(checkpoint="elementwise")(problem.function)
    compiled = rg.value_and_grad(made, wrt=problem.wrt)
    return lambda: compiled(*arguments)


def problems() -> str:
    """The table of the benchmark problems."""
    shown: dict[str, Callable[..., Contender]] = {
        "function": CONTENDERS["function"],
        "retrograd": CONTENDERS["retrograd"],
        'checkpoint="elementwise"': elementwise,
        "autograd": CONTENDERS["autograd"],
    }
    lines = [f"| problem | {' | '.join(shown)} |", "|---|" + "---:|" * len(shown)]
    for name, problem in PROBLEMS.items():
        if problem.size != "medium" or problem.jacobian:
            continue
        print(f"{name} ...", file=sys.stderr, flush=True)
        arguments = problem.arguments(0)
        cells = []
        for prepare in shown.values():
            try:
                cells.append(in_bytes(peak(prepare(problem, arguments))))
            except ModuleNotFoundError:
                cells.append("not installed")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--steps", nargs="+", type=int, default=[1_000, 10_000, 100_000])
    parser.add_argument("--snapshots", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args(arguments)
    print(lengths(given.steps, given.snapshots, given.rounds))
    print()
    print(problems())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
