"""Time of second order: a Hessian times a vector, whole Jacobians and Hessians, sparse ones.

    python -m benchmarks.higher [--problems NAME ...] [--rounds N]

The first table is a Hessian-vector product beside the gradient of the same problem; the others are
whole matrices by one sweep for many directions, by a sweep for each, and (sparse) by colours.
Contenders are timed in interleaved rounds; a ratio is the median of the ratios in each round.
"""

from __future__ import annotations

import argparse
import statistics
from functools import partial
from typing import Any

import numpy as np

import retrograd as rg
from benchmarks.measure import timed
from benchmarks.problems import PROBLEMS
from retrograd.transforms.jacobian import batched_products
from retrograd.transforms.jacobian.few_directions import FewDirections

__all__ = ["main"]

Runs = dict[str, Any]


USUAL = [
    p.name for p in PROBLEMS.values() if p.size in ("tiny", "small", "medium") and not p.jacobian
]


def products(names: list[str], rounds: int) -> None:
    """``hvp`` in gradients."""
    print(f"{'problem':<22} {'gradient':>10} {'hvp':>10} {'ratio':>6}")
    for problem in map(PROBLEMS.__getitem__, names):
        arguments = problem.arguments(0)
        gradient = rg.grad(problem.function, wrt=problem.wrt)
        rng = np.random.default_rng(1)
        v = tuple(np.asarray(rng.normal(size=np.shape(arguments[k]))) for k in problem.wrt)
        runs: Runs = {
            "gradient": partial(gradient, *arguments),
            "hvp": partial(rg.hvp, problem.function, arguments, v, wrt=problem.wrt),
        }
        show(problem.name, runs, rounds)


def tridiagonal(x):  # type: ignore[no-untyped-def]
    return x[:-2] - 2.0 * x[1:-1] ** 2 + np.sin(x[2:])


def valley(x):  # type: ignore[no-untyped-def]
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def matrices(rounds: int) -> None:
    """Whole matrices of a function of n numbers."""
    print(f"\n{'matrix':<22} {'sparse':>10} {'dense':>10} {'ratio':>6}   one by one, and its ratio")
    for n in (100, 1000):
        x = np.linspace(0.5, 1.5, n)
        for name, transform, f in (
            ("Jacobian", rg.jacobian, tridiagonal), ("Hessian", rg.hessian, valley)
        ):  # fmt: skip
            runs: Runs = {
                "sparse": partial(transform(f, sparse=True), x),
                "dense": partial(transform(f), x),
                "one by one": partial(apart, transform(f), x),
            }
            show(f"{name}, n = {n}", runs, rounds)


def apart(run: Any, x: Any) -> Any:
    """A sweep for each direction, and no plan."""
    swept, batched_products.swept = batched_products.swept, lambda *_: None  # type: ignore[assignment]
    planned, FewDirections.of = FewDirections.of, lambda *_: None  # type: ignore[method-assign]
    try:
        return run(x)
    finally:
        batched_products.swept, FewDirections.of = swept, planned  # type: ignore[method-assign]


def show(name: str, runs: Runs, rounds: int) -> None:
    for run in runs.values():
        run()
    samples = timed(runs, rounds)
    first, *others = runs
    text = f"{name:<22} {shown(samples[first])}"
    for other in others:
        rounds_of_both = zip(samples[first], samples[other], strict=False)  # slow ones have fewer
        ratio = statistics.median(b / a for a, b in rounds_of_both)
        text += f" {shown(samples[other])} {ratio:6.2f}"
    print(text, flush=True)


def shown(samples: list[float]) -> str:
    return f"{statistics.median(samples) * 1e6:8.1f}us"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problems", nargs="+", choices=USUAL, default=USUAL, metavar="NAME")
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args(arguments)
    products(given.problems, given.rounds)
    matrices(given.rounds)


if __name__ == "__main__":
    main()
