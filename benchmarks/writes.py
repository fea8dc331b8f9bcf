"""Loops that write array elements: time and memory per write, as the array grows.

    python -m benchmarks.writes [--rounds N] [--largest N]

A gradient whose cost per write grows with the array copies it somewhere; ours must not.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import argparse
import statistics
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np

import retrograd as rg

__all__ = ["main"]


def recurrence(x):
    y = np.zeros_like(x)
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = 0.9 * np.sin(y[i - 1]) + x[i]
    return np.sum(y)


def prefix_sums(x):
    y = x.copy()
    for i in range(1, len(y)):
        y[i] += y[i - 1]
    return np.sum(y * y) / len(y) ** 2


def set_in(y, i, v):
    y[i] = v * y[i - 1]


def by_helper(x):
    y = np.ones_like(x)
    for i in range(1, len(x)):
        set_in(y, i, np.cos(x[i]))
    return np.sum(y)


def bubble(x):
    y = x.copy()
    for i in range(len(y) - 1):
        if y[i] > y[i + 1]:
            y[i], y[i + 1] = y[i + 1], y[i]
    return np.sum(y * x)


PROGRAMS = (recurrence, prefix_sums, by_helper, bubble)


def seconds(run: Callable[[], Any]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def peak(run: Callable[[], Any]) -> int:
    """Bytes allocated at the highest point, beyond what was there before."""
    tracemalloc.start()
    run()
    _, highest = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return highest


def main() -> None:
    """Print microseconds per write of the function and of its gradient, and peak bytes per write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--largest", type=int, default=1_000_000)
    options = parser.parse_args()
    sizes = [n for n in (1_000, 10_000, 100_000, 1_000_000) if n <= options.largest]
    print(f"{'program':14}{'n':>10}{'function':>12}{'gradient':>12}{'ratio':>8}{'bytes':>8}")
    for f in PROGRAMS:
        gradient = rg.value_and_grad(f)
        for n in sizes:
            x = np.random.default_rng(0).normal(size=n)
            gradient(x)
            rounds = options.rounds if n < 1_000_000 else 1
            pairs = [(seconds(lambda: f(x)), seconds(lambda: gradient(x))) for _ in range(rounds)]  # noqa: B023
            once, both = (
                statistics.median(column) / n * 1e6 for column in zip(*pairs, strict=True)
            )
            highest = peak(lambda: gradient(x)) / n if n <= 100_000 else float("nan")  # noqa: B023
            print(
                f"{f.__name__:14}{n:>10}{once:>10.3f}us{both:>10.3f}us{both / once:>8.2f}{highest:>8.0f}"
            )


if __name__ == "__main__":
    main()
