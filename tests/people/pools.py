"""Derivatives in pools of processes, started from a process of its own: ``python -m tests.people.pools fork``."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

import retrograd as rg
from tests.people.sent_functions import KINDS, X, answer, equal, rows

__all__ = ["POOLS"]

WORKERS = 2
SENT = ("function", "decorated method", "class method", "decorated, in C")


def work(job: tuple[str, Any]) -> Any:
    return answer(*job)


def by_multiprocessing(jobs: list[Any], how: str) -> list[Any]:
    with multiprocessing.get_context(how).Pool(WORKERS) as pool:
        return pool.map(work, jobs)


def by_futures(jobs: list[Any]) -> list[Any]:
    with ProcessPoolExecutor(WORKERS, mp_context=multiprocessing.get_context("spawn")) as pool:
        return list(pool.map(work, jobs))


def by_joblib(jobs: list[Any]) -> list[Any]:
    from joblib import Parallel, delayed

    return Parallel(n_jobs=WORKERS)(delayed(work)(job) for job in jobs)  # type: ignore[no-any-return]


POOLS: dict[str, Callable[[list[Any]], list[Any]]] = {
    "spawn": lambda jobs: by_multiprocessing(jobs, "spawn"),
    "fork": lambda jobs: by_multiprocessing(jobs, "fork"),
    "forkserver": lambda jobs: by_multiprocessing(jobs, "forkserver"),
    "futures": by_futures,
    "joblib": by_joblib,
}


def compiled_here(k: int) -> tuple[float, ...]:
    """A gradient that many processes compile at once, into one cache."""

    def slope(x: Any) -> Any:
        return np.sum(np.sin(x) ** 3 * np.exp(-x))

    found = rg.grad(slope, backend="c" if k % 2 else None)(X)
    return tuple(np.asarray(found).round(12))


def one_cache(processes: int) -> None:
    """All of them begin at once, with nothing in the cache, and go through it again."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(processes) as pool:
        found = pool.map(compiled_here, range(2 * processes), chunksize=1)
    assert len(set(found)) == 1, found
    folder = Path(os.environ["RETROGRAD_CACHE"])
    left = [path.name for path in folder.rglob("*") if "tmp" in path.suffix]
    assert not left, left


def main() -> None:
    what = sys.argv[1]
    if what == "cache":
        one_cache(int(sys.argv[2]))
        return
    jobs = [(name, make(KINDS[kind])) for kind in SENT for name, (make, _) in rows(kind).items()]
    wanted = [work(job) for job in jobs]
    for job, a, b in zip(jobs, POOLS[what](jobs), wanted, strict=True):
        assert equal(a, b), job
    print("all the same:", len(jobs))


if __name__ == "__main__":
    main()
