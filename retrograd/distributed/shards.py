"""Shards as recipes: rows of arrays that are here, functions that make them, blocks of dask arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from retrograd.runtime.arrays.libraries import is_dask
from retrograd.runtime.errors import SignatureMismatch
from retrograd.runtime.objects.pytree import leaves, map_leaves

__all__ = ["Cut", "Recipe", "cut_of", "is_dask", "is_recipes", "settled"]

LEAST = 16  # shards of an array with as many rows
BYTES = 64 * 2**20  # of a shard, about


class Recipe(NamedTuple):
    """A shard that is made where it is needed."""

    call: Callable[[], Any]

    def make(self) -> Any:
        return self.call()


class Cut(NamedTuple):
    """The shards of one argument: rows of arrays that are here, or recipes; blocks are dask's."""

    pieces: list[Any]
    rows: list[tuple[int, int]] | None  # of what is here
    kind: str  # "rows", "recipes", "blocks"

    def words(self, shard: int) -> str:
        if self.rows is not None:
            first, last = self.rows[shard]
            return f"rows {first} to {last - 1}"
        return f"made by {self.pieces[shard].call!r}" if self.kind == "recipes" else "a block"


def is_recipes(x: Any) -> bool:
    return isinstance(x, (list, tuple)) and len(x) > 0 and all(map(callable, x))


def cut_of(name: str, x: Any, shards: int | None) -> Cut:
    """An argument as shards; None: as many as it has, or as its size asks for.

    >>> cut = cut_of("x", np.arange(10.0), 3)
    >>> [piece.tolist() for piece in cut.pieces]
    [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0]]
    """
    if is_dask(x):
        return checked(name, blocks_of(x), shards)
    if is_recipes(x):
        return checked(name, Cut([Recipe(call) for call in x], None, "recipes"), shards)
    arrays = leaves(x)
    lengths = {len(a) for a in arrays if np.ndim(a) > 0}
    if len(lengths) != 1 or any(np.ndim(a) == 0 for a in arrays):
        raise SignatureMismatch(
            f"`{name}` is split by rows: an array, a container of arrays of as many rows, a list of functions "
            f"that make a shard each, or a dask array, not {said(x)}"
        )
    rows = lengths.pop()
    count = usual(rows, sum(a.nbytes for a in arrays)) if shards is None else shards
    if not 0 < count <= rows:
        raise SignatureMismatch(f"{count} shards of `{name}`, which has {rows} rows")
    bounds = [(rows * k // count, rows * (k + 1) // count) for k in range(count)]
    return Cut([some_rows(x, *each) for each in bounds], bounds, "rows")


def some_rows(x: Any, first: int, last: int) -> Any:
    return map_leaves(lambda a: a[first:last], x)


def usual(rows: int, size: int) -> int:
    """How many shards: the same for any number of workers.

    >>> usual(1000, 8000), usual(3, 24), usual(10**9, 8 * 10**9)
    (16, 3, 120)
    """
    return min(rows, max(LEAST, -(-size // BYTES)))


def checked(name: str, cut: Cut, shards: int | None) -> Cut:
    if shards not in (None, len(cut.pieces)):
        raise SignatureMismatch(
            f"`{name}` has {len(cut.pieces)} shards, and shards={shards} was said"
        )
    return cut


def blocks_of(x: Any) -> Cut:
    """The blocks of rows of a dask array."""
    whole = x.rechunk(dict.fromkeys(range(1, x.ndim), -1)) if x.ndim > 1 else x
    blocks = whole.to_delayed().ravel().tolist()
    sizes = np.asarray(x.chunks[0], float)
    if np.isnan(sizes).any():
        return Cut(blocks, None, "blocks")
    ends = np.cumsum(sizes).astype(int).tolist()
    return Cut(blocks, list(zip([0, *ends[:-1]], ends, strict=True)), "blocks")


def settled(tree: Any) -> Any:
    """The same with arrays that lie in memory as they lie wherever they are sent: without gaps, aligned.

    Products are summed in another order otherwise.
    """
    return map_leaves(lambda x: x if lies_well(x) else x.copy(order="K"), tree)


def lies_well(x: Any) -> bool:
    flags = x.flags if type(x) is np.ndarray else None
    return flags is None or (flags.aligned and (flags.c_contiguous or flags.f_contiguous))


def said(x: Any) -> str:
    return f"{type(x).__name__} of shape {np.shape(x)}" if isinstance(x, np.ndarray) else repr(x)
