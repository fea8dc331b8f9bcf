"""How the cost of a gradient grows: with steps of a loop, elements and items written, depth of a program.

    python -m benchmarks.scaling [--only KIND ...] [--rounds N] [--largest N]

Microseconds per step, per write, per level: a column that grows is a gradient that copies something,
or walks over something, once per step.  For `text` the depth is that of the program itself, and the
columns are milliseconds of the compiler per statement and lines of its text.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import argparse
import importlib.util
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import retrograd as rg
from benchmarks.measure import peak

__all__ = ["KINDS", "main"]


def scalar_loop(x, n):
    for _ in range(n):
        x = x + 0.01 * np.sin(x)
    return x


def vector_loop(x, n):
    for _ in range(n):
        x = np.tanh(x + 0.1)
    return np.sum(x)


def reading_loop(x):
    total = 0.0
    for i in range(len(x)):
        total += x[i] * x[i]
    return total


def nested_loops(x, n):
    for _ in range(n // 10):
        for _ in range(10):
            x = x + 0.01 * x * x
    return x


def branching_loop(x, n):
    for k in range(n):
        if x > 1.0:
            x = 0.5 * x
        elif k % 7 == 3:
            continue
        else:
            x = x * 1.3
    return x


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


def appended(x):
    parts = []
    for i in range(len(x)):
        parts.append(x[i] * x[i])
    total = 0.0
    for part in parts:
        total += part
    return total


def list_recurrence(x):
    y = [0.0] * len(x)
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = 0.9 * y[i - 1] + x[i] * x[i]
    return y[len(x) - 1]


def eliminate(m):
    for k in range(len(m)):
        for i in range(k + 1, len(m)):
            factor = m[i][k] / m[k][k]
            for j in range(k, len(m)):
                m[i][j] = m[i][j] - factor * m[k][j]


def elimination(x, n):
    """The determinant of a matrix of lists, which a helper writes to."""
    m = [[x[i * n + j] for j in range(n)] for i in range(n)]
    eliminate(m)
    product = 1.0
    for i in range(n):
        product = product * m[i][i]
    return product


def relaxation(x, n):
    """Ten sweeps over the inside of a grid of lists."""
    grid = [[x[i * n + j] for j in range(n)] for i in range(n)]
    for _ in range(10):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                around = grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]
                grid[i][j] = 0.25 * around
    return grid[n // 2][n // 2]


def descend(x, depth):
    if depth == 0:
        return x
    return np.sin(descend(x, depth - 1)) + x


def layers(x, ws):
    for w in ws:
        x = np.tanh(w @ x)
    return np.sum(x)


@dataclass(frozen=True)
class Growing:
    """A program, its arguments for a size, and the largest size that makes sense."""

    function: Callable[..., Any]
    arguments: Callable[[int], tuple[Any, ...]]
    largest: int = 1_000_000


def vector(n: int) -> np.ndarray:
    return np.random.default_rng(0).normal(size=n)


def weights(n: int) -> list[np.ndarray]:
    return [w / 4 for w in np.random.default_rng(0).normal(size=(n, 16, 16))]


def matrix(n: int) -> tuple[np.ndarray, int]:
    """The entries of a matrix that its diagonal dominates."""
    return (np.random.default_rng(0).normal(size=(n, n)) + n * np.eye(n)).ravel(), n


KINDS: dict[str, tuple[Growing, ...]] = {
    "loops": (
        Growing(scalar_loop, lambda n: (0.3, n), 100_000),
        Growing(vector_loop, lambda n: (vector(16), n), 100_000),
        Growing(nested_loops, lambda n: (0.001, n), 100_000),
        Growing(branching_loop, lambda n: (0.3, n), 100_000),
        Growing(reading_loop, lambda n: (vector(n),)),
    ),
    "writes": tuple(
        Growing(f, lambda n: (vector(n),))
        for f in (recurrence, prefix_sums, by_helper, bubble, appended)
    ),
    "lists": (
        Growing(list_recurrence, lambda n: (vector(n),)),
        Growing(elimination, lambda n: matrix(round((3 * n) ** (1 / 3))), 100_000),
        Growing(relaxation, lambda n: matrix(2 + round((n / 10) ** 0.5)), 100_000),
    ),
    "depth": (
        Growing(descend, lambda n: (0.3, n), 100),
        Growing(layers, lambda n: (vector(16), weights(n)), 100),
    ),
}
SIZES = (10, 100, 1_000, 10_000, 100_000, 1_000_000)
STARTS = {"loops": 1_000, "writes": 1_000, "lists": 100, "depth": 10}
DEPTHS = (10, 40, 160)


def seconds(run: Callable[[], Any]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def measured(program: Growing, n: int, rounds: int) -> tuple[float, float, float]:
    """Microseconds per unit of the function and of value and gradient, and peak bytes per unit."""
    arguments = program.arguments(n)
    gradient = rg.value_and_grad(program.function)
    gradient(*arguments)
    pairs = [
        (seconds(lambda: program.function(*arguments)), seconds(lambda: gradient(*arguments)))
        for _ in range(rounds if n < 100_000 else 1)
    ]
    once, both = (statistics.median(column) / n * 1e6 for column in zip(*pairs, strict=True))
    bytes_each = peak(lambda: gradient(*arguments)) / n if n <= 100_000 else float("nan")
    return once, both, bytes_each


def running(kind: str, rounds: int, largest: int) -> None:
    """Print one line for each program and size."""
    print(f"{kind:16}{'n':>10}{'function':>12}{'gradient':>12}{'ratio':>8}{'bytes':>8}")
    for program in KINDS[kind]:
        for n in SIZES:
            if STARTS[kind] <= n <= min(largest, program.largest):
                once, both, each = measured(program, n, rounds)
                name = program.function.__name__
                print(
                    f"{name:16}{n:>10}{once:>10.3f}us{both:>10.3f}us{both / once:>8.2f}{each:>8.0f}"
                )
    print()


def deep_text(depth: int) -> str:
    """A program of that many statements, with a branch in every fifth."""
    lines = ["import numpy as np", "", "", "def deep(x):", "    y = x"]
    for k in range(depth):
        if k % 5 == 4:
            lines += ["    if np.sum(y) > 1:", "        y = y / 2"]
        else:
            lines.append(f"    y = np.sin(y) * x + {k}")
    return "\n".join([*lines, "    return np.sum(y)", ""])


def compiled(depth: int) -> tuple[float, int]:
    """Seconds to make the gradient of a program of that depth, and lines of its text."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"deep_{depth}.py"
        file.write_text(deep_text(depth), encoding="utf-8")
        spec = importlib.util.spec_from_file_location(file.stem, file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        made = rg.differentiate(module.deep)
        taken = seconds(lambda: made.grad(np.ones(3)))
        return taken, made.source("grad", np.ones(3)).count("\n")


def texts(rounds: int) -> None:
    """Print how the compiler's own time and text grow."""
    print(f"{'text':16}{'statements':>10}{'compile':>12}{'each':>12}{'lines':>8}")
    compiled(5)  # what is loaded once
    for depth in DEPTHS:
        made = [compiled(depth) for _ in range(min(rounds, 3))]
        taken = statistics.median(seconds for seconds, _ in made)
        print(
            f"{'straight':16}{depth:>10}{taken * 1e3:>10.0f}ms{taken / depth * 1e3:>10.2f}ms{made[0][1]:>8}"
        )


def main(arguments: list[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scaling", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--only", nargs="+", choices=[*KINDS, "text"], default=[*KINDS, "text"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--largest", type=int, default=1_000_000)
    given = parser.parse_args(arguments)
    for kind in given.only:
        if kind == "text":
            texts(given.rounds)
        else:
            running(kind, given.rounds, given.largest)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
