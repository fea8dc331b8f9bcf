"""Workers of every kind: the digits of this process, and what is kept with them."""

from __future__ import annotations

import functools
import gc
import importlib.util
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.distributed.workers.packed import dumped_by_name
from tests.distributed.programs import Once, W, X, Y, answers, die, loss, mean_loss, meet, same

ROOT = Path(__file__).resolve().parents[2]
CLUSTERS = ("killed", "digits", "kinds", "errors", "memory", "pause", "hanging")


def has(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def in_a_process(*args: str) -> str:
    """Of its own: pools and clusters have threads, and dask its own warnings."""
    done = subprocess.run(
        [sys.executable, *args], cwd=ROOT, capture_output=True, text=True, timeout=240,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


def test_threads() -> None:
    with ThreadPoolExecutor(3) as pool:
        assert same(answers(pool), answers(None))


def test_nothing_of_others_is_imported() -> None:
    text = (
        "import sys, numpy as np, retrograd as rg\n"
        "from tests.distributed.programs import answers\n"
        "answers(None)\n"
        "print(*({'dask', 'distributed', 'joblib', 'cloudpickle', 'mpi4py'} & set(sys.modules)), 'none')"
    )
    assert in_a_process("-c", text).split() == ["none"]


def test_without_cloudpickle_the_error_says_so() -> None:
    with pytest.raises((pickle.PicklingError, AttributeError)) as caught:
        dumped_by_name(lambda x: x)
    assert "cloudpickle" in caught.value.__notes__[0]


@pytest.mark.parametrize("kind", ["processes", pytest.param("joblib", marks=pytest.mark.slow)])
def test_processes(kind: str) -> None:
    if kind == "joblib" and not has("joblib"):
        pytest.skip("joblib is not installed")
    out = in_a_process("-W", "error", "-m", "tests.distributed.test_workers", kind)
    assert out.split() == ["as", "it", "should", "be"]


def processes() -> None:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        assert same(answers(pool), answers(None))
        vg = rg.distributed.grad(loss, pool, split=("x", "y"))
        x = X.copy()
        first = vg(W, x, Y)
        folder = vg.workers.folder
        assert len(os.listdir(folder)) == 32
        assert same([vg(W, x, Y)], [first])
        assert len(os.listdir(folder)) == 32
        with pytest.raises(ValueError, match="read-only") as caught:
            x[0] = 1.0
        assert "read-only" in str(caught.value)
        del x
        gc.collect()
        assert len(os.listdir(folder)) == 16  # of y
        vg.release()
        assert len(os.listdir(folder)) == 0
        sent = rg.distributed.grad(loss, pool, split=("x", "y"), keep=False)
        assert same([sent(W, X, Y)], [first])
        X[0, 0] = X[0, 0]  # it is not kept, and can be written to
        with pytest.raises(rg.errors.WorkersLost) as caught:
            rg.distributed.grad(loss, pool, split=("x", "y"))(
                W, [die], [functools.partial(np.array, Y)]
            )
        assert "the pool is broken" in str(caught.value)


def joblib() -> None:
    import tempfile

    from joblib import Parallel, delayed

    pool = Parallel(n_jobs=2)
    assert pool(delayed(abs)(x) for x in (-1, 2)) == [1, 2]
    assert same(answers(pool), answers(None))
    with tempfile.TemporaryDirectory() as folder:
        work_in_each(pool, folder)
    assert pool(delayed(abs)(x) for x in (-1, 2)) == [1, 2]  # joblib's own workers are its own
    assert Parallel(n_jobs=3)(delayed(abs)(x) for x in (-1, 2)) == [1, 2]
    assert same(answers(pool), answers(None))
    with tempfile.TemporaryDirectory() as folder:
        makers = [
            Once(X[k : k + 100], f"{folder}/{k}", die if k == 300 else int)
            for k in range(0, 1000, 100)
        ]
        makes_y = [Once(Y[k : k + 100], f"{folder}/y{k}", int) for k in range(0, 1000, 100)]
        found = rg.distributed.grad(loss, pool, split=("x", "y"))(W, makers, makes_y)
    assert same([found], [rg.distributed.grad(loss, split=("x", "y"), shards=10)(W, X, Y)])
    with pytest.raises(rg.errors.SignatureMismatch) as caught:
        rg.distributed.grad(loss, Parallel(n_jobs=2, backend="threading"), split="x")
    assert "loky" in str(caught.value)


def work_in_each(pool: Any, folder: str) -> None:
    """Both workers have shards at the same time, and each has its share of the cores."""
    from joblib import cpu_count

    makers = [
        Once(X[k : k + 500], f"{folder}/{k}", functools.partial(meet, folder)) for k in (0, 500)
    ]
    makes_y = [functools.partial(np.array, Y[k : k + 500]) for k in (0, 500)]
    found = rg.distributed.grad(loss, pool, split=("x", "y"))(W, makers, makes_y)
    assert same([found], [rg.distributed.grad(loss, split=("x", "y"), shards=2)(W, X, Y)])
    threads = [file.read_text() for file in Path(folder).glob("worker-*")]
    share = os.environ.get("OPENBLAS_NUM_THREADS", str(max(cpu_count() // 2, 1)))
    assert threads == [share, share]


@pytest.mark.skipif(not (has("distributed") and has("dask")), reason="dask is not installed")
@pytest.mark.parametrize(
    "case", [CLUSTERS[0], *(pytest.param(one, marks=pytest.mark.slow) for one in CLUSTERS[1:])]
)
def test_dask(case: str) -> None:
    assert f"as it should be: {case}" in in_a_process("-m", "tests.distributed.cluster", case)


@pytest.mark.slow
@pytest.mark.skipif(not has("distributed"), reason="dask is not installed")
def test_the_fit_of_the_documentation() -> None:
    lines = in_a_process("-m", "tests.distributed.minimize_on_dask").splitlines()
    assert lines[0].startswith("all of the data: [ 1.01 -1.01  0.5   0.  ]"), lines
    assert lines[1].startswith("some of it each step: [ 1.  -1.   0.5"), lines


# -- communicators --------------------------------------------------------------------------------


class Threads:
    """A communicator whose processes are threads: what mpi4py's does for these calls."""

    def __init__(self, size: int) -> None:
        self.size, self.barrier = size, threading.Barrier(size)
        self.slots: list[Any] = [None] * size

    def ranks(self, run: Any) -> list[Any]:
        with ThreadPoolExecutor(self.size) as pool:
            return list(pool.map(lambda rank: run(Rank(self, rank)), range(self.size)))


class Rank:
    def __init__(self, world: Threads, rank: int) -> None:
        self.world, self.rank = world, rank

    def Get_rank(self) -> int:
        return self.rank

    def Get_size(self) -> int:
        return self.world.size

    def gather(self, value: Any, root: int = 0) -> Any:
        self.world.slots[self.rank] = value
        self.world.barrier.wait()
        found = list(self.world.slots) if self.rank == root else None
        self.world.barrier.wait()
        return found

    def bcast(self, value: Any, root: int = 0) -> Any:
        if self.rank == root:
            self.world.slots = [value] * self.world.size
        self.world.barrier.wait()
        found = self.world.slots[self.rank]
        self.world.barrier.wait()
        return found


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_every_rank_has_the_result(size: int) -> None:
    wanted = answers(None)
    for found in Threads(size).ranks(answers):
        assert same(found, wanted)


def test_more_ranks_than_shards() -> None:
    def run(comm: Any) -> Any:
        return rg.distributed.grad(mean_loss, comm, split=("x", "y"), reduce="mean", shards=2)(
            W, X, Y
        )

    wanted = rg.distributed.grad(mean_loss, split=("x", "y"), reduce="mean", shards=2)(W, X, Y)
    assert all(np.array_equal(found, wanted) for found in Threads(4).ranks(run))


def fails(w: Any, x: Any) -> Any:
    if x[0, 0] == X[750, 0]:
        raise ZeroDivisionError("there")
    return np.sum(x @ w)


def test_every_rank_has_the_error() -> None:
    def run(comm: Any) -> Any:
        with pytest.raises(ZeroDivisionError) as caught:
            rg.distributed.grad(fails, comm, split="x", shards=4)(W, X)
        return "in shard 3 of 4" in str(caught.value.__notes__)

    assert Threads(3).ranks(run) == [True] * 3


@pytest.mark.slow
def test_mpi() -> None:
    """Where there is a library of MPI: ``mpiexec`` beside this Python, or on the path."""
    import shutil

    beside = Path(sys.executable).parent / "mpiexec"
    found = str(beside) if beside.exists() else shutil.which("mpiexec")
    if found is None or not has("mpi4py"):
        pytest.skip("no mpi4py, or no library of MPI")
    done = subprocess.run(
        [found, "-n", "3", sys.executable, "-m", "tests.distributed.test_workers", "mpi"],
        cwd=ROOT, capture_output=True, text=True, timeout=240, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    assert done.stdout.count("as it should be") == 3


def mpi() -> None:
    from mpi4py import MPI

    assert MPI.COMM_WORLD.Get_size() == 3
    assert same(answers(MPI.COMM_WORLD), answers(None))


if __name__ == "__main__":
    {"processes": processes, "joblib": joblib, "mpi": mpi}[sys.argv[1]]()
    print("as it should be")
