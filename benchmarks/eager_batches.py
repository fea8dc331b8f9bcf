"""Batches on eager tensors: ``python -m benchmarks.eager_batches [--rounds N]``.

`vmap`, Jacobians and Hessians on retrograd and on PyTorch, in turns on one thread; the results are compared.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .eager_scripts import WARM, modules, table

__all__ = ["main", "measured", "problems"]

EXAMPLES, INPUTS, HIDDEN = 64, 10, 32


def problems(torch: Any) -> dict[str, Callable[[], Any]]:
    """A network of two layers, and its derivatives."""
    rng = np.random.default_rng(0)
    x, y, first, second = (
        torch.tensor(0.3 * rng.standard_normal(shape))
        for shape in ((EXAMPLES, INPUTS), (EXAMPLES,), (HIDDEN, INPUTS), (HIDDEN,))
    )
    one = x[0]

    def layer(a: Any) -> Any:
        return (first @ a).tanh()

    def network(a: Any) -> Any:
        return (second * layer(a)).sum() ** 2

    def loss(weights: Any, a: Any, b: Any) -> Any:
        return ((weights[1] * (weights[0] @ a).tanh()).sum() - b) ** 2

    func, functional = torch.func, torch.autograd.functional
    per_example = torch.vmap(func.grad(loss), in_dims=(None, 0, 0))
    values, hessian = torch.vmap(network), func.hessian(network)
    hessians = torch.vmap(hessian)
    return {
        "values of 64 examples": lambda: values(x),
        "gradients of 64 examples": lambda: per_example((first, second), x, y)[0],
        "Jacobian, reverse": lambda: func.jacrev(layer)(one),
        "Jacobian, forward": lambda: func.jacfwd(layer)(one),
        "functional.jacobian": lambda: functional.jacobian(layer, one, vectorize=True),
        "functional.hessian": lambda: functional.hessian(network, one, vectorize=True),
        "func.hessian": lambda: hessian(one),
        "Hessians of 64 examples": lambda: hessians(x),
    }


def measured(runs: tuple[Callable[[], Any], ...], rounds: int) -> tuple[list[float], list[float]]:
    """Seconds of each run on retrograd, and on PyTorch."""
    times: tuple[list[float], list[float]] = ([], [])
    for k in range(WARM + rounds):
        made: list[Any] = [None, None]
        for turn in (0, 1) if k % 2 else (1, 0):
            start = time.perf_counter()
            made[turn] = runs[turn]()
            times[turn].append(time.perf_counter() - start)
        np.testing.assert_allclose(*(one.detach().numpy() for one in made), 1e-9, 1e-12)
    return times[0][WARM:], times[1][WARM:]


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=21)
    rounds = parser.parse_args().rounds
    warnings.simplefilter("ignore")
    mine, its = (problems(module) for module in modules())
    print("\n".join(table({name: measured((mine[name], its[name]), rounds) for name in mine})))


if __name__ == "__main__":
    main()
