"""Helpers that the device has otherwise.

On the host a question saves work: are there any zeros?  On the device the answer would have to be waited for, and the
work costs less.  Others reach into NumPy's memory, or are Python numbers' own.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..arrays.libraries import cupy, is_cupy
from ..errors import UnsupportedOperation
from ..helpers import containers, core, creation, exact_zero, special
from ..helpers.core import map_tree
from ..helpers.indexing import repeats
from ..helpers.statistics import counts
from ..objects.pytree import children
from . import kernels
from .adapted import add_at, placed
from .copies import copied, copy_of, instead
from .nested_lists import shape_of

__all__: list[str] = []


# -- kinds of numbers ------------------------------------------------------------------------


@instead("core.cast")
def cast(c: Any, like: Any) -> Any:
    """A number is a differential of an array only where that lies."""
    if is_cupy(like) and like.dtype.kind in "fc" and not is_cupy(c) and c is not None:
        c = placed(c)
    return copy_of(core.cast)(c, like)


@instead("containers.match")
def match(c: Any, like: Any) -> Any:
    """The gradient of a number is one of the device: the host would have to wait for it."""
    if children(like) is not None:
        return map_tree(matched_leaf, like, c)
    if is_cupy(c) and isinstance(like, float):
        return c.real
    if is_cupy(like):
        made = cupy().empty(like.shape, like.dtype)
        made[...] = c.real if is_cupy(c) and c.dtype.kind == "c" != like.dtype.kind else c
        return made
    return containers.match(c, like)


def matched_leaf(x: Any, g: Any) -> Any:
    """The gradient of a leaf of a container, on the device if one of the two is there."""
    if not (is_cupy(x) or is_cupy(g)):
        return containers.matched_leaf(x, g)
    if is_cupy(x) and x.dtype.kind not in "fc":
        return None
    return cupy().zeros_like(x) if g is None else match(g, x)


@instead("creation.item")
def item(c: Any, *index: Any) -> Any:
    """A view of one entry, where the host has a number."""
    if not is_cupy(c):
        return c.item(*index) if hasattr(c, "dtype") else c
    if index and isinstance(index[0], tuple):
        (index,) = index
    if len(index) > 1:
        return c[index]
    return c.reshape(-1)[index[0] if index else 0]


# -- where an exact zero wins ----------------------------------------------------------------


@instead("exact_zero.mul0")
def mul0(g: Any, p: Any) -> Any:
    if not (is_cupy(g) or is_cupy(p)):
        return exact_zero.mul0(g, p)
    if not is_cupy(g):
        return g * p if g != 0 else g * cupy().zeros_like(p)
    if not is_cupy(p):
        return cupy().where(g == 0, 0, g * p)
    return g * cupy().where(g == 0, 0, p)


@instead("exact_zero.div0")
def div0(c: Any, y: Any) -> Any:
    if not (is_cupy(c) or is_cupy(y)):
        return exact_zero.div0(c, y)
    if not is_cupy(c):
        return c / y if c != 0 else c * cupy().zeros_like(y)
    if not is_cupy(y):
        return cupy().where(c == 0, 0, c / y)
    return c / cupy().where(c == 0, 1, y)


@instead("elementwise.divide_or_zero")
def divide_or_zero(c: Any, y: Any) -> Any:
    if not is_cupy(y):
        return c / y if y != 0 else c * 0.0
    zero = y == 0
    return cupy().where(zero, 0, c / cupy().where(zero, 1, y))


@instead("exact_zero.reached")
def reached(x: Any, of: Any, c: Any, letters: str) -> Any:
    if not is_cupy(of) or of.dtype.kind not in "fc":
        return x
    there = copied(exact_zero.asked)(placed(c) != 0, of, letters)
    return cupy().where(~cupy().isfinite(of) & ~there, 0, x)


# -- reductions, running ones too ------------------------------------------------------------


@instead("reductions.repeated")
def repeated(c: Any, shape: tuple[int, ...]) -> Any:
    """One number as an array that may not be written to."""
    return cupy().broadcast_to(placed(c), shape)


@instead("reductions.hits_of")
def hits_of(z: Any, x: Any, axis: Any, keepdims: bool, where: Any) -> Any:
    cp = cupy()
    top = z
    if axis is not None and not keepdims:
        top = cp.expand_dims(z, axis)
    hits = (x == top) | (cp.isnan(x) & cp.isnan(top))
    if where is not True:
        hits = hits & placed(where)
    return hits.astype(np.promote_types(x.real.dtype, np.float16))


@instead("cumulative.recur")
def recur(c: Any, a: Any) -> Any:
    """By one thread for each line: products of many factors may overflow, and nobody can be asked."""
    return kernels.recurrence(a, c, cupy().result_type(c, a))


@instead("special.norm_of")
def norm_of(xs: Any) -> Any:
    """In double precision, as Python's numbers are."""
    if not is_cupy(xs):
        return special.norm_of(xs)
    return cupy().linalg.norm(xs.astype(np.result_type(xs.dtype, np.float64)))


