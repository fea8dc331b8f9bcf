"""How much a run tries: ``--quick``, the usual part, or with ``--full`` everything.

What is repeated in kind is cut by three rules, and by no list of names.  An operation is tried in every aspect
on its first sample; of a test marked ``sampled(n)``, a table of like cases, one in ``n`` runs; a test marked
``slow`` does not run.  With ``--full`` every sample, case and test does.  ``--quick`` runs the tests marked ``quick``.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

__all__ = ["choose", "is_full", "is_quick", "runs"]

_chosen = "usual"


def choose(*, quick: bool, full: bool) -> None:
    """Set how much this run tries, before anything is collected."""
    global _chosen
    assert not (quick and full), "a run is quick or full"
    _chosen = "quick" if quick else "full" if full else "usual"


def is_full() -> bool:
    return _chosen == "full"


def is_quick() -> bool:
    return _chosen == "quick"


def runs(items: list[Any]) -> tuple[list[Any], list[Any]]:
    """The tests that run, and those that are left out."""
    seen: Counter[str] = Counter()
    kept, left = [], []
    for item in items:
        (kept if _runs(item, seen) else left).append(item)
    return kept, left


def _runs(item: Any, seen: Counter[str]) -> bool:
    if is_full():
        return True
    if is_quick() and item.get_closest_marker("quick") is None:
        return False
    sampled = item.get_closest_marker("sampled")
    if sampled is None:
        return item.get_closest_marker("slow") is None
    table = item.nodeid.partition("[")[0]
    seen[table] += 1
    return (seen[table] - 1) % sampled.args[0] == 0
