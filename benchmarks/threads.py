"""What several threads gain: kernels of the same gradient on one thread and on more.

    python -m benchmarks.threads [--problems NAME ...] [--backend c|numba] [--threads N ...] [--rounds N]

The kernel for one thread is the one that there is without threads.  Results are compared: they have to be
the same, to the last bit, for all numbers of threads but one.  Nobody else takes part, since threads that
wait for work, as those of matrix products do, keep processors from those that work.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Callable
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np

import retrograd as rg
from benchmarks.measure import timed
from benchmarks.problem import Problem, same
from benchmarks.problems import PROBLEMS
from benchmarks.units import in_units, in_words

__all__ = ["main"]

USUAL = (
    "gmm-loops-1000x8x10", "gmm-10000x16x20", "nbody-300", "nbody-1000", "nbody-loops-300",
    "black-scholes-100000", "black-scholes-1000000", "black-scholes-10000000",
    "logistic-10000x50", "logistic-100000x100", "rosenbrock-1000000", "ba-100000",
    "mlp-256x784x512x10", "heat-10000x1000", "lstm-100x128",
)  # fmt: skip


def on(count: int, compiled: Callable[..., Any], arguments: Any) -> Callable[[], Any]:
    """A call on so many threads, of a kernel that has been made for them."""
    from retrograd.compiler.native import thread_count

    def call() -> Any:
        thread_count.COUNT.value = count
        try:
            return compiled(*arguments)
        finally:
            thread_count.COUNT.value = 1

    return call


def runs(problem: Problem, backend: str, counts: list[int]) -> dict[str, Callable[[], Any]]:
    """By number of threads: the call, compiled."""
    arguments = problem.arguments(0)
    found = {}
    for several in (False, True):
        wanted = partial(bool, several)
        with (
            patch("retrograd.compiler.native.compile.several", wanted),
            patch("retrograd.compiler.native.kernel_cache.several", wanted),
        ):
            vars(problem.function).clear()  # what is compiled is kept with its function
            compiled = rg.value_and_grad(problem.function, problem.wrt, backend=backend)
            compiled(*arguments)
        for n in counts:
            if (n > 1) == several:
                found[str(n)] = on(n, compiled, arguments)
    return found


def check(calls: dict[str, Callable[[], Any]]) -> None:
    """The same numbers, to the last bit where several threads computed them."""
    results = {n: call() for n, call in calls.items()}
    first = next(iter(results.values()))
    several = [r for n, r in results.items() if n != "1"]
    assert all(same(r, first) for r in several)
    assert all(
        np.array_equal(a, b)
        for r in several
        for a, b in zip(flat(r), flat(several[0]), strict=True)
    )


def flat(value: Any) -> list[Any]:
    return [x for v in value for x in flat(v)] if isinstance(value, (tuple, list)) else [value]


def options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.threads", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "--problems", nargs="+", choices=list(PROBLEMS), default=USUAL, metavar="NAME"
    )
    parser.add_argument("--backend", choices=("c", "numba"), default="c")
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2, 4])
    parser.add_argument("--rounds", type=int, default=11)
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    """A table: the time on the first number of threads, and how much less it is on the others."""
    given = options(arguments)
    names = [str(n) for n in given.threads]
    print(f"| problem | {names[0]} | {' | '.join(f'{n} threads: of that' for n in names[1:])} |")
    print(f"|---|---:|{'---:|' * len(names[1:])}")
    for name in given.problems:
        with (
            tempfile.TemporaryDirectory() as cache,
            patch.dict("os.environ", RETROGRAD_CACHE=cache),
        ):
            calls = runs(PROBLEMS[name], given.backend, given.threads)
            check(calls)
            samples = timed({n: calls[n] for n in names}, given.rounds)
        median = {n: statistics.median(values) for n, values in samples.items()}
        cells = [in_words(median[n] / median[names[0]]) for n in names[1:]]
        print(f"| {name} | {in_units(median[names[0]])} | {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
