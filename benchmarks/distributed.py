"""What `rg.distributed` costs: ``python -m benchmarks.distributed call | scaling | simulate``.

``call`` measures calls whose work is nothing, ``scaling`` one and two workers on the cores of this machine, and
``simulate`` runs a step on up to 1,000 workers with the costs that ``call`` measures on this machine: the scheduler hands
out tasks one after the other, gradients go up the tree over a network, some shards take longer than others.
"""

from __future__ import annotations

import argparse
import heapq
import logging
import multiprocessing
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

import retrograd as rg
from retrograd.distributed.tree import Node, Tree

__all__ = ["Costs", "simulated"]

REPEATS = 5
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
SPREAD = 0.3  # of the logarithm of the time of a shard


def nothing(w: Any, x: Any) -> Any:
    return w * np.sum(x)


def logistic(w: Any, x: Any, y: Any) -> Any:
    return np.sum(np.log1p(np.exp(-y * np.tanh(x @ w))))


@contextmanager
def dask(workers: int) -> Iterator[Any]:
    from distributed import Client, LocalCluster

    options = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(**options, silence_logs=logging.CRITICAL) as cluster, Client(cluster) as made:
        yield made


@contextmanager
def here(workers: int) -> Iterator[Any]:
    yield None


@contextmanager
def processes(workers: int) -> Iterator[Any]:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        yield pool


@contextmanager
def threads(workers: int) -> Iterator[Any]:
    with ThreadPoolExecutor(workers) as pool:
        yield pool


@contextmanager
def joblib(workers: int) -> Iterator[Any]:
    from joblib import Parallel

    yield Parallel(n_jobs=workers)


CLIENTS: dict[str, Callable[[int], Any]] = {
    "this process": here, "threads": threads, "processes": processes, "joblib (loky)": joblib, "dask": dask,
}  # fmt: skip


def seconds(run: Callable[[], Any], repeats: int = REPEATS) -> float:
    run()
    run()
    found = []
    for _ in range(repeats):
        began = time.perf_counter()
        run()
        found.append(time.perf_counter() - began)
    return min(found)


def call() -> None:
    """Calls whose work is nothing: for 16 shards, and for each one more."""
    print(f"{'client, 2 workers':22}{'16 shards':>12}{'256 shards':>12}{'a shard':>12}")
    for name, make in CLIENTS.items():
        with make(2) as client:
            few, many = (empty(client, shards) for shards in (16, 256))
        each = (many - few) / 240
        print(f"{name:22}{1e3 * few:9.1f} ms{1e3 * many:9.1f} ms{1e3 * each:9.2f} ms", flush=True)


def empty(client: Any, shards: int) -> float:
    x = np.ones((256, 1))
    g = rg.distributed.grad(nothing, client, split="x", shards=shards)
    found = seconds(lambda: g(1.0, x))
    g.release()
    return found


def scaling() -> None:
    """One and two workers, each with one core, and BLAS with one thread: rows of a logistic regression."""
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))  # of the processes to come
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1_000_000, 50))
    y = np.sign(rng.normal(size=len(x)))
    w = rng.normal(size=50)
    print(f"{'client':18}{'1 worker':>11}{'2 workers':>11}{'times':>8}")
    for name in ("processes", "joblib (loky)", "dask"):
        taken = []
        for workers in (1, 2):
            with CLIENTS[name](workers) as client:
                g = rg.distributed.grad(logistic, client, "w", ("x", "y"), shards=16)
                taken.append(seconds(lambda g=g: g(w, x, y)))
                g.release()
        one, two = taken
        print(f"{name:18}{1e3 * one:8.0f} ms{1e3 * two:8.0f} ms{one / two:8.2f}", flush=True)


# -- many workers -----------------------------------------------------------------------------------


class Costs(NamedTuple):
    """Of a step, in seconds and bytes."""

    shard: float  # the derivative of one
    task: float  # the scheduler's, which hands out one after the other
    size: float  # bytes of a gradient
    bandwidth: float = 1.25e9  # bytes a second between two workers: 10 Gbit/s
    latency: float = 2e-3  # of a message
    add: float = 5e9  # bytes a second that are added up


def simulated(
    workers: int, shards: int, costs: Costs, spread: float, seed: int = 0, in_tree: bool = True
) -> float:
    """How long a step takes: leaves as workers are free, then sums as their parts are there.

    ``spread``: the standard deviation of the logarithm of what a shard takes.  Not ``in_tree``: all
    gradients go to one process.

    >>> round(simulated(4, 8, Costs(1.0, 0.0, 0.0, latency=0.0), 0.0), 3)
    2.0
    """
    rng = np.random.default_rng(seed)
    tree = Tree(shards)
    takes = costs.shard * np.exp(rng.normal(0.0, spread, shards) - spread**2 / 2)
    free = [0.0] * workers
    handed = 2 * broadcast(workers, costs)
    ready: dict[Node, float] = {}
    for leaf in tree.leaves():
        handed += costs.task
        began = max(handed, heapq.heappop(free)) + costs.latency
        ready[leaf] = began + takes[leaf.at]
        heapq.heappush(free, ready[leaf])
    if not in_tree:
        return max(ready.values()) + shards * costs.size / costs.bandwidth + costs.latency
    scheduler = handed
    for node in tree.inner():
        below = tree.children(node)
        scheduler = max(scheduler + costs.task, 0.0)
        came = max(ready[child] for child in below)
        moved = (len(below) - 1) * (costs.size / costs.bandwidth + costs.size / costs.add)
        ready[node] = max(came, scheduler) + 2 * costs.latency + moved
    return ready[tree.root] + costs.size / costs.bandwidth + costs.latency


def broadcast(workers: int, costs: Costs) -> float:
    """The weights go to all workers, from one to the next: each that has them sends them on."""
    return float(np.ceil(np.log2(workers + 1))) * (costs.size / costs.bandwidth + costs.latency) / 2


def simulate() -> None:
    """Steps of one second of work for each worker's shards, on up to 1,000 workers."""
    with dask(2) as client:
        task = (empty(client, 256) - empty(client, 16)) / 240
    print(f"the scheduler takes {1e3 * task:.2f} ms for a shard (measured)")
    print(
        f"{'workers':>8}{'shards':>8}{'depth':>7}{'gradient':>10}{'step':>9}{'of ideal':>10}{'all to one':>12}"
    )
    for size in (1e5, 1e7, 1e8):
        for workers in (10, 100, 1000):
            for each in (1, 4):
                shards = each * workers
                costs = Costs(1.0 / each, task, size)
                step, alone = (
                    statistics.median(
                        simulated(workers, shards, costs, SPREAD, seed, way) for seed in range(9)
                    )
                    for way in (True, False)
                )
                print(
                    f"{workers:8}{shards:8}{len(Tree(shards).widths) - 1:7}{size / 1e6:7.1f} MB"
                    f"{step:7.2f} s{100 / step:8.0f} %{alone:10.2f} s",
                    flush=True,
                )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.distributed", description=__doc__)
    parser.add_argument("what", choices=("call", "scaling", "simulate"))
    {"call": call, "scaling": scaling, "simulate": simulate}[parser.parse_args().what]()


if __name__ == "__main__":
    sys.exit(main())