@instead("special.bessel_i")
def bessel_i(n: int, x: Any) -> Any:
    if not is_cupy(x):
        return special.bessel_i(n, x)
    if x.dtype.kind == "c":
        raise UnsupportedOperation("the modified Bessel functions of complex numbers on the device")
    return kernels.bessel_series(abs(n), x)


# -- places ----------------------------------------------------------------------------------


instead("indexing.add_at")(add_at)


@instead("element_positions.unmargins")
def unmargins(c: Any, like: Any, array: Any, pad_width: Any) -> Any:
    """The sum of what came from each constant: a mask would have to be counted."""
    cp, shape = cupy(), shape_of(like)
    count = math.prod(shape)
    numbers = np.arange(count).reshape(shape).tolist()
    place = cp.pad(cp.full(array.shape, -1), pad_width, constant_values=numbers)
    sums = [cp.where(place == k, c, 0).sum() for k in range(count)]
    return copied(creation.unpack)(cp.stack(sums).reshape(shape), like)


@instead("linalg.eigen.eigenvectors")
def eigenvectors(a: Any, w: Any) -> Any:
    """Eigenvalues come in the same order from one and the same routine; they are matched all the same."""
    cp = cupy()
    found, v = cp.linalg.eig(a)
    v = cp.take_along_axis(v, nearest(found, w)[..., None, :], axis=-1)
    return v if w.dtype.kind == "c" else v.real


def nearest(found: Any, w: Any) -> Any:
    """For each entry of ``w`` the place of the nearest one of ``found``, each place once."""
    cp = cupy()
    left = abs(w[..., :, None] - found[..., None, :])
    order = cp.empty(w.shape, np.intp)
    for k in range(w.shape[-1]):
        order[..., k] = best = left[..., k, :].argmin(-1)
        left = cp.where(cp.arange(w.shape[-1]) == best[..., None, None], np.inf, left)
    return order


@instead("statistics.counts.binned")
def binned(weights: Any, sample: Any, edges: Any) -> Any:
    """What lies outside all boxes goes to one more."""
    cp = cupy()
    shape = tuple(len(ends) - 1 for ends in edges)
    size = int(np.prod(shape))
    place, weights = copied(counts.bin_places)(sample, edges), cp.ravel(placed(weights))
    out = cp.zeros(size + 1, np.promote_types(weights.dtype, np.float16))
    add_at(out, cp.where(place < 0, size, place), weights)
    return out[:-1].reshape(shape)


@instead("element_positions.spread_at")
def spread_at(c: Any, like: Any, indices: Any, axis: int = 0) -> Any:
    """Each summand belongs to the sums whose places hold its own: which they are, says a mask."""
    cp, axis = cupy(), axis % like.ndim
    starts, here = placed(indices), cp.arange(like.shape[axis])
    ends = cp.append(starts[1:], cp.full(1, len(here)))
    ends = cp.where(ends > starts, ends, starts + 1)
    belongs = (starts[:, None] <= here) & (here < ends[:, None])
    found = cp.tensordot(c, belongs.astype(c.dtype), ((axis,), (0,)))
    return cast(cp.moveaxis(found, -1, axis), like)


@instead("functional_writes.last_written")
def last_written(c: Any, index: Any) -> Any:
    """The last write is the one whose number is greatest: which of them wins is left open there."""
    part = c[index]
    if not repeats(index) and not repeats_there(index):
        return part.copy()
    return cupy().where(is_last(c, index), part, 0)


@instead("functional_writes.scatter_last")
def scatter_last(c: Any, like: Any, index: Any) -> Any:
    cp = cupy()
    out = cp.zeros(like.shape, c.dtype)
    if not repeats(index) and not repeats_there(index):
        out[index] = c
    else:
        add_at(out, index, cp.where(is_last(out, index), c, 0))
    return out


def repeats_there(index: Any) -> bool:
    """`repeats` of places on the device."""
    parts = index if isinstance(index, tuple) else (index,)
    return any(is_cupy(part) and part.ndim and part.dtype.kind != "b" for part in parts)


def is_last(whole: Any, index: Any) -> Any:
    """Where no later entry of an index names the same place of ``whole``."""
    return winners(whole, index) == numbers(whole, index)


def numbers(whole: Any, index: Any) -> Any:
    cp = cupy()
    shape = cp.broadcast_to(cp.empty((), bool), whole.shape)[index].shape
    return cp.arange(math.prod(shape)).reshape(shape)


@instead("functional_writes.last_places")
def winners(whole: Any, index: Any) -> Any:
    """For each entry of an index the number of the last one that names its place."""
    last = cupy().zeros(whole.shape, np.int64)
    cupy().maximum.at(last, index, numbers(whole, index))
    return last[index]
