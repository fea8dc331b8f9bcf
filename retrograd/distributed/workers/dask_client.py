"""Clients of dask.distributed: shards are scattered, results added up where they are, and all of it done anew if lost."""

from __future__ import annotations

import itertools
import time
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from typing import Any

from distributed import KilledWorker
from distributed.comm.core import CommClosedError
from distributed.scheduler import heartbeat_interval

from ..shards import Recipe
from .interface import Handle, Workers
from .packed import Packed, dumped, new_name

__all__ = ["DaskWorkers"]

SMALL = 2**14  # bytes that go with each task rather than to all workers beforehand
PAUSE = 0.5  # seconds, before workers that restart are asked again
NONE = "retrograd: no argument"  # where others have one more
ALIVE = 3.0  # seconds since a worker was heard of last


class Lost(Exception):
    """A future that was given up."""


class DaskWorkers(Workers):
    merges = True
    LOST = (KilledWorker, CancelledError, CommClosedError, Lost, TimeoutError)

    def __init__(self, client: Any) -> None:
        self.client = client
        self.suspects: set[str] = set()
        self.names = (f"retrograd-{uuid.uuid4().hex[:12]}-{k}" for k in itertools.count())

    def begin(self) -> None:
        """Workers that are heard of again are asked again."""
        if self.suspects:
            heard = self.heard()
            self.suspects = {one for one in self.suspects if heard.get(one, 0.0) > ALIVE}

    def heard(self) -> dict[str, float]:
        """How many seconds before the last message of any worker each was heard of."""
        known = self.client.scheduler_info(n_workers=-1)["workers"]
        seen = {address: worker["last_seen"] for address, worker in known.items()}
        latest = max(seen.values(), default=0.0)
        return {address: latest - when for address, when in seen.items()}

    def allowed(self) -> list[str] | None:
        """The workers that may be asked; None: all of them."""
        if not self.suspects:
            return None
        known = self.client.scheduler_info(n_workers=-1)["workers"]
        return [address for address in known if address not in self.suspects] or None

    # -- values --------------------------------------------------------------------------------

    def kept(self, value: Any, again: bool = False) -> Handle:
        """For all workers: with each task if it is small."""
        handle = Handle(value)
        handle.place = Packed(dumped(value), new_name() if again else None)
        if len(handle.place.data) > SMALL:
            handle.place = self.scattered([handle.place], True)[0]
        return handle

    def kept_all(self, values: Sequence[Any]) -> list[Handle]:
        """Each with one worker; what is made there is a task, which dask does again by itself."""
        if values and (isinstance(values[0], Recipe) or hasattr(values[0], "__dask_graph__")):
            return [Handle(None, self.made(value)) for value in values]
        return [Handle(None, place) for place in self.scattered(list(values), False)]

    def made(self, value: Any) -> Any:
        if isinstance(value, Recipe):
            return self.client.submit(
                value.call, key=next(self.names), pure=False, workers=self.allowed()
            )
        return self.client.compute(value)

    def scattered(self, values: list[Any], to_all: bool) -> list[Any]:
        """Futures of values that are with workers; those that are just being lost are waited for."""
        for attempt in range(1, 6):
            try:
                found = self.client.scatter(
                    values, broadcast=to_all, hash=False, workers=self.allowed()
                )
            except (*self.LOST, OSError, ValueError):
                if attempt == 5:
                    raise
                time.sleep(PAUSE * attempt)
            else:
                return list(found)
        raise AssertionError("not reached")

    def lost(self, handle: Handle) -> bool:
        place = handle.place
        if isinstance(place, Packed):
            return False
        if place.status != "finished":
            return bool(place.status != "pending")
        if not self.suspects:
            return False
        holders = self.client.who_has([place]).get(place.key, ())
        return set(holders) <= self.suspects

    def renew(self, handle: Handle, value: Any) -> None:
        if isinstance(value, Recipe) or hasattr(value, "__dask_graph__"):
            handle.place = self.made(value)
        elif handle.value is None:
            handle.place = self.scattered([value], False)[0]
        else:
            handle.place = self.kept(value, True).place

    def release(self, handle: Handle) -> None:
        handle.place = None

    # -- tasks ---------------------------------------------------------------------------------

    def submit_all(
        self, fn: Callable[..., Any], each: Sequence[Sequence[Any]], same: Sequence[Any]
    ) -> list[Any]:
        """All of them in one message."""
        most = max(map(len, each))
        rows = [[*map(self.outside, args), *[NONE] * (most - len(args))] for args in each]
        found: list[Any] = self.client.map(
            unpacked, *zip(*rows, strict=True), fn=fn, same=[self.outside(x) for x in same],
            key=[next(self.names) for _ in rows], pure=False, workers=self.allowed(), retries=0,
            batch_size=None,
        )  # fmt: skip
        return found

    def outside(self, x: Any) -> Any:
        if isinstance(x, Handle):
            return x.place
        return self.client.compute(x) if hasattr(x, "__dask_graph__") else x

    def error(self, task: Any) -> BaseException | None:
        if task.status == "finished":
            return None
        if task.status in ("cancelled", "lost", "pending"):
            return Lost(task.status)
        found: BaseException = task.exception()
        return found

    def is_gone(self, task: Any) -> bool:
        if task.status != "finished":
            return True
        holders = self.client.who_has([task]).get(task.key, ())
        return set(holders) <= self.suspects

    def drop(self, task: Any) -> None:
        task.release()

    def avoid(self, waiting: dict[Any, Any], seconds: float) -> list[Any]:
        """Workers that are silent, or else those that work while others have nothing to do."""
        at_work = self.client.processing()
        keys = {task.key: node for node, task in waiting.items()}
        busy = {at: [keys[key] for key in found if key in keys] for at, found in at_work.items()}
        beats = 3 * heartbeat_interval(len(at_work))
        heard = self.heard()
        silent = {at for at, since in heard.items() if since > max(beats, min(ALIVE, seconds / 2))}
        if not silent and not all(busy.values()):
            silent = {at for at, nodes in busy.items() if nodes}
        self.suspects |= silent
        among = silent or set(busy)
        return [node for at, nodes in busy.items() if at in among for node in nodes]


def unpacked(*args: Any, fn: Callable[..., Any], same: Sequence[Any]) -> Any:
    given = [x.load() if isinstance(x, Packed) else x for x in same]
    return fn(*given, *[x for x in args if type(x) is not str or x != NONE])
