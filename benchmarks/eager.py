"""The eager API against its peers: ``python -m benchmarks.eager [--rounds N] [--depth N]``.

Each problem is written once for tensors (retrograd, PyTorch), once for HIPS autograd and once for MyGrad, where they
are installed.  The contenders take turns within a round; the table shows medians, and of the ratios their median.

With ``--depth`` a chain of N nodes is built, run back and freed instead, and shorter ones before it: what
a node costs does not grow with N.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["CONTENDERS", "PROBLEMS", "main", "measured"]

Run = Callable[[], Any]


def values(*shape: int) -> Any:
    return np.random.default_rng(sum(shape)).standard_normal(shape) * 0.1


# -- tensors: retrograd and PyTorch --------------------------------------------------------


def tensors(module: Any) -> dict[str, Run]:
    """The problems in the words of ``torch``."""

    def leaf(*shape: int) -> Any:
        return module.tensor(values(*shape), requires_grad=True)

    def chain(x: Any) -> Any:
        for _ in range(100):
            x = (x * 1.01 + 0.1).tanh()
        return x.sum()

    def recurrence(x: Any) -> Any:
        y = x
        for _ in range(1000):
            y = y * 0.99 + x * 0.01
        return y.sum()

    def mlp(x: Any, *p: Any) -> Any:
        h = (x @ p[0] + p[1]).tanh()
        h = (h @ p[2] + p[3]).tanh()
        return ((h @ p[4] + p[5]) ** 2).mean()

    def elementwise(x: Any) -> Any:
        return ((x * 2).tanh() * x).sum()

    def backward(loss: Any, *leaves: Any) -> Run:
        def run() -> Any:
            for x in leaves:
                x.grad = None
            loss(*leaves).backward()
            return leaves[0].grad

        return run

    x = module.tensor(values(32, 32))
    weights = [leaf(32, 64), leaf(64), leaf(64, 64), leaf(64), leaf(64, 10), leaf(10)]
    return {
        "chain of 300 operations on 3 numbers": backward(chain, leaf(3)),
        "recurrence of 1,000 steps on a number": backward(recurrence, leaf(1)),
        "MLP 32-64-64-10, batch 32": backward(lambda *p: mlp(x, *p), *weights),
        "elementwise on 1e6": backward(elementwise, leaf(1_000_000)),
    }


def of_torch() -> dict[str, Run]:
    torch = importlib.import_module("torch")
    torch.set_num_threads(1)
    return tensors(torch)


# -- functions of arrays: HIPS autograd, MyGrad ------------------------------------------------


def losses(np_like: Any) -> dict[str, tuple[Callable[..., Any], list[Any]]]:
    """The problems in the words of NumPy, with their arguments."""

    def chain(x: Any) -> Any:
        for _ in range(100):
            x = np_like.tanh(x * 1.01 + 0.1)
        return np_like.sum(x)

    def recurrence(x: Any) -> Any:
        y = x
        for _ in range(1000):
            y = y * 0.99 + x * 0.01
        return np_like.sum(y)

    data = values(32, 32)

    def mlp(*p: Any) -> Any:
        h = np_like.tanh(np_like.matmul(data, p[0]) + p[1])
        h = np_like.tanh(np_like.matmul(h, p[2]) + p[3])
        return np_like.mean((np_like.matmul(h, p[4]) + p[5]) ** 2)

    def elementwise(x: Any) -> Any:
        return np_like.sum(np_like.tanh(x * 2) * x)

    weights = [values(32, 64), values(64), values(64, 64), values(64), values(64, 10), values(10)]
    return {
        "chain of 300 operations on 3 numbers": (chain, [values(3)]),
        "recurrence of 1,000 steps on a number": (recurrence, [values(1)]),
        "MLP 32-64-64-10, batch 32": (mlp, weights),
        "elementwise on 1e6": (elementwise, [values(1_000_000)]),
    }


def of_autograd() -> dict[str, Run]:
    autograd = importlib.import_module("autograd")
    made: dict[str, Run] = {}
    for name, (loss, args) in losses(importlib.import_module("autograd.numpy")).items():
        gradient = autograd.grad(loss, argnum=tuple(range(len(args))))
        made[name] = lambda gradient=gradient, args=args: gradient(*args)
    return made


def of_mygrad() -> dict[str, Run]:
    mygrad = importlib.import_module("mygrad")
    made: dict[str, Run] = {}
    for name, (loss, args) in losses(mygrad).items():

        def run(loss: Any = loss, args: Any = args) -> Any:
            xs = [mygrad.tensor(a) for a in args]
            loss(*xs).backward()
            return xs[0].grad

        made[name] = run
    return made


# -- by hand: what NumPy's own calls cost ----------------------------------------------------


def of_numpy() -> dict[str, Run]:
    """The same operations there and back, written out: no graph, nothing recorded."""

    def chain(x: Any) -> Any:
        kept = []
        for _ in range(100):
            x = np.tanh(x * 1.01 + 0.1)
            kept.append(x)
        np.sum(x)
        c = np.ones_like(x)
        for z in reversed(kept):
            c = (1 - z * z) * c * 1.01
        return c

    def recurrence(x: Any) -> Any:
        y = x
        for _ in range(1000):
            y = y * 0.99 + x * 0.01
        np.sum(y)
        c, x_bar = np.ones_like(y), np.zeros_like(x)
        for _ in range(1000):
            x_bar += c * 0.01
            c = c * 0.99
        return x_bar + c

    def mlp(w1: Any, b1: Any, w2: Any, b2: Any, w3: Any, b3: Any) -> Any:
        x = data
        h = np.tanh(x @ w1 + b1)
        k = np.tanh(h @ w2 + b2)
        error = k @ w3 + b3
        np.mean(error**2)
        c = np.full(error.shape, 1 / error.size) * 2 * error
        w3_bar, b3_bar = k.T @ c, c.sum(0)
        c = (1 - k * k) * (c @ w3.T)
        w2_bar, b2_bar = h.T @ c, c.sum(0)
        c = (1 - h * h) * (c @ w2.T)
        return x.T @ c, c.sum(0), w2_bar, b2_bar, w3_bar, b3_bar

    def elementwise(x: Any) -> Any:
        t = np.tanh(x * 2)
        np.sum(t * x)
        return t + (1 - t * t) * x * 2

    data = values(32, 32)
    given = losses(np)
    hands: tuple[Callable[..., Any], ...] = (chain, recurrence, mlp, elementwise)
    return {
        name: lambda hand=hand, args=args: hand(*args)
        for hand, (name, (_, args)) in zip(hands, given.items(), strict=True)
    }


def of_retrograd() -> dict[str, Run]:
    return tensors(importlib.import_module("retrograd"))


CONTENDERS: dict[str, Callable[[], dict[str, Run]]] = {
    "retrograd": of_retrograd,
    "PyTorch eager": of_torch,
    "HIPS autograd": of_autograd,
    "MyGrad": of_mygrad,
    "NumPy by hand": of_numpy,
}
PROBLEMS = tuple(losses(np))


# -- measuring ------------------------------------------------------------------------------


def measured(
    rounds: int, problems: tuple[str, ...] = PROBLEMS
) -> dict[str, dict[str, list[float]]]:
    """Seconds of every round, by problem and contender; the gradients are compared first."""
    runs = {}
    for name, make in CONTENDERS.items():
        try:
            runs[name] = make()
        except ImportError:
            continue
    found: dict[str, dict[str, list[float]]] = {}
    for problem in problems:
        check(problem, {name: r[problem] for name, r in runs.items()})
        found[problem] = {name: [] for name in runs}
        for _ in range(rounds):
            for name, r in runs.items():
                start = time.perf_counter()
                r[problem]()
                found[problem][name].append(time.perf_counter() - start)
    return found


def check(problem: str, runs: dict[str, Run]) -> None:
    """All contenders find the same gradient."""
    gradients = {name: array(run()) for name, run in runs.items()}
    first = gradients["retrograd"]
    for name, gradient in gradients.items():
        assert np.allclose(gradient, first, 1e-4, 1e-7), f"{problem}: {name} differs"


def array(gradient: Any) -> Any:
    gradient = gradient[0] if isinstance(gradient, tuple) else gradient
    return np.asarray(gradient.detach().numpy() if hasattr(gradient, "detach") else gradient)


def table(found: dict[str, dict[str, list[float]]]) -> list[str]:
    """The median of each contender, and of its ratio to retrograd's time in the same round."""
    others = [name for name in next(iter(found.values())) if name != "retrograd"]
    lines = [
        f"| forward and backward | retrograd | {' | '.join(f'/ {name}' for name in others)} |",
        f"|---|---|{'---|' * len(others)}",
    ]
    for problem, times in found.items():
        mine = times["retrograd"]
        ratios = [
            statistics.median(a / b for a, b in zip(mine, times[name], strict=True))
            for name in others
        ]
        shown = " | ".join(f"{r:.2f}" for r in ratios)
        lines.append(f"| {problem} | {statistics.median(mine) * 1e3:.2f} ms | {shown} |")
    return lines


