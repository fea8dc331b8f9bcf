"""Shards that stay with workers: each is known by the arrays it was cut from, and these are read-only meanwhile."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from retrograd.runtime.objects.pytree import leaves

from .shards import Cut, settled

__all__ = ["Frozen", "Holdings"]

MOST = 16  # arguments whose shards are kept
LOCK = threading.RLock()
COUNTS: dict[int, int] = {}  # how many have copies of an array, by its id


class Frozen:
    """Arrays of which others have copies: they are read-only until the last of these is given back."""

    def __init__(self, arrays: Sequence[Any]) -> None:
        self.arrays: list[weakref.ref[Any]] = []
        with LOCK:
            for one in arrays:
                while isinstance(one, np.ndarray):
                    self.freeze(one)
                    one = one.base

    def freeze(self, one: Any) -> None:
        key = id(one)
        if one.flags.writeable or key in COUNTS:
            one.flags.writeable = False
            COUNTS[key] = COUNTS.get(key, 0) + 1
            self.arrays.append(weakref.ref(one, lambda _: COUNTS.pop(key, None)))

    def thaw(self) -> None:
        with LOCK:
            for ref in reversed(self.arrays):  # what lends its memory first
                one = ref()
                if one is not None:
                    COUNTS[id(one)] -= 1
                    if not COUNTS[id(one)]:
                        del COUNTS[id(one)]
                        one.flags.writeable = True
            self.arrays.clear()


class Held(NamedTuple):
    """An argument whose shards are with the workers."""

    whose: list[Any]  # weak references to its arrays; or what it is known by
    handles: list[Any]
    frozen: Frozen


class Holdings:
    """All that workers keep for one function."""

    def __init__(self, workers: Any) -> None:
        self.workers = workers
        self.held: dict[Any, Held] = {}

    def of(self, name: str, x: Any, cut: Cut) -> list[Any]:
        """Where the shards of an argument are; they are put there the first time."""
        whole = list(x) if cut.kind == "recipes" else [x] if cut.kind == "blocks" else leaves(x)
        key = (name, len(cut.pieces), *map(id, whole))
        if key not in self.held:
            while len(self.held) >= MOST:
                self.forget(next(iter(self.held)))
            arrays = whole if cut.kind == "rows" else []
            own = weakref.ref(self)
            whose = [weakref.ref(one, lambda _: gone(own, key)) for one in arrays] or whole
            handles = self.workers.kept_all(list(map(settled, cut.pieces)))
            self.held[key] = Held(whose, handles, Frozen(arrays))
        return self.held[key].handles

    def forget(self, key: Any) -> None:
        held = self.held.pop(key, None)
        if held is not None:
            held.frozen.thaw()
            for handle in held.handles:
                self.workers.release(handle)

    def release(self) -> None:
        for key in list(self.held):
            self.forget(key)

    def __del__(self) -> None:
        self.release()


def gone(own: weakref.ref[Holdings], key: Any) -> None:
    """An array is no more."""
    holdings = own()
    if holdings is not None:
        holdings.forget(key)
