"""Rules of arrays that are made of others, and of what is asked about an array."""

from __future__ import annotations

from typing import Any

import numpy as np

from .batch import UNDISPATCHED, Batch, rule, rule_of_first
from .batched_array import BatchedArray

__all__: list[str] = []

_function: Any


# -- arrays like others -------------------------------------------------------------------------


def like(function: Any) -> None:
    def apply(batch: Batch, a: Any, *args: Any, shape: Any = None, **kwargs: Any) -> Any:
        if shape is not None:
            sizes = tuple(shape) if np.iterable(shape) else (shape,)
            kwargs["shape"] = (batch.count, *sizes)
        return function(a.value, *args, **kwargs)

    rule_of_first(function)(apply)


for _function in (np.zeros_like, np.ones_like, np.empty_like):
    like(_function)


@rule(np.full_like)
def full_like(
    batch: Batch,
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: Any = "K",
    subok: Any = True,
    shape: Any = None,
) -> Any:
    sizes = np.shape(a) if shape is None else tuple(shape) if np.iterable(shape) else (shape,)
    made = np.empty_like(batch.own(a), dtype=dtype, shape=(batch.count, *sizes))
    made[...] = batch.aligned(fill_value, len(sizes))
    return made


@rule_of_first(np.copy)
def copy(batch: Batch, a: Any, order: Any = "K", subok: bool = False) -> Any:
    return np.copy(a.value, order)


def array(batch: Batch, a: Any, dtype: Any = None, **options: Any) -> Any:
    """An array of a batch, or of nested lists with batches in them."""
    if isinstance(a, (tuple, list)):
        rows = [array(batch, x, dtype) for x in a]
        return np.stack(rows, 1)
    value = batch.whole(a)
    return value.astype(value.dtype if dtype is None else dtype)


def contiguous(batch: Batch, a: Any, dtype: Any = None) -> Any:
    made = array(batch, a, dtype)
    return made if made.ndim > 1 else made[:, None]


for _function in (np.array, np.asarray, np.asanyarray):
    UNDISPATCHED[_function] = array
UNDISPATCHED[np.ascontiguousarray] = contiguous


# -- questions ----------------------------------------------------------------------------------


@rule_of_first(np.shape)
def shape(batch: Batch, a: Any) -> Any:
    return a.shape


@rule_of_first(np.ndim)
def ndim(batch: Batch, a: Any) -> Any:
    return a.ndim


@rule_of_first(np.size)
def size(batch: Batch, a: Any, axis: Any = None) -> Any:
    return a.size if axis is None else a.shape[axis]


@rule_of_first(np.iscomplexobj)
def iscomplexobj(batch: Batch, x: Any) -> Any:
    return x.dtype.kind == "c"


@rule_of_first(np.isrealobj)
def isrealobj(batch: Batch, x: Any) -> Any:
    return x.dtype.kind != "c"


@rule(np.result_type)
def result_type(batch: Batch, *arrays_and_dtypes: Any) -> Any:
    return np.result_type(
        *(x.dtype if isinstance(x, BatchedArray) else x for x in arrays_and_dtypes)
    )


@rule(np.can_cast)
def can_cast(batch: Batch, from_: Any, to: Any, casting: Any = "safe") -> Any:
    return np.can_cast(from_.dtype if isinstance(from_, BatchedArray) else from_, to, casting)


@rule(np.may_share_memory)
def may_share_memory(batch: Batch, a: Any, b: Any, max_work: Any = None) -> Any:
    return np.may_share_memory(batch.own(a), batch.own(b), max_work)


@rule(np.shares_memory)
def shares_memory(batch: Batch, a: Any, b: Any, max_work: Any = None) -> Any:
    return np.shares_memory(batch.own(a), batch.own(b), max_work)
