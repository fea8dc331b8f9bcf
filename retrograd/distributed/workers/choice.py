"""Whose workers a client's are."""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

from retrograd.runtime.errors import SignatureMismatch

from .here import Here
from .interface import Workers

__all__ = ["workers_of"]


def workers_of(client: Any) -> Workers:
    """The workers behind a client; the libraries are those that it came from."""
    if client is None:
        return Here()
    home = type(client).__module__.partition(".")[0]
    if home == "distributed" and hasattr(client, "scatter"):
        from .dask_client import DaskWorkers  # a client was given

        return DaskWorkers(client)
    if home == "joblib":
        from .executors import of_parallel  # joblib was given

        return of_parallel(client)
    if isinstance(client, Executor):
        from .executors import PoolWorkers, ThreadWorkers  # an executor was given

        kind = ThreadWorkers if isinstance(client, ThreadPoolExecutor) else PoolWorkers
        return kind(client)
    if all(hasattr(client, name) for name in ("Get_rank", "Get_size", "gather", "bcast")):
        from .communicator import Ranks  # a communicator was given

        return Ranks(client)
    raise SignatureMismatch(
        f"a client is one of dask.distributed, an executor of concurrent.futures, a joblib.Parallel, a communicator "
        f"of mpi4py, or None, not {client!r}"
    )
