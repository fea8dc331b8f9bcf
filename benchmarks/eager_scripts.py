"""Whole scripts on eager tensors: ``python -m benchmarks.eager_scripts [--rounds N] [--only NAME ...]``.

Each of `benchmarks.scripts` runs on retrograd and on PyTorch, step by step in turns, from the same weights on one
thread; the losses are compared.  The table has the medians of both, and of the ratios within a round their median.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import math
import statistics
import time
from typing import Any

from .scripts import NAMES

__all__ = ["main", "measured", "table"]

WARM = 3  # steps before it counts: the first of a form writes its programs


def modules() -> tuple[Any, Any]:
    torch = importlib.import_module("torch")
    torch.set_num_threads(1)
    return importlib.import_module("retrograd"), torch


def measured(name: str, rounds: int) -> tuple[list[float], list[float]]:
    """Seconds of each step on retrograd, and on PyTorch."""
    script = importlib.import_module(f"benchmarks.scripts.{name}")
    steps = [script.start(module) for module in modules()]
    times: tuple[list[float], list[float]] = ([], [])
    for k in range(WARM + rounds):
        turns = (0, 1) if k % 2 else (1, 0)
        losses = [0.0, 0.0]
        for turn in turns:
            start = time.perf_counter()
            losses[turn] = steps[turn]()
            times[turn].append(time.perf_counter() - start)
        assert math.isclose(*losses, rel_tol=1e-9), f"{name}: losses differ: {losses}"
    return times[0][WARM:], times[1][WARM:]


def ratio(times: tuple[list[float], list[float]]) -> float:
    return statistics.median(mine / its for mine, its in zip(*times, strict=True))


def table(found: dict[str, tuple[list[float], list[float]]]) -> list[str]:
    """A row for each script, and one for the median of the ratios."""
    lines = ["| script | retrograd | PyTorch | ratio |", "|---|---|---|---|"]
    for name, times in found.items():
        mine, its = (f"{statistics.median(t) * 1e3:.2f} ms" for t in times)
        lines.append(f"| `{name}` | {mine} | {its} | {ratio(times):.2f} |")
    middle = statistics.median(ratio(times) for times in found.values())
    return [*lines, f"| median | | | {middle:.2f} |"]


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES, metavar="NAME")
    asked = parser.parse_args()
    found = {}
    for name in asked.only:
        found[name] = measured(name, asked.rounds)
        gc.collect()
    print("\n".join(table(found)))


if __name__ == "__main__":
    main()
