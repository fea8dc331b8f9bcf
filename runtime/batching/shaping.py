"""Rules of shapes: reshaping, exchange and making of axes, parts, joining, arrays like others."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .batch import UNDISPATCHED, Batch, rule
from .batched_array import BatchedArray
from .reductions import axes_of, shifted

__all__: list[str] = []

_function: Any


@rule(np.reshape)
def reshape(
    batch: Batch,
    a: Any,
    shape: Any = None,
    order: Any = "C",
    *,
    newshape: Any = None,
    copy: Any = None,
) -> Any:
    shape = newshape if shape is None else shape
    if order != "C" or not batch.has(a):
        return NotImplemented
    sizes = shape if type(shape) in (tuple, list) else (shape,)
    made = a.value.reshape(batch.count, *map(operator.index, sizes))
    return made.copy() if copy else made


@rule(np.ravel)
def ravel(batch: Batch, a: Any, order: Any = "C") -> Any:
    return a.value.reshape(batch.count, -1) if order == "C" else NotImplemented


@rule(np.transpose, np.permute_dims)
def transpose(batch: Batch, a: Any, axes: Any = None) -> Any:
    own = range(a.ndim)[::-1] if axes is None else axes
    return a.value.transpose(0, *(shifted(k, a.ndim) for k in own))


@rule(np.swapaxes)
def swapaxes(batch: Batch, a: Any, axis1: int, axis2: int) -> Any:
    return a.value.swapaxes(shifted(axis1, a.ndim), shifted(axis2, a.ndim))


@rule(np.matrix_transpose)
def matrix_transpose(batch: Batch, x: Any) -> Any:
    return x.value.swapaxes(-1, -2) if x.ndim > 1 else NotImplemented


@rule(np.moveaxis)
def moveaxis(batch: Batch, a: Any, source: Any, destination: Any) -> Any:
    return np.moveaxis(a.value, shifted(source, a.ndim), shifted(destination, a.ndim))


@rule(np.expand_dims)
def expand_dims(batch: Batch, a: Any, axis: Any) -> Any:
    axes = axis if type(axis) in (tuple, list) else (axis,)
    return np.expand_dims(a.value, shifted(tuple(axes), a.ndim + len(axes)))


@rule(np.squeeze)
def squeeze(batch: Batch, a: Any, axis: Any = None) -> Any:
    ones = tuple(k for k, n in enumerate(a.shape) if n == 1)
    return np.squeeze(a.value, shifted(ones if axis is None else axis, a.ndim))


def at_least(function: Any, after: int, before: int) -> None:
    """`np.atleast_1d` and its kin: a number gets so many axes; of others those before and after are made."""
    rank = after + before

    def one(x: Any) -> Any:
        return function(x)

    def apply(batch: Batch, *arrays: Any) -> Any:
        made = [raised(batch, x, rank) for x in arrays]
        return made[0] if len(made) == 1 else tuple(made)

    def raised(batch: Batch, x: Any, rank: int) -> Any:
        if not batch.has(x):
            return batch.whole(function(x))
        lead = -(-(rank - x.ndim) // 2) if rank == 3 and x.ndim < 2 else rank - x.ndim
        if rank == 3 and x.ndim == 2:
            lead = 0
        tail = rank - x.ndim - lead
        if rank <= x.ndim:
            return x.value
        return x.value.reshape(batch.count, *(1,) * lead, *x.shape, *(1,) * tail)

    rule(function)(apply)


at_least(np.atleast_1d, 0, 1)
at_least(np.atleast_2d, 0, 2)
at_least(np.atleast_3d, 0, 3)


@rule(np.broadcast_to)
def broadcast_to(batch: Batch, array: Any, shape: Any, subok: bool = False) -> Any:
    sizes = tuple(shape) if np.iterable(shape) else (shape,)
    return np.broadcast_to(batch.aligned(array, len(sizes)), (batch.count, *sizes))


@rule(np.broadcast_arrays)
def broadcast_arrays(batch: Batch, *args: Any, subok: bool = False) -> Any:
    shape = np.broadcast_shapes(*(np.shape(x) for x in args))
    return tuple(
        broadcast_to(batch, x if batch.has(x) else BatchedArray(batch.level, batch.whole(x)), shape)
        for x in args
    )


@rule(np.flip)
def flip(batch: Batch, m: Any, axis: Any = None) -> Any:
    return np.flip(m.value, axes_of(axis, m.ndim))


@rule(np.flipud)
def flipud(batch: Batch, m: Any) -> Any:
    return m.value[:, ::-1] if m.ndim else NotImplemented


@rule(np.fliplr)
def fliplr(batch: Batch, m: Any) -> Any:
    return m.value[:, :, ::-1] if m.ndim > 1 else NotImplemented


@rule(np.rot90)
def rot90(batch: Batch, m: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    return np.rot90(m.value, k, shifted(tuple(axes), m.ndim))


@rule(np.roll)
def roll(batch: Batch, a: Any, shift: Any, axis: Any = None) -> Any:
    if batch.has(shift):
        return NotImplemented
    if axis is None:
        return np.roll(a.value.reshape(batch.count, -1), shift, 1).reshape(a.value.shape)
    return np.roll(a.value, shift, shifted(axis, a.ndim))


@rule(np.tile)
def tile(batch: Batch, A: Any, reps: Any) -> Any:
    times = tuple(reps) if np.iterable(reps) else (reps,)
    value = batch.aligned(A, len(times))
    return np.tile(value, (1, *(1,) * (value.ndim - 1 - len(times)), *times))


@rule(np.pad)
def pad(batch: Batch, array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    if (
        type(pad_width) is dict
        or not set(kwargs) <= {"constant_values"}
        or np.ndim(kwargs.get("constant_values", 0))
    ):
        return NotImplemented
    if mode not in ("constant", "edge", "reflect", "symmetric", "wrap"):
        return NotImplemented
    widths = np.broadcast_to(np.asarray(pad_width), (array.ndim, 2)).tolist()
    return np.pad(array.value, [(0, 0), *map(tuple, widths)], mode, **kwargs)


@rule(np.diagonal)
def diagonal(batch: Batch, a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    return np.diagonal(a.value, offset, shifted(axis1, a.ndim), shifted(axis2, a.ndim))


@rule(np.trace)
def trace(
    batch: Batch,
    a: Any,
    offset: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    dtype: Any = None,
    out: Any = None,
) -> Any:
    if out is not None:
        return NotImplemented
    return np.trace(a.value, offset, shifted(axis1, a.ndim), shifted(axis2, a.ndim), dtype)


@rule(np.diag)
def diag(batch: Batch, v: Any, k: int = 0) -> Any:
    if v.ndim == 2:
        return np.diagonal(v.value, k, 1, 2)
    if v.ndim != 1:
        return NotImplemented
    size = v.shape[0] + abs(k)
    made = np.zeros_like(v.value, shape=(batch.count, size, size))
    rows = np.arange(v.shape[0])
    made[:, rows + max(-k, 0), rows + max(k, 0)] = v.value
    return made


@rule(np.tril)
def tril(batch: Batch, m: Any, k: int = 0) -> Any:
    return np.tril(m.value, k) if m.ndim > 1 else NotImplemented


@rule(np.triu)
def triu(batch: Batch, m: Any, k: int = 0) -> Any:
    return np.triu(m.value, k) if m.ndim > 1 else NotImplemented


@rule(sliding_window_view)
def windows(
    batch: Batch,
    x: Any,
    window_shape: Any,
    axis: Any = None,
    *,
    subok: Any = False,
    writeable: Any = False,
) -> Any:
    sizes = tuple(window_shape) if np.iterable(window_shape) else (window_shape,)
    own = tuple(range(x.ndim)) if axis is None else axis if type(axis) in (tuple, list) else (axis,)
    return sliding_window_view(x.value, sizes, shifted(tuple(own), x.ndim), writeable=writeable)


# -- joining and taking apart ------------------------------------------------------------------


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

    rule(function)(apply)


parted(np.split)
parted(np.array_split)


# -- arrays like others -------------------------------------------------------------------------


def like(function: Any) -> None:
    def apply(batch: Batch, a: Any, *args: Any, shape: Any = None, **kwargs: Any) -> Any:
        if shape is not None:
            sizes = tuple(shape) if np.iterable(shape) else (shape,)
            kwargs["shape"] = (batch.count, *sizes)
        return function(a.value, *args, **kwargs)

    rule(function)(apply)


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


@rule(np.copy)
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


@rule(np.shape)
def shape(batch: Batch, a: Any) -> Any:
    return a.shape


@rule(np.ndim)
def ndim(batch: Batch, a: Any) -> Any:
    return a.ndim


@rule(np.size)
def size(batch: Batch, a: Any, axis: Any = None) -> Any:
    return a.size if axis is None else a.shape[axis]


@rule(np.iscomplexobj)
def iscomplexobj(batch: Batch, x: Any) -> Any:
    return x.dtype.kind == "c"


@rule(np.isrealobj)
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
