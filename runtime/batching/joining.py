"""Rules of joining arrays, and of taking them apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from .batch import Batch, rule, rule_of_first
from .reductions import shifted

__all__: list[str] = []


@rule(np.concatenate, np.concat)
def concatenate(
    batch: Batch,
    arrays: Any,
    axis: Any = 0,
    out: Any = None,
    *,
    dtype: Any = None,
    casting: Any = "same_kind",
) -> Any:
    if out is not None or type(arrays) not in (tuple, list):
        return NotImplemented
    values = [batch.whole(x) for x in arrays]
    if axis is None:
        values = [v.reshape(batch.count, -1) for v in values]
    whole = 1 if axis is None else shifted(axis, np.ndim(arrays[0]))
    return np.concatenate(values, whole, dtype=dtype, casting=casting)


@rule(np.stack)
def stack(
    batch: Batch,
    arrays: Any,
    axis: int = 0,
    out: Any = None,
    *,
    dtype: Any = None,
    casting: Any = "same_kind",
) -> Any:
    if out is not None or type(arrays) not in (tuple, list):
        return NotImplemented
    whole = shifted(axis, np.ndim(arrays[0]) + 1)
    return np.stack([batch.whole(x) for x in arrays], whole, dtype=dtype, casting=casting)


def joined(function: Any, rank: int, along: Any) -> None:
    """`np.vstack` and its kin: arrays of that rank at least, along an axis."""
    raised = {1: np.atleast_1d, 2: np.atleast_2d, 3: np.atleast_3d}[rank]

    def apply(batch: Batch, tup: Any, *, dtype: Any = None, casting: Any = "same_kind") -> Any:
        if type(tup) not in (tuple, list):
            return NotImplemented
        arrays = [raised(x) for x in tup]
        axis = along(arrays[0].ndim)
        values = [batch.whole(x) for x in arrays]
        return np.concatenate(values, axis + 1, dtype=dtype, casting=casting)

    rule(function)(apply)


joined(np.hstack, 1, lambda rank: 0 if rank == 1 else 1)
joined(np.vstack, 2, lambda rank: 0)
joined(np.dstack, 3, lambda rank: 2)


@rule(np.column_stack)
def column_stack(batch: Batch, tup: Any) -> Any:
    if type(tup) not in (tuple, list):
        return NotImplemented
    columns = [batch.whole(x) for x in tup]
    columns = [c.reshape(batch.count, -1, 1) if c.ndim < 3 else c for c in columns]
    return np.concatenate(columns, 2)


def parted(function: Any) -> None:
    def apply(batch: Batch, ary: Any, sections: Any, axis: int = 0) -> Any:
        return list(function(ary.value, sections, shifted(axis, ary.ndim)))

    rule_of_first(function)(apply)


parted(np.split)
parted(np.array_split)
