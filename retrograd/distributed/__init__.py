"""`retrograd.distributed`: derivatives of sums over many rows, on many cores or machines.

::

    vg = rg.distributed.value_and_grad(loss, client, wrt="w", split=("x", "y"), reduce="sum")
    value, gradient = vg(w, x, y)

What is split is cut by rows into shards; each is differentiated by a worker, and the results are added up in an order
that hangs on nothing but the number of shards.  Nothing of dask, joblib or MPI is imported unless it is given.
"""

from __future__ import annotations

from typing import Any

from retrograd.scope import missing

from .progress import bar
from .transforms import grad, hvp, jacobian, value_and_grad, vmap

__all__ = ["bar", "grad", "hvp", "jacobian", "value_and_grad", "vmap"]


def __getattr__(name: str) -> Any:
    raise missing(__name__, name)
