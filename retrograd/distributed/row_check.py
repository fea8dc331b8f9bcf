"""What was said of a function and its rows, held against it in the first call: some rows beside their two halves.

A mean that is said to be a sum, or a sum with a term that is not of the rows, would give other numbers for other shards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.runtime.errors import SignatureMismatch
from retrograd.runtime.objects.pytree import leaves, map_leaves

__all__ = ["hold"]

MOST = 256  # rows that are looked at
WAYS = {
    "sum": 'say reduce="mean" if it is a mean; what is added once and not for each row (a penalty of the weights) is '
    "added to the result, outside",
    "mean": 'say reduce="sum" if it is a sum; else let it give the mean of something over the rows',
    "rows": "let each row of the result be made of its own row alone",
}


def hold(
    f: Callable[[Sequence[Any]], Any], name: str, reduce: str, pieces: Sequence[Any], rows: int
) -> None:
    """Refuse a function, of the arguments that are split, that is not what ``reduce`` says of its rows."""
    rows = min(rows, MOST)
    half = rows // 2
    bounds = ((0, rows), (0, half), (half, rows))
    if not half:
        return
    try:
        whole, first, second = (value_of(f, pieces, *each) for each in bounds)
    except Exception:  # of fewer rows there may be nothing to say
        return
    if not all(map(is_finite, (whole, first, second))):
        return
    if agree(reduce, whole, first, second, half, rows) or not same(
        whole, value_of(f, pieces, 0, rows)
    ):
        return  # the same, or drawn anew each time
    said = "gives rows that are made of others" if reduce == "rows" else f"is no {reduce} over rows"
    raise SignatureMismatch(
        f"`{name}` {said}: of rows 0 to {rows - 1} it gives {spelled(whole)}, of 0 to {half - 1} {spelled(first)}, of "
        f"{half} to {rows - 1} {spelled(second)}; {WAYS[reduce]}"
    )


def value_of(f: Callable[[Sequence[Any]], Any], pieces: Sequence[Any], low: int, high: int) -> Any:
    """Copies are given: the function may write into its arguments."""
    return f([map_leaves(lambda a: np.array(a[low:high]), piece) for piece in pieces])


def agree(reduce: str, whole: Any, first: Any, second: Any, half: int, rows: int) -> bool:
    pairs = zip(leaves(first), leaves(second), strict=True)
    if reduce == "rows":
        if any(np.ndim(a) == 0 for a in leaves(whole)):
            return True  # that it gives no rows is said elsewhere
        found = [np.concatenate([np.asarray(a), np.asarray(b)]) for a, b in pairs]
    elif reduce == "mean":
        found = [(np.asarray(a) * half + np.asarray(b) * (rows - half)) / rows for a, b in pairs]
    else:
        found = [np.asarray(a) + np.asarray(b) for a, b in pairs]
    sizes = [np.abs(a).max(initial=0.0) for a in (*leaves(first), *leaves(second))]
    return all(
        near(np.asarray(a), b, max(sizes)) for a, b in zip(leaves(whole), found, strict=True)
    )


def near(a: Any, b: Any, size: Any) -> bool:
    """To half of the digits: sums of parts are rounded in another order."""
    kind = np.result_type(a, np.float16)
    room = np.sqrt(np.finfo(kind).eps) * (size + np.abs(a).max(initial=0.0))
    return a.shape == b.shape and bool(np.all(np.abs(a - b) <= room))


def is_finite(value: Any) -> bool:
    return all(bool(np.all(np.isfinite(x))) for x in leaves(value))


def same(a: Any, b: Any) -> bool:
    return all(np.array_equal(x, y) for x, y in zip(leaves(a), leaves(b), strict=True))


def spelled(value: Any) -> str:
    found = np.asarray(leaves(value)[0])
    return (
        f"{found:.6g}" if found.ndim == 0 and found.dtype.kind == "f" else f"{found.ravel()[:2]}..."
    )
