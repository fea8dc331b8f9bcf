"""`heapq` and `bisect` as programs over lists: their functions of C write to a list that nobody follows.

What is compared, and with what, is as in the Python text of `heapq`, so that equal items come out in the same order.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from typing import Any

__all__ = [
    "heapify", "heappop", "heappush", "heappushpop", "heapreplace", "insort_left", "insort_right", "nlargest", "nsmallest",
]  # fmt: skip


def insort_left(a: list[Any], x: Any, lo: int = 0, hi: int | None = None) -> None:
    a.insert(bisect_left(a, x, lo, len(a) if hi is None else hi), x)


def insort_right(a: list[Any], x: Any, lo: int = 0, hi: int | None = None) -> None:
    a.insert(bisect_right(a, x, lo, len(a) if hi is None else hi), x)


def nlargest(n: int, iterable: Iterable[Any], key: Callable[[Any], Any] | None = None) -> list[Any]:
    items = list(iterable)
    ordered = sorted(items, reverse=True) if key is None else sorted(items, key=key, reverse=True)
    return ordered[: max(n, 0)]


def nsmallest(
    n: int, iterable: Iterable[Any], key: Callable[[Any], Any] | None = None
) -> list[Any]:
    items = list(iterable)
    ordered = sorted(items) if key is None else sorted(items, key=key)
    return ordered[: max(n, 0)]


def heappush(heap: list[Any], item: Any) -> None:
    heap.append(item)
    rise(heap, 0, len(heap) - 1)


def heappop(heap: list[Any]) -> Any:
    last = heap.pop()
    if len(heap) > 0:
        least = heap[0]
        heap[0] = last
        sink(heap, 0)
        return least
    return last


def heapreplace(heap: list[Any], item: Any) -> Any:
    least = heap[0]
    heap[0] = item
    sink(heap, 0)
    return least


def heappushpop(heap: list[Any], item: Any) -> Any:
    if len(heap) > 0 and heap[0] < item:
        return heapreplace(heap, item)
    return item


def heapify(x: list[Any]) -> None:
    for k in range(len(x) // 2 - 1, -1, -1):
        sink(x, k)


def rise(heap: list[Any], top: int, at: int) -> None:
    """Move an item up, towards ``top``, past those that are greater."""
    item = heap[at]
    while at > top:
        parent = (at - 1) // 2
        if not item < heap[parent]:
            break
        heap[at] = heap[parent]
        at = parent
    heap[at] = item


def sink(heap: list[Any], at: int) -> None:
    """Move an item down to a leaf, the lesser of each two items up, and then up to its place."""
    top, end, item = at, len(heap), heap[at]
    child = 2 * at + 1
    while child < end:
        if child + 1 < end and not heap[child] < heap[child + 1]:
            child = child + 1
        heap[at] = heap[child]
        at = child
        child = 2 * at + 1
    heap[at] = item
    rise(heap, top, at)


for _name in __all__:
    globals()[_name].of_own = True  # to a list of the module it writes itself
