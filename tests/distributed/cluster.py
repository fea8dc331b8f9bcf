"""Clusters of dask's, in a process of their own: ``python -m tests.distributed.cluster killed``."""

from __future__ import annotations

import logging
import os
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import dask
import numpy as np
import pytest
from distributed import Client, LocalCluster

import retrograd as rg
from tests.distributed import programs
from tests.distributed.programs import Once, W, X, Y, answers, loss, same

__all__ = ["CASES"]

dask.config.set(
    {
        "distributed.scheduler.allowed-failures": 0,
        "distributed.worker.memory.terminate": 0.9,
        "distributed.nanny.pre-spawn-environ.OPENBLAS_NUM_THREADS": 1,
    }
)


@contextmanager
def cluster(workers: int, **options: Any) -> Iterator[Client]:
    with (
        LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=":0", **options,
            silence_logs=logging.CRITICAL,
        ) as made,
        Client(made) as client,
    ):  # fmt: skip
        yield client


def digits() -> None:
    """The same digits in this process and with 4, 2 and 1 workers: the others are sent away, with what they have."""
    here = answers(None)
    with cluster(4) as client:
        kept = rg.distributed.value_and_grad(loss, client, "w", ("x", "y"))
        for workers in (4, 2, 1):
            assert len(client.scheduler_info()["workers"]) == workers
            assert same(answers(client), here), workers
            assert same(list(kept(W, X, Y)), here[:2]), workers
            client.retire_workers(list(client.scheduler_info()["workers"])[: workers // 2])


def kinds() -> None:
    """Functions by value, shards that are made and blocks of dask's; arrays are cut and sent once."""
    import dask.array as da

    scale = 2.0
    closure = lambda w, x, y: scale * np.sum((x @ w - y) ** 2)
    pieces = [(X[k : k + 100], Y[k : k + 100]) for k in range(0, 1000, 100)]
    makers = [lambda p=p, k=k: p[k] for k in (0, 1) for p in pieces]
    blocks = da.from_array(X, chunks=(100, 2)), da.from_array(Y, chunks=100)
    wanted = rg.distributed.value_and_grad(closure, None, split=("x", "y"), shards=10)(W, X, Y)
    with cluster(2) as client:
        vg = rg.distributed.value_and_grad(closure, client, split=("x", "y"), shards=10)
        for given in ((X, Y), (makers[:10], makers[10:]), blocks, blocks, (X, Y)):
            for _ in range(2):
                assert same(list(vg(W, *given)), list(wanted))
        before = {
            key
            for key in client.run_on_scheduler(lambda dask_scheduler: list(dask_scheduler.tasks))
        }
        vg(W, X, Y)
        after = {
            key
            for key in client.run_on_scheduler(lambda dask_scheduler: list(dask_scheduler.tasks))
        }
        kept = [key for key in before & after if "ndarray" in str(key)]
        assert len(kept) == 20, sorted(before)
        kept_too = rg.distributed.grad(loss, client, "w", ("x", "y"), keep=True)
        assert same(
            [kept_too(W, makers[:10], makers[10:])], [kept_too(W, makers[:10], makers[10:])]
        )
        with pytest.raises(ValueError, match="read-only") as caught:
            X[0, 0] = 1.0
        assert "read-only" in str(caught.value)
        vg.release()
        X[0, 0] = X[0, 0]


def errors() -> None:
    """An error in a shard has its class, and says which shard, and where."""
    with cluster(2) as client:
        bad = X.copy()
        bad[333] = np.nan
        g = rg.distributed.grad(programs_refusing_nan, client, split="x", shards=10)
        with pytest.raises(ArithmeticError) as caught:
            g(W, bad)
        said = "".join(traceback.format_exception(caught.value))
        assert "in shard 3 of 10 (rows 300 to 399 of `x`)" in said, said
        assert "programs_refusing_nan" in said, said
        assert np.isfinite(g(W, X)).all()


def programs_refusing_nan(w: Any, x: Any) -> Any:
    if np.isnan(np.sum(x)):
        raise ArithmeticError("not a number")
    return np.sum((x @ w) ** 2)


def killed() -> None:
    """A worker ends while it works, another one between two calls: the digits are those of before."""
    wanted = rg.distributed.value_and_grad(loss, None, "w", ("x", "y"))(W, X, Y)
    with cluster(2) as client, tempfile.TemporaryDirectory() as folder:
        vg = rg.distributed.value_and_grad(loss, client, "w", ("x", "y"))
        assert same(list(vg(W, X, Y)), list(wanted))
        end_one(client)
        assert same(list(vg(W, X, Y)), list(wanted))
        makers = [
            Once(X[k : k + 100], f"{folder}/{k}", programs.die if k == 300 else int)
            for k in range(0, 1000, 100)
        ]
        makes_y = [Once(Y[k : k + 100], f"{folder}/y{k}", int) for k in range(0, 1000, 100)]
        counted: list[int] = []
        made = rg.distributed.value_and_grad(
            loss, client, "w", ("x", "y"), progress=lambda done, _: counted.append(done)
        )
        ten = rg.distributed.value_and_grad(loss, None, "w", ("x", "y"), shards=10)(W, X, Y)
        assert same(list(made(W, makers, makes_y)), list(ten))
        assert counted[-1] == 10
        slow = threading.Timer(0.3, end_one, (client,))
        slow.start()
        slowly = rg.distributed.grad(slow_loss, client, "w", ("x", "y"), shards=12)
        found = slowly(W, X, Y)
        slow.join()
        assert same(
            [found], [rg.distributed.grad(slow_loss, None, "w", ("x", "y"), shards=12)(W, X, Y)]
        )


def slow_loss(w: Any, x: Any, y: Any) -> Any:
    time.sleep(0.1)
    return np.sum((np.tanh(x @ w) - y) ** 2)


def end_one(client: Client) -> None:
    pids = client.run(os.getpid)
    os.kill(next(iter(pids.values())), signal.SIGKILL)


def memory() -> None:
    """A worker that runs out of memory is ended by its nanny; a shard that always does is named."""
    with cluster(2, memory_limit="400MB") as client, tempfile.TemporaryDirectory() as folder:
        makers = [
            Once(X[k : k + 250], f"{folder}/{k}", programs.swell if k == 250 else int)
            for k in range(0, 1000, 250)
        ]
        made = rg.distributed.grad(residual_sum, client, split="x")
        wanted = rg.distributed.grad(residual_sum, None, split="x", shards=4)(W, X)
        assert same([made(W, makers)], [wanted])
        always = rg.distributed.grad(residual_sum, client, split="x", retries=1)
        with pytest.raises(rg.errors.WorkersLost) as caught:
            always(W, [programs.swell, lambda: X])
        assert "shard 0 of 2" in str(caught.value)


def residual_sum(w: Any, x: Any) -> Any:
    return np.sum(np.tanh(x @ w))


def pause() -> None:
    """A worker that answers no more, as behind a network that is away, holds up a call for its timeout."""
    wanted = rg.distributed.value_and_grad(loss, None, "w", ("x", "y"))(W, X, Y)
    with cluster(2) as client:
        vg = rg.distributed.value_and_grad(loss, client, "w", ("x", "y"), timeout=2.0)
        assert same(list(vg(W, X, Y)), list(wanted))
        pid = next(iter(client.run(os.getpid).values()))
        os.kill(pid, signal.SIGSTOP)
        try:
            assert same(list(vg(W, X, Y)), list(wanted))
            began = time.monotonic()
            assert same(list(vg(W, X, Y)), list(wanted))
            assert time.monotonic() - began < 2.0, "the worker was asked again"
        finally:
            os.kill(pid, signal.SIGCONT)
        time.sleep(1.5)
        assert same(list(vg(W, X, Y)), list(wanted))


def hanging() -> None:
    """A shard that hangs is done by another worker, and a call whose shard always hangs says so."""
    with cluster(2) as client, tempfile.TemporaryDirectory() as folder:
        makers = [
            Once(X[k : k + 250], f"{folder}/{k}", programs.hang if k == 500 else int)
            for k in range(0, 1000, 250)
        ]
        made = rg.distributed.grad(residual_sum, client, split="x", timeout=2.0)
        rg.distributed.grad(residual_sum, client, split="x", shards=4)(W, X)  # they compile once
        wanted = rg.distributed.grad(residual_sum, None, split="x", shards=4)(W, X)
        assert same([made(W, makers)], [wanted])
    with cluster(2) as client:
        always = rg.distributed.grad(residual_sum, client, split="x", timeout=1.0, retries=1)
        with pytest.raises(rg.errors.WorkersLost) as caught:
            always(W, [programs.hang, lambda: X])
        assert "shard 0 of 2" in str(caught.value) and "1.0 seconds" in str(caught.value)


CASES: dict[str, Callable[[], None]] = {
    "digits": digits, "kinds": kinds, "errors": errors, "killed": killed, "memory": memory, "pause": pause, "hanging": hanging,
}  # fmt: skip

if __name__ == "__main__":
    CASES[sys.argv[1]]()
    print("as it should be:", sys.argv[1])
