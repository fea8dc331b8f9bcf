"""Which states of a long loop are kept, and from which one it is run again on the way back.

With s snapshots of a loop of n iterations the states are kept where Griewank and Walther's
Revolve has them, which runs the fewest iterations again; where n is not known beforehand, every
second snapshot is dropped whenever all are in use, and Revolve fills the gaps on the way back::

    kept = rt.snapshots(n, 32)
    for i in range(n):
        rt.keep_state(kept, x)
        x = step(i, x)
    kept = rt.rewind(kept)
    for k in reversed(range(n)):
        start, x = rt.restore(kept, k)
        for i in range(start, k):
            rt.keep_state(kept, x)
            x = step(i, x)
        ...  # x is the state at the beginning of iteration k
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

__all__ = ["keep_state", "restore", "rewind", "snapshots"]


def reach(s: int, r: int) -> int:
    """The longest loop that s snapshots reverse running no iteration more than r times."""
    return comb(s + r, s) if r >= 0 else 0


def split(length: int, free: int) -> int:
    """After how many iterations the next state is best kept, ``free`` snapshots being unused.

    >>> [split(length, 1) for length in (2, 3, 6, 10)]
    [1, 1, 3, 6]
    """
    s, r = free + 1, 0
    while reach(s, r) < length:
        r += 1
    return min(reach(s, r - 1), length - reach(s - 1, r - 1), length - 1)


def owned(state: Any) -> Any:
    """The state with arrays of its own, which later writes do not reach.

    >>> x = np.zeros(2)
    >>> kept = owned((x, 3))
    >>> x += 1
    >>> kept
    (array([0., 0.]), 3)
    """
    if isinstance(state, np.ndarray):
        return state.copy()
    if isinstance(state, (tuple, list)):
        items = [owned(item) for item in state]
        return type(state)(*items) if hasattr(state, "_fields") else type(state)(items)
    if isinstance(state, dict):
        return {key: owned(item) for key, item in state.items()}
    return state


class Snapshots:
    """The states kept of one loop, as (iteration, state), on the way there or on the way back."""

    __slots__ = ("at", "copies", "end", "kept", "last", "limit", "next", "stride")

    def __init__(self, end: int, limit: int, copies: bool, stride: int = 0) -> None:
        self.end, self.limit, self.copies, self.stride = end, limit, copies, stride
        self.kept: list[tuple[int, Any]] = []
        self.last: tuple[int, Any] | None = None  # where the way back begins
        self.at = self.next = 0  # the iteration that begins next, the next one to be kept

    def keep(self, at: int, state: Any) -> None:
        """Keep a state that was planned for, and plan the next."""
        own = (at, owned(state))
        if self.stride:
            return self.thin_out(own)
        if len(self.kept) < self.limit:
            self.kept.append(own)
        else:
            self.last = own
        self.plan()

    def plan(self) -> None:
        """The next state kept on the way from the newest one to iteration ``end - 1``."""
        lo, free = self.kept[-1][0], self.limit - len(self.kept)
        far = self.end - lo > 1
        self.next = lo + split(self.end - lo, free) if free and far else self.end - 1
        if self.next < self.at:
            self.next = -1

    def thin_out(self, own: tuple[int, Any]) -> None:
        """Keep every ``stride``-th state; where there is no room, only every second of them."""
        if len(self.kept) == self.limit:
            self.stride *= 2
            self.kept = [entry for entry in self.kept if entry[0] % self.stride == 0]
        if own[0] % self.stride == 0 and len(self.kept) < self.limit:
            self.kept.append(own)
        self.next = (own[0] // self.stride + 1) * self.stride


def snapshots(n: int | None, limit: int, copies: bool = False) -> Snapshots:
    """A plan for a loop of n iterations (None: not known yet).

    ``copies``: what is restored will be written to, and must be restored again.
    """
    return Snapshots(n or 0, limit, copies, stride=int(n is None))


def keep_state(kept: Snapshots, *state: Any) -> None:
    """At the beginning of every iteration: keep the state, if it is one of those to be kept."""
    at = kept.at
    kept.at = at + 1
    if at == kept.next:
        kept.keep(at, state)


def rewind(kept: Snapshots) -> Snapshots:
    """The same states for one way back, which leaves ``kept`` as it is.

    >>> back = rewind(forward := walked(5, 2))
    >>> [restore(back, k) for k in (4, 3)], forward.kept
    ([(4, 4), (3, 3)], [(0, (0,)), (3, (3,))])
    """
    back = Snapshots(kept.at, kept.limit, kept.copies)
    back.kept, back.last = list(kept.kept), kept.last
    return back


def walked(n: int, limit: int) -> Snapshots:
    """The plan after a loop whose state is its counter."""
    kept = snapshots(n, limit)
    for i in range(n):
        keep_state(kept, i)
    return kept


def restore(kept: Snapshots, k: int) -> tuple[Any, ...]:
    """The nearest iteration not after k whose state is kept, and the state; what is later is dropped.

    The state of iteration 0 stays, so that the way back can be gone again.
    """
    last, kept.last = kept.last, None
    if last is not None and last[0] == k:
        return last[0], *last[1]
    while kept.kept[-1][0] > k:
        kept.kept.pop()
    start, state = kept.kept[-1]
    if start == k and k:
        kept.kept.pop()
    else:
        kept.at, kept.end = start, k + 1
        kept.next = -1 if start == k else 0
        if start < k:
            kept.plan()
    return start, *(owned(state) if kept.copies else state)
