"""Small eager operations of two checkouts: ``python -m benchmarks.eager_operations OLD NEW [--rounds N] [--only a,b]``.

Each checkout runs in a process of its own; they take turns within a round, on the clock of the processor.  The
table shows medians and their ratio: what a change to the way operations are recorded costs, or gains.
"""

from __future__ import annotations

import argparse
import importlib
import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

__all__ = ["main", "operations"]

SAMPLE_SECONDS = 0.015
Run = Callable[[], Any]


def operations(torch: Any) -> dict[str, Run]:
    """Operations on tensors of a few numbers: forward alone, and with the way back (``+``)."""
    torch.manual_seed(0)

    def leaf(*shape: int) -> Any:
        return torch.randn(*shape, requires_grad=True)

    x, y, a, b, large, c = leaf(8), leaf(8), leaf(8, 8), leaf(8, 8), leaf(100, 100), torch.randn(8)

    def back(make: Run, *leaves: Any) -> Run:
        def run() -> None:
            made = make()
            torch.autograd.backward(made, torch.ones_like(made) if made.numel() > 1 else None)
            for one in leaves:
                one.grad = None

        return run

    def chain() -> Any:
        h = x
        for _ in range(10):
            h = (h * y + x).tanh()
        return h.sum()

    def recurrence() -> Any:
        h = x
        for _ in range(1000):
            h = h * 0.99 + x * 0.01
        return h.sum()

    def layers() -> Any:
        h = (((a @ b + x).relu()) @ b).sigmoid()
        return ((h - 1.0) ** 2).mean()

    def twice() -> Any:
        return torch.autograd.grad((x * x * y).sum(), x, create_graph=True)[0].sum()

    def constant() -> Any:
        with torch.no_grad():
            return x * y + x

    return {
        "x * y": lambda: x * y, "x * 2": lambda: x * 2.0, "x.exp()": lambda: x.exp(), "x.sum()": lambda: x.sum(),
        "a @ b": lambda: a @ b, "x[2:5]": lambda: x[2:5], "in place": lambda: (x * 2).add_(y),
        "constants": lambda: c * c + c, "no_grad": constant,
        "x * y +": back(lambda: x * y, x, y), "x * 2 +": back(lambda: x * 2.0, x), "1 - x +": back(lambda: 1.0 - x, x),
        "x / y +": back(lambda: x / y, x, y), "x ** 2 +": back(lambda: x**2, x), "x.exp() +": back(lambda: x.exp(), x),
        "x.sum() +": back(lambda: x.sum(), x), "a.sum(0) +": back(lambda: a.sum(0), a),
        "a @ b +": back(lambda: a @ b, a, b), "x[2:5] +": back(lambda: x[2:5], x),
        "cat +": back(lambda: torch.cat([x, y]), x, y), "reshape +": back(lambda: a.reshape(64), a),
        "where +": back(lambda: torch.where(x > 0, x, y), x, y), "softmax +": back(lambda: a.softmax(-1), a),
        "maximum +": back(lambda: torch.maximum(x, y), x, y), "chain +": back(chain, x, y), "recurrence +": back(recurrence, x),
        "layers +": back(layers, a, b, x), "second order +": back(twice, x, y),
        "large +": back(lambda: (large * large + large).sum(), large),
    }  # fmt: skip


def seconds(run: Run, times: int) -> float:
    start = time.process_time()
    for _ in range(times):
        run()
    return (time.process_time() - start) / times


def work(checkout: str) -> None:
    """Answer each name that is asked with the seconds of one run."""
    sys.path.insert(0, checkout)
    torch = importlib.import_module("retrograd")
    assert os.path.realpath(torch.__file__ or "").startswith(os.path.realpath(checkout))
    runs = operations(torch)
    times = {}
    for name, run in runs.items():
        seconds(run, 50)
        times[name] = max(1, int(SAMPLE_SECONDS / seconds(run, 50)))
    print("\n".join(runs), end="\n\n", flush=True)
    for line in sys.stdin:
        name = line.rstrip("\n")
        print(seconds(runs[name], times[name]), flush=True)


class Worker:
    """A checkout in a process of its own."""

    def __init__(self, checkout: str) -> None:
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        environment.pop("PYTHONPATH", None)
        self.process = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), "--work", checkout],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment,
        )  # fmt: skip
        self.names = list(iter(lambda: self.line(), ""))

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def ask(self, name: str) -> float:
        assert self.process.stdin is not None
        print(name, file=self.process.stdin, flush=True)
        return float(self.line())

    def end(self) -> None:
        self.process.communicate()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("checkouts", nargs="+")
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--only", default="")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        work(given.checkouts[0])
        return
    workers = [Worker(checkout) for checkout in given.checkouts[:2]]
    names = [one.strip() for one in given.only.split(",")] if given.only else workers[0].names
    taken: dict[str, list[list[float]]] = {name: [[], []] for name in names}
    for k in range(given.rounds):
        for name in names:
            for i in (0, 1) if k % 2 else (1, 0):
                taken[name][i].append(workers[i].ask(name))
    logs = []
    print(f"{'':16} {'old, us':>9} {'new, us':>9}  ratio")
    for name in names:
        old, new = map(statistics.median, taken[name])
        logs.append(math.log(new / old))
        print(f"{name:16} {old * 1e6:9.2f} {new * 1e6:9.2f}  {new / old:.3f}")
    print(f"{'geometric mean':36}  {math.exp(statistics.fmean(logs)):.3f}")
    for one in workers:
        one.end()


if __name__ == "__main__":
    main()
