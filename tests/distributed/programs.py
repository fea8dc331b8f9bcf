"""Sums over rows, and what goes wrong in some shards: functions that workers import."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["W", "X", "Y", "answers", "data", "loss", "mean_loss", "residual", "row", "same"]


def data(rows: int = 1000, columns: int = 5) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(7)
    x = rng.normal(size=(rows, columns))
    return rng.normal(size=columns), x, np.sin(x.sum(1))


W, X, Y = data()


def loss(w: Any, x: Any, y: Any) -> Any:
    return np.sum((np.tanh(x @ w) - y) ** 2)


def mean_loss(w: Any, x: Any, y: Any) -> Any:
    return np.mean((np.tanh(x @ w) - y) ** 2)


def residual(w: Any, x: Any) -> Any:
    return np.tanh(x @ w)


def row(w: Any, x: Any) -> Any:
    return np.sum(np.tanh(x) * w)


def answers(client: Any, **options: Any) -> list[Any]:
    """One result of each transformation, from these workers."""
    import retrograd as rg

    spread = rg.distributed
    both = ("x", "y")
    value, slope = spread.value_and_grad(loss, client, "w", both, **options)(W, X, Y)
    mean = spread.grad(mean_loss, client, split=both, reduce="mean", shards=9, **options)(W, X, Y)
    rows = spread.jacobian(residual, client, split="x", **options)(W, X)
    product = spread.hvp(loss, client, split=both, **options)((W, X, Y), W)
    many = spread.vmap(row, client, split="x", **options)(W, X)
    return [value, slope, mean, rows, product, many]


def same(a: list[Any], b: list[Any]) -> bool:
    """To the last bit."""
    return all(np.array_equal(one, other) for one, other in zip(a, b, strict=True))


# -- shards that do something to their workers ------------------------------------------------------


class Once:
    """A shard that does something the first time it is made: the file says that it was."""

    def __init__(self, shard: Any, file: str, act: Any) -> None:
        self.shard, self.file, self.act = shard, file, act

    def __call__(self) -> Any:
        try:
            with open(self.file, "x") as file:
                file.write(str(os.getpid()))
        except FileExistsError:
            return self.shard
        self.act()
        return self.shard


def die() -> None:
    os._exit(1)


def hang() -> None:
    time.sleep(3600)


def fail() -> None:
    raise OSError("the disk is away")


def swell() -> None:
    """Take memory until somebody ends this process."""
    kept = []
    while True:
        kept.append(np.ones(2**22))
        time.sleep(0.02)


def wait_for(path: Path, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not path.exists():
        if time.monotonic() > end:
            raise TimeoutError(f"{path} did not come")
        time.sleep(0.01)


def meet(folder: str, workers: int = 2) -> None:
    """Wait until as many workers are here; each says how many threads its BLAS may take."""
    (Path(folder) / f"worker-{os.getpid()}").write_text(os.environ.get("OPENBLAS_NUM_THREADS", ""))
    end = time.monotonic() + 60.0
    while len(list(Path(folder).glob("worker-*"))) < workers:
        if time.monotonic() > end:
            raise TimeoutError("one worker has all the shards")
        time.sleep(0.01)
