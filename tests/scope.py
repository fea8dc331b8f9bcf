"""How much a run tries: ``--quick``, the usual part, with ``--full`` everything, with ``--share K/N`` a part of the rest.

What is repeated in kind is cut by three rules, and by no list of names.  An operation is tried in every aspect
on its first sample; of a test marked ``sampled(n)``, a table of like cases, one in ``n`` runs; a test marked
``slow`` does not run.  With ``--full`` every sample, case and test does.  ``--quick`` runs the tests marked ``quick``.
``--share K/N`` runs the usual part, and of what it leaves out the K-th of N parts: N runs are a full one.
"""

from __future__ import annotations

import zlib
from collections import Counter
from typing import Any

__all__ = ["choose", "is_quick", "is_whole", "runs"]

QUICK, USUAL, FULL = "quick", "usual", "full"

_chosen = USUAL
_share: tuple[int, int] | None = None


def choose(*, quick: bool, full: bool, share: str | None = None) -> None:
    """Set how much this run tries, before anything is collected."""
    global _chosen, _share
    if quick + full + (share is not None) > 1:
        raise ValueError("a run is quick, full or a share")
    _chosen = QUICK if quick else FULL if full else USUAL
    _share = None if share is None else parts(share)


def parts(share: str) -> tuple[int, int]:
    """Which part, and of how many."""
    part, _, many = share.partition("/")
    if not (part.isdecimal() and many.isdecimal() and 1 <= int(part) <= int(many)):
        raise ValueError(f"a share is like 2/7, not {share!r}")
    return int(part), int(many)


def is_quick() -> bool:
    return _chosen == QUICK


def is_whole(name: str) -> bool:
    """Is what has this name tried in full?"""
    if _share is None:
        return _chosen == FULL
    part, many = _share
    return zlib.crc32(name.encode()) % many == part - 1


def runs(items: list[Any]) -> tuple[list[Any], list[Any]]:
    """The tests that run, and those that are left out."""
    seen: Counter[str] = Counter()
    kept, left = [], []
    for item in items:
        (kept if _runs(item, seen) else left).append(item)
    return kept, left


def _runs(item: Any, seen: Counter[str]) -> bool:
    if is_quick() and item.get_closest_marker("quick") is None:
        return False
    return _is_usual(item, seen) or is_whole(item.nodeid)


def _is_usual(item: Any, seen: Counter[str]) -> bool:
    sampled = item.get_closest_marker("sampled")
    if sampled is None:
        return item.get_closest_marker("slow") is None
    table = item.nodeid.partition("[")[0]
    seen[table] += 1
    return (seen[table] - 1) % sampled.args[0] == 0
