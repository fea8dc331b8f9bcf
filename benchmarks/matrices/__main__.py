"""Time of whole Jacobians and Hessians with structure, in units of the function's own.

    python -m benchmarks.matrices [--problems NAME ...] [--rounds N]

``dense`` and ``sparse`` are `rg.jacobian` (`rg.hessian`) without and with ``sparse=True``, as text and in C;
``jax.jit`` the dense matrix of the idiomatic text, ``jax expert`` the blocks or bands of somebody who knows the
structure.  Everything is held against central differences of products first.
"""

from __future__ import annotations

import argparse
import statistics
from functools import partial
from typing import Any

import numpy as np

import retrograd as rg
from benchmarks.measure import timed
from benchmarks.problem import peer

from .problems import PROBLEMS, Matrix

__all__ = ["main"]

COLUMNS = ("by hand", "dense", "sparse", "dense c", "sparse c", "jax.jit", "jax expert")
LARGE = 10**7  # entries: nobody wants such a matrix dense
NAMES = [problem.name for problem in PROBLEMS]


def contenders(problem: Matrix, arguments: tuple[Any, ...]) -> dict[str, Any]:
    """Calls by the names of columns; what is not installed is left out."""
    transform = rg.hessian if problem.hessian else rg.jacobian
    runs: dict[str, Any] = {"function": partial(problem.function, *arguments)}
    if problem.by_hand is not None:
        runs["by hand"] = partial(problem.by_hand, *arguments)
    for backend in (None, "c"):
        mark = " c" if backend else ""
        if entries(problem, arguments) <= LARGE:
            made = transform(problem.function, problem.wrt, backend=backend)
            runs[f"dense{mark}"] = partial(made, *arguments)
        if problem.sparse:
            made = transform(problem.function, problem.wrt, sparse=True, backend=backend)
            runs[f"sparse{mark}"] = partial(made, *arguments)
    for name, make in (("jax.jit", problem.in_jax), ("jax expert", problem.jax_expert)):
        if make is not None:
            try:
                runs[name] = waited(make(), arguments)
            except ModuleNotFoundError:
                continue
    return runs


def waited(function: Any, arguments: tuple[Any, ...]) -> Any:
    jax = peer("jax")
    given = [jax.numpy.asarray(x) for x in arguments]
    return lambda: jax.block_until_ready(function(*given))


def inputs(problem: Matrix, arguments: tuple[Any, ...]) -> list[Any]:
    wrt = (problem.wrt,) if isinstance(problem.wrt, int) else problem.wrt
    return [arguments[k] for k in wrt]


def entries(problem: Matrix, arguments: tuple[Any, ...]) -> int:
    columns = sum(x.size for x in inputs(problem, arguments))
    return columns * (columns if problem.hessian else np.size(problem.function(*arguments)))


def check(problem: Matrix, arguments: tuple[Any, ...], runs: dict[str, Any]) -> None:
    """A product of every matrix of ours with a random vector, beside a central difference."""
    given, rng = inputs(problem, arguments), np.random.default_rng(1)
    directions = [rng.normal(size=x.shape) for x in given]
    f = rg.grad(problem.function, problem.wrt) if problem.hessian else problem.function
    ends = []
    for step in (1e-6, -1e-6):
        moved = iter([x + step * v for x, v in zip(given, directions, strict=True)])
        ends.append(f(*[next(moved) if any(x is g for g in given) else x for x in arguments]))
    wanted = (np.ravel(ends[0]) - np.ravel(ends[1])) / 2e-6
    for name, run in runs.items():
        if name.startswith(("dense", "sparse")):
            blocks = run()
            blocks = blocks if isinstance(blocks, tuple) else (blocks,)
            pairs = zip(blocks, directions, strict=True)
            found: Any = sum(flat(block, v.size) @ np.ravel(v) for block, v in pairs)
            np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5 * abs(wanted).max())


def flat(block: Any, width: int) -> Any:
    return block if hasattr(block, "tocsr") else np.reshape(block, (-1, width))


def measure(problem: Matrix, rounds: int) -> None:
    arguments = problem.arguments(np.random.default_rng(0))
    runs = contenders(problem, arguments)
    for _ in range(3):  # a dense pattern is looked for when it is asked for again
        check(problem, arguments, runs)
    samples = timed(runs, rounds)
    base = samples["function"]
    text = f"{problem.name:<22} {statistics.median(base) * 1e6:10.1f}us"
    for name in COLUMNS:
        if name not in samples:
            text += f" {'':>10}"
            continue
        both = zip(samples[name], base, strict=False)
        text += f" {statistics.median(a / b for a, b in both):10.2f}"
    print(text, flush=True)


def main(given: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problems", nargs="+", choices=NAMES, default=NAMES, metavar="NAME")
    parser.add_argument("--rounds", type=int, default=15)
    asked = parser.parse_args(given)
    print(f"{'matrix':<22} {'function':>12} " + " ".join(f"{name:>10}" for name in COLUMNS))
    for problem in PROBLEMS:
        if problem.name in asked.problems:
            measure(problem, asked.rounds)


if __name__ == "__main__":
    main()
