"""Executors of `concurrent.futures`: pools of processes or threads, loky's, those of `mpi4py.futures`."""

from __future__ import annotations

import contextlib
import itertools
import os
import pickle
import shutil
import tempfile
import weakref
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import numpy as np

from retrograd.runtime.errors import SignatureMismatch, WorkersLost

from ..shards import Recipe
from .here import inside
from .interface import Handle, Workers
from .packed import Mapped, Packed, Stored, dumped, new_name, opened

__all__ = ["PoolWorkers", "ThreadWorkers", "of_parallel"]

SMALL = 2**15  # bytes that go with each task
IDLE = 300.0  # seconds without work after which loky's processes end
NAMES = itertools.count()


class PoolWorkers(Workers):
    """What is kept lies in files that the processes of a pool map; those of other machines get it with each task."""

    LOST = (BrokenProcessPool, WorkersLost)

    def __init__(self, executor: Executor, anew: Callable[[Any], Executor] | None = None) -> None:
        self.executor, self.anew = executor, anew
        self.here = isinstance(executor, ProcessPoolExecutor) or anew is not None
        self.folder: str | None = None

    def kept(self, value: Any, again: bool = False) -> Handle:
        return self.stored(Handle(value), value, new_name() if again else None)

    def kept_all(self, values: Any) -> list[Handle]:
        return [self.stored(Handle(None), value) for value in values]

    def stored(self, handle: Handle, value: Any, name: str | None = None) -> Handle:
        if isinstance(value, np.ndarray) and not value.dtype.hasobject and self.here:
            handle.place = Mapped(self.file())
            np.save(handle.place.file, value)
            return handle
        if hasattr(value, "__dask_graph__"):
            value = Recipe(value.compute)
        data = dumped(value)
        if len(data) > SMALL and self.here:
            handle.place = Stored(self.file(), name)
            with open(handle.place.file, "wb") as file:
                file.write(data)
        else:
            handle.place = Packed(data, name)
        return handle

    def file(self) -> str:
        if self.folder is None:
            self.folder = tempfile.mkdtemp(prefix="retrograd-shards-")
            weakref.finalize(self, shutil.rmtree, self.folder, True)
        return os.path.join(self.folder, f"{next(NAMES)}.npy")

    def release(self, handle: Handle) -> None:
        file = getattr(handle.place, "file", None)
        if file is not None:
            with contextlib.suppress(OSError):
                os.unlink(file)

    def submit(self, fn: Callable[..., Any], *args: Any) -> Future[Any]:
        data = dumped((fn, [self.outside(x) for x in args]))
        try:
            return self.executor.submit(called, data)
        except BrokenProcessPool as error:
            if self.anew is None:
                raise WorkersLost(
                    "the pool is broken: one of concurrent.futures ends with the first process that it loses; "
                    "joblib's and dask's start others"
                ) from error
            self.executor = self.anew(self.executor)
            return self.executor.submit(called, data)

    def outside(self, x: Any) -> Any:
        """An argument as it goes to a worker."""
        if isinstance(x, Handle):
            return x.place
        if hasattr(x, "__dask_graph__"):
            return Recipe(x.compute)
        return x

    def error(self, task: Future[Any]) -> BaseException | None:
        return WorkersLost("cancelled") if task.cancelled() else task.exception()

    def drop(self, task: Future[Any]) -> None:
        task.cancel()

    def avoid(self, waiting: dict[Any, Any], seconds: float) -> list[Any]:
        return [node for node, task in waiting.items() if task.running()]


class ThreadWorkers(PoolWorkers):
    """Threads of this process, which have everything."""

    near = True

    def kept(self, value: Any, again: bool = False) -> Handle:
        return Handle(value)

    def submit(self, fn: Callable[..., Any], *args: Any) -> Future[Any]:
        return self.executor.submit(fn, *map(inside, args))


def called(data: bytes) -> Any:
    fn, args = pickle.loads(data)
    return fn(*map(opened, args))


def of_parallel(parallel: Any) -> PoolWorkers:
    """The workers of a ``joblib.Parallel``: loky's, which starts others where some are lost.

    They are not those of joblib's own calls, which end them, and those of others, when they ask for other workers.
    Each has its share of the cores: what BLAS may take is what joblib says.
    """
    from joblib import effective_n_jobs

    backend = getattr(parallel, "_backend", None)
    kind = type(backend).__name__
    if backend is None or kind not in ("LokyBackend", "SequentialBackend"):
        raise SignatureMismatch(
            f"a joblib.Parallel with processes of its own (loky), not with {kind}: give the executor, or the client "
            "of dask.distributed, itself"
        )
    count = effective_n_jobs(parallel.n_jobs)
    threads = backend._prepare_worker_env(n_jobs=count)

    def anew(lost: Any) -> Any:
        return running(count, threads, lost)

    return PoolWorkers(anew(None), anew)


RUNNING: dict[Any, Any] = {}  # by the number of their workers and what these may take


def running(count: int, threads: dict[str, str], lost: Any) -> Any:
    """Loky's processes: the same for all derivatives, until they are lost."""
    from joblib.externals.loky import ProcessPoolExecutor as Loky

    key = count, *sorted(threads.items())
    if RUNNING.get(key) is lost:
        RUNNING[key] = Loky(count, timeout=IDLE, env=threads)
    return RUNNING[key]
