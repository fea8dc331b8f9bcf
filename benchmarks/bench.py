"""Time of a gradient, beside the function, the hand-written adjoint and the peers.

    python -m benchmarks.bench [--problems NAME ...] [--rounds N] [--json FILE]

Every contender is first checked against the hand-written gradient.  Then rounds: in each, every
contender is timed once, in random order, so that a slow minute of the machine hits all alike.
Medians over the rounds are reported, and ratios of medians.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.problem import Contender, Problem, contenders, same
from benchmarks.problems import PROBLEMS

__all__ = ["main"]

PEERS = ("autograd", "jax.jit", "torch")
COLUMNS = ("function", "hand-written", "hand-tuned", *PEERS)
OURS = ("retrograd", "retrograd grad")
SAMPLE_SECONDS = 0.005


def ready(problem: Problem, seed: int = 0) -> tuple[dict[str, Contender], dict[str, str]]:
    """Contenders that run and are right, and for the others why not."""
    arguments = problem.arguments(seed)
    wanted = problem.hand_written(*arguments)
    running: dict[str, Contender] = {}
    absent: dict[str, str] = {}
    for name, prepare in contenders.items():
        if name == "hand-tuned" and problem.hand_tuned is None:
            continue
        try:
            run = prepare(problem, arguments)
            value, gradients = run()
        except ModuleNotFoundError as error:
            absent[name] = f"not installed ({error.name})"
        except Exception as error:  # a contender that fails is a result, not the end of the run
            absent[name] = f"{type(error).__name__}: {error}"
        else:
            value = wanted[0] if value is None else value
            right = (value, gradients if name != "function" else wanted[1])
            if same(right, wanted):
                running[name] = run
            else:
                absent[name] = "WRONG: disagrees with the hand-written gradient"
    return running, absent


def repeats(run: Contender) -> int:
    """How many calls make a sample long enough for the clock."""
    n = 1
    while True:
        seconds = sample(run, n)
        if seconds * n >= SAMPLE_SECONDS or n >= 100_000:
            return n
        n = max(2 * n, int(n * SAMPLE_SECONDS / max(seconds * n, 1e-9)))


def sample(run: Contender, n: int) -> float:
    """Seconds per call, over ``n`` calls."""
    start = time.perf_counter()
    for _ in range(n):
        run()
    return (time.perf_counter() - start) / n


def timed(running: dict[str, Contender], rounds: int) -> dict[str, list[float]]:
    """Samples of every contender, taken in interleaved rounds of random order."""
    counts = {name: repeats(run) for name, run in running.items()}
    samples: dict[str, list[float]] = {name: [] for name in running}
    order = list(running)
    shuffle = random.Random(0).shuffle
    for _ in range(rounds):
        shuffle(order)
        for name in order:
            samples[name].append(sample(running[name], counts[name]))
    return samples


def measured(problem: Problem, rounds: int) -> dict[str, Any]:
    """Medians, quartiles, ratios of medians, and who did not take part."""
    running, absent = ready(problem)
    samples = timed(running, rounds)
    median = {name: statistics.median(values) for name, values in samples.items()}
    spread = {
        name: [float(q) for q in np.percentile(values, [25, 75])]
        for name, values in samples.items()
    }
    ratios = {
        ours: {name: median[ours] / median[name] for name in median if name != ours}
        for ours in (*OURS, "hand-written")
        if ours in median
    }
    return {"median": median, "quartiles": spread, "ratios": ratios, "absent": absent}


def row(name: str, result: dict[str, Any], ours: str) -> str:
    """One line of the table: the time, then it over each of the others."""
    ratios = result["ratios"][ours]
    cells = [name, ours, in_units(result["median"][ours])]
    for other in COLUMNS:
        cells.append(f"{ratios[other]:.2f}" if other in ratios else "")
    return "| " + " | ".join(cells) + " |"


def in_units(seconds: float) -> str:
    """
    >>> in_units(3.21e-6), in_units(0.0456)
    ('3.21 us', '45.6 ms')
    """
    factor, unit = (1e6, "us") if seconds < 1e-3 else (1e3, "ms")
    return f"{seconds * factor:.3g} {unit}"


def table(results: dict[str, dict[str, Any]]) -> str:
    """The Markdown table: a number below 1 means faster than that column's contender."""
    lines = [
        "| problem | contender | time | " + " | ".join(f"/ {name}" for name in COLUMNS) + " |",
        "|---|---|---:|" + "---:|" * len(COLUMNS),
    ]
    for name, result in results.items():
        shown = [ours for ours in OURS if ours in result["ratios"]]
        lines += [row(name, result, ours) for ours in shown or ["hand-written"]]
    return "\n".join(lines)


def machine() -> dict[str, str]:
    """What the numbers were taken on."""
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "system": f"{platform.system()} {platform.machine()}",
    }


def options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--problems", nargs="+", choices=list(PROBLEMS), default=list(PROBLEMS))
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers there too")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and say who did not take part and why; 1 if anything failed or was wrong."""
    given = options(arguments)
    results = {}
    failed = False
    for name in given.problems:
        print(f"{name} ...", file=sys.stderr, flush=True)
        results[name] = measured(PROBLEMS[name], given.rounds)
    print(table(results))
    for name, result in results.items():
        for contender, reason in result["absent"].items():
            print(f"\n{name}: {contender} left out: {reason}")
            failed = failed or not reason.startswith("not installed")
    if given.json:
        report = {"machine": machine(), "rounds": given.rounds, "problems": results}
        given.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
