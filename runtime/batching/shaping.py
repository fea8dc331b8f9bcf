"""Rules of shapes: reshaping, exchange and making of axes, repetition, diagonals, windows."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .batch import Batch, rule, rule_of_first
from .batched_array import BatchedArray
from .reductions import axes_of, shifted

__all__: list[str] = []


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


@rule_of_first(np.ravel)
def ravel(batch: Batch, a: Any, order: Any = "C") -> Any:
    return a.value.reshape(batch.count, -1) if order == "C" else NotImplemented


@rule_of_first(np.transpose, np.permute_dims)
def transpose(batch: Batch, a: Any, axes: Any = None) -> Any:
    own = range(a.ndim)[::-1] if axes is None else axes
    return a.value.transpose(0, *(shifted(k, a.ndim) for k in own))


@rule_of_first(np.swapaxes)
def swapaxes(batch: Batch, a: Any, axis1: int, axis2: int) -> Any:
    return a.value.swapaxes(shifted(axis1, a.ndim), shifted(axis2, a.ndim))


@rule_of_first(np.matrix_transpose)
def matrix_transpose(batch: Batch, x: Any) -> Any:
    return x.value.swapaxes(-1, -2) if x.ndim > 1 else NotImplemented


@rule_of_first(np.moveaxis)
def moveaxis(batch: Batch, a: Any, source: Any, destination: Any) -> Any:
    return np.moveaxis(a.value, shifted(source, a.ndim), shifted(destination, a.ndim))


@rule_of_first(np.expand_dims)
def expand_dims(batch: Batch, a: Any, axis: Any) -> Any:
    axes = axis if type(axis) in (tuple, list) else (axis,)
    return np.expand_dims(a.value, shifted(tuple(axes), a.ndim + len(axes)))


@rule_of_first(np.squeeze)
def squeeze(batch: Batch, a: Any, axis: Any = None) -> Any:
    ones = tuple(k for k, n in enumerate(a.shape) if n == 1)
    return np.squeeze(a.value, shifted(ones if axis is None else axis, a.ndim))


def at_least(function: Any, rank: int) -> None:
    """`np.atleast_1d` and its kin, which add axes in front; the third, to rows and matrices, one behind, too."""

    def raised(batch: Batch, x: Any) -> Any:
        if not batch.has(x):
            return batch.whole(function(x))
        missing = max(rank - x.ndim, 0)
        behind = 1 if rank == 3 and missing else 0
        return x.value.reshape(batch.count, *(1,) * (missing - behind), *x.shape, *(1,) * behind)

    def apply(batch: Batch, *arrays: Any) -> Any:
        made = [raised(batch, x) for x in arrays]
        return made[0] if len(made) == 1 else tuple(made)

    rule(function)(apply)


at_least(np.atleast_1d, 1)
at_least(np.atleast_2d, 2)
at_least(np.atleast_3d, 3)


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


@rule_of_first(np.flip)
def flip(batch: Batch, m: Any, axis: Any = None) -> Any:
    return np.flip(m.value, axes_of(axis, m.ndim))


@rule_of_first(np.flipud)
def flipud(batch: Batch, m: Any) -> Any:
    return m.value[:, ::-1] if m.ndim else NotImplemented


@rule_of_first(np.fliplr)
def fliplr(batch: Batch, m: Any) -> Any:
    return m.value[:, :, ::-1] if m.ndim > 1 else NotImplemented


@rule_of_first(np.rot90)
def rot90(batch: Batch, m: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    return np.rot90(m.value, k, shifted(tuple(axes), m.ndim))


@rule_of_first(np.roll)
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


@rule_of_first(np.pad)
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


@rule_of_first(np.diagonal)
def diagonal(batch: Batch, a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    return np.diagonal(a.value, offset, shifted(axis1, a.ndim), shifted(axis2, a.ndim))


@rule_of_first(np.trace)
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


@rule_of_first(np.diag)
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


@rule_of_first(np.tril)
def tril(batch: Batch, m: Any, k: int = 0) -> Any:
    return np.tril(m.value, k) if m.ndim > 1 else NotImplemented


@rule_of_first(np.triu)
def triu(batch: Batch, m: Any, k: int = 0) -> Any:
    return np.triu(m.value, k) if m.ndim > 1 else NotImplemented


@rule_of_first(sliding_window_view)
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