# -- depth ----------------------------------------------------------------------------------


def deep(nodes: int) -> tuple[float, float, float]:
    """Seconds to build a chain of so many nodes, to run it back, and to free it."""
    torch = importlib.import_module("retrograd")
    x = torch.tensor(values(3), requires_grad=True)
    times = [time.perf_counter()]
    y = x
    for _ in range(nodes):
        y = y * 1.000001
    times.append(time.perf_counter())
    y.backward(torch.ones_like(y))
    times.append(time.perf_counter())
    del y
    times.append(time.perf_counter())
    assert np.allclose(x.grad.numpy(), 1.000001**nodes)
    build, back, free = np.diff(times)
    return float(build), float(back), float(free)


def table_of_depths(depth: int) -> list[str]:
    """Microseconds per node, for chains up to this long."""
    lines = ["| nodes | build | back | free |", "|---|---|---|---|"]
    sizes = [n for n in (1_000, 10_000, 100_000) if n < depth] + [depth]
    deep(1_000)
    for n in sizes:
        shown = " | ".join(f"{t / n * 1e6:.2f} us" for t in deep(n))
        lines.append(f"| {n:,} | {shown} |")
    return lines


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--depth", type=int, metavar="N")
    asked = parser.parse_args()
    lines = table_of_depths(asked.depth) if asked.depth else table(measured(asked.rounds))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
