"""What crosses between host and device, what is launched and what is allocated, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

__all__ = [
    "Counts",
    "Transfer",
    "allocation",
    "as_one",
    "counted",
    "launch",
    "no_transfers",
    "transfer",
    "uncounted",
]


class Transfer(AssertionError):
    """Data crossed between host and device where none may; no handler of the library's catches it."""


@dataclass
class Counts:
    """What happened inside a ``with counted()``."""

    transfers: Counter[str] = field(default_factory=Counter)
    launches: Counter[str] = field(default_factory=Counter)
    allocations: int = 0
    allocated: int = 0

    @property
    def seen(self) -> bool:
        """Whether there is anything to count: with CuPy itself there is not."""
        return is_seen

    @property
    def launched(self) -> int:
        """How many launches, of whatever."""
        return self.launches.total()

    @property
    def transferred(self) -> int:
        """How many transfers, of whatever kind."""
        return self.transfers.total()


is_seen = True
_open: list[Counts] = []
_fused: list[str] = []  # functions that run as one kernel now
_forbidden: list[frozenset[str]] = []  # of each ``no_transfers`` around, the kinds that are allowed


def transfer(kind: str) -> None:
    """Data crosses now; ``kind`` says which call made it."""
    for counts in _open:
        counts.transfers[kind] += 1
    for allowed in _forbidden:
        if kind not in allowed:
            raise Transfer(f"a transfer between host and device: {kind}")


def launch(name: str) -> None:
    """A kernel starts."""
    if _fused:
        return
    for counts in _open:
        counts.launches[name] += 1


def allocation(size: int) -> None:
    """Memory of the device is taken."""
    for counts in _open:
        counts.allocations += 1
        counts.allocated += size


@contextmanager
def as_one(name: str) -> Iterator[None]:
    """What is launched inside is one kernel."""
    launch(name)
    _fused.append(name)
    try:
        yield
    finally:
        _fused.pop()


@contextmanager
def uncounted() -> Iterator[None]:
    """With CuPy itself nothing is counted, and no transfer is seen."""
    global is_seen
    is_seen, before = False, is_seen
    try:
        yield
    finally:
        is_seen = before


@contextmanager
def counted() -> Iterator[Counts]:
    """Count what happens inside."""
    counts = Counts()
    _open.append(counts)
    try:
        yield counts
    finally:
        _open.remove(counts)


@contextmanager
def no_transfers(*, allowed: tuple[str, ...] = ()) -> Iterator[None]:
    """Whatever crosses inside fails at its line."""
    kinds = frozenset(allowed)
    _forbidden.append(kinds)
    try:
        yield
    finally:
        _forbidden.remove(kinds)
